"""The annotated coreference documents that several experiments share."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from calib_core.coref import read_corpus
from calib_core.document import Document
from reproductions.findings import DataFolder


def read_ontogum(data: DataFolder, part: str) -> list[Document]:
    """The documents of `train` or `dev`, with their gold trees."""
    with _known_oddities():
        return list(read_corpus([data.file(f"coref/ontogum/{part}")], drop_singletons=True))


@contextmanager
def _known_oddities() -> Iterator[None]:
    """A few mentions of OntoGUM are in two entities; ignore the reader's warnings about them."""
    logger = logging.getLogger("calib_core.coref")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)
