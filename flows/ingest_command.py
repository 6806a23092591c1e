"""`credence ingest`: files into the archive, seen from the terminal.

Covers: options to configuration, progress, the summary, exit codes.
Not here: the work (`workers.ingest`).

Exit codes: 0 done; 1 refused or failed, the archive is as it was; 2 wrong usage; 3 done, but an input file breaks off,
so that records are missing; 130 interrupted, the archive is as it was.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import cast

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

from flows.pace import Pace
from workers.ingest import IngestConfig, IngestError, IngestReport, ingest
from workers.ingest import Progress as Reading
from workers.ingest.config import Duplicates, Format
from workers.schemas import SchemaError
from workers.storage import StorageError, Warehouse, public_name

DAMAGED, FAILED, INTERRUPTED = 3, 1, 130
FILES_SHOWN = 20
SHOWN = ("read", "kept", "known", "duplicates", "quarantined")


def run_ingest(
    inputs: Sequence[str], out: str, format_: str | None, duplicates: str, fields: Sequence[str], *, as_json: bool
) -> None:
    """Ingest, tell, and exit with a code that a scheduler can use."""
    config = _config(format_, duplicates, fields)
    console = Console(stderr=True)
    start = time.monotonic()
    try:
        report = ingest_sources(inputs, out, config, console)
    except (IngestError, StorageError, SchemaError) as error:
        console.print(f"credence ingest: {escape(str(error))}. Nothing was published.", style="red", soft_wrap=True)
        raise typer.Exit(FAILED) from error
    except KeyboardInterrupt as error:
        console.print("credence ingest: interrupted. Nothing was published; run it again.", style="red")
        raise typer.Exit(INTERRUPTED) from error
    if as_json:
        sys.stdout.write(json.dumps(report.to_dict(), ensure_ascii=False) + "\n")
    else:
        _show(report, public_name(out), time.monotonic() - start)
    if report.total.damaged:
        raise typer.Exit(DAMAGED)


def ingest_sources(inputs: Sequence[str], out: str, config: IngestConfig, console: Console) -> IngestReport:
    """Run it; shared by the command line and the scheduled flows."""
    warehouse = Warehouse.open(out)
    scratch = None if warehouse.is_local else Path(tempfile.gettempdir())
    with _progress(console, inputs) as on_progress:
        return ingest(inputs, warehouse, config, scratch=scratch, on_progress=on_progress)


def _config(format_: str | None, duplicates: str, fields: Sequence[str]) -> IngestConfig:
    names = {}
    for field in fields:
        ours, equals, theirs = field.partition("=")
        if not equals or not theirs:
            raise typer.BadParameter(f"must be COLUMN=NAME, such as text=body; got {field!r}", param_hint="--field")
        names[ours] = theirs
    try:
        return ingest_config(format_, duplicates, names)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


def ingest_config(format_: str | None, duplicates: str, names: Mapping[str, str]) -> IngestConfig:
    """The options, checked; ValueError says what is wrong with them."""
    return IngestConfig(cast("Format | None", format_), cast("Duplicates", duplicates), names)


@contextmanager
def _progress(console: Console, inputs: Sequence[str]) -> Iterator[Callable[[Reading], None]]:
    """A bar on a terminal; elsewhere a plain line every ten seconds."""
    if not console.is_terminal:
        yield _plain_lines(console)
        return
    total = _total_bytes(inputs)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        yield _moving(bar, bar.add_task("reading", total=total))


def _moving(bar: Progress, task: TaskID) -> Callable[[Reading], None]:
    """Moves the bar by the bytes of the files before, plus those of the current one."""
    current, before, so_far = "", 0, 0

    def show(reading: Reading) -> None:
        nonlocal current, before, so_far
        if reading.file != current:
            current, before = reading.file, before + so_far
        so_far = reading.bytes
        bar.update(task, completed=before + so_far, description=f"{reading.records:,} records")

    return show


def _plain_lines(console: Console) -> Callable[[Reading], None]:
    start, pace = time.monotonic(), Pace(at_once=False)

    def show(reading: Reading) -> None:
        if pace.due():
            rate = reading.records / (time.monotonic() - start)
            line = f"{reading.records:,} records read, {rate:,.0f} a second, now in {reading.file}"
            console.print(line, highlight=False, markup=False, soft_wrap=True)

    return show


def _total_bytes(inputs: Sequence[str]) -> int | None:
    """Bytes to read, where all inputs are local files; None where folders would have to be walked first."""
    paths = [Path(name) for name in inputs]
    return sum(path.stat().st_size for path in paths) if all(path.is_file() for path in paths) else None


def _show(report: IngestReport, out: str, seconds: float) -> None:
    """Totals, then each file, then what deserves a look."""
    console = Console(soft_wrap=True, highlight=False)
    total = report.total
    console.print(
        f"{total.read:,} records read in {seconds:.1f} s: {total.kept:,} added in {len(report.chunks):,} chunks, "
        f"{total.known:,} known already, {total.duplicates:,} duplicate ids left out, "
        f"{total.quarantined:,} quarantined."
    )
    for line in _by_file(report):
        console.print(escape(line))
    if total.repeated_texts:
        console.print(f"{total.repeated_texts:,} of the added articles repeat the text of another word for word.")
    for example in report.examples[:5]:
        place = f"{example.file}, record {example.record}, doc_id {example.doc_id}"
        console.print(escape(f"  same {example.kind}: {place}; first {example.first}"))
    if total.quarantined:
        console.print(escape(f"Why records were quarantined: {out}/ingests/quarantine/*.parquet"))
    if total.damaged:
        broken = [file for file, counts in report.files.items() if counts.damaged]
        console.print(f"[red]Broken off, so that records are missing: {escape(', '.join(broken[:FILES_SHOWN]))}[/]")


def _by_file(report: IngestReport) -> Iterator[str]:
    """One line a file, where there are several."""
    if len(report.files) > 1:
        for file, counts in islice(report.files.items(), FILES_SHOWN):
            numbers = ", ".join(f"{getattr(counts, name):,} {name}" for name in SHOWN)
            yield f"  {file}: {numbers}"
    if len(report.files) > FILES_SHOWN:
        yield f"  and {len(report.files) - FILES_SHOWN:,} more files (--json lists all)"
