"""Archives whose truth is known, ready to be sampled over and over.

Covers: the demonstration, and real news that people read in full (IndiaPoliceEvents), asked simple and bundled queries.
Not here: drawing, labelling and judging (`anchoring`).

The demonstration is propagated once. Of the news only the annotations are kept; they are those of `benchmarks.police`,
with the same cache. CREDENCE_POLICE names the corpus where it is not beside the repository: it is nobody's to ship.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from benchmarks.police import LABELS, annotated, probabilities, records
from calib_core.anchoring import COLD, GATE, WARM, stories
from calib_core.arrays import Bools, Floats, Ints
from calib_core.events import Query
from calib_core.events.closeness import Closeness, named_codes
from flows.demonstration import ARCHIVE, read_truth
from flows.jobs.ingest import ingest
from flows.jobs.propagate import propagate
from flows.jobs.requests import ClusterRequest, IngestRequest, PropagateRequest
from workers.labelling.drawing import read_population
from workers.quarters import quarter_of
from workers.runs import Run, open_run
from workers.storage import Warehouse

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data" / "events" / "india-police-dev.jsonl.gz"
POLICE = Path(os.environ.get("CREDENCE_POLICE", BESIDE))
ACTOR, SYNTAX = "POLICE", "best"
VERBS = {
    "ARREST": ("arrest", "detain"),
    "KILL": ("kill",),
    "FORCE": ("fire", "beat: [beats, beaten, beating]", "shoot: [shoots, shot, shooting]"),
}
"""Of the simple queries: what a user might write at first."""

Truth = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Known:
    """An archive with its truth; groups: total, countries, quarters, cells."""

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
    """Numbers of codes and quarters."""
    raw: tuple[Floats, Floats, Floats]
    """Mean and interval by the models alone, by group."""

    @property
    def n_wide(self) -> int:
        """Groups that are no cells."""
        return 1 + sum(self.shape)

    @cached_property
    def members(self) -> csr_array:
        """Which rows each group adds up."""
        (n_codes, n_quarters), rows = self.shape, np.arange(len(self.code))
        quarter = self.quarter[self.document]
        columns = np.stack([
            np.zeros_like(rows), 1 + self.code, 1 + n_codes + quarter, self.n_wide + self.code * n_quarters + quarter
        ])  # fmt: skip
        shape = (len(rows), self.n_wide + n_codes * n_quarters)
        return csr_array((np.ones(columns.size), (np.tile(rows, 4), columns.ravel())), shape=shape)


@dataclass(frozen=True)
class _Articles:
    """What `Known` is made of, article by article."""

    doc_ids: Sequence[str]
    quarters: Sequence[str]
    stratum: Ints
    story: Ints
    scores: Sequence[Mapping[str, float]]
    names: Sequence[Sequence[str]]


def demonstration(folder: Path) -> tuple[Run, Truth]:
    """The demonstration, propagated, and who attacks in each article."""
    place = folder / "demo"
    if not (place / "latest").exists():
        ingest(IngestRequest(sources=(str(ARCHIVE),), warehouse=str(place)))
        propagate(PropagateRequest(warehouse=str(place), syntax=SYNTAX, cluster=ClusterRequest(workers=1)))
    return open_run(Warehouse.open(place)), {truth.doc_id: frozenset(truth.countries) for truth in read_truth()}


def known_run(run: Run, truth: Truth) -> Known:
    """A run of an archive."""
    found = read_population(run, run.query(), ())
    quarters = [quarter for _, _, quarter in found.articles]
    articles = _Articles(found.doc_ids, quarters, found.stratum, found.story, found.scores, found.named)
    samples = {(row["country"], row["quarter"]): row["samples"] for row in run.counts().to_pylist()}
    return _known(articles, truth, samples)


def simple_query(folder: Path, label: str) -> Query:
    """A question about the police with a few verbs, in place of the bundled one."""
    file = folder / f"simple-{label.lower()}.yaml"
    verbs = "".join(f"  - {verb}\n" for verb in VERBS[label])
    rest = f"lexicon: actors\ncountries: [{ACTOR}]\ncase: article\n"
    file.write_text(f"name: simple-{label.lower()}\nverbs:\n{verbs}{rest}", encoding="utf-8")
    return Query.from_yaml(file)


def news(folder: Path, label: str, *, bundled: bool) -> Known:
    """The police corpus, asked one question."""
    name = next(name for name, meaning in LABELS.items() if meaning == label)
    query = Query.from_yaml(name) if bundled else simple_query(folder, label)
    annotations = list(annotated(POLICE, folder / "police"))
    close, read = Closeness.of(query), {record["doc_id"]: record for record in records(POLICE)}
    texts = [read[annotation.doc_id]["text"] for annotation in annotations]
    years = [annotation.published.year for annotation in annotations]
    chance = probabilities(annotations, query, SYNTAX)
    stratum = [
        GATE if close.gate(text) else WARM if close(text, year) else COLD
        for text, year in zip(texts, years, strict=True)
    ]
    articles = _Articles(
        doc_ids=[annotation.doc_id for annotation in annotations],
        quarters=[quarter_of(annotation.published) for annotation in annotations],
        stratum=np.array(stratum),
        story=stories(texts),
        scores=[{ACTOR: p} if (p := chance[annotation.doc_id]) > 0.0 else {} for annotation in annotations],
        names=[
            sorted(named_codes(text, query, year)) if place != COLD else []
            for text, year, place in zip(texts, years, stratum, strict=True)
        ],
    )
    told = {doc_id: frozenset({ACTOR} if label in record["labels"] else ()) for doc_id, record in read.items()}
    return _known(articles, told, {})


def _known(articles: _Articles, truth: Truth, samples: Mapping[tuple[str, str], Sequence[int]]) -> Known:
    """Rows from articles; without samples the intervals of the models alone are left at their mean."""
    quarters = sorted(set(articles.quarters))
    named = [set(scores) | set(names) for scores, names in zip(articles.scores, articles.names, strict=True)]
    told = [truth[doc_id] for doc_id in articles.doc_ids]
    codes = sorted(set().union(*named, *told))
    pairs = [(n, code) for n in range(len(told)) for code in sorted(named[n] | told[n])]
    document = np.array([n for n, _ in pairs])
    quarter = np.array([quarters.index(name) for name in articles.quarters])
    code = np.array([codes.index(name) for _, name in pairs])
    score = np.array([articles.scores[n].get(name, 0.0) for n, name in pairs])
    cells = np.zeros((len(codes), len(quarters), len(next(iter(samples.values()), [0]))))
    for (country, name), values in samples.items():
        cells[codes.index(country), quarters.index(name)] = values
    if not samples:
        np.add.at(cells, (code, quarter[document], 0), score)
    return Known(
        stratum=articles.stratum, quarter=quarter, story=articles.story, document=document, code=code, score=score,
        truth=np.array([float(name in told[n]) for n, name in pairs]),
        named=np.array([name in named[n] for n, name in pairs]), shape=(len(codes), len(quarters)), raw=_summed(cells),
    )  # fmt: skip


def _summed(cells: Floats) -> tuple[Floats, Floats, Floats]:
    """Mean and 95 % interval of every group, from samples of shape (n_codes, n_quarters, n_samples)."""
    flat = cells.reshape(-1, cells.shape[2])
    samples = np.vstack([flat.sum(axis=0), cells.sum(axis=1), cells.sum(axis=0), flat])
    low, high = np.quantile(samples, [0.025, 0.975], axis=1, method="inverted_cdf")
    return samples.mean(axis=1), low, high
