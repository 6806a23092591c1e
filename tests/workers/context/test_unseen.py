"""Cross-validation of a trained context model: no part of it has seen the document it speaks of."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree

import pytest

from calib_core.coref.model.training import text_hash
from calib_core.document import Document
from workers.calibration.drive import CalibrateConfig, calibrate
from workers.calibration.folds import FoldConfig
from workers.calibration.inputs import AnnotatedSet
from workers.calibration.measure import MeasureConfig
from workers.context.model import load
from workers.context.unseen import UNSEEN, unseen_models
from workers.storage import Warehouse


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


def test_calibrate_measures_the_documents_of_the_training(
    trained: Path, stories: list[Document], tmp_path: Path
) -> None:
    annotated, model = AnnotatedSet("stories", "train", tuple(stories), has_trees=True), load(trained)
    config = CalibrateConfig(modes=("gold_trees",), folds=FoldConfig(2), measure=MeasureConfig(samples=20), parts=3)
    report = calibrate(
        annotated, model, config, Warehouse.open(tmp_path, writer="test"), created=datetime(2000, 1, 1, tzinfo=UTC),
        unseen=unseen_models(trained, stories),
    )  # fmt: skip
    assert report.model_id == model.fingerprint
    assert report.metric("calibration_error", recalibrated="none") is not None
