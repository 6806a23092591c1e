"""`credence ingest`: files into the archive of a warehouse.

Exit codes: 0 done; 1 refused, failed, or no record could be used: the archive is unchanged; 2 wrong usage; 3 done, but
an input file breaks off, so records are missing; 130 interrupted, the archive is unchanged.
"""

import json
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.display import progress_display
from flows.cli.errors import FAILED, INCOMPLETE, sentences
from flows.cli.options import AsJson, Dates, Encoding, Fields, InputFormat, OutWarehouse
from flows.jobs.requests import IngestRequest

if TYPE_CHECKING:
    from workers.ingest import IngestReport

FILES_SHOWN = 20
REASONS_SHOWN = 5
SHOWN = ("read", "kept", "known", "duplicates", "quarantined")


def register(app: typer.Typer) -> None:
    """Add `ingest` to the command line."""
    app.command()(ingest)


def ingest(
    sources: Annotated[list[str], typer.Argument(metavar="SRC", help="Files or folders, local or s3://.")],
    out: OutWarehouse,
    format_: InputFormat = IngestRequest.format,
    duplicates: Annotated[
        str, typer.Option(metavar="NAME", help="If an id appears twice: refuse everything, or skip the later article.")
    ] = IngestRequest.duplicates,
    field: Fields = None,
    dates: Dates = IngestRequest.dates,
    encoding: Encoding = IngestRequest.encoding,
    html: Annotated[bool, typer.Option("--html", help="Texts are HTML: keep their words.")] = IngestRequest.html,
    make_ids: Annotated[
        bool, typer.Option("--make-ids", help="Give articles without an id one made of their content.")
    ] = IngestRequest.make_ids,
    as_json: AsJson = False,
) -> None:
    """Add articles to a warehouse; the same files again change nothing."""
    from flows.jobs.ingest import ingest as run
    from flows.jobs.ingest import ingest_config

    request = IngestRequest(
        sources=tuple(sources),
        warehouse=out,
        format=format_,
        duplicates=duplicates,
        fields=field_names(field or []),
        dates=dates,
        encoding=encoding,
        html=html,
        make_ids=make_ids,
    )
    with sentences("ingest", usage=True):
        ingest_config(request)
    start = time.monotonic()
    with sentences("ingest", left="nothing was published"), progress_display() as on_progress:
        report = run(request, on_progress=on_progress)
    if as_json:
        typer.echo(json.dumps(report.to_dict(), ensure_ascii=False))
    else:
        _show(report, out, time.monotonic() - start)
    if report.total.damaged:
        raise typer.Exit(INCOMPLETE)
    if report.useless:
        raise typer.Exit(FAILED)


def field_names(fields: Sequence[str]) -> dict[str, str]:
    """Our columns and the file's names for them."""
    names = {}
    for field in fields:
        ours, equals, theirs = field.partition("=")
        if not equals or not theirs:
            raise typer.BadParameter(f"must be COLUMN=NAME, such as text=body; got {field!r}", param_hint="--field")
        names[ours] = theirs
    return names


def _show(report: "IngestReport", out: str, seconds: float) -> None:
    """Totals, then each file, then anything that needs attention."""
    from workers.storage import public_name

    total = report.total
    typer.echo(
        f"{total.read:,} records read in {seconds:.1f} s: {total.kept:,} added in {len(report.chunks):,} chunks, "
        f"{total.known:,} already known, {total.duplicates:,} duplicate ids left out, "
        f"{total.quarantined:,} quarantined."
    )
    for line in _by_file(report):
        typer.echo(line)
    if total.repeated_texts:
        typer.echo(f"{total.repeated_texts:,} of the added articles have exactly the same text as another.")
    for example in report.examples[:5]:
        place = f"{example.file}, record {example.record}, doc_id {example.doc_id}"
        typer.echo(f"  same {example.kind}: {place}; first {example.first}")
    for line in quarantine_lines(report, f"{public_name(out)}/ingests/quarantine/*.parquet"):
        typer.echo(line)
    say_what_is_cut_off(report)


def say_what_is_cut_off(report: "IngestReport") -> None:
    """Name the files whose ends are missing, in red."""
    broken = [file for file, counts in report.files.items() if counts.damaged]
    if broken:
        typer.secho(f"Cut off, so records are missing: {', '.join(broken[:FILES_SHOWN])}", fg="red")


def quarantine_lines(report: "IngestReport", table: str) -> Iterator[str]:
    """Why records were quarantined: the first record that broke each rule; what to do if nothing could be used."""
    if not report.reasons:
        return
    yield "Why records were quarantined, with the first of each kind:"
    for reason in report.reasons[:REASONS_SHOWN]:
        place = f"{reason.file}, record {reason.record}" if reason.record else reason.file
        yield f"  {reason.count:,} × {place}: {reason.rule}; got {reason.value or 'nothing'}"
    yield f"All of them: {table}"
    if report.useless:
        yield "No record could be used, so the archive is as it was."


def _by_file(report: "IngestReport") -> Iterator[str]:
    """One line per file, if there are several."""
    if len(report.files) > 1:
        for file, counts in islice(report.files.items(), FILES_SHOWN):
            numbers = ", ".join(f"{getattr(counts, name):,} {name}" for name in SHOWN)
            yield f"  {file}: {numbers}"
    if len(report.files) > FILES_SHOWN:
        yield f"  and {len(report.files) - FILES_SHOWN:,} more files (--json lists all)"
