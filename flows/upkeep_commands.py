"""`credence prune` and `credence doctor`: keeping a warehouse and an installation in order.

Covers: printing what is deleted, and one line per check.
Not here: what may be deleted (`workers.pruning`).
"""

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass

import typer
from rich.console import Console
from rich.markup import escape

from calib_core.coref import AntecedentModel
from flows.choosing import existing_warehouse
from flows.cluster_options import cluster_config
from flows.failures import EXPECTED, FAILED, exit_codes
from workers.annotate import AnnotatorConfig, annotator_id
from workers.cluster import ClusterError, open_cluster
from workers.ingest import archive_chunks
from workers.parsing.choice import SHIPPED
from workers.pruning import plan_pruning, prune
from workers.runs import open_run

Tls = tuple[str | None, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor's report."""

    name: str
    good: bool
    finding: str


def run_prune(warehouse: str, keep: int, *, annotations: bool, dry_run: bool) -> None:
    """Delete old runs, and say so."""
    with exit_codes(Console(stderr=True), "prune"):
        opened = existing_warehouse(warehouse)
        decide = plan_pruning if dry_run else prune
        pruning = decide(opened, keep=keep, annotations=annotations)
    console = Console(highlight=False, soft_wrap=True)
    for name in pruning.names:
        console.print(escape(name))
    verb = "would be deleted" if dry_run else "deleted"
    console.print(f"{len(pruning.runs):,} runs and {len(pruning.names) - len(pruning.runs):,} other entries {verb}.")


def run_doctor(warehouse: str | None, scheduler: str | None, tls: Tls, *, as_json: bool) -> None:
    """Check everything, print every finding, exit 1 if one is bad."""
    checks = [
        _checked("parser model", _parser),
        _checked("coreference model", _coref),
        _checked("parsing", _parses),
    ]
    if warehouse is not None:
        checks += [_checked("storage", lambda: _storage(warehouse)), _checked("warehouse", lambda: _content(warehouse))]
    if scheduler is not None:
        checks.append(_checked("cluster", lambda: _cluster(scheduler, tls)))
    if as_json:
        sys.stdout.write(json.dumps([asdict(found) for found in checks]) + "\n")
    else:
        console = Console(highlight=False, soft_wrap=True)
        for found in checks:
            mark = "[green]good[/]" if found.good else "[red]BAD [/]"
            console.print(f"{mark}  {found.name}: {escape(found.finding)}")
    if not all(found.good for found in checks):
        raise typer.Exit(FAILED)


def _checked(name: str, finding: Callable[[], str]) -> Check:
    try:
        return Check(name, True, finding())
    except (*EXPECTED, ClusterError) as error:
        return Check(name, False, str(error))


def _parser() -> str:
    from workers.parsing.package import check

    check(SHIPPED)
    return f"all files as in their manifest; annotations have the id {annotator_id(AnnotatorConfig())}"


def _coref() -> str:
    return f"weights as in their card; fingerprint {AntecedentModel.load().fingerprint}"


def _parses() -> str:
    from workers.parser import Parser

    document = Parser().parse("doctor", "Iraq attacked Kuwait.")
    if document.deprels[:3] != ("nsubj", "root", "obj"):
        raise ValueError(f"a sentence of three words must have a subject, a root and an object; got {document.deprels}")
    return "a sentence is parsed as it should be"


def _storage(warehouse: str) -> str:
    """Write, read and delete a file, where the warehouse is."""
    opened = existing_warehouse(warehouse)
    opened.write_bytes(".aside/doctor", b"doctor")
    if opened.read_bytes(".aside/doctor") != b"doctor":
        raise ValueError(f"{warehouse}: a file that was written cannot be read back")
    opened.delete(".aside/doctor")
    free = f"; {shutil.disk_usage(opened.root).free / 1e9:,.1f} GB free" if opened.is_local else ""
    return f"files can be written, read and deleted{free}"


def _content(warehouse: str) -> str:
    opened = existing_warehouse(warehouse)
    chunks = archive_chunks(opened)
    missing = [chunk.path for chunk in chunks if not opened.exists(chunk.path)]
    if missing:
        raise ValueError(
            f"{len(missing)} chunks of the archive are missing, first {missing[0]}; ingest the files again"
        )
    documents = sum(chunk.docs for chunk in chunks)
    latest = opened.latest()
    run = f"latest run {open_run(opened).run_id}" if latest else "no run yet"
    return f"{documents:,} articles in {len(chunks):,} chunks, all there; {run}"


def _cluster(scheduler: str, tls: Tls) -> str:
    expected = annotator_id(AnnotatorConfig())
    with open_cluster(cluster_config(None, "3GiB", scheduler, tls=tls)) as client:
        found = client.run(annotator_id, AnnotatorConfig(), on_error="return")
        threads = client.nthreads()
    for address, own in found.items():
        if own != expected:
            reason = own if isinstance(own, Exception) else "it has another version of credence or of its models"
            raise ValueError(f"worker {address} would not agree: {reason}; install the same version everywhere")
    return f"{len(found)} workers with {sum(threads.values())} threads, all with this version"
