"""Frame, run and answers as the arrays that `calib_core.anchoring` reads.

A row is a pair of article and code that could be an event: one that the run gives a chance, or one whose words the
text names. A label may name yet another code. Such a surprise is a row too, but only where the article was labelled,
so its score must stay 0: a recalibrated one would add probability to labelled articles alone.

Covers: rows, bounds from verdicts, the cold stratum's answers.
Not here: which rows a group adds up (`groups`), estimates (`tables`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from calib_core.anchoring import COLD, Sampled
from calib_core.arrays import Bools, Floats, Ints
from workers.anchoring.answered import Answered, strata_of
from workers.labelling import Verdict
from workers.labelling.answers import ANY_TARGET, DYAD


@dataclass(frozen=True)
class Rows:
    """Pairs of article and code outside the cold stratum; every array of shape (n_rows,)."""

    article: Ints
    """Position in `Evidence.warm_articles`."""
    code: Ints
    """Position in `Evidence.codes`."""
    score: Floats
    low: Floats
    high: Floats
    surprise: Bools
    """Whether only a label names the code."""


@dataclass(frozen=True)
class Evidence:
    """All that is known of a frame's articles."""

    answered: Answered
    codes: tuple[str, ...]
    warm_articles: Ints
    """Positions in the frame of the articles outside the cold stratum."""
    rows: Rows
    cold_articles: Ints
    """Positions in the frame of the cold articles that were read."""
    cold_events: Sequence[tuple[frozenset[str], frozenset[str], bool]]
    """For each of them: certain codes, possible codes, whether anything else may be there."""

    @cached_property
    def quarters(self) -> tuple[str, ...]:
        """Quarters of the frame."""
        return self.answered.frame.quarters

    @cached_property
    def quarter_of(self) -> Ints:
        """Quarter of each article of the frame, as a position in `quarters`."""
        place = {name: number for number, name in enumerate(self.quarters)}
        column = self.answered.frame.table.column("quarter").to_pylist()
        return np.array([place[name] for name in column], dtype=np.int64)

    @cached_property
    def cold_per_quarter(self) -> tuple[Ints, Ints]:
        """Cold articles of each quarter, and those of them that were read."""
        cold = strata_of(self.answered.frame) == COLD
        n = len(self.quarters)
        return np.bincount(self.quarter_of[cold], minlength=n), np.bincount(
            self.quarter_of[self.cold_articles], minlength=n
        )

    def sampled(self, members: csr_array) -> Sampled:
        """The rows as the estimators take them."""
        frame, rows, places = self.answered.frame, self.rows, self.warm_articles
        return Sampled(
            stratum=strata_of(frame)[places], pi=self.answered.pi[places], labelled=self.answered.drawn[places],
            document=rows.article, score=rows.score, low=rows.low, high=rows.high, members=members,
        )  # fmt: skip

    @cached_property
    def story(self) -> Ints:
        """Story of each article outside the cold stratum."""
        return self.answered.frame.table.column("story").to_numpy()[self.warm_articles]


def with_any_target(codes: frozenset[str], *, dyads: bool) -> frozenset[str]:
    """An event with a target is one with any target too; a bare agent answers a dyadic query as `AGENT>*`."""
    if not dyads:
        return frozenset(code.partition(DYAD)[0] for code in codes)
    agents = {code.partition(DYAD)[0] for code in codes}
    return frozenset({code for code in codes if DYAD in code} | {f"{agent}{DYAD}{ANY_TARGET}" for agent in agents})


def gather(answered: Answered, scores: Mapping[str, Mapping[str, float]], *, dyads: bool = False) -> Evidence:
    """Bring frame, scores of a run and verdicts together.

    Parameters
    ----------
    scores : mapping of doc_id to mapping of code to probability
        Of the run that is to be anchored, which need not be the one that the frame was drawn by.
    """
    table = answered.frame.table
    ids, named = table.column("doc_id").to_pylist(), table.column("named").to_pylist()
    cold = strata_of(answered.frame) == COLD
    places, read = np.flatnonzero(~cold), np.flatnonzero(cold & answered.drawn)
    pairs: list[tuple[int, str, float, float, float, bool]] = []
    for article, place in enumerate(places.tolist()):
        mentioned = with_any_target(frozenset(named[place] or ()), dyads=dyads)
        known = dict.fromkeys(mentioned, 0.0) | dict(scores.get(ids[place], {}))
        verdict = answered.verdicts.get(ids[place])
        pairs.extend((article, *row) for row in _bounded(known, verdict, dyads=dyads))
    events = [_cold_event(answered.verdicts[ids[place]], dyads=dyads) for place in read.tolist()]
    codes = sorted({pair[1] for pair in pairs} | {code for event in events for code in event[1]})
    position = {code: number for number, code in enumerate(codes)}
    columns = list(zip(*pairs, strict=True)) or [()] * 6
    rows = Rows(
        article=np.array(columns[0], dtype=np.int64),
        code=np.array([position[code] for code in columns[1]], dtype=np.int64),
        score=np.array(columns[2], dtype=np.float64),
        low=np.array(columns[3], dtype=np.float64),
        high=np.array(columns[4], dtype=np.float64),
        surprise=np.array(columns[5], dtype=np.bool_),
    )
    return Evidence(answered, tuple(codes), places, rows, read, events)


def _bounded(
    known: Mapping[str, float], verdict: Verdict | None, *, dyads: bool
) -> list[tuple[str, float, float, float, bool]]:
    """Code, score, lowest and highest label of each row of one article, and whether only the label names it."""
    if verdict is None:
        return [(code, score, 0.0, 0.0, False) for code, score in sorted(known.items())]
    certain, possible = (with_any_target(codes, dyads=dyads) for codes in (verdict.certain, verdict.possible))
    return [
        (code, known.get(code, 0.0), float(code in certain), float(code in possible or verdict.open), code not in known)
        for code in sorted({*known, *possible})
    ]


def _cold_event(verdict: Verdict, *, dyads: bool) -> tuple[frozenset[str], frozenset[str], bool]:
    certain, possible = (with_any_target(codes, dyads=dyads) for codes in (verdict.certain, verdict.possible))
    return certain, possible, verdict.open
