"""`hmm-crf`, `tweets` and `tagsets`, end to end on made-up text."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from calib_core.calibration import calibration_error, gmce, smce, tag_frequency_groups
from reproductions.findings import DataFolder
from reproductions.hmm_crf import experiment as hmm_crf
from reproductions.hmm_crf import page as hmm_crf_page
from reproductions.hmm_crf.measures import by_pair, by_tag
from reproductions.stages import Stages
from reproductions.tagging import (
    ConditionalRandomField,
    HiddenMarkovModel,
    joined,
    log_partition,
    path_scores,
    tagger_training,
)
from reproductions.tagging.tagger_measures import accuracy, frequent_pairs, log_likelihood, tag
from reproductions.tagging.tagger_training import Splits, Trainer
from reproductions.tagsets import experiment as tagsets
from reproductions.tagsets import measures as tagsets_measures
from reproductions.tagsets import page as tagsets_page
from reproductions.tweets import experiment as tweets
from tests.reproductions.made_up_text import made_up, write_tsv

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.fixture
def text() -> Splits:
    return Splits(made_up(60, 1), made_up(20, 2), made_up(40, 3))


def test_accuracy_and_questions_agree_with_counting(text: Splits) -> None:
    model = HiddenMarkovModel(pseudocount=0.1).fit(text.train.words, text.train.tags)
    tagged = tag(model, text.test)
    assert tagged.accuracy == accuracy(model, text.test) > 0.4
    question = tagged.one_tag("NN")
    assert question.label.sum() == joined(text.test.tags).count("NN")
    assert tagged.all_tags().label.sum() == text.test.n_words
    assert len(tagged.all_tags().pred) == text.test.n_words * len(tagged.names)


def test_pair_questions_count_neighbours_inside_sentences(text: Splits) -> None:
    tagged = tag(HiddenMarkovModel().fit(text.train.words, text.train.tags), text.test)
    pairs = frequent_pairs(text.test, tagged.names, 3)
    seen = [pair for sentence in text.test.tags for pair in pairwise(sentence)]
    for question, (first, second) in zip(tagged.tag_pair(pairs), pairs, strict=True):
        assert question.label.sum() == seen.count((tagged.names[first], tagged.names[second]))
        assert len(question.pred) == len(seen)


def test_a_model_is_trained_once(text: Splits) -> None:
    trainer = Trainer(text, Stages())
    assert trainer.crf(10, ("word",), 1.0) is trainer.crf(10, ("word",), 1.0)
    assert trainer.crf(10**6, ("word",), 1.0) is trainer.crf(60, ("word",), 1.0)


def test_hmm_against_crf_runs_through(text: Splits, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (tagger_training, hmm_crf, hmm_crf_page):
        monkeypatch.setattr(module, "PENALTIES", (0.1, 0.3))
    results = hmm_crf.experiment(text, Stages(), sizes=(20, 40), ablation=30, seed=0)
    assert {n for n, _ in results.matched.values()} <= {20, 40}
    assert len(by_tag(results, "printed").names) == 6
    pairs = by_pair(results, "tuned")
    assert pairs.wins + int((pairs.hmm <= pairs.crf).sum()) == len(pairs.names)
    assert 0 <= pairs.won.value <= len(pairs.names)
    found = hmm_crf_page.page(results, 0)
    assert len(found.claims) == 10
    assert {row.theirs for row in found.rows} >= {0.0153, 0.0081, 39.0, 71.0}


def test_likelihood_on_dev_is_that_of_the_right_path(text: Splits) -> None:
    model = HiddenMarkovModel(pseudocount=0.1).fit(text.train.words, text.train.tags)
    scores = model.scores(text.dev.words)
    gold = model.tags_.numbers(joined(text.dev.tags))
    logs = path_scores(scores, gold) - log_partition(scores)
    assert log_likelihood(model, text.dev) == pytest.approx(logs.sum() / text.dev.n_words)


def test_climbing_ends_where_both_neighbours_are_worse(text: Splits, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer, values = Trainer(text, Stages()), dict(zip(tagger_training.PENALTIES, (1, 2, 3, 5, 4, 3, 9), strict=True))
    monkeypatch.setattr(trainer, "crf", lambda *asked: asked[-1])
    monkeypatch.setattr(trainer, "on_dev", lambda l2, _: values[l2])
    assert trainer.climbed_penalty(10, ("word",), "likelihood", 0.003) == 0.1
    assert trainer.best_penalty(10, ("word",), "likelihood") == 3.0


def test_tweets_run_through(text: Splits, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tagger_training, "PENALTIES", (0.1, 0.3))
    for name in ("train", "dev", "test"):
        write_tsv(getattr(text, name), tmp_path / "tagging" / f"ark-tweets-{name}.tsv")
    found = tweets.run(DataFolder(tmp_path), Stages(), 0)
    ours = {row.figure: row.ours for row in found.rows if row.table == "Accuracy"}
    assert {f"accuracy, {name}" for name in ("HMM", "HMM, tuned", "CRF-Basic", "CRF-Advanced")} < ours.keys()
    assert len(ours) == 9
    assert len(found.claims) == 6
    assert all(0.3 < value <= 1 for value in ours.values())


def many_tags(n_sentences: int, seed: int):
    return made_up(n_sentences, seed, tags=tuple(f"T{number}" for number in range(12)))


def test_tagsets_run_through() -> None:
    study = tagsets.study("x", many_tags(80, 1), many_tags(30, 2), many_tags(30, 3), Stages(), seed=0, n_sentences=60)
    assert study.n_words == 240
    assert study.tags_in_group.sum() == study.n_tags
    found = tagsets_page.page({"EWT": study, "GUM": study})
    assert len(found.claims) == 9
    assert [picture.suffix for picture in found.pictures] == ["", "groups"]


def test_rare_tags_are_pooled() -> None:
    text = made_up(3)
    pooled = tagsets.pool_rare(text, {"NN"})
    assert set(joined(pooled.tags)) <= {"NN", tagsets.RARE}
    assert joined(pooled.tags).count("NN") == joined(text.tags).count("NN")


def test_untouched_scores_are_measured_alike_by_both_routes() -> None:
    rng = np.random.default_rng(0)
    marginal, gold = rng.dirichlet(np.full(8, 0.3), 500), rng.integers(0, 8, 500)
    one = tagsets_measures.scored(marginal, gold, np.arange(500) // 10)
    study = tagsets_measures.measure(one, one, np.bincount(gold, minlength=8), seed=0)
    untouched = study.errors[tagsets_measures.NONE]
    assert untouched.smce == pytest.approx(smce(marginal, gold, n_bins=10))
    assert untouched.gmce == pytest.approx(gmce(marginal, gold, tag_frequency_groups(np.bincount(gold), 5), n_bins=10))
    assert untouched.smce_by_rank == pytest.approx(calibration_error(one.above.pred, one.above.label, n_bins=10))
    assert study.errors["IR", "SCW"].smce < study.errors[tagsets_measures.NONE].smce


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="needs the data folder")
def test_crf_is_better_calibrated_than_the_hmm_on_tweets() -> None:
    splits = Splits(
        *(tweets.read_tweets(DATA / "tagging" / f"ark-tweets-{part}.tsv") for part in ("train", "dev", "test"))
    )
    hmm = HiddenMarkovModel().fit(splits.train.words, splits.train.tags)
    crf = ConditionalRandomField(l2=0.1).fit(splits.train.words, splits.train.tags)
    errors = [
        calibration_error(question.pred, question.label, bin_size=200)
        for question in (tag(model, splits.test).one_tag("V") for model in (hmm, crf))
    ]
    assert errors[1] < 0.7 * errors[0]
