"""Do anchored intervals hold? Redraws of samples from archives whose truth is known.

Covers: coverage and width on the demonstration archive; the same with a sabotaged model; labels with errors; real news,
where people read every article. Every redraw takes other permanent numbers and does all that `credence sample`, a
perfect coder and `credence anchor` do to them.
Not here: speed.

Groups judged are those with a raw count or a true event: an empty cell is no achievement. The archives are propagated
once and kept in the folder that CREDENCE_ANCHOR_CACHE names (by default for this call only). CREDENCE_REDRAWS sets the
number of redraws, 1,000 by default; CREDENCE_POLICE names the police corpus, where it is not beside the repository;
CREDENCE_ANCHOR_PARTS chooses some of `coverage`, `sabotage`, `noise` and `news`.
"""

import gzip
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from benchmarks.measure import Row, at_least
from calib_core.anchoring import COLD, GATE, ColdStratum, Design, LabelledRows, Sampled, draw, score_spread
from calib_core.arrays import Bools, Floats, Ints
from flows.demonstration import ARCHIVE, read_truth
from flows.jobs.ingest import ingest
from flows.jobs.propagate import propagate
from flows.jobs.requests import ClusterRequest, IngestRequest, PropagateRequest
from workers.labelling.drawing import read_population
from workers.one_thread import one_thread
from workers.runs import Run, open_run, run_ids
from workers.storage import Warehouse

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data" / "events" / "india-police-dev.jsonl.gz"
POLICE = Path(os.environ.get("CREDENCE_POLICE", BESIDE))
TASKS = {"police-arrest": "ARREST", "police-kill": "KILL", "police-force": "FORCE"}
REDRAWS = int(os.environ.get("CREDENCE_REDRAWS", "1000"))
PARTS = os.environ.get("CREDENCE_ANCHOR_PARTS", "coverage sabotage noise news").split()
BUDGETS, NEWS_BUDGET, TARGET, TOO_WIDE = (100, 200, 300), 150, 0.93, 0.98
LEVELS = ("total", "country", "quarter", "cell")
POOL_DRAWS = 400
Truth = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Known:
    """An archive with its truth, ready to be sampled over and over; groups: total, countries, quarters, cells."""

    stratum: Ints
    """Of each article."""
    quarter: Ints
    story: Ints
    document: Ints
    """Of each row: a pair of article and code that is scored, named or true."""
    code: Ints
    score: Floats
    truth: Floats
    named: Bools
    """Rows that the text names or the model scores; the others are known from labels only."""
    shape: tuple[int, int]
    raw: tuple[Floats, Floats, Floats]
    """Mean and interval of the run, by group."""

    @property
    def n_wide(self) -> int:
        """Groups that are no cells."""
        return 1 + sum(self.shape)

    @property
    def members(self) -> csr_array:
        """Which rows each group adds up."""
        (n_codes, n_quarters), rows = self.shape, np.arange(len(self.code))
        quarter = self.quarter[self.document]
        columns = np.stack([
            np.zeros_like(rows), 1 + self.code, 1 + n_codes + quarter, self.n_wide + self.code * n_quarters + quarter
        ])  # fmt: skip
        shape = (len(rows), self.n_wide + n_codes * n_quarters)
        return csr_array((np.ones(columns.size), (np.tile(rows, 4), columns.ravel())), shape=shape)


@dataclass
class Score:
    """Hits and widths of the groups judged, summed over redraws."""

    held: Floats
    width: Floats
    alone_held: int = 0
    alone_width: float = 0.0
    bias: float = 0.0
    hidden: float = 0.0


def run() -> list[Row]:
    """All rows of this module."""
    with ExitStack() as stack, one_thread():
        folder = os.environ.get("CREDENCE_ANCHOR_CACHE") or stack.enter_context(tempfile.TemporaryDirectory())
        rows: list[Row] = []
        if {"coverage", "sabotage", "noise"} & set(PARTS):
            demo = known_archive(*demonstration(Path(folder)))
            rows += _coverage(demo) if "coverage" in PARTS else []
            rows += _sabotage(demo) if "sabotage" in PARTS else []
            rows += _noise(demo) if "noise" in PARTS else []
        if "news" in PARTS and POLICE.exists():
            rows += _news(Path(folder))
        return rows


def demonstration(folder: Path) -> tuple[Run, Truth]:
    """The demonstration, propagated, and who attacks in each article."""
    place = folder / "demo"
    if not (place / "latest").exists():
        ingest(IngestRequest(sources=(str(ARCHIVE),), warehouse=str(place)))
        propagate(PropagateRequest(warehouse=str(place), cluster=ClusterRequest(workers=1)))
    return open_run(Warehouse.open(place)), {truth.doc_id: frozenset(truth.countries) for truth in read_truth()}


def police(folder: Path, query: str) -> tuple[Run, Truth]:
    """The police corpus, propagated for one query, and which articles tell of its event."""
    place = folder / "police"
    if not place.exists():
        ingest(IngestRequest(sources=(str(POLICE),), warehouse=str(place)))
    warehouse = Warehouse.open(place)
    runs = {run.manifest["query"]["name"]: run for run in (open_run(warehouse, name) for name in run_ids(warehouse))}
    if query not in runs:
        published = propagate(PropagateRequest(warehouse=str(place), query=query, cluster=ClusterRequest(workers=1)))
        runs[query] = open_run(warehouse, published.run_id)
    with gzip.open(POLICE, "rt", encoding="utf-8") as lines:
        labels = {row["doc_id"]: row["labels"] for row in map(json.loads, lines)}
    return runs[query], {doc: frozenset({"POLICE"} if TASKS[query] in told else ()) for doc, told in labels.items()}


def known_archive(run: Run, truth: Truth) -> Known:
    """Everything that redraws need, read once."""
    population = read_population(run, run.query(), ())
    quarters = sorted({quarter for _, _, quarter in population.articles})
    named = [set(scores) | set(names) for scores, names in zip(population.scores, population.named, strict=True)]
    told = [truth[doc_id] for doc_id in population.doc_ids]
    codes = sorted(set().union(*named, *told))
    pairs = [(n, code) for n in range(len(told)) for code in sorted(named[n] | told[n])]
    return Known(
        stratum=population.stratum,
        quarter=np.array([quarters.index(quarter) for _, _, quarter in population.articles]),
        story=population.story,
        document=np.array([n for n, _ in pairs]),
        code=np.array([codes.index(code) for _, code in pairs]),
        score=np.array([population.scores[n].get(code, 0.0) for n, code in pairs]),
        truth=np.array([float(code in told[n]) for n, code in pairs]),
        named=np.array([code in named[n] for n, code in pairs]),
        shape=(len(codes), len(quarters)),
        raw=_raw(run, codes, quarters),
    )


def _raw(run: Run, codes: list[str], quarters: list[str]) -> tuple[Floats, Floats, Floats]:
    """Mean and 95 % interval of every group, from the posterior samples."""
    rows = run.counts().to_pylist()
    cells = np.zeros((len(codes), len(quarters), len(rows[0]["samples"])))
    for row in rows:
        cells[codes.index(row["country"]), quarters.index(row["quarter"])] = row["samples"]
    flat = cells.reshape(-1, cells.shape[2])
    samples = np.vstack([flat.sum(axis=0), cells.sum(axis=1), cells.sum(axis=0), flat])
    low, high = np.quantile(samples, [0.025, 0.975], axis=1, method="inverted_cdf")
    return samples.mean(axis=1), low, high


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
        design = rows.by_design()
        low, high = design.lower.copy(), design.upper.copy()
        if pooled:
            draws = rows.by_pooling(n_draws=POOL_DRAWS, seed=int(rng.integers(2**31)))
            low[known.n_wide :], high[known.n_wide :] = np.quantile(
                draws, [0.025, 0.975], axis=0, method="inverted_cdf"
            )
        score.held += (low <= truth + 1e-9) & (truth <= high + 1e-9)
        score.width += high - low
        score.bias += design.estimate[0] - truth[0]
        score.hidden += design.cold_upper[0]
        _alone(score, known, answers, rng.permutation(len(known.stratum))[: int(drawn.sum())], truth[0])
    return score


def _alone(score: Score, known: Known, answers: Floats, read: Ints, truth: float) -> None:
    """The total by the labels of a simple random sample of the same size, without any model."""
    events = np.bincount(known.document, answers, minlength=len(known.stratum))
    n, size = len(read), len(events)
    middle = size * events[read].mean()
    half = 1.96 * size * np.sqrt((1.0 - n / size) / n * events[read].var(ddof=1))
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
        note = "; over 98 %: the width is spent on what is hidden" if covered.mean() > TOO_WIDE else ""
        found.append(at_least(name, f"{level}: coverage{note}", 100 * float(covered.mean()), "%", 100 * TARGET))
        if level == "country" and len(covered) > 1:
            found.append(Row(name, "the worst country", 100 * float(covered.min()), "%"))
        width = float(np.median(score.width[groups[level]])) / redraws
        found.append(Row(name, f"{level}: width (median of groups)", width, "articles"))
    return found


def _widths(name: str, score: Score) -> list[Row]:
    return [
        Row(name, "total: width by labels alone", score.alone_width / REDRAWS, "articles"),
        Row(name, "total: coverage by labels alone", 100 * score.alone_held / REDRAWS, "%"),
        Row(name, "total: part of the upper end that allows for the cold stratum", score.hidden / REDRAWS, "articles"),
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


def _news(folder: Path) -> list[Row]:
    """Real news: three questions about the police, every article read by people."""
    rows = []
    for query in TASKS:
        known = known_archive(*police(folder, query))
        score, groups = redraw(known, NEWS_BUDGET, REDRAWS, pooled=False), judged(known)
        name, truth = f"{NEWS_BUDGET} labels, {query}", float(known.truth.sum())
        rows.append(Row(name, "true events", truth, "articles"))
        rows.append(Row(name, "models alone expect", float(known.raw[0][0]), "articles"))
        rows += _levels(name, score, groups, REDRAWS, ("total",))
        rows += _widths(name, score)
    return rows
