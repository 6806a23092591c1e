"""From a name or a folder to the implementation that reads it."""

import json
import shutil
from pathlib import Path

import pytest

from calib_core.coref.model.antecedent_model import DEFAULT_FOLDER, AntecedentModel
from workers.coreference import CARD, coreference_folder, coreference_name, implementation_of, load_coreference
from workers.parsing.choice import ModelError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(DEFAULT_FOLDER, tmp_path / "m")
    return tmp_path / "m"


def rewrite(folder: Path, **changed: object) -> None:
    card = json.loads((folder / CARD).read_text())
    (folder / CARD).write_text(json.dumps({**card, **changed}))


def test_a_card_without_kind_is_log_linear(folder: Path) -> None:
    assert implementation_of(folder).kind == "loglinear"
    assert (
        load_coreference(str(folder)).fingerprint
        == load_coreference().fingerprint
        == AntecedentModel.load().fingerprint
    )


def test_a_card_may_say_its_kind(folder: Path) -> None:
    rewrite(folder, kind="loglinear")
    assert load_coreference(str(folder)).fingerprint == AntecedentModel.load().fingerprint


def test_a_kind_that_nothing_reads_is_named_with_those_that_are_known(folder: Path) -> None:
    rewrite(folder, kind="astrology")
    with pytest.raises(ModelError, match=r"model\.json: kind must be one of .*loglinear.*; got 'astrology'"):
        load_coreference(str(folder))


def test_a_card_that_is_no_mapping_is_refused(folder: Path) -> None:
    (folder / CARD).write_text("[]")
    with pytest.raises(ModelError, match="must be a mapping; got list"):
        implementation_of(folder)
    (folder / CARD).write_text("{")
    with pytest.raises(ModelError, match="is not JSON"):
        implementation_of(folder)


def test_a_folder_without_a_card_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(
        ModelError,
        match="is none of `default`, `loglinear`, `accurate`, and not the folder of a trained coreference model",
    ):
        coreference_folder(str(tmp_path))


def test_encoder_of_a_shipped_model_may_be_named_behind_a_colon() -> None:
    assert coreference_folder("accurate:/encoders/big") == coreference_folder("accurate")
    assert coreference_name("accurate:/encoders/big") == "accurate"
    assert coreference_name("/models/mine") == "mine"


def test_shipped_model_whose_encoder_is_missing_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(
        ModelError, match=r"is missing: the model reads the encoder .*; `credence models fetch` gets it"
    ):
        load_coreference(f"accurate:{tmp_path}")
