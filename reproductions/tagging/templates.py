"""What a tagger can see around a word.

Covers: the feature groups of the thesis's ablation (section 4.1.2), each a few strings per word.
Not here: their numbers and weights (`emissions`).
"""

from collections.abc import Callable, Iterator, Sequence

from reproductions.tagging.vocabulary import Sentences

_LONGEST_AFFIX = 4
_LONGEST_LENGTH = 15


def _word(words: Sequence[str], at: int) -> Iterator[str]:
    yield f"w={words[at]}"


def _neighbours(words: Sequence[str], at: int) -> Iterator[str]:
    for offset in (-2, -1, 1, 2):
        other = at + offset
        yield f"w{offset:+d}={words[other] if 0 <= other < len(words) else ''}"


def _shape(words: Sequence[str], at: int) -> Iterator[str]:
    yield f"shape={word_shape(words[at])}"


def _length(words: Sequence[str], at: int) -> Iterator[str]:
    yield f"length={min(len(words[at]), _LONGEST_LENGTH)}"


def _prefixes(words: Sequence[str], at: int) -> Iterator[str]:
    lower = words[at].lower()
    for size in range(1, min(_LONGEST_AFFIX, len(lower)) + 1):
        yield f"prefix={lower[:size]}"


def _suffixes(words: Sequence[str], at: int) -> Iterator[str]:
    lower = words[at].lower()
    for size in range(1, min(_LONGEST_AFFIX, len(lower)) + 1):
        yield f"suffix={lower[-size:]}"


TEMPLATES: dict[str, Callable[[Sequence[str], int], Iterator[str]]] = {
    "word": _word,
    "surrounding words": _neighbours,
    "word shape": _shape,
    "word length": _length,
    "prefixes": _prefixes,
    "suffixes": _suffixes,
}
"""Each group, and the strings that it makes of the word at a position of a sentence."""

BASIC = ("word",)
"""Only the word itself: what an HMM sees."""
ADVANCED = tuple(TEMPLATES)
"""All groups: the thesis's CRF-Advanced."""


def word_shape(word: str) -> str:
    """Kinds of characters, repeats taken together.

    >>> word_shape("McDonald's-1987")
    'XxXx.x.d'
    """
    kinds = ["X" if c.isupper() else "x" if c.islower() else "d" if c.isdigit() else "." for c in word]
    return "".join(kind for at, kind in enumerate(kinds) if at == 0 or kinds[at - 1] != kind)


def extract(sentences: Sentences, groups: Sequence[str] = BASIC) -> list[list[str]]:
    """The features of every word, sentences end to end.

    Examples
    --------
    >>> extract([["New", "York"]], ["word", "word length"])
    [['w=New', 'length=3'], ['w=York', 'length=4']]
    """
    unknown = [group for group in groups if group not in TEMPLATES]
    if unknown or not groups:
        raise ValueError(f"feature groups must be some of {', '.join(TEMPLATES)}; got {', '.join(unknown) or 'none'}")
    makers = [TEMPLATES[group] for group in groups]
    return [
        [feature for maker in makers for feature in maker(words, at)] for words in sentences for at in range(len(words))
    ]
