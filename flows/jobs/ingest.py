"""Ingest: files into the archive of a warehouse.

Covers: from the request to the configuration, and progress over all files.
Not here: reading and storing (`workers.ingest`).
"""

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

from flows.jobs.progress import OnProgress, Progress, Speed, quiet
from flows.jobs.requests import IngestRequest
from workers.ingest import IngestConfig, IngestProgress, IngestReport
from workers.ingest import ingest as ingest_files
from workers.ingest.config import DateOrder, Duplicates, Format
from workers.storage import Warehouse


def ingest(request: IngestRequest, *, on_progress: OnProgress = quiet) -> IngestReport:
    """Add files to a warehouse, all or nothing; files that it already has change nothing.

    Raises
    ------
    ValueError
        For options that make no sense.
    IngestError, StorageError, SchemaError
        Nothing was published; the message says why.
    """
    config = ingest_config(request)
    warehouse = Warehouse.open(request.warehouse)
    scratch = None if warehouse.is_local else Path(tempfile.gettempdir())
    shown = _over_all_files(on_progress, _total_bytes(request.sources))
    return ingest_files(request.sources, warehouse, config, scratch=scratch, on_progress=shown)


def ingest_config(request: IngestRequest) -> IngestConfig:
    """Check the options; ValueError says what is wrong with them."""
    return IngestConfig(
        format=cast("Format | None", request.format),
        duplicates=cast("Duplicates", request.duplicates),
        names=request.fields,
        dates=cast("DateOrder", request.dates),
        encoding=request.encoding,
        html=request.html,
        make_ids=request.make_ids,
    )


def _over_all_files(on_progress: OnProgress, total: int | None) -> Callable[[IngestProgress], None]:
    """Progress in bytes: earlier files plus the current one."""
    speed = Speed(time.monotonic())
    current, before, so_far = "", 0, 0

    def show(reading: IngestProgress) -> None:
        nonlocal current, before, so_far
        if reading.file != current:
            current, before = reading.file, before + so_far
        so_far = reading.bytes
        rate = speed.per_second(reading.records, time.monotonic())
        detail = f"{reading.records:,} records, {rate:,.0f} per second, now in {reading.file}"
        on_progress(Progress("reading", before + so_far, total, detail))

    return show


def _total_bytes(sources: Sequence[str]) -> int | None:
    """Bytes to read, if all sources are local files; None if folders would have to be walked first."""
    paths = [Path(name) for name in sources]
    return sum(path.stat().st_size for path in paths) if all(path.is_file() for path in paths) else None
