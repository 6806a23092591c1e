"""Quickstart: from a file that nobody has described to a first report.

Covers: looking at the file, and, once somebody has agreed with what was seen, ingest, a first query on a random part
that takes minutes, its report, and how long the whole archive would take.
Not here: the guess (`workers.ingest.guess`), asking (`flows.cli.quickstart`).
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from calib_core.events import Query
from flows.jobs.counts import counts
from flows.jobs.ingest import ingest
from flows.jobs.progress import OnProgress, Progress, quiet
from flows.jobs.propagate import propagate
from flows.jobs.random_part import Part, random_part, write_part
from flows.jobs.report import report
from flows.jobs.requests import CountsRequest, IngestRequest, PropagateRequest, QuickstartRequest, ReportRequest
from workers.ingest import IngestConfig, IngestReport, archive_chunks
from workers.ingest.config import DateOrder, Format
from workers.ingest.guess import Guess, guess
from workers.propagate import RunReport
from workers.storage import StorageError, Warehouse


@dataclass(frozen=True, slots=True)
class QuickstartReport:
    """What was done.

    Attributes
    ----------
    warehouse : str
        All articles.
    first_look : str
        The warehouse that was asked: the same, or one of a random part.
    ingested : IngestReport
    part : Part
    published : RunReport
    seconds : float or None
        How long the query would take on all articles; None where the part is everything, or took no time.
    expected : mapping of str to float
        Expected articles of each country in what was asked, the largest first.
    page : Path
    """

    warehouse: str
    first_look: str
    ingested: IngestReport
    part: Part
    published: RunReport
    seconds: float | None
    expected: Mapping[str, float]
    page: Path


def look(request: QuickstartRequest) -> Guess:
    """What the file seems to be.

    Raises
    ------
    ValueError
        Where nothing can be made of it, or of the request; the message says what to do.
    """
    Query.from_yaml(request.query)
    given = IngestConfig(
        format=cast("Format | None", request.format), names=request.fields, dates=cast("DateOrder", request.dates),
        encoding=request.encoding,
    )  # fmt: skip
    found = guess([request.source], given)
    if not found.usable:
        reason = found.reasons[0]
        raise ValueError(f"{reason.file}, record {reason.record}: {reason.rule}; got {reason.value or 'nothing'}")
    return found


def quickstart(request: QuickstartRequest, seen: Guess, *, on_progress: OnProgress = quiet) -> QuickstartReport:
    """Ingest as seen, ask a first question, write the page.

    Raises
    ------
    ValueError, StorageError, PropagationError, ClusterError
        The message says why, and what remains.
    """
    place, query = str(request.out / "warehouse"), Query.from_yaml(request.query)
    ingested = ingest(as_ingest(request, seen), on_progress=on_progress)
    warehouse = Warehouse.open(place)
    part = random_part(
        warehouse, query, most=request.articles,
        on_article=lambda done: on_progress(Progress("choosing articles", done)),
    )  # fmt: skip
    asked = place if part.is_all else _separate(warehouse, part, request.out / "sample", on_progress)
    watch = _Watch(on_progress)
    (published,) = propagate(
        PropagateRequest(warehouse=asked, query=(request.query,), cluster=request.cluster), on_progress=watch
    )
    page = request.out / "report.html"
    notice = "" if part.is_all else sample_notice(part)
    report(ReportRequest(warehouse=asked, out=page, notice=notice), on_progress=on_progress)
    seconds = None if part.is_all else watch.seconds(part)
    return QuickstartReport(place, asked, ingested, part, published, seconds, _expected(asked), page)


def as_ingest(request: QuickstartRequest, seen: Guess) -> IngestRequest:
    """The ingest that reads the files as they were seen; of two articles with one id it keeps the first."""
    config = seen.config
    return IngestRequest(
        sources=(request.source,), warehouse=str(request.out / "warehouse"), format=config.format, duplicates="skip",
        fields=config.names, dates=config.dates, encoding=config.encoding, html=config.html, make_ids=config.make_ids,
    )  # fmt: skip


def sample_notice(part: Part) -> str:
    """What a reader of the sample's page must know."""
    return (
        f"This is a sample: {part.chosen:,} of {part.articles:,} articles, drawn at random, to show what the whole "
        f"will look like. Expect every count here to be about {part.share:.1%} of that of all articles."
    )


def _separate(warehouse: Warehouse, part: Part, folder: Path, on_progress: OnProgress) -> str:
    """A warehouse of the part alone."""
    with TemporaryDirectory() as temporary:
        file = Path(temporary) / "sample.jsonl"
        write_part(warehouse, part, file)
        found = ingest(IngestRequest(sources=(str(file),), warehouse=str(folder)), on_progress=on_progress)
    if sum(chunk.docs for chunk in archive_chunks(Warehouse.open(folder))) != found.total.read:
        raise StorageError(str(folder), "holds another sample", "delete it, or name another folder with --out")
    return str(folder)


class _Watch:
    """Passes progress on, and notes how long the propagation took once workers were there."""

    def __init__(self, on_progress: OnProgress) -> None:
        self._on_progress, self._times = on_progress, (0.0, 0.0)

    def __call__(self, progress: Progress) -> None:
        if progress.stage == "propagating":
            now = time.monotonic()
            self._times = (self._times[0] or now, now)
        self._on_progress(progress)

    def seconds(self, part: Part) -> float | None:
        """The same for the whole archive; None if nothing had to be done."""
        first, last = self._times
        spent = last - first
        return spent * part.possible / part.chosen_possible if spent > 1 and part.chosen_possible else None


def _expected(place: str) -> dict[str, float]:
    """Sums over all quarters, largest first."""
    sums: dict[str, float] = {}
    rows: list[dict[str, Any]] = counts(CountsRequest(warehouse=place)).rows
    for row in rows:
        if row.get("target", "*") in (None, "*"):
            sums[row["country"]] = sums.get(row["country"], 0.0) + row["mean"]
    return dict(sorted(sums.items(), key=lambda item: (-item[1], item[0])))
