"""Parse documents on a worker: one parser per process, one document at a time.

Covers: choosing and loading a model, text to `Document`, one parser per process, errors that name the document.
Not here: the models themselves (`workers.parsing`), writing parses (`workers.annotate`).
"""

import logging
import threading
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
import torch

from calib_core.arrays import Ints
from calib_core.document import Document
from calib_core.syntax import DocumentTrees
from workers.parsing.choice import MANIFEST, SHIPPED, ModelError, ParserConfig
from workers.parsing.engine import joint_engine
from workers.parsing.joint import JointEngine, ParsedSentence
from workers.parsing.letters import as_read_by_parser
from workers.parsing.package import check
from workers.parsing.pipeline import PipelineEngine, settings_for
from workers.parsing.segment import Token, as_read

__all__ = ["SHIPPED", "ModelError", "ParseError", "Parser", "ParserConfig", "process_parser"]


class ParseError(Exception):
    """A document that could not be parsed; says which and why."""

    def __init__(self, doc_id: str, reason: str) -> None:
        super().__init__(doc_id, reason)
        self.doc_id = doc_id
        self.reason = reason

    def __str__(self) -> str:
        """Document, then reason."""
        return f"document {self.doc_id!r} cannot be parsed: {self.reason}"


class Engine(Protocol):
    """What turns text into parsed sentences."""

    def parse(self, text: str) -> Iterator[ParsedSentence]:
        """Parse one text."""


class Parser:
    """A loaded model; `parse` may be called from several threads, but one runs at a time.

    Loading sets torch to one thread in this process: workers are processes, and threads would fight for the cores.
    """

    def __init__(self, config: ParserConfig | None = None) -> None:
        torch.set_num_threads(1)
        self.config = config or ParserConfig()
        self._engine = load_engine(self.config)
        self._lock = threading.Lock()

    def parse(self, doc_id: str, text: str) -> Document:
        """Parse one document; the result depends only on the text and the model.

        Raises
        ------
        ParseError
            If the text is not a string or the model fails on it; names document and reason.
        """
        return self.parse_with_doubt(doc_id, text)[0]

    def parse_with_doubt(self, doc_id: str, text: str) -> tuple[Document, DocumentTrees | None]:
        """Parse one document, and say how sure the parser is of each arc; None where its model does not tell.

        Raises
        ------
        ParseError
            When the text is not a string or the model fails on it; names document and reason.
        """
        if not isinstance(text, str):
            raise ParseError(doc_id, f"the text must be a string; got {type(text).__name__}")
        try:
            with self._lock:
                sentences = list(self._engine.parse(as_read_by_parser(text)))
        except Exception as error:
            raise ParseError(doc_id, repr(error)) from error
        return to_document(doc_id, text, sentences), document_trees(sentences)

    def parse_words(self, sentences: list[list[str]]) -> list[ParsedSentence]:
        """Parse given words of given sentences, for comparing trees with those of annotators.

        Raises
        ------
        ModelError
            When the model can only be given text.
        """
        if not isinstance(self._engine, JointEngine):
            raise ModelError(self.config.model, "can only be given text, not words")
        tokens = [[Token(as_read(word), 0, 0) for word in words] for words in sentences]
        with self._lock:
            return self._engine.parse_sentences(tokens)


def load_engine(config: ParserConfig) -> Engine:
    """Load what the configuration names.

    Raises
    ------
    ModelError
        If a file is missing, damaged or not a model.
    """
    logging.getLogger("stanza").setLevel(logging.WARNING)  # Stanza reports each layer it builds
    folder = SHIPPED if config.model in ("default", "fast") else Path(config.model)
    if config.model == "stanza":
        return PipelineEngine(settings_for(None, config.package, gpu=config.gpu))
    if not folder.is_dir():
        raise ModelError(str(folder), "is neither `default`, `fast`, `stanza` nor a folder")
    if not (folder / MANIFEST).exists() and folder != SHIPPED:
        return PipelineEngine(settings_for(folder, config.package, gpu=config.gpu))
    check(folder)
    return joint_engine(folder, fast=config.model == "fast")


def to_document(doc_id: str, text: str, sentences: list[ParsedSentence]) -> Document:
    """Join sentences into one document: heads are numbered through the document, words are cut from the text."""
    lengths: Ints = np.array([len(s.tokens) for s in sentences], dtype=np.int64)
    first = np.repeat(np.cumsum(lengths) - lengths, lengths)
    heads = np.array([head for s in sentences for head in s.heads], dtype=np.int64)
    tokens = [token for s in sentences for token in s.tokens]

    def strings(column: Callable[[ParsedSentence], list[str]]) -> tuple[str, ...]:
        return tuple(value for s in sentences for value in column(s))

    return Document(
        doc_id=doc_id,
        words=tuple(text[token.start : token.end] for token in tokens),
        lemmas=("_",) * len(tokens),
        upos=strings(lambda s: s.upos),
        xpos=strings(lambda s: s.xpos),
        feats=strings(lambda s: s.feats),
        heads=np.where(heads == 0, -1, heads - 1 + first),
        deprels=strings(lambda s: s.deprels),
        sentences=np.repeat(np.arange(len(sentences)), lengths).astype(np.int64),
        starts=np.array([token.start for token in tokens], dtype=np.int64),
        ends=np.array([token.end for token in tokens], dtype=np.int64),
        speakers=("",) * len(tokens),
    )


def document_trees(sentences: list[ParsedSentence]) -> DocumentTrees | None:
    """The distributions over trees of all sentences, if all have one."""
    trees = [sentence.trees for sentence in sentences if sentence.trees is not None]
    if len(trees) < len(sentences):
        return None
    names = trees[0].names if trees else ()
    return DocumentTrees.of([(one.arcs, one.relations) for one in trees], names)


@lru_cache(maxsize=1)
def process_parser(config: ParserConfig) -> Parser:
    """The one parser of this process; a second configuration replaces the first."""
    return Parser(config)
