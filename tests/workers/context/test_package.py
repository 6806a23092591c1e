"""Model folders: what was written is read again, and nothing else is."""

import json
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest
import torch

from calib_core.document import Document
from tests.workers.context.conftest import TINY
from workers.context.encoder import build_network
from workers.context.model import load
from workers.context.package import load_encoder, read_settings, round_to_bytes, save_encoder
from workers.context.train import train_context
from workers.parsing.choice import ModelError


@pytest.fixture
def folder(trained: Path, tmp_path: Path) -> Path:
    return Path(copytree(trained, tmp_path / "model"))


def test_encoder_in_bytes_is_read_back_as_it_was_rounded(encoder: Path, tmp_path: Path) -> None:
    config = json.loads((encoder / "config.json").read_text())
    network = build_network(config, 2)
    save_encoder(tmp_path / "encoder.safetensors", network)
    again = load_encoder(tmp_path / "encoder.safetensors", build_network(config, 2))
    round_to_bytes(network)
    for name, tensor in network.state_dict().items():
        assert torch.equal(tensor, again.state_dict()[name]), name


def test_changed_weights_are_refused_by_their_hash(folder: Path) -> None:
    with (folder / "members.safetensors").open("ab") as file:
        file.write(b"x")
    with pytest.raises(ModelError, match=r"members\.safetensors: SHA-256 must be"):
        load(folder)


def test_missing_file_is_named(folder: Path) -> None:
    (folder / "wordpieces.json").unlink()
    with pytest.raises(ModelError, match=r"wordpieces\.json: is missing"):
        load(folder)


def test_other_format_is_refused(folder: Path) -> None:
    (folder / "model.json").write_text('{"format": "credence-context-0"}')
    with pytest.raises(ModelError, match="format must be 'credence-context-2'; got 'credence-context-0'"):
        load(folder)


def test_card_that_lists_files_elsewhere_is_refused(folder: Path) -> None:
    card = json.loads((folder / "model.json").read_text())
    card["files"]["../secret"] = "0"
    (folder / "model.json").write_text(json.dumps(card))
    with pytest.raises(ModelError, match=r"must list encoder\.safetensors, members\.safetensors, wordpieces\.json"):
        read_settings(folder)


def test_model_over_a_base_keeps_the_upstream_weights(stories: list[Document], encoder: Path, tmp_path: Path) -> None:
    folder = train_context(stories, encoder, tmp_path, replace(TINY, embed=False))
    assert not (folder / "encoder.safetensors").exists()
    assert len(load(folder).link(stories[0]).mentions) == 4
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"reads the encoder bert; `credence models fetch` gets it"):
        load(folder)


def test_encoder_may_lie_in_a_folder_of_its_own(stories: list[Document], encoder: Path, tmp_path: Path) -> None:
    folder = train_context(stories, encoder, tmp_path, replace(TINY, embed=False))
    inside = load(folder).link(stories[0]).antecedents.logits
    (folder / "model.safetensors").unlink()
    assert load(folder, encoder).link(stories[0]).antecedents.logits.tobytes() == inside.tobytes()


def test_other_weights_of_the_encoder_are_refused(stories: list[Document], encoder: Path, tmp_path: Path) -> None:
    folder = train_context(stories, encoder, tmp_path, replace(TINY, embed=False))
    with (folder / "model.safetensors").open("ab") as file:
        file.write(b"x")
    with pytest.raises(ModelError, match=r"model\.safetensors: SHA-256 must be"):
        load(folder)
