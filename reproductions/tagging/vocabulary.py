"""Numbers for words, tags and features.

Covers: the two-way mapping, and sentences laid end to end.
Not here: which strings a word gives rise to (`templates`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from calib_core.arrays import Ints

Sentences = Sequence[Sequence[str]]
"""One sequence of words, or of tags, for each sentence."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Distinct strings in alphabetical order, numbered from 0."""

    names: tuple[str, ...]
    index: dict[str, int] = field(repr=False, compare=False)

    @classmethod
    def of(cls, strings: Iterable[str]) -> "Vocabulary":
        """The vocabulary of some strings."""
        names = tuple(sorted(set(strings)))
        return cls(names, {name: number for number, name in enumerate(names)})

    def __len__(self) -> int:
        """How many strings there are."""
        return len(self.names)

    def numbers(self, strings: Iterable[str], *, unknown: int = -1) -> Ints:
        """The number of each string; `unknown` for one that is not in the vocabulary."""
        return np.fromiter((self.index.get(string, unknown) for string in strings), dtype=np.int64)


def sentence_starts(sentences: Sentences) -> Ints:
    """Where each sentence begins when they are laid end to end, and the number of words: shape (n_sentences + 1,)."""
    lengths = [len(sentence) for sentence in sentences]
    if not lengths or 0 in lengths:
        where = f"sentence {lengths.index(0)} is empty" if lengths else "there is none"
        raise ValueError(f"sentences must hold at least one word each; {where}")
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def joined(sentences: Sentences) -> list[str]:
    """The words of all sentences, end to end."""
    return [word for sentence in sentences for word in sentence]


def check_same_lengths(words: Sentences, tags: Sentences) -> None:
    """Refuse tags that are not one for each word."""
    if len(words) != len(tags):
        raise ValueError(f"words and tags must have as many sentences; got {len(words)} and {len(tags)}")
    for number, (sentence, its_tags) in enumerate(zip(words, tags, strict=True)):
        if len(sentence) != len(its_tags):
            raise ValueError(f"sentence {number} has {len(sentence)} words but {len(its_tags)} tags")
