"""What a coder says of an article, as it is written in files: `none`, `unsure`, or codes joined by `;`.

Covers: reading and writing one answer, and refusing codes that the query does not know.
Not here: who said it and when (`labels`), what several answers amount to (`verdicts`).

A code is a country's (`USA`), or for questions about dyads `AGENT>TARGET` (`USA>IRQ`). There `-` stands for a target
without a code and `*` for any target.
"""

from collections.abc import Collection
from dataclasses import dataclass

NONE, UNSURE = "none", "unsure"
BETWEEN, DYAD = ";", ">"
ANY_TARGET, NO_CODE = "*", "-"


class AnswerError(ValueError):
    """A text is no answer to this query; one sentence says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The events that an article tells.

    Attributes
    ----------
    codes : frozenset of str
        Empty for "none".
    sure : bool
        False for "unsure": any event may be there, or none; then `codes` is empty.
    """

    codes: frozenset[str] = frozenset()
    sure: bool = True

    def __str__(self) -> str:
        if not self.sure:
            return UNSURE
        return BETWEEN.join(sorted(self.codes)) or NONE


def read_answer(text: str, known: Collection[str]) -> Answer:
    """The answer that a text stands for.

    Parameters
    ----------
    known : collection of str
        Codes of the query (`Query.codes`): an answer with another one is refused.

    Examples
    --------
    >>> str(read_answer("USA; IRQ", {"IRQ", "USA"})), str(read_answer(" None ", set()))
    ('IRQ;USA', 'none')
    """
    stripped = text.strip()
    if stripped.lower() in (NONE, UNSURE):
        return Answer(sure=stripped.lower() == NONE)
    codes = [code.strip() for code in stripped.split(BETWEEN) if code.strip()]
    if not codes:
        raise AnswerError(f"an answer is {NONE}, {UNSURE} or codes joined by {BETWEEN}; got {text!r}")
    return Answer(frozenset(_checked(code, known) for code in codes))


def _checked(code: str, known: Collection[str]) -> str:
    agent, dyad, target = (part.strip() for part in code.partition(DYAD))
    if agent not in known:
        raise AnswerError(f"{agent!r} is no code of the query's lexicon")
    if dyad and target not in known and target not in (ANY_TARGET, NO_CODE):
        raise AnswerError(f"{target!r} is no code of the query's lexicon")
    return f"{agent}{dyad}{target}"
