"""A context model's antecedents: a document's own, to the bit, for any document."""

from dataclasses import replace
from pathlib import Path
from shutil import copytree, rmtree

import numpy as np
import pytest
import torch

from calib_core.coref import AntecedentModel, antecedent_probabilities
from calib_core.coref.mentions.detection import detect_mentions
from calib_core.coref.recalibration.forms import Identity
from calib_core.document import Document
from workers.context import model as context_model
from workers.context.model import ContextModel, load
from workers.context.scorer import Scorer
from workers.parsing.choice import ModelError


@pytest.fixture(scope="module")
def model(trained: Path) -> ContextModel:
    return load(trained)


def test_every_mention_gets_a_distribution(model: ContextModel, stories: list[Document]) -> None:
    linked = model.link(stories[0])
    offsets = linked.antecedents.offsets
    p = antecedent_probabilities(linked.antecedents)
    assert len(linked.mentions) == 4
    np.testing.assert_allclose(np.add.reduceat(p, offsets[:-1]), 1.0)


def test_untrained_scorers_leave_the_loglinear_distribution(model: ContextModel, stories: list[Document]) -> None:
    scorers = tuple(Scorer(model.settings.sizes).eval() for _ in model.scorers)
    bare = replace(model, scorers=scorers, settings=replace(model.settings, repair=Identity()))
    expected = antecedent_probabilities(model.loglinear.antecedents(stories[0]))
    np.testing.assert_allclose(antecedent_probabilities(bare.link(stories[0]).antecedents), expected, atol=1e-6)


def test_numbers_do_not_depend_on_what_was_read_before(model: ContextModel, stories: list[Document]) -> None:
    alone = model.link(stories[1]).antecedents.logits.tobytes()
    model.link(stories[0])
    assert model.link(stories[1]).antecedents.logits.tobytes() == alone


def test_blocks_of_mentions_give_what_one_block_gives(
    model: ContextModel, stories: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = model.link(stories[0]).antecedents.logits
    monkeypatch.setattr(context_model, "_BLOCK", 3)
    np.testing.assert_allclose(model.link(stories[0]).antecedents.logits, whole, atol=1e-5)


def test_document_without_words_has_no_mentions(model: ContextModel) -> None:
    nothing = np.zeros(0, dtype=np.int64)
    empty = Document("empty", (), (), (), (), (), nothing, (), nothing, nothing, nothing, ())
    assert len(model.link(empty).antecedents) == 0


def test_mentions_given_from_outside_are_linked(model: ContextModel, stories: list[Document]) -> None:
    mentions = detect_mentions(stories[0])
    assert model.link(stories[0], mentions=mentions).mentions is mentions


def test_text_of_signs_that_the_encoder_does_not_know_is_read(model: ContextModel, stories: list[Document]) -> None:
    words = tuple("\u4e16" * len(word) for word in stories[0].words)
    assert np.isfinite(model.link(replace(stories[0], words=words)).antecedents.logits).all()


def test_trained_on_names_the_training_texts(model: ContextModel, stories: list[Document]) -> None:
    assert len(model.trained_on) == len(stories)


def test_loading_holds_torch_to_one_thread(trained: Path) -> None:
    load(trained)
    assert torch.get_num_threads() == 1


def test_scorers_over_another_loglinear_model_are_refused(trained: Path, tmp_path: Path) -> None:
    copytree(trained, tmp_path / "model")
    rmtree(tmp_path / "model" / "loglinear")
    with pytest.raises(ModelError, match=f"got {AntecedentModel.load().fingerprint}"):
        load(tmp_path / "model")
