"""`credence quickstart`: from a file of unknown layout to a first report, asking once.

Exit codes are those of `flows.cli.errors`; 1 also where somebody answers no.
"""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.display import progress_display
from flows.cli.errors import FAILED, sentences
from flows.cli.ingest import field_names, quarantine_lines, say_what_is_cut_off
from flows.cli.options import Dates, Encoding, Fields, InputFormat
from flows.jobs.progress_lines import duration
from flows.jobs.requests import ClusterRequest, IngestRequest, QuickstartRequest

if TYPE_CHECKING:
    from flows.jobs.quickstart import QuickstartReport
    from workers.ingest.guess import Guess
    from workers.ingest.records import Article

KINDS = {
    "csv": "a table", "json": "JSON", "jsonl": "JSON lines", "parquet": "Parquet", "nitf": "NITF", "nexis": "Nexis",
    "gigaword": "Gigaword", "reuters": "Reuters-21578", "factiva": "Factiva", "html": "web pages", "txt": "plain text",
}  # fmt: skip
COUNTRIES_SHOWN, EXCERPT = 8, 160
WIDTH = 11


def register(app: typer.Typer) -> None:
    """Add `quickstart` to the command line."""
    app.command()(quickstart)


def quickstart(
    source: Annotated[str, typer.Argument(metavar="SRC", help="A file or folder of articles, local or s3://.")],
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder for the warehouse and the report.")
    ] = QuickstartRequest.out,
    query: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="A bundled query, or a YAML file of your own.")
    ] = QuickstartRequest.query,
    articles: Annotated[
        int, typer.Option(metavar="N", min=1, help="Parse at most this many articles for the first look.")
    ] = QuickstartRequest.articles,
    format_: InputFormat = QuickstartRequest.format,
    field: Fields = None,
    dates: Dates = QuickstartRequest.dates,
    encoding: Encoding = QuickstartRequest.encoding,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Worker processes; default: one per core.")
    ] = ClusterRequest.workers,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask, and do not open the report.")] = False,
) -> None:
    """Look at a file of articles, show how it is read, and after a yes make a first report."""
    from flows.jobs.quickstart import look
    from flows.jobs.quickstart import quickstart as run

    request = QuickstartRequest(
        source=source, out=out, query=query, articles=articles, format=format_, fields=field_names(field or []),
        dates=dates, encoding=encoding, cluster=ClusterRequest(workers=workers),
    )  # fmt: skip
    with sentences("quickstart", left="nothing was published"):
        seen = look(request)
    _show_guess(request, seen)
    if not yes and not _agreed():
        typer.echo(
            "Nothing was done. Say how it should be read with --field, --dates, --encoding or --format, "
            "or go on without being asked with --yes."
        )
        raise typer.Exit(FAILED)
    with sentences("quickstart"), progress_display() as on_progress:
        report = run(request, seen, on_progress=on_progress)
    _show_report(request, report)
    if not yes and sys.stdout.isatty():
        typer.launch(str(report.page))


def _agreed() -> bool:
    try:
        return typer.confirm("\nAre these your articles?")
    except typer.Abort:  # nobody is there to answer
        typer.echo()
        return False


def _show_guess(request: QuickstartRequest, seen: "Guess") -> None:
    """What the file is, which fields mean what, and the first articles."""
    files = f"{seen.files:,} files" if seen.files > 1 else "1 file"
    encoding = "" if seen.config.encoding == IngestRequest.encoding else f", {seen.config.encoding}"
    typer.echo(f"{request.source}: {KINDS[seen.kind]}{encoding}; {files}, {seen.size / 1e6:,.1f} MB")
    for column, words in _columns(seen):
        typer.echo(f"  {column:<{WIDTH}}{words}")
    typer.echo(f"\nThe first articles, of {seen.looked_at:,} looked at:")
    for article in seen.articles:
        typer.echo(_shown(article))
    if seen.reasons:
        typer.echo(f"\n{seen.looked_at - seen.usable:,} of those looked at cannot be used:")
        for reason in seen.reasons:
            place = f"{reason.file}, record {reason.record}"
            typer.echo(f"  {reason.count:,} × {place}: {reason.rule}; got {reason.value or 'nothing'}")


def _columns(seen: "Guess") -> list[tuple[str, str]]:
    config, found = seen.config, []
    for column, theirs in sorted(config.names.items()):
        found.append((column, f"their field {theirs!r}"))
    if config.make_ids:
        found.append(("doc_id", "made of date, title and text where there is none"))
    if config.dates != IngestRequest.dates:
        found.append(("dates", f"{config.dates}, as in 03/04/1987"))
    if config.html:
        found.append(("HTML", "only its words are kept"))
    return found


def _shown(article: "Article") -> str:
    text = " ".join(article.text.split())
    short = text if len(text) <= EXCERPT else f"{text[:EXCERPT]} ..."
    title = f"  {article.title[:EXCERPT]}\n" if article.title else ""
    return f"\n  {article.published}  {article.doc_id}\n{title}  {short}"


def _show_report(request: QuickstartRequest, report: "QuickstartReport") -> None:
    total, part = report.ingested.total, report.part
    typer.echo(
        f"{total.kept + total.known:,} articles are in {report.warehouse}: {total.kept:,} new, "
        f"{total.duplicates:,} left out because their id came before, {total.quarantined:,} quarantined."
    )
    for line in quarantine_lines(report.ingested, f"{report.warehouse}/ingests/quarantine/*.parquet"):
        typer.echo(line)
    say_what_is_cut_off(report.ingested)
    typer.echo(
        f"{part.possible:,} of {part.articles:,} articles can count for the query {request.query!r}: "
        "they have one of its words and a country's name."
    )
    typer.echo(_first_look(report))
    for country, mean in list(report.expected.items())[:COUNTRIES_SHOWN]:
        typer.echo(f"  {country:<9}{f'{mean:.1f}' if mean >= 0.05 else 'under 0.1':>10} articles expected")
    if not report.expected:
        typer.echo("  no article has the event; ask another with --query: visit, attack-wide, or a file of your own")
    typer.echo(f"\n{report.page}: open it in a browser; it works offline")
    typer.echo("\nNext:")
    for command, why in _next(request, report):
        typer.echo(f"  {command}\n      {why}")


def _first_look(report: "QuickstartReport") -> str:
    from flows.jobs.quickstart import sample_notice

    if report.part.is_all:
        return f"All of them were read: {report.published.counted:,} were parsed."
    return f"\n{sample_notice(report.part)}"


def _next(request: QuickstartRequest, report: "QuickstartReport") -> list[tuple[str, str]]:
    place = shlex.quote(report.warehouse)
    found = []
    if not report.part.is_all:
        took = "" if report.seconds is None else f", in about {duration(report.seconds)} on this machine"
        query = "" if request.query == QuickstartRequest.query else f" --query {shlex.quote(request.query)}"
        found.append(
            (f"credence propagate {place}{query}", f"the same for all {report.part.articles:,} articles{took}")
        )
    found.append((f"credence sample {place} --labels 300", "read some articles yourself, for intervals that hold"))
    return found
