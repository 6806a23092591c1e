"""Training the antecedent model: a true gradient, the same weights from the same seed, files that hold them."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calib_core.coref import (
    AntecedentModel,
    Antecedents,
    TrainConfig,
    clusters_of,
    detect_mentions,
    map_clustering,
    train_antecedent_model,
)
from calib_core.coref.model.antecedent_model import DEFAULT_FOLDER
from calib_core.coref.model.gradient import document_slope, empty_slope, posterior_gap
from calib_core.coref.model.training import examples
from calib_core.document import Document

SMALL = TrainConfig(bits=14, epochs=30, rate=0.1, penalty=0.001, members=1, folds=0)


def test_training_fits_the_story(story: Document) -> None:
    model = train_antecedent_model([story], SMALL)
    mentions = model.mentions(story)
    clusters = clusters_of(map_clustering(model.antecedents(story, mentions=mentions)), mentions)
    assert sorted(clusters) == sorted(story.clusters or ())


def test_the_same_seed_gives_the_same_weights(story: Document) -> None:
    other = replace(story, doc_id="other", words=tuple(reversed(story.words)))
    config = replace(SMALL, epochs=3, members=2, seed=5)
    one, two = (train_antecedent_model([story, other, story], config).weights for _ in range(2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, train_antecedent_model([story, other, story], replace(config, seed=6)).weights)


def test_the_sharpness_is_cross_fitted_and_saved(tmp_path: Path, story: Document) -> None:
    others = [replace(story, doc_id=str(n)) for n in range(4)]
    model = train_antecedent_model(others, replace(SMALL, epochs=2, folds=2))
    assert (model.scale, model.new_shift) != (1.0, 0.0)
    model.save(tmp_path)
    again = AntecedentModel.load(tmp_path)
    assert (again.scale, again.new_shift) == (model.scale, model.new_shift)


def test_progress_reports_a_likelihood_that_rises(story: Document) -> None:
    seen: list[tuple[int, int, float]] = []
    train_antecedent_model([story], replace(SMALL, epochs=4), progress=lambda *args: seen.append(args))
    assert [(done, total) for done, total, _ in seen] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert seen[-1][2] > seen[0][2]


def test_the_gradient_is_the_slope_of_the_likelihood(story: Document) -> None:
    example = examples([story])[0]
    weights = np.random.default_rng(0).normal(0, 0.05, 2**14).astype(np.float32)
    shift, costs = np.uint64(50), np.zeros(3)
    slope = empty_slope(2**14)
    document_slope(example.arrays, example.entities, weights, shift, 500, costs, slope)
    for at in slope.slots[: slope.length[0]][::97]:
        values = []
        for step in (1e-2, -1e-2):
            moved = weights.copy()
            moved[at] += np.float32(step)
            values.append(
                document_slope(example.arrays, example.entities, moved, shift, 500, costs, empty_slope(2**14))
            )
        assert slope.value[at] == pytest.approx((values[0] - values[1]) / 2e-2, abs=2e-3)


def test_the_gap_is_hand_worked() -> None:
    """Scores log 1, log 2, log 3 with the first two right: P = 1/6, 2/6, 3/6; given right: 1/3, 2/3, 0."""
    gap = np.zeros(3)
    value = posterior_gap(np.log([1.0, 2.0, 3.0]), np.array([True, True, False]), np.zeros(3), gap)
    assert value == pytest.approx(np.log(0.5))
    np.testing.assert_allclose(gap, [1 / 6, 1 / 3, -1 / 2])


def test_softmax_margin_costs_make_wrong_choices_look_better() -> None:
    scores = np.zeros(3)
    posterior_gap(scores, np.array([True, False, False]), np.array([0.1, 3.0, 1.0]), np.zeros(3))
    assert scores.tolist() == [0.0, 1.0, 3.0]
    scores = np.zeros(2)
    posterior_gap(scores, np.array([False, True]), np.array([0.1, 3.0, 1.0]), np.zeros(2))
    assert scores.tolist() == [0.1, 0.0]


def test_a_saved_model_is_the_same_model(tmp_path: Path, story: Document) -> None:
    model = train_antecedent_model([story], SMALL)
    model.save(tmp_path / "a")
    model.save(tmp_path / "b")
    again = AntecedentModel.load(tmp_path / "a")
    assert np.array_equal(again.weights, model.weights)
    assert again.about["config"]["seed"] == 0
    assert (tmp_path / "a" / "weights.npz").read_bytes() == (tmp_path / "b" / "weights.npz").read_bytes()
    assert np.array_equal(again.antecedents(story).logits, model.antecedents(story).logits)


def test_weights_that_do_not_fit_their_card_are_refused(tmp_path: Path, story: Document) -> None:
    train_antecedent_model([story], replace(SMALL, epochs=1)).save(tmp_path)
    card = json.loads((tmp_path / "model.json").read_text())
    (tmp_path / "model.json").write_text(json.dumps(card | {"format": "other"}))
    with pytest.raises(ValueError, match="has format 'other'; this version reads"):
        AntecedentModel.load(tmp_path)
    (tmp_path / "model.json").write_text(json.dumps({"format": card["format"], "window": 5}))
    with pytest.raises(ValueError, match=r"model\.json lacks about, n_weights, new_shift, scale, sha256"):
        AntecedentModel.load(tmp_path)
    (tmp_path / "model.json").write_text(json.dumps(card))
    (tmp_path / "weights.npz").write_bytes(b"x")
    with pytest.raises(ValueError, match="sha256 differs"):
        AntecedentModel.load(tmp_path)


def test_documents_without_gold_or_mentions_are_refused(story: Document) -> None:
    with pytest.raises(ValueError, match="document 'story' has no gold clusters"):
        train_antecedent_model([replace(story, clusters=None)], SMALL)
    with pytest.raises(ValueError, match="no training document has a mention"):
        train_antecedent_model([], SMALL)


def test_the_shipped_model_loads_and_resolves_the_story(story: Document) -> None:
    model = AntecedentModel.load()
    antecedents = model.antecedents(story)
    assert len(antecedents) == len(detect_mentions(story)) == 7
    entity = map_clustering(antecedents)
    assert entity[0] == entity[5]  # the king's army … the army


def test_the_shipped_files_are_small_and_signed() -> None:
    folder = DEFAULT_FOLDER.parent
    assert sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) <= 5_000_000
    card = json.loads((DEFAULT_FOLDER / "model.json").read_text())
    assert hashlib.sha256((DEFAULT_FOLDER / "weights.npz").read_bytes()).hexdigest() == card["sha256"]


def test_the_window_limits_the_candidates(story: Document) -> None:
    model = AntecedentModel(np.zeros(2**10, dtype=np.float32), window=2)
    antecedents = model.antecedents(story)
    assert np.diff(antecedents.offsets).tolist() == [1, 2, 3, 3, 3, 3, 3]
    assert antecedents.candidates[antecedents.offsets[1:] - 1].tolist() == [-1] * 7
    assert antecedents.candidates[antecedents.offsets[6] : -1].tolist() == [4, 5]


def test_a_table_or_window_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(ValueError, match="power of two; got 3"):
        AntecedentModel(np.zeros(3, dtype=np.float32))
    with pytest.raises(ValueError, match="window must be at least 1; got 0"):
        AntecedentModel(np.zeros(4, dtype=np.float32), window=0)


def repeated(story: Document, times: int) -> Document:
    """The story over and over, as one document."""
    n = len(story)
    shift = np.repeat(np.arange(times) * n, n)
    heads = np.tile(story.heads, times)
    return Document(
        doc_id="long",
        words=story.words * times,
        lemmas=story.lemmas * times,
        upos=story.upos * times,
        xpos=story.xpos * times,
        feats=story.feats * times,
        heads=np.where(heads >= 0, heads + shift, -1),
        deprels=story.deprels * times,
        sentences=np.tile(story.sentences, times) + np.repeat(np.arange(times) * 3, n),
        starts=np.tile(story.starts, times),
        ends=np.tile(story.ends, times),
        speakers=story.speakers * times,
    )


@pytest.mark.slow
def test_five_thousand_mentions_are_handled(story: Document) -> None:
    antecedents: Antecedents = AntecedentModel.load().antecedents(repeated(story, 715))
    assert len(antecedents) == 5005
    assert np.isfinite(antecedents.logits).all()
    assert len(map_clustering(antecedents)) == 5005


def test_no_mention_and_one_mention_are_handled(story: Document) -> None:
    model = AntecedentModel.load()
    empty = replace(story, upos=("VERB",) * len(story))
    assert len(model.antecedents(empty)) == 0
    one = replace(empty, upos=("VERB", "NOUN") + ("VERB",) * (len(story) - 2))
    assert model.antecedents(one).candidates.tolist() == [-1]


def test_a_document_is_scored_by_itself(story: Document) -> None:
    model = AntecedentModel.load()
    first = model.antecedents(story).logits
    model.antecedents(repeated(story, 3))
    assert np.array_equal(model.antecedents(story).logits, first)
