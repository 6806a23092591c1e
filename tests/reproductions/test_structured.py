"""Recalibration of events: features of each task on small examples, and what the page makes of them."""

import numpy as np
import pytest

from calib_core.coref import AntecedentModel
from calib_core.document import Document
from reproductions.stages import Stages
from reproductions.structured.chain import MAP_GROUPS, TAG_GROUPS, chain_events, train_chain
from reproductions.structured.coref import CLUSTER_GROUPS, LINK_GROUPS, coref_events, read_document
from reproductions.structured.digits import MODELS, Digits, digits
from reproductions.structured.events import Events, by_features, by_size, forecast, loss_gain, scored
from reproductions.structured.page import page
from reproductions.structured.results import CLUSTER, LINK, TAG, WHOLE, results
from reproductions.tagging.tagged_text import TaggedText

SENTENCES = [
    (["the", "dog", "barks"], ["DT", "NN", "VBZ"]),
    (["a", "dog", "sees", "the", "cat"], ["DT", "NN", "VBZ", "DT", "NN"]),
    (["dogs", "bark"], ["NNS", "VBP"]),
]


def tagged(n: int) -> TaggedText:
    chosen = [SENTENCES[number % 3] for number in range(n)]
    return TaggedText([list(w) for w, _ in chosen], [list(t) for _, t in chosen], np.arange(n))


def made_up(n: int, seed: int, names: tuple[str, ...] = ("margin",), *, per_example: int = 4) -> Events:
    """Events whose model says the square of the true probability."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n)
    columns = dict.fromkeys(names, truth)
    return Events(truth**2, rng.random(n) < truth, np.arange(n) // per_example, columns)


def test_chain_features_of_whole_sentences_and_of_tags() -> None:
    progress = Stages()
    chain = train_chain(tagged(9), progress, seed=0)
    whole, single = chain_events(chain, tagged(3))
    assert len(whole) == 3
    assert single.example.tolist() == [0] * 3 + [1] * 5 + [2] * 2
    assert whole.holds.all()
    assert single.holds.all()
    assert (whole.columns["admissible"] == 1).all()
    assert whole.columns["length"].tolist() == [3, 5, 2]
    assert (whole.columns["margin"] <= whole.raw).all()
    assert single.columns["frequency"][3:8].tolist() == pytest.approx([0.4, 0.4, 0.2, 0.4, 0.4])
    assert all(name in whole.columns for names in MAP_GROUPS.values() for name in names)
    assert all(name in single.columns for names in TAG_GROUPS.values() for name in names)


def test_a_sentence_with_unseen_tag_pairs_is_not_admissible() -> None:
    progress = Stages()
    chain = train_chain(tagged(3), progress, seed=0)
    chain.bigrams[:] = False
    assert not chain_events(chain, tagged(1))[0].columns["admissible"].any()


def test_links_and_clusters_of_documents(stories: list[Document]) -> None:
    model = AntecedentModel.load()
    links, clusters = coref_events(model, stories[:2])
    reading = read_document(model, stories[0])
    assert len(links) == 2 * int((reading.nearest >= 0).sum())
    assert len(clusters) == 2 * int((np.bincount(reading.entities) > 1).sum())
    assert ((clusters.raw >= 0) & (clusters.raw <= 1)).all()
    # a whole cluster is no likelier than its least likely link
    assert (clusters.raw <= clusters.columns["least"] + 1e-12).all()
    assert all(name in links.columns for names in LINK_GROUPS.values() for name in names)
    assert all(name in clusters.columns for names in CLUSTER_GROUPS.values() for name in names)


def test_with_the_other_mentions_held_a_mention_chooses_among_entities(stories: list[Document]) -> None:
    reading = read_document(AntecedentModel.load(), stories[0])
    assert ((reading.pseudo >= -1) & (reading.pseudo <= 1)).all()
    assert reading.pseudo[0] == reading.local[0] == 1.0  # the first mention can only be new


def test_a_forecaster_repairs_a_distorted_model() -> None:
    fit, test = made_up(2000, 0), made_up(2000, 1)
    after = forecast(fit, test, ["margin"], method="knn", size=100)
    assert scored(after, test.holds).calibration < 0.1 * scored(test.raw, test.holds).calibration
    gain = loss_gain(test.raw, after, test)
    assert 0 < gain.lo < gain.value < gain.hi


def test_groups_and_sizes_are_all_measured() -> None:
    fit, test = made_up(400, 0, ("a", "b")), made_up(400, 1, ("a", "b"))
    found = by_features(fit, test, {"MAP: a": ["a"], "all": ["a", "b"]})
    assert list(found) == ["model's own", "MAP: a", "all"]
    sizes = by_size(fit, test, ["a"], (20, 80, 1000), repeats=2, seed=0)
    assert sorted(sizes) == [("knn", 20), ("knn", 80), ("tree", 20), ("tree", 80)]


@pytest.mark.slow
def test_page_from_made_up_events() -> None:
    def events(groups: dict[str, list[str]], seed: int) -> tuple[Events, Events]:
        names = tuple({name for group in groups.values() for name in group})
        return made_up(240, seed, names), made_up(240, seed + 1, names)

    groups = {WHOLE: MAP_GROUPS, TAG: TAG_GROUPS, LINK: LINK_GROUPS, CLUSTER: CLUSTER_GROUPS}
    sets = {name: events(group, 2 * number) for number, (name, group) in enumerate(groups.items())}
    progress = Stages()
    one = made_up(200, 9)
    found = page(results({name: Digits(one, one.raw, one.raw) for name in MODELS}, sets, progress, seed=0))
    assert len(found.claims) == 8
    assert len(found.pictures) == 3
    assert all(picture.chart.to_dict() for picture in found.pictures)
    assert "MAP: pseudomargin" in found.wide


@pytest.mark.slow
def test_events_beat_one_vs_all_on_digits() -> None:
    found = digits(MODELS["linear SVM"], seed=0)
    assert found.accuracy > 0.9
    losses = [scored(pred, found.events.holds).loss for pred in (found.forecast, found.one_vs_all, found.events.raw)]
    assert losses == sorted(losses)
    assert len(np.unique(found.events.example)) > 1700  # nearly every image is tested by some split
