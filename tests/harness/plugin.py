"""Install a module as a package of its own for one test: a coreference model that nobody here has heard of."""

import json
import shutil
from pathlib import Path

from tests.harness import headwords


def install_headwords(site: Path) -> None:
    """Put the model's module and its entry point into a folder that is on the path."""
    shutil.copy(headwords.__file__, site / "headwords_for_credence.py")
    info = site / "headwords_for_credence-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: headwords-for-credence\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[credence.coreference]\nheadwords = headwords_for_credence\n")


def write_model(folder: Path, *, pronoun: float = 0.0) -> Path:
    """A model folder that says which implementation reads it."""
    folder.mkdir()
    (folder / "model.json").write_text(json.dumps({"kind": "headwords", "pronoun": pronoun}))
    return folder
