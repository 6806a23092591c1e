"""Write findings as a Parquet table, pictures and a Markdown page, and keep the index of all pages.

Covers: file names, the columns of the table, the order of the page.
Not here: what is found (`findings`).
"""

import csv
from collections.abc import Sequence
from dataclasses import asdict
from math import isclose, isfinite
from pathlib import Path
from textwrap import fill

import pyarrow as pa
import pyarrow.parquet as pq

from reproductions.catalogue import EXPERIMENTS, Experiment
from reproductions.findings import Claim, Findings, Holds, Row
from reproductions.png import recompress
from reproductions.sources import SOURCES

FIGURES = pa.schema(
    [
        pa.field("experiment", pa.string(), nullable=False),
        pa.field("table", pa.string(), nullable=False),  # heading on the page
        pa.field("figure", pa.string(), nullable=False),  # what was measured
        pa.field("theirs", pa.float64()),  # as the paper prints it; null if it prints nothing
        pa.field("ours", pa.float64(), nullable=False),
        pa.field("lo", pa.float64()),  # 95 % interval of ours
        pa.field("hi", pa.float64()),
        pa.field("note", pa.string(), nullable=False),
        pa.field("detail", pa.bool_(), nullable=False),  # not on the page
    ]
)
MOVED = Path(__file__).parent / "moved.tsv"
"""Figures of version 0.1 that changed for a reason: experiment, table, figure, what it was, why it moved."""
DATA = """\
## The data folder

All of it is public. `--data FOLDER` has this layout. If something is missing, you are told what it is and where to get
it before anything runs.

| files | what | from | used by |
|---|---|---|---|
{rows}

`synthetic` needs no data. The same seed gives the same bytes on one kind of CPU, whatever the number of cores.
"""
HEADINGS: dict[Holds, str] = {
    "yes": "holds",
    "partly": "holds in part",
    "no": "does not hold",
    "open": "these data do not decide",
    "untestable": "not testable on these data",
}
RULE = """
A claim is a region in which a figure must lie; both were written down before the run. It holds if the whole 95 %
interval is in the region, and does not hold if the whole interval is outside. Otherwise these data do not decide."""


def write_findings(experiment: Experiment, findings: Findings, out: Path) -> list[Path]:
    """Write the table, the pictures and the page into `out` and update its index; return what was written."""
    out.mkdir(parents=True, exist_ok=True)
    table = out / f"{experiment.name}.parquet"
    pq.write_table(_table(experiment, findings), table, compression="zstd")
    pictures = []
    for number, picture in enumerate(findings.pictures):
        pictures.append(out / f"{experiment.name}{f'-{picture.suffix}' if number else ''}.png")
        picture.chart.save(pictures[-1], scale_factor=1.5)
        recompress(pictures[-1])
    page = out / f"{experiment.name}.md"
    page.write_text(_page(experiment, findings, pictures), encoding="utf-8")
    return [table, *pictures, page, _write_index(out)]


def _table(experiment: Experiment, findings: Findings) -> pa.Table:
    claims = [
        Row("claims", one.statement, one.estimate.value, lo=one.estimate.lo, hi=one.estimate.hi, note=one.test)
        for one in findings.claims
        if one.estimate
    ]
    rows = [asdict(row) | {"experiment": experiment.name} for row in (*findings.rows, *claims)]
    metadata = {
        "credence.table": "reproduction",
        "credence.version": "1",
        "credence.holds": findings.holds,
        "credence.verdict": findings.verdict,
    }
    return pa.Table.from_pylist(rows, schema=FIGURES.with_metadata(metadata))


def _page(experiment: Experiment, findings: Findings, pictures: list[Path]) -> str:
    shown = [row for row in findings.rows if not row.detail]
    headings = dict.fromkeys(row.table for row in shown)
    tables = [_figures(heading, [row for row in shown if row.table == heading]) for heading in headings]
    images = [
        f"![{picture.caption}]({path.name})\n\n*{picture.caption}*"
        for picture, path in zip(findings.pictures, pictures, strict=True)
    ]
    parts = [
        f"# {experiment.title}",
        f"{experiment.paper}.",
        _wrapped(f"**In short:** {findings.verdict}"),
        f"To repeat: `python -m reproductions {experiment.name} --data FOLDER`. "
        f"All figures, including those not shown here: [{experiment.name}.parquet]({experiment.name}.parquet).",
        f"## What they did\n\n{_wrapped(findings.they)}",
        f"## What we did\n\n{_wrapped(findings.we)}",
        f"## Where the data differ\n\n{_wrapped(findings.data)}",
        "## Figures",
        *tables,
        *([findings.wide] if findings.wide else []),
        *images,
        "## Does it hold?",
        *_verdicts(findings.claims),
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _verdicts(claims: Sequence[Claim]) -> list[str]:
    """The rule, the tests as a table, then what there is to say about each."""
    tested = [claim for claim in claims if claim.test]
    table = [
        "| claim | figure and where it must lie | ours | 95 % interval | verdict |",
        "| --- | --- | --- | --- | --- |",
        *(f"| {' | '.join([one.statement, one.test, *_tested(one), HEADINGS[one.holds]])} |" for one in tested),
    ]
    seen = [
        _wrapped(f"- **{claim.statement}** {HEADINGS[claim.holds].capitalize()}. {claim.seen.strip()}", indent="  ")
        for claim in claims
        if claim.seen
    ]
    return [*([_wrapped(RULE), "\n".join(table)] if tested else []), *(["\n".join(seen)] if seen else [])]


def _tested(claim: Claim) -> tuple[str, str]:
    if claim.estimate is None:
        return "", ""
    return _number(claim.estimate.value), f"{_number(claim.estimate.lo)} to {_number(claim.estimate.hi)}"


def _wrapped(text: str, *, indent: str = "") -> str:
    """Paragraphs in lines of up to 120 characters; leave list items and table rows as they are."""
    paragraphs = [paragraph.strip() for paragraph in text.strip().split("\n\n")]
    return "\n\n".join(
        paragraph
        if paragraph.startswith(("- ", "|")) and not indent
        else fill(
            " ".join(paragraph.split()), 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
        for paragraph in paragraphs
    )


def _figures(heading: str, rows: list[Row]) -> str:
    """One Markdown table, without columns that no row fills."""
    columns = {
        "figure": [row.figure for row in rows],
        "theirs": [_number(row.theirs) for row in rows],
        "ours": [_number(row.ours) for row in rows],
        "95 % interval": [_interval(row) for row in rows],
        "note": [row.note for row in rows],
    }
    kept = {name: cells for name, cells in columns.items() if any(cells)}
    lines = [kept.keys(), ["---"] * len(kept), *zip(*kept.values(), strict=True)]
    return f"### {heading}\n\n" + "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _number(value: float | None) -> str:
    if value is None:
        return ""
    if not isfinite(value):
        return "∞" if value > 0 else "-∞"
    if float(value).is_integer():
        return f"{value:,.0f}"
    if abs(value) < 0.01:
        return f"{value:.5f}" if abs(value) >= 0.0001 else f"{value:.1e}"
    return f"{value:.2f}" if abs(value) >= 10 else f"{value:.4f}"


def _interval(row: Row) -> str:
    return "" if row.lo is None or row.hi is None else f"{_number(row.lo)} to {_number(row.hi)}"


def _write_index(out: Path) -> Path:
    """List every experiment with the verdict from its table, and describe the data folder."""
    lines = [
        "# The papers' experiments, rerun",
        "",
        "Each page sets our figures beside the papers'. `python -m reproductions` writes this list from the tables.",
        "",
        "| experiment | what | does it hold? | in short |",
        "|---|---|---|---|",
        *(_index_line(experiment, out) for experiment in EXPERIMENTS),
    ]
    path = out / "README.md"
    lines += ["", *_moved(out)]
    data = DATA.format(rows="\n".join(map(_data_line, SOURCES)))
    path.write_text("\n".join([*lines, "", data]), encoding="utf-8")
    return path


def _moved(out: Path) -> list[str]:
    """The figures that `moved.tsv` lists, as they were and as the tables have them now."""
    with MOVED.open(encoding="utf-8", newline="") as file:
        listed = list(csv.DictReader(file, delimiter="\t"))
    lines = ["| experiment | figure | was | is | why |", "|---|---|---|---|---|"]
    tables = {name: _figures_of(out / f"{name}.parquet") for name in {line["experiment"] for line in listed}}
    for line in listed:
        now = tables[line["experiment"]].get((line["table"], line["figure"]))
        figure, was = f"{line['table']}: {line['figure']}", _number(float(line["was"]))
        if now is not None and _number(now) != was and not isclose(now, float(line["was"]), rel_tol=0.01):
            lines.append(f"| `{line['experiment']}` | {figure} | {was} | {_number(now)} | {line['why']} |")
    return ["## Figures that moved since version 0.1", "", *(lines if len(lines) > 2 else ["None."])]


def _figures_of(table: Path) -> dict[tuple[str, str], float]:
    if not table.exists():
        return {}
    return {(row["table"], row["figure"]): row["ours"] for row in pq.read_table(table).to_pylist()}


def _data_line(key: str) -> str:
    source = SOURCES[key]
    files = ", ".join(f"`{name}`" for name in source.files)
    uses = ", ".join(f"`{experiment.name}`" for experiment in EXPERIMENTS if key in experiment.needs)
    return f"| {files} | {source.name}: {source.form} | {source.address} | {uses} |"


def _index_line(experiment: Experiment, out: Path) -> str:
    table = out / f"{experiment.name}.parquet"
    if not table.exists():
        return f"| `{experiment.name}` | {experiment.title} | not run | |"
    metadata = pq.read_schema(table).metadata
    holds, verdict = (metadata[f"credence.{key}".encode()].decode() for key in ("holds", "verdict"))
    if "hold" not in holds:
        holds = "not yet judged by tests"
    return f"| [`{experiment.name}`]({experiment.name}.md) | {experiment.title} | {holds} | {verdict} |"
