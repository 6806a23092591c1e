"""Tagged text for the tagging experiments.

Covers: reading treebanks and tweets as sentences of words and tags, and taking some of the sentences.
Not here: trees (`calib_core.coref`), taggers (`reproductions.tagging`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from calib_core.arrays import Ints
from calib_core.coref.corpora.conllu import read_conllu
from calib_core.document import Document


@dataclass(frozen=True, slots=True)
class TaggedText:
    """Sentences with their tags."""

    words: list[list[str]]
    tags: list[list[str]]
    documents: Ints
    """Number of the document that each sentence is from: what may err together. Shape (n_sentences,)."""

    @property
    def n_words(self) -> int:
        """Words of all sentences."""
        return sum(map(len, self.words))

    @property
    def word_documents(self) -> Ints:
        """Document of each word, shape (n_words,)."""
        return np.repeat(self.documents, [len(sentence) for sentence in self.words])

    def part(self, rows: ArrayLike) -> "TaggedText":
        """The sentences of these numbers, in this order."""
        chosen = np.asarray(rows, dtype=np.int64).tolist()
        return TaggedText(
            [self.words[row] for row in chosen], [self.tags[row] for row in chosen], self.documents[chosen]
        )


def penn_tags(document: Document) -> Sequence[str]:
    """The Penn tag of each word."""
    return document.xpos


def universal_tags_with_features(document: Document) -> Sequence[str]:
    """Universal part of speech and all features as one tag, such as `NOUN|Number=Plur`."""
    return [f"{upos}|{feats}" for upos, feats in zip(document.upos, document.feats, strict=True)]


def read_treebank(path: Path, tags_of: Callable[[Document], Sequence[str]] = penn_tags) -> TaggedText:
    """All sentences of a CoNLL-U file, with the tags that `tags_of` gives a document's words."""
    words, tags, documents = [], [], []
    for number, document in enumerate(read_conllu(path)):
        pairs = zip(document.sentences.tolist(), document.words, tags_of(document), strict=True)
        for _, sentence in groupby(pairs, key=lambda row: row[0]):
            rows = list(sentence)
            words.append([word for _, word, _ in rows])
            tags.append([tag for _, _, tag in rows])
            documents.append(number)
    return TaggedText(words, tags, np.array(documents))


def read_tweets(path: Path) -> TaggedText:
    """Tweets of a file with one word and tag on a line and an empty line after each tweet; each is its own document."""
    words: list[list[str]] = [[]]
    tags: list[list[str]] = [[]]
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        columns = line.rstrip("\r").split("\t")
        if len(columns) == 2:
            words[-1].append(columns[0])
            tags[-1].append(columns[1])
        elif line.strip():
            raise ValueError(f"{path}:{number}: a line must hold a word, a tab and a tag; got {line!r}")
        elif words[-1]:
            words.append([])
            tags.append([])
    kept = len(words) if words[-1] else len(words) - 1
    return TaggedText(words[:kept], tags[:kept], np.arange(kept))
