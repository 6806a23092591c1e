"""Do anchored intervals hold? Redraws of samples from archives whose truth is known.

Covers: coverage and width on the demonstration archive; the same with a sabotaged model; quarters that the sample was
not drawn from; labels with errors; real news, where people read every article. Every redraw takes other permanent
numbers and does all that `credence sample`, a perfect coder and `credence anchor` do to them.
Not here: the archives (`known_archives`), speed.

Groups judged are those with a raw count or a true event: an empty cell is no achievement. The archives are read by the
models once and kept in the folder that CREDENCE_ANCHOR_CACHE names (by default for this call only). CREDENCE_REDRAWS
sets the number of redraws, 1,000 by default; CREDENCE_ANCHOR_PARTS chooses some of `coverage`, `sabotage`, `drift`,
`noise`, `news` (simple queries) and `news-bundled`.
"""

import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

import numpy as np
from scipy.special import stdtrit

from benchmarks.known_archives import POLICE, SYNTAX, VERBS, Known, demonstration, known_run, news
from benchmarks.measure import Row, at_least
from calib_core.anchoring import COLD, GATE, Anchored, ColdStratum, Design, LabelledRows, Sampled, draw, score_spread
from calib_core.anchoring.interval import estimated_outside
from calib_core.arrays import Bools, Floats, Ints
from flows.jobs.propagate import propagate
from flows.jobs.requests import ClusterRequest, PropagateRequest
from workers.anchoring import anchor_run
from workers.labelling import Label, append_labels
from workers.labelling.drawing import DrawSettings, draw_frame
from workers.one_thread import one_thread
from workers.runs import open_run

REDRAWS = int(os.environ.get("CREDENCE_REDRAWS", "1000"))
ALL_PARTS = "coverage sabotage drift noise news news-bundled"
PARTS = os.environ.get("CREDENCE_ANCHOR_PARTS", ALL_PARTS).split()
BUDGETS, NEWS_BUDGET, TARGET, TOO_WIDE = (100, 200, 300), 150, 0.93, 0.98
LEVELS = ("total", "country", "quarter", "cell")
POOL_DRAWS = 400
NORMAL = 1.96
HALF_WAY = date(1997, 6, 30)
"""Last day of the first half of the demonstration."""


@dataclass
class Score:
    """Hits and widths of the groups judged, summed over redraws."""

    held: Floats
    width: Floats
    alone_held: int = 0
    alone_width: float = 0.0
    bias: float = 0.0
    hidden: float = 0.0
    spent: Floats = field(default_factory=lambda: np.zeros(3))
    """Width of the total: by the standard error, by that of few errors, and with what the cold stratum may hide."""
    estimates: list[float] = field(default_factory=list)
    """Of the total, outside the cold stratum."""


def run() -> list[Row]:
    """All rows of this module."""
    with ExitStack() as stack, one_thread():
        folder = Path(os.environ.get("CREDENCE_ANCHOR_CACHE") or stack.enter_context(tempfile.TemporaryDirectory()))
        rows: list[Row] = []
        if {"coverage", "sabotage", "noise"} & set(PARTS):
            demo = known_run(*demonstration(folder))
            rows += _coverage(demo) if "coverage" in PARTS else []
            rows += _sabotage(demo) if "sabotage" in PARTS else []
            rows += _noise(demo) if "noise" in PARTS else []
        rows += _drift(folder) if "drift" in PARTS else []
        if POLICE.exists():
            rows += _news(folder, bundled=False) if "news" in PARTS else []
            rows += _news(folder, bundled=True) if "news-bundled" in PARTS else []
        return rows


def sampled_rows(known: Known, budget: int, number: Floats, answers: Floats) -> tuple[LabelledRows, Bools]:
    """Draw and label; also which articles were drawn."""
    spread = score_spread(known.document, known.score, len(known.stratum))
    drawn = draw(known.stratum, spread, number, budget=budget, design=Design())
    cold = known.stratum == COLD
    place = np.cumsum(~cold) - 1
    rows = np.flatnonzero(~cold[known.document])
    members = known.members
    sampled = Sampled(
        stratum=known.stratum[~cold], pi=drawn.pi[~cold], labelled=drawn.drawn[~cold],
        document=place[known.document[rows]], score=known.score[rows], low=answers[rows], high=answers[rows],
        members=members[rows],
    )  # fmt: skip
    read = drawn.drawn & cold
    found = (members[np.flatnonzero(read[known.document])].T @ answers[read[known.document]]).astype(np.int64)
    n_codes = known.shape[0]

    def by_group(wanted: Bools) -> Ints:
        per = np.bincount(known.quarter[wanted], minlength=known.shape[1])
        return np.concatenate([np.full(1 + n_codes, wanted.sum()), per, np.tile(per, n_codes)])

    sizes, labelled = by_group(cold), by_group(read)
    found = np.minimum(found, labelled)
    stratum = ColdStratum(int(cold.sum()), int(read.sum()), sizes, labelled, found, found)
    labelled_rows = LabelledRows(
        sampled=sampled, surprise=~known.named[rows], code=known.code[rows],
        quarter=known.quarter[known.document[rows]], story=known.story[~cold], cold=stratum, shape=known.shape,
    )  # fmt: skip
    return labelled_rows, drawn.drawn


def redraw(known: Known, budget: int, redraws: int, *, wrong: float = 0.0, pooled: bool = True) -> Score:
    """Coverage and width over many samples; `wrong` is the share of answers about rows that are flipped."""
    rng, truth = np.random.default_rng(budget), known.members.T @ known.truth
    n = len(truth)
    score = Score(np.zeros(n), np.zeros(n))
    for _ in range(redraws):
        answers = (
            np.where(rng.random(len(known.truth)) < wrong, 1.0 - known.truth, known.truth) if wrong else known.truth
        )
        rows, drawn = sampled_rows(known, budget, rng.random(len(known.stratum)), answers)
        design = rows.wide().by_design()
        ends = np.zeros((2, n - known.n_wide))
        if pooled:
            draws = rows.by_pooling(n_draws=POOL_DRAWS, seed=int(rng.integers(2**31)))
            ends = np.quantile(draws, [0.025, 0.975], axis=0, method="inverted_cdf")
        low, high = np.append(design.lower, ends[0]), np.append(design.upper, ends[1])
        score.held += (low <= truth + 1e-9) & (truth <= high + 1e-9)
        score.width += high - low
        score.bias += design.estimate[0] - truth[0]
        score.hidden += design.cold_upper[0]
        _spend(score, rows, design)
        _alone(score, known, answers, rng.permutation(len(known.stratum))[: int(drawn.sum())], truth[0])
    return score


def _spend(score: Score, rows: LabelledRows, design: Anchored) -> None:
    """Where the width of the total goes: each figure holds the one before."""
    repaired = rows.wide().repaired()
    outside = estimated_outside(repaired, repaired.low)
    error, reach = float(outside.error[0]), -float(stdtrit(outside.degrees, 0.025))
    score.spent += (2.0 * NORMAL * error, 2.0 * reach * error, float(design.upper[0] - design.lower[0]))
    score.estimates.append(float(outside.total[0]))


def _alone(score: Score, known: Known, answers: Floats, read: Ints, truth: float) -> None:
    """The total by the labels of a simple random sample of the same size, without any model."""
    events = np.bincount(known.document, answers, minlength=len(known.stratum))
    n, size = len(read), len(events)
    middle = size * events[read].mean()
    half = NORMAL * size * np.sqrt((1.0 - n / size) / n * events[read].var(ddof=1))
    score.alone_held += bool(abs(middle - truth) <= half)
    score.alone_width += 2.0 * float(half)


def judged(known: Known) -> dict[str, Ints]:
    """Groups of each level with a raw count or a true event."""
    counts = (known.raw[0] > 0.0) | (known.members.T @ known.truth > 0.0)
    edges = np.cumsum([0, 1, *known.shape, known.shape[0] * known.shape[1]])
    return {
        level: np.flatnonzero(counts[first:last]) + first
        for level, first, last in zip(LEVELS, edges[:-1], edges[1:], strict=True)
    }


def _coverage(known: Known) -> list[Row]:
    """Coverage and width at each budget, the raw posterior beside them."""
    truth, groups = known.members.T @ known.truth, judged(known)
    held = (known.raw[1] <= truth) & (truth <= known.raw[2])
    rows = [
        Row("models alone", f"{level}: intervals that hold the truth", 100 * float(held[at].mean()), f"% of {len(at)}")
        for level, at in groups.items()
    ]
    for budget in BUDGETS:
        score = redraw(known, budget, REDRAWS)
        rows += _levels(f"{budget} labels", score, groups, REDRAWS)
        rows += _widths(f"{budget} labels", score)
    return rows


def _levels(
    name: str, score: Score, groups: Mapping[str, Ints], redraws: int, wanted: tuple[str, ...] = LEVELS
) -> list[Row]:
    found = []
    for level in wanted:
        covered = score.held[groups[level]] / redraws
        note = "; over 98 %, see what the width is spent on" if covered.mean() > TOO_WIDE else ""
        found.append(at_least(name, f"{level}: coverage{note}", 100 * float(covered.mean()), "%", 100 * TARGET))
        if level == "country" and len(covered) > 1:
            found.append(Row(name, "the worst country", 100 * float(covered.min()), "%"))
        width = float(np.median(score.width[groups[level]])) / redraws
        found.append(Row(name, f"{level}: width (median of groups)", width, "articles"))
    return found


def _widths(name: str, score: Score) -> list[Row]:
    spread = 2.0 * NORMAL * float(np.std(score.estimates))
    spent = zip(
        ("and errors that no label met", "and the doubt of an error seen a few times", "and the cold stratum"),
        score.spent,
        strict=True,
    )
    return [
        Row(name, "total: width by labels alone", score.alone_width / REDRAWS, "articles"),
        Row(name, "total: coverage by labels alone", 100 * score.alone_held / REDRAWS, "%"),
        Row(name, "total: width that the spread of the estimates asks for", spread, "articles"),
        *(Row(name, f"total: {what}", float(width) / REDRAWS, "articles") for what, width in spent),
        Row(name, "exact bound on the cold stratum alone", score.hidden / REDRAWS, "articles"),
    ]


def _sabotage(known: Known) -> list[Row]:
    """Tier A under models that are broken on purpose."""
    rng = np.random.default_rng(0)
    largest = int(np.argmax(known.raw[0][1 : 1 + known.shape[0]]))
    scored = known.score > 0.0
    lost = (known.stratum == GATE) & (rng.random(len(known.stratum)) < 0.5)
    broken: dict[str, Callable[[], Known]] = {
        "probabilities inverted": lambda: replace(known, score=np.where(scored, 1.0 - known.score, known.score)),
        "probabilities all zero": lambda: replace(known, score=np.zeros_like(known.score)),
        "the largest country deleted": lambda: replace(
            known,
            score=np.where(known.code == largest, 0.0, known.score),
            named=known.named & (known.code != largest),
        ),
        "half of the gate's articles lost to the cold stratum": lambda: replace(
            known,
            stratum=np.where(lost, COLD, known.stratum),
            score=np.where(lost[known.document], 0.0, known.score),
        ),
    }
    rows, groups = [], judged(known)
    for name, made in broken.items():
        score = redraw(made(), 200, REDRAWS, pooled=False)
        rows += _levels(f"200 labels, {name}", score, groups, REDRAWS, ("total", "country"))
    return rows


def _noise(known: Known) -> list[Row]:
    """What wrong answers do: the interval is right about the labels, so their errors become bias."""
    rows, groups = [], judged(known)
    for wrong in (0.05, 0.1):
        score = redraw(known, 200, REDRAWS, wrong=wrong, pooled=False)
        name = f"200 labels, {100 * wrong:.0f} % of answers wrong"
        rows.append(Row(name, "total: bias", score.bias / REDRAWS, "articles"))
        covered = 100 * float(score.held[groups["total"]].mean()) / REDRAWS
        rows.append(Row(name, "total: coverage, shown and not hidden", covered, "%"))
    return rows


def _drift(folder: Path) -> list[Row]:
    """Labels of the first half of the period only: what becomes of the later quarters."""
    whole, truth = demonstration(folder)
    one = ClusterRequest(workers=1)
    asked = PropagateRequest(
        warehouse=str(whole.warehouse.root), until=HALF_WAY.isoformat(), syntax=SYNTAX, cluster=one
    )
    half = open_run(whole.warehouse, propagate(asked).run_id)
    propagate(replace(asked, until=None))  # the latest run is again that of all articles
    frame = draw_frame(half, DrawSettings(budget=200, seed=0), created="1997")
    answers = {doc_id: ";".join(sorted(codes)) or "none" for doc_id, codes in truth.items()}
    append_labels(whole.warehouse, frame, [
        Label(frame_id=frame.frame_id, doc_id=doc_id, coder="truth", answer=answers[doc_id], time="1997")
        for doc_id in sorted(frame.drawn_ids)
    ])  # fmt: skip
    rows = anchor_run(whole, frame.frame_id, n_draws=POOL_DRAWS).rows
    later = [row for row in rows if row["level"] == "quarter" and row["quarter"] not in frame.quarters]
    refused = sum(row["estimate"] is None and "outside_frame" in row["flags"] for row in later)
    flagged = sum("part_of_run" in row["flags"] for row in rows if row["level"] in ("total", "country"))
    n_sums = sum(row["level"] in ("total", "country") for row in rows)
    name = "labels of the first half only"
    return [
        at_least(name, f"of {len(later)} later quarters: refused an estimate, and flagged", refused, "", len(later)),
        at_least(name, f"of {n_sums} sums over quarters: flagged as part of the run", flagged, "", n_sums),
    ]


def _news(folder: Path, *, bundled: bool) -> list[Row]:
    """Real news: three questions about the police, every article read by people."""
    rows = []
    for label in VERBS:
        known = news(folder, label, bundled=bundled)
        score, groups = redraw(known, NEWS_BUDGET, REDRAWS, pooled=False), judged(known)
        query = f"{'bundled' if bundled else 'simple'} query, {label.lower()}"
        name, held = f"{NEWS_BUDGET} labels, {query}", known.members.T @ known.truth
        rows.append(Row(name, "true events", float(held[0]), "articles"))
        rows.append(Row(name, "models alone expect", float(known.raw[0][0]), "articles"))
        strata = np.bincount(known.stratum, minlength=3), np.bincount(known.stratum[known.document], known.truth, 3)
        for stratum, size, true in zip(("gate", "warm", "cold"), *strata, strict=True):
            rows.append(Row(name, f"{stratum}: true events of {size:.0f} articles", float(true), "articles"))
        rows += _levels(name, score, groups, REDRAWS, ("total",))
        rows += _widths(name, score)
    return rows
