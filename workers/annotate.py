"""Annotate one document: parse it, find its mentions, give each a distribution over antecedents.

Covers: the models that a run uses, their identity, and applying them to a text.
Not here: rows and files (`workers.annotation_table`), which documents (`workers.propagation`).

A document is annotated by itself, never in a batch with others, so its numbers depend on nothing else.
"""

from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any

from workers.annotation_table import Annotation
from workers.code_version import code_version
from workers.coreference import coreference_folder, coreference_name, implementation_of, load_coreference
from workers.parsing.choice import MANIFEST, SHIPPED, ModelError, ParserConfig

PACKAGES = ("numba", "numpy", "stanza", "torch", "transformers")
"""Packages whose version can change a number."""


@dataclass(frozen=True, slots=True)
class AnnotatorConfig:
    """Which models annotate, and what they read.

    Attributes
    ----------
    parser : ParserConfig
    coref : str
        `default` or `loglinear` (the shipped model), `accurate` (reads context with a fetched encoder), or the folder
        of a model trained by `credence train coref`.
    titles : bool
        Whether to parse headlines together with the body. Headlines have a grammar of their own ("Tanker attacked in
        Gulf" names the victim), the parser was not trained on it, and the first sentence usually says it again: so no.
    """

    parser: ParserConfig = field(default_factory=ParserConfig)
    coref: str = "default"
    titles: bool = False

    def parsed_text(self, title: str, body: str) -> str:
        """The text of an article that is gated and parsed."""
        return f"{title}\n\n{body}" if self.titles and title else body


class Annotator:
    """The loaded models."""

    def __init__(self, config: AnnotatorConfig) -> None:
        from workers.parser import Parser  # takes seconds, and most runs find everything annotated

        self.config = config
        self.parser = Parser(config.parser)
        self.model = load_coreference(config.coref)

    def annotate(self, doc_id: str, published: date, title: str, text: str) -> Annotation:
        """Annotate a text; the result depends only on the text and the models."""
        document, trees = self.parser.parse_with_doubt(doc_id, text)
        linked = self.model.link(document)
        return Annotation(published, title, text, document, linked.mentions, linked.kinds, linked.antecedents, trees)


@lru_cache(maxsize=1)
def loaded_annotator(config: AnnotatorConfig) -> Annotator:
    """The one annotator of this process; another configuration replaces it, so models do not pile up."""
    return Annotator(config)


def describe_annotator(config: AnnotatorConfig) -> dict[str, Any]:
    """Everything that the annotations depend on, for the manifest; `annotator_id` is its hash."""
    return {
        "parser": {
            "model": _public(config.parser.model),
            "package": config.parser.package,
            "id": parser_id(config.parser),
        },
        "coref": {"model": coreference_name(config.coref), **_coref_id(config)},
        "titles": config.titles,
        "code": code_version("workers.annotate"),
        "packages": {name: version(name) for name in PACKAGES},
    }


def annotator_id(config: AnnotatorConfig) -> str:
    """Identity of the annotations: equal ids, equal numbers (on one kind of CPU)."""
    described = describe_annotator(config)
    for model in (described["parser"], described["coref"]):
        del model["model"]  # a folder may have any name
    described["parser"]["fast"] = config.parser.model == "fast"
    return blake2b(repr(described).encode(), digest_size=16).hexdigest()


def _public(model: str) -> str:
    """The name of a model without the folders above it."""
    return Path(model).name


def parser_id(config: ParserConfig) -> str:
    """Hash of the parser's files; for Stanza's own installation only the version counts."""
    model = config.model
    if model == "stanza":
        return "stanza"
    folder = SHIPPED if model in ("default", "fast") else Path(model)
    if not folder.is_dir():
        raise ModelError(str(folder), "is neither `default`, `fast`, `stanza` nor a folder")
    if (folder / MANIFEST).exists():
        return _digest(folder / MANIFEST)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return blake2b("".join(map(_digest, files)).encode(), digest_size=16).hexdigest()


def _coref_id(config: AnnotatorConfig) -> dict[str, str]:
    """The model and the code that reads it, which `code_version` of this module cannot see: it is chosen by name."""
    implementation = implementation_of(coreference_folder(config.coref))
    return {
        "id": load_coreference(config.coref).fingerprint,
        "kind": implementation.kind,
        "code": implementation.version,
    }


def _digest(path: Path) -> str:
    """Hash of a file: a model's manifest or card, which holds hashes of the weights."""
    with path.open("rb") as file:
        digest = blake2b(digest_size=16)
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
