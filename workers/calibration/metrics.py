"""What the figures of all documents say about mentions: pairs, antecedents, NEW, numbers of entities, scores.

Covers: the slices of the pairs, and the rows of each.
Not here: events and their counts (`event_figures`).
"""

from collections.abc import Iterator, Sequence

import numpy as np

from calib_core.arrays import Bools, Floats, Ints
from calib_core.calibration import calibration_error
from calib_core.coref import Scores
from calib_core.coref.mentions.lexicon import FIRST_PRONOUN, PROPER
from calib_core.coref.recalibration.fitting import GROUP_OF_TYPE, GROUPS
from calib_core.events import poisson_binomial
from calib_core.events.coverage import coverage
from workers.calibration.measure import DocumentFigures
from workers.calibration.rows import FEW_DOCUMENTS, Place, Row, Stated, Tables, calibration_tables, metric_row

PAPER_BIN, LIKELY_BIN = 5000, 1000
"""Rows per bin: the paper's for all pairs, fewer for the few likely ones."""

LIKELY = 0.01
DISTANCES = {"same sentence": (0, 0), "1": (1, 1), "2-4": (2, 4), "5-9": (5, 9), "10 or more": (10, 10**9)}
"""Sentences between two mentions."""

CLASSES = ("name", "noun", "pronoun")
_DRAWS = 1000


def pair_tables(place: Place, figures: Sequence[DocumentFigures]) -> Tables:
    """Pairs: all, likely ones, and by distance, types and genre."""
    stated = Stated.joined((one.pairs.pred, one.pairs.label) for one in figures)
    tables = calibration_tables(place, stated, bin_size=PAPER_BIN, detail=True)
    likely = Place(place.mode, place.recalibrated, place.query, f"q > {LIKELY}")
    tables.add(calibration_tables(likely, stated.where(stated.pred > LIKELY), bin_size=LIKELY_BIN, detail=True))
    for name, keep in _slices(figures):
        tables.add(calibration_tables(Place(place.mode, place.recalibrated, place.query, name), stated.where(keep)))
    for genre in sorted({one.genre for one in figures}):
        inside = np.array([one.genre == genre for one in figures])[stated.groups]
        where = Place(place.mode, place.recalibrated, place.query, genre=genre)
        tables.add(calibration_tables(where, stated.where(inside)))
    return tables


def _slices(figures: Sequence[DocumentFigures]) -> Iterator[tuple[str, Bools]]:
    """Names of slices, and which pairs of all documents are in each."""
    distance = _joined([one.sentences[one.pairs.later] - one.sentences[one.pairs.earlier] for one in figures])
    for name, (least, most) in DISTANCES.items():
        yield f"distance {name}", (distance >= least) & (distance <= most)
    earlier = _joined([_classes(one.kinds)[one.pairs.earlier] for one in figures])
    later = _joined([_classes(one.kinds)[one.pairs.later] for one in figures])
    for first, name in enumerate(CLASSES):
        for second, other in enumerate(CLASSES):
            yield f"types {name}, {other}", (earlier == first) & (later == second)
    group = _joined([np.array(GROUP_OF_TYPE, dtype=np.int64)[one.kinds][one.pairs.later] for one in figures])
    for number, name in enumerate(GROUPS):
        yield f"later {name}", group == number


def _classes(kinds: Ints) -> Ints:
    """Position in `CLASSES` of each mention type."""
    return np.where(kinds == PROPER, 0, np.where(kinds < FIRST_PRONOUN, 1, 2)).astype(np.int64)


def _joined(parts: Sequence[Ints]) -> Ints:
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def mention_tables(place: Place, figures: Sequence[DocumentFigures]) -> Tables:
    """Antecedents and NEW."""
    tables = Tables()
    rows = {"antecedents": [one.antecedents for one in figures], "new": [one.new for one in figures]}
    for query, parts in rows.items():
        where = Place(place.mode, place.recalibrated, query)
        stated = Stated.joined((part.pred, part.label) for part in parts)
        tables.add(calibration_tables(where, stated, detail=True))
    n = sum(len(one.kinds) for one in figures)
    value = sum(one.loss for one in figures) / max(1, n)
    where = Place(place.mode, place.recalibrated, "antecedents")
    tables.metrics.append(metric_row(where, "right_antecedent_log_loss", value, n, len(figures)))
    return tables


def count_tables(place: Place, figures: Sequence[DocumentFigures]) -> Tables:
    """Number of entities of each document: all, and those with two or more mentions."""
    tables = Tables()
    exact = [(poisson_binomial(one.new.pred).pmf, int(one.new.label.sum())) for one in figures]
    sampled = [(one.chain_pmf, one.chains) for one in figures]
    for query, counts in (("entities", exact), ("chains", sampled)):
        where = Place(place.mode, place.recalibrated, query)
        tables.metrics += _count_rows(where, counts)
        pmfs, truths = [pmf for pmf, _ in counts], [truth for _, truth in counts]
        tables.coverage += coverage_rows(where, "a document", pmfs, truths, np.arange(len(counts)))
    return tables


def _count_rows(place: Place, counts: Sequence[tuple[Floats, int]]) -> list[Row]:
    """How far predicted numbers are from true ones, and whether the truth ranks evenly in their distributions."""
    stated = np.array([float(pmf @ np.arange(len(pmf))) for pmf, _ in counts])
    true = np.array([truth for _, truth in counts], dtype=np.float64)
    rank = np.array([_mid_rank(pmf, truth) for pmf, truth in counts])
    n, error = len(counts), stated - true
    half = 1.96 * float(error.std(ddof=1)) / np.sqrt(n) if n > 1 else None
    bias = float(error.mean())
    ends = {} if half is None else {"lo": bias - half, "hi": bias + half, "interval": "documents"}
    few = {} if n >= FEW_DOCUMENTS else {"reliable": False, "reason": f"fewer documents ({n}) than {FEW_DOCUMENTS}"}
    figures = {
        "mean_stated": float(stated.mean()), "mean_true": float(true.mean()),
        "root_mean_squared_error": float(np.sqrt((error**2).mean())),
        "mean_rank": float(rank.mean()), "rank_sd": float(rank.std()),
    }  # fmt: skip
    rows = [metric_row(place, "bias", bias, n, n, **ends, **few)]
    return rows + [metric_row(place, name, value, n, n, **few) for name, value in figures.items()]


def _mid_rank(pmf: Floats, truth: int) -> float:
    """Share of the predicted distribution below the truth, including half of the truth's own."""
    return float(pmf[:truth].sum() + (pmf[truth] / 2 if truth < len(pmf) else 0.0))


def coverage_rows(
    place: Place, level: str, pmfs: Sequence[Floats], truths: Sequence[int], groups: Ints, *, repeats: int = 1
) -> list[Row]:
    """Rows of the coverage table; `repeats` as in `calib_core.events.coverage.coverage`."""
    n_groups = len(np.unique(groups)) // repeats
    few = n_groups < FEW_DOCUMENTS
    reason = f"fewer independent groups ({n_groups}) than {FEW_DOCUMENTS}" if few else None
    return [
        {
            "mode": place.mode, "recalibrated": place.recalibrated, "query": place.query, "slice": place.slice,
            "genre": place.genre, "level": level, "interval": one.interval, "nominal": one.nominal,
            "covered": one.covered, "lo": one.lo, "hi": one.hi, "expected": one.expected, "n": one.n,
            "reliable": not few, "reason": reason,
        }
        for one in coverage(pmfs, truths, groups, repeats=repeats)
    ]  # fmt: skip


def score_rows(place: Place, figures: Sequence[DocumentFigures]) -> list[Row]:
    """F1 of the 1-best clusterings against the gold ones, overall with an interval over redrawn documents."""
    parts = [one.scores for one in figures]
    rng, n = np.random.default_rng(0), len(parts)
    drawn = [_f1(sum((parts[d] for d in rng.integers(0, n, n)), start=Scores())) for _ in range(_DRAWS if n > 1 else 0)]
    rows = []
    for name, value in _f1(sum(parts, start=Scores())).items():
        ends = np.quantile([one[name] for one in drawn], [0.025, 0.975]).tolist() if drawn else [None, None]
        interval = "documents" if drawn else None
        rows.append(metric_row(place, f"{name}_f1", value, n, n, lo=ends[0], hi=ends[1], interval=interval))
    return rows


def _f1(scores: Scores) -> dict[str, float]:
    return {name: scores.as_dict()[name]["f1"] for name in ("muc", "bcub", "ceafe", "conll")}


def paper_rows(place: Place, figures: Sequence[DocumentFigures], n_samples: int) -> list[Row]:
    """CalibErr by the paper's protocol: pair probabilities from samples, with their noise."""
    repeats = len(figures[0].paper) if figures else 0
    errors, n = [], 0
    for repeat in range(repeats):
        stated = Stated.joined((one.paper[repeat].pred, one.paper[repeat].label) for one in figures)
        errors.append(calibration_error(stated.pred, stated.label, bin_size=PAPER_BIN))
        n = len(stated)
    if not errors:
        return []
    name, spread = f"calibration_error_{n_samples}_samples", float(np.std(errors, ddof=1)) if repeats > 1 else None
    mean = float(np.mean(errors))
    ends = {} if spread is None else {"lo": mean - 1.96 * spread, "hi": mean + 1.96 * spread, "interval": "samples"}
    rows = [metric_row(place, name, mean, n, len(figures), bin_size=PAPER_BIN, **ends)]
    if spread is not None:
        rows.append(metric_row(place, f"{name}_sd", spread, n, len(figures), bin_size=PAPER_BIN))
    return rows
