"""Annotate one document: parse it, find its mentions, give each a distribution over antecedents.

Covers: the models that a run uses, their identity, and applying them to a text.
Not here: rows and files (`workers.annotations`), which documents (`workers.propagation`).

A document is annotated by itself, never in a batch with others, so that its numbers are its own.
"""

from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any

from calib_core.coref.features.columns import TYPE
from calib_core.coref.features.properties import mention_arrays
from calib_core.coref.model.antecedent_model import DEFAULT_FOLDER, AntecedentModel
from workers.annotations import Annotation
from workers.code_version import code_version
from workers.parsing.choice import MANIFEST, SHIPPED, ModelError, ParserConfig

PACKAGES = ("numba", "numpy", "stanza", "torch", "transformers")
"""Packages whose version can move a number."""


@dataclass(frozen=True, slots=True)
class AnnotatorConfig:
    """Which models annotate, and what they read.

    Attributes
    ----------
    parser : ParserConfig
    coref : str
        `default` (the shipped model), or the folder of a model trained by `credence train coref`.
    titles : bool
        Whether to parse headlines together with the body. Headlines have a grammar of their own ("Tanker attacked in
        Gulf" names the victim), the parser was not trained on it, and the first sentence mostly says it again: so no.
    """

    parser: ParserConfig = field(default_factory=ParserConfig)
    coref: str = "default"
    titles: bool = False

    @property
    def coref_folder(self) -> Path:
        """Where the coreference model lies."""
        return DEFAULT_FOLDER if self.coref == "default" else Path(self.coref)

    def parsed_text(self, title: str, body: str) -> str:
        """What is gated and parsed of an article."""
        return f"{title}\n\n{body}" if self.titles and title else body


class Annotator:
    """The loaded models."""

    def __init__(self, config: AnnotatorConfig) -> None:
        from workers.parser import Parser  # takes seconds, and most runs find everything annotated already

        self.config = config
        self.parser = Parser(config.parser)
        self.model = AntecedentModel.load(config.coref_folder)

    def annotate(self, doc_id: str, published: date, title: str, text: str) -> Annotation:
        """Annotate a text; the result depends on the text and the models alone."""
        document = self.parser.parse(doc_id, text)
        mentions = self.model.mentions(document)
        arrays = mention_arrays(document, mentions)
        return Annotation(published, title, text, document, mentions, arrays.props[:, TYPE], self.model.score(arrays))


@lru_cache(maxsize=1)
def loaded_annotator(config: AnnotatorConfig) -> Annotator:
    """The one annotator of this process; another configuration takes its place, so that models do not pile up."""
    return Annotator(config)


def describe_annotator(config: AnnotatorConfig) -> dict[str, Any]:
    """All that the annotations follow from, for the manifest; `annotator_id` is its hash."""
    return {
        "parser": {"model": _public(config.parser.model), "package": config.parser.package, "id": _parser_id(config)},
        "coref": {"model": _public(config.coref), "id": _coref_id(config)},
        "titles": config.titles,
        "code": code_version("workers.annotate"),
        "packages": {name: version(name) for name in PACKAGES},
    }


def annotator_id(config: AnnotatorConfig) -> str:
    """Identity of the annotations: equal ids, equal numbers (on one kind of CPU)."""
    described = describe_annotator(config)
    for model in (described["parser"], described["coref"]):
        del model["model"]  # a folder may be called anything
    described["parser"]["fast"] = config.parser.model == "fast"
    return blake2b(repr(described).encode(), digest_size=16).hexdigest()


def _public(model: str) -> str:
    """The name of a model without the folders above it."""
    return Path(model).name


def _parser_id(config: AnnotatorConfig) -> str:
    """Hash of the parser's files; Stanza's own installation counts by its version alone."""
    model = config.parser.model
    if model == "stanza":
        return "stanza"
    folder = SHIPPED if model in ("default", "fast") else Path(model)
    if not folder.is_dir():
        raise ModelError(str(folder), "is neither `default`, `fast`, `stanza` nor a folder")
    if (folder / MANIFEST).exists():
        return _digest(folder / MANIFEST)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return blake2b("".join(map(_digest, files)).encode(), digest_size=16).hexdigest()


def _coref_id(config: AnnotatorConfig) -> str:
    if not (config.coref_folder / "model.json").is_file():
        raise ModelError(config.coref, "is neither `default` nor the folder of a trained coreference model")
    return AntecedentModel.load(config.coref_folder).fingerprint


def _digest(path: Path) -> str:
    """Hash of a file: a model's manifest or card, which holds hashes of the weights."""
    with path.open("rb") as file:
        digest = blake2b(digest_size=16)
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
