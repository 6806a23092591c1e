"""Coreference models: from a name or a folder to the implementation that reads it.

Covers: the shipped models by name, which implementation reads a folder, and the version of its code.
Not here: what a model must do (`calib_core.coref.protocol`), the implementations.

The name of a shipped model whose encoder is not shipped may be followed by a colon and the encoder's folder.

A model's folder has a `model.json`; its `kind` says which implementation reads it, and without one it is `loglinear`.
An implementation is a module with a function `load(folder)`. Ours are listed here; another package adds its own by an
entry point in the group `credence.coreference`, with the kind as its name and the module as its value. Only installed
code is ever imported, never anything that the folder names.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from calib_core.coref.model.antecedent_model import DEFAULT_FOLDER
from calib_core.coref.protocol import CoreferenceModel
from workers.code_version import code_version
from workers.parsing.choice import ModelError

CARD, LOGLINEAR, CONTEXT = "model.json", "loglinear", "context"
SHIPPED: Mapping[str, Path] = {
    "default": DEFAULT_FOLDER,
    "loglinear": DEFAULT_FOLDER,
    "accurate": Path(__file__).parent / "models" / "coref",
}
"""Folders of the models that come with the package, by name."""

_WITHOUT_ENCODER = ("accurate",)

IMPLEMENTATIONS: Mapping[str, str] = {
    LOGLINEAR: "calib_core.coref.model.antecedent_model",
    CONTEXT: "workers.context.model",
}
"""Our modules, by the kind of model that they read."""

GROUP = "credence.coreference"


@dataclass(frozen=True, slots=True)
class Implementation:
    """A module that reads one kind of model.

    Attributes
    ----------
    kind : str
    module : str
        Imported when a model is loaded, not before.
    package : str or None
        Name and version of the package that it came with; None for our own.
    """

    kind: str
    module: str
    package: str | None = None

    @property
    def version(self) -> str:
        """Changes when the code may link differently; for another package, its version number."""
        return code_version(self.module) if self.package is None else self.package

    def load(self, folder: Path, base: Path | None = None) -> CoreferenceModel:
        """Read a folder, and an encoder's if the model reads one that lies elsewhere."""
        load = import_module(self.module).load
        model: CoreferenceModel = load(folder) if base is None else load(folder, base)
        return model


def coreference_name(model: str) -> str:
    """A model without the folders that it lies in."""
    name, _ = _named(model)
    return Path(name).name


def _named(model: str) -> tuple[str, Path | None]:
    """The name or path of a model, and the folder of its encoder if one is given."""
    name, colon, base = model.partition(":")
    return (name, Path(base)) if colon and name in _WITHOUT_ENCODER else (model, None)


def coreference_folder(model: str) -> Path:
    """Folder of a model by the name of a shipped one, or by its path.

    Raises
    ------
    ModelError
        When there is no model.
    """
    name, _ = _named(model)
    folder = SHIPPED.get(name, Path(name))
    if not (folder / CARD).is_file():
        shipped = ", ".join(f"`{name}`" for name in SHIPPED)
        raise ModelError(model, f"is none of {shipped}, and not the folder of a trained coreference model")
    return folder


def load_coreference(model: str = "default") -> CoreferenceModel:
    """Load a model by name or path.

    Raises
    ------
    ModelError
        When there is no model, or nothing that reads its kind.
    ValueError
        When the files of the model do not fit each other.
    """
    folder = coreference_folder(model)
    return implementation_of(folder).load(folder, _named(model)[1])


def implementation_of(folder: Path) -> Implementation:
    """The implementation that reads a model's folder, by its card."""
    kind = _card(folder).get("kind", LOGLINEAR)
    if kind in IMPLEMENTATIONS:
        return Implementation(kind, IMPLEMENTATIONS[kind])
    installed = {point.name: point for point in entry_points(group=GROUP)}
    if kind not in installed:
        known = ", ".join(sorted({*IMPLEMENTATIONS, *installed}))
        raise ModelError(str(folder / CARD), f"kind must be one of {known}; got {kind!r}")
    point = installed[kind]
    package = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
    return Implementation(kind, point.module, package)


def _card(folder: Path) -> dict[str, Any]:
    try:
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelError(str(folder / CARD), f"is not JSON ({error})") from error
    if not isinstance(card, dict):
        raise ModelError(str(folder / CARD), f"must be a mapping; got {type(card).__name__}")
    return card
