"""How an article uses capitals, which decides whether a name needs one.

News agencies send articles in capitals, and archives keep some without any. Where the whole article is in small
letters, "iraq" is the country; where capitals are used, "turkey" is a bird. The share of capitals among the ASCII
letters tells the three apart with room to spare: 99 of 100 articles of a newspaper that was archived in small letters
are below 0.009 (their few capitals stand in page furniture), and no full article of three news archives is.

Covers: the three ways of writing, from text or tokens alike.
Not here: what follows for the lexicon (`lexicon`), the search of raw text (`gating`), the parser (`workers.parsing`).
"""

from collections.abc import Iterable
from enum import Enum

FEW, MOST = 0.01, 0.6
"""Shares of capitals below which an article is in small letters, and from which on it is in capitals."""

_CAPITALS, _SMALL = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz"


class LetterCase(Enum):
    """How an article is written."""

    MIXED = "mixed"
    SMALL = "small"
    CAPITAL = "capital"


def letter_case(text: str | Iterable[str]) -> LetterCase:
    """How a text is written; its tokens give the same answer, since blanks do not matter.

    >>> letter_case("Iraq attacked Kuwait.").value, letter_case("iraq attacked.").value, letter_case("IRAQ").value
    ('mixed', 'small', 'capital')
    """
    joined = text if isinstance(text, str) else "".join(text)
    raw = joined.encode("utf-8", "surrogatepass")
    capitals = len(raw) - len(raw.translate(None, _CAPITALS))
    small = len(raw) - len(raw.translate(None, _SMALL))
    if capitals >= MOST * (capitals + small):
        return LetterCase.CAPITAL
    return LetterCase.SMALL if capitals < FEW * (capitals + small) else LetterCase.MIXED
