"""GAP (Webster et al. 2018): a pronoun and two names, and which of the two it means, if either.

Covers: reading the file, a model's probabilities of both names from the raw text, accuracy and log-loss.
Not here: options (`reproductions.context.__main__`).

A pronoun may mean neither, so there are three answers. The two names have their exact pair marginals with the pronoun,
and neither has what is left of 1; if the names are likely to be one person, both shrink in proportion.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calib_core.arrays import Floats
from calib_core.coref import CoreferenceModel, Mentions, pair_marginals
from calib_core.document import Document
from workers.parser import Parser

LEAST = 1e-3
"""No answer counts as less probable: a name that is no mention of ours would make the log-loss infinite."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A text with three places in it; `answer` is 0 for the first name, 1 for the second, 2 for neither."""

    name: str
    text: str
    pronoun: tuple[int, int]
    names: tuple[tuple[int, int], tuple[int, int]]
    answer: int


@dataclass(frozen=True, slots=True)
class GapFigures:
    """What a model says of all snippets.

    Attributes
    ----------
    accuracy : float
        Share of right answers out of three.
    chosen : float
        Of the pronouns that mean one of the two names, the share for which that name is the likelier one.
    log_loss : float
        Mean of −log P(right answer).
    n, n_named : int
        Snippets, and those whose pronoun means one of the names.
    """

    accuracy: float
    chosen: float
    log_loss: float
    n: int
    n_named: int


def read_gap(file: Path) -> Iterator[Snippet]:
    """The snippets of a file of GAP."""
    with file.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            places = [_place(row, column) for column in ("Pronoun", "A", "B")]
            truth = [row["A-coref"] == "TRUE", row["B-coref"] == "TRUE", True]
            yield Snippet(row["ID"], row["Text"], places[0], (places[1], places[2]), truth.index(True))


def _place(row: dict[str, str], column: str) -> tuple[int, int]:
    start = int(row[f"{column}-offset"])
    if row["Text"][start : start + len(row[column])] != row[column]:
        raise ValueError(f"{row['ID']}: {column}-offset must be where {row[column]!r} stands; got {start}")
    return start, start + len(row[column])


def answer_probabilities(model: CoreferenceModel, document: Document, snippet: Snippet) -> Floats:
    """P of both names and of neither, shape (3,)."""
    linked = model.link(document)
    together = pair_marginals(linked.antecedents)
    pronoun = _mention(document, linked.mentions, snippet.pronoun)
    p = np.array([_together(together, pronoun, _mention(document, linked.mentions, name)) for name in snippet.names])
    p = p / max(1.0, p.sum())
    return np.array([*p, 1 - p.sum()])


def _mention(document: Document, mentions: Mentions, place: tuple[int, int]) -> int | None:
    """The shortest mention whose head stands in a place, if there is one."""
    heads = mentions.heads
    inside = np.flatnonzero((document.starts[heads] < place[1]) & (document.ends[heads] > place[0]))
    if not len(inside):
        return None
    return int(inside[np.argmin((mentions.ends - mentions.starts)[inside])])


def _together(together: Floats, first: int | None, second: int | None) -> float:
    if first is None or second is None or first == second:
        return 0.0
    return float(together[max(first, second), min(first, second)])


def measure_gap(models: Sequence[CoreferenceModel], snippets: Iterable[Snippet], parser: Parser) -> list[GapFigures]:
    """Figures of each model; a text is parsed once for all of them."""
    stated: list[list[Floats]] = [[] for _ in models]
    answers = []
    for snippet in snippets:
        document = parser.parse(snippet.name, snippet.text)
        answers.append(snippet.answer)
        for model, said in zip(models, stated, strict=True):
            said.append(answer_probabilities(model, document, snippet))
    return [_figures(np.array(said), np.array(answers)) for said in stated]


def _figures(p: Floats, answers: np.ndarray) -> GapFigures:
    named = answers < 2
    loss = -np.log(np.maximum(p[np.arange(len(p)), answers], LEAST))
    return GapFigures(
        accuracy=float((p.argmax(axis=1) == answers).mean()),
        chosen=float((p[named, :2].argmax(axis=1) == answers[named]).mean()),
        log_loss=float(loss.mean()),
        n=len(answers),
        n_named=int(named.sum()),
    )
