"""Cross-validation of a trained context model: no part of it has seen the document it speaks of."""

import json
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest

from calib_core.coref.model.training import text_hash
from calib_core.document import Document
from workers.context.model import load
from workers.context.unseen import UNSEEN, unseen_models


def test_each_document_gets_parts_that_have_not_seen_it(trained: Path, stories: list[Document]) -> None:
    models, number = unseen_models(trained, stories)
    note = json.loads((trained.parent / UNSEEN).read_text())
    whole = load(trained)
    for story, model in zip(stories, (models[n] for n in number), strict=True):
        _, part = note[text_hash(story)]
        assert text_hash(story) not in model.loglinear.trained_on
        assert len(model.members) == 1
        assert model.members[0].adapters.keys() == whole.members[part].adapters.keys()
        assert len(model.link(story).mentions) == 4


def test_model_without_its_training_is_refused(trained: Path, stories: list[Document], tmp_path: Path) -> None:
    copytree(trained, tmp_path / "model")
    with pytest.raises(ValueError, match=r"in the folder of its training, which is not there: no .*unseen\.json"):
        unseen_models(tmp_path / "model", stories)


def test_documents_from_elsewhere_are_refused(trained: Path, stories: list[Document]) -> None:
    stranger = replace(stories[0], doc_id="new", words=("Nobody", *stories[0].words[1:]))
    with pytest.raises(ValueError, match="not one of them: new"):
        unseen_models(trained, [stranger])
