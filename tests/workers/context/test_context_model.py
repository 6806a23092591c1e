"""A context model's antecedents: a document's own, to the bit, for any document."""

import pickle
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
from workers.context.member import Member
from workers.context.model import ContextModel, load
from workers.context.scorer import Scorer
from workers.parsing.choice import ModelError


@pytest.fixture(scope="module")
def model(trained: Path) -> ContextModel:
    return load(trained)


def repeated(document: Document, times: int) -> Document:
    """The same sentences again and again."""
    n, sentences, end = len(document), int(document.sentences.max()) + 1, int(document.ends.max()) + 1
    copies = np.repeat(np.arange(times), n)
    heads = np.tile(document.heads, times)
    return replace(
        document,
        words=document.words * times, lemmas=document.lemmas * times, upos=document.upos * times,
        xpos=document.xpos * times, feats=document.feats * times, deprels=document.deprels * times,
        speakers=document.speakers * times,
        heads=np.where(heads < 0, -1, heads + copies * n),
        sentences=np.tile(document.sentences, times) + copies * sentences,
        starts=np.tile(document.starts, times) + copies * end, ends=np.tile(document.ends, times) + copies * end,
        clusters=(),
    )  # fmt: skip


def test_every_mention_gets_a_distribution(model: ContextModel, stories: list[Document]) -> None:
    linked = model.link(stories[0])
    offsets = linked.antecedents.offsets
    p = antecedent_probabilities(linked.antecedents)
    assert len(linked.mentions) == 4
    np.testing.assert_allclose(np.add.reduceat(p, offsets[:-1]), 1.0)


def test_untrained_scorers_leave_the_loglinear_distribution(model: ContextModel, stories: list[Document]) -> None:
    members = tuple(Member(Scorer(model.settings.sizes).eval(), member.adapters) for member in model.members)
    bare = replace(model, members=members, settings=replace(model.settings, recalibration=Identity()))
    expected = antecedent_probabilities(model.loglinear.antecedents(stories[0]))
    np.testing.assert_allclose(antecedent_probabilities(bare.link(stories[0]).antecedents), expected, atol=1e-6)


def test_numbers_do_not_depend_on_what_was_read_before(model: ContextModel, stories: list[Document]) -> None:
    alone = model.link(stories[1]).antecedents.logits.tobytes()
    model.link(stories[0])
    assert model.link(stories[1]).antecedents.logits.tobytes() == alone


def test_another_process_reads_the_encoder_itself(model: ContextModel, stories: list[Document]) -> None:
    assert len(pickle.dumps(model.encoder)) < 1000
    sent = pickle.loads(pickle.dumps(model))  # noqa: S301
    assert sent.fingerprint == model.fingerprint
    assert sent.link(stories[0]).antecedents.logits.tobytes() == model.link(stories[0]).antecedents.logits.tobytes()


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


def test_a_long_document_is_read_in_windows(model: ContextModel, stories: list[Document]) -> None:
    long = repeated(stories[0], 300)
    linked = model.link(long)
    assert len(long) == 2700
    assert len(linked.mentions) == 1200
    assert np.isfinite(linked.antecedents.logits).all()


def test_text_in_another_language_gets_a_distribution(model: ContextModel, stories: list[Document]) -> None:
    words = ("\u0410\u0440\u043c\u0456\u044f", "\u043f\u0456\u0448\u043b\u0430", *stories[0].words[2:])
    linked = model.link(replace(stories[0], words=words, lemmas=words))
    p = antecedent_probabilities(linked.antecedents)
    np.testing.assert_allclose(np.add.reduceat(p, linked.antecedents.offsets[:-1]), 1.0)


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
