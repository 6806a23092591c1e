"""From an archive of articles to posterior event samples, in one process.

Covers: reading JSON lines, the gate, parsing, sampling, and adding up by any period.
Not here: the page about it (`events`); the same over a whole archive on many workers, which is the service's job.
"""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from calib_core.coref import AntecedentModel, Antecedents
from calib_core.document import Document
from calib_core.events import (
    Counts,
    EventSamples,
    Query,
    batch_bits,
    gate,
    posterior_counts,
    query_document,
    tally,
)
from calib_core.events.readings import AnyEvidence
from calib_core.randomness import document_key
from reproductions.findings import Progress

Period = Callable[[str], str]
"""What a publication date such as 1987-04-09 is counted under."""

Parse = Callable[[str, str], Document]


@dataclass(frozen=True, slots=True)
class Article:
    """One article past the gate; `text` is the body, without the title."""

    doc_id: str
    published: str
    text: str


@dataclass(frozen=True, slots=True)
class Archive:
    """What the gate left of an archive, and how many articles there were on each day."""

    articles: tuple[Article, ...]
    per_day: Counter[str]


@dataclass(frozen=True, slots=True)
class Annotated:
    """What the models say of each article past the gate; all three have one entry per article."""

    articles: tuple[Article, ...]
    evidence: tuple[AnyEvidence, ...]
    antecedents: tuple[Antecedents, ...]


def read_archive(path: Path, query: Query) -> Archive:
    """Keep the articles whose body could count; count all."""
    kept, per_day = [], Counter[str]()
    for number, record in enumerate(_records(path), start=1):
        try:
            article = Article(record["doc_id"], record["published"], record["text"])
        except KeyError as error:
            raise ValueError(f"{path}: record {number} has no field {error}") from None
        per_day[article.published] += 1
        if gate(article.text, query):
            kept.append(article)
    return Archive(tuple(kept), per_day)


def _records(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def annotate(
    articles: Sequence[Article], parse: Parse, model: AntecedentModel, query: Query, progress: Progress
) -> Annotated:
    """Parse each article and give its mentions countries, agents and antecedents."""
    evidence, antecedents = [], []
    progress.stage("parsing articles past the gate", len(articles))
    for article in articles:
        document = parse(article.doc_id, article.text)
        asked = query_document(document, model.link(document), query, year=int(article.published[:4]))
        evidence.append(asked.evidence)
        antecedents.append(asked.antecedents)
        progress.advance(article.doc_id)
    return Annotated(tuple(articles), tuple(evidence), tuple(antecedents))


def sample_articles(annotated: Annotated, n_samples: int, *, seed: int) -> EventSamples:
    """Whether each article counts for each country, in every sample and under the 1-best clustering."""
    keys = [document_key(seed, article.doc_id) for article in annotated.articles]
    return batch_bits(annotated.evidence, annotated.antecedents, n_samples, keys=keys).positive()


def counts_by(
    samples: EventSamples, archive: Archive, period: Period, *, unit: str = "documents", first: int | None = None
) -> Counts:
    """Posterior counts per period and country, of all samples or the first few."""
    published = [archive.articles[document].published for document in samples.document.tolist()]
    used = samples.entities[:, :first]
    total = tally([period(day) for day in published], samples.country, used, samples.best, unit=unit)
    n_docs, n_possible = Counter[str](), Counter[str]()
    for day, n in archive.per_day.items():
        n_docs[period(day)] += n
    for article in archive.articles:
        n_possible[period(article.published)] += 1
    return posterior_counts(total, n_docs=n_docs, n_possible=n_possible)


def quarter_start(day: str) -> str:
    """The first day of the quarter of a date."""
    return f"{day[:5]}{(int(day[5:7]) - 1) // 3 * 3 + 1:02d}-01"


def half_month(day: str) -> str:
    """The day on which the half of the month that a date is in begins."""
    return f"{day[:8]}{'01' if int(day[8:10]) <= 15 else '16'}"
