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
from workers.parsing.choice import MANIFEST, SHIPPED, ModelError, ParserConfig
from workers.parsing.joint import JointEngine, ParsedSentence
from workers.parsing.package import TOKENIZER, WORD_PIECES, check, load_network
from workers.parsing.pieces import WordPieces
from workers.parsing.pipeline import PipelineEngine, settings_for
from workers.parsing.quantise import quantise
from workers.parsing.segment import Segmenter

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
    """A loaded model; `parse` may be called from several threads, one runs at a time.

    Loading sets torch to one thread in this process: workers are processes, and threads would fight for the cores.
    """

    def __init__(self, config: ParserConfig | None = None) -> None:
        torch.set_num_threads(1)
        self.config = config or ParserConfig()
        self._engine = load_engine(self.config)
        self._lock = threading.Lock()

    def parse(self, doc_id: str, text: str) -> Document:
        """Parse one document; the result depends on the text and the model alone.

        Raises
        ------
        ParseError
            When the text is not a string or the model fails on it; names document and reason.
        """
        if not isinstance(text, str):
            raise ParseError(doc_id, f"the text must be a string; got {type(text).__name__}")
        try:
            with self._lock:
                sentences = list(self._engine.parse(text))
        except Exception as error:
            raise ParseError(doc_id, repr(error)) from error
        return to_document(doc_id, text, sentences)


def load_engine(config: ParserConfig) -> Engine:
    """Load what the configuration names.

    Raises
    ------
    ModelError
        When a file is missing, damaged or not a model.
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
    network = load_network(folder)
    if config.model == "fast":
        quantise(network)
    return JointEngine(Segmenter(folder / TOKENIZER), network, WordPieces(folder / WORD_PIECES))


def to_document(doc_id: str, text: str, sentences: list[ParsedSentence]) -> Document:
    """Join sentences into one document: heads count through the document, words are cut from the text itself."""
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


@lru_cache(maxsize=1)
def process_parser(config: ParserConfig) -> Parser:
    """The one parser of this process; a second configuration replaces the first."""
    return Parser(config)
