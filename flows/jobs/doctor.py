"""Doctor: is the installation complete, and does everything it needs respond?

Covers: checks of the models, the storage, the warehouse and the cluster, one finding each.
Not here: fixing anything.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass

from flows.jobs.choosing import existing_warehouse
from flows.jobs.cluster import cluster_config
from flows.jobs.failures import EXPECTED
from flows.jobs.progress import OnProgress, Progress, quiet
from flows.jobs.requests import ClusterRequest, DoctorRequest
from workers.annotate import AnnotatorConfig, annotator_id
from workers.cluster import open_cluster
from workers.coreference import load_coreference
from workers.ingest import archive_chunks
from workers.layout import ASIDE
from workers.parsing.choice import SHIPPED
from workers.runs import open_run


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor's report."""

    name: str
    good: bool
    finding: str


def doctor(request: DoctorRequest, *, on_progress: OnProgress = quiet) -> list[Check]:
    """Check everything; a bad finding is a result, not an error."""
    checks: dict[str, Callable[[], str]] = {"parser model": _parser, "coreference model": _coref, "parsing": _parses}
    place = request.warehouse
    if place is not None:
        checks |= {"storage": lambda: _storage(place), "warehouse": lambda: _content(place)}
    if request.cluster.scheduler is not None:
        checks["cluster"] = lambda: _cluster(request.cluster)
    findings = []
    for number, (name, finding) in enumerate(checks.items()):
        on_progress(Progress(name, number, len(checks)))
        findings.append(_checked(name, finding))
    return findings


def _checked(name: str, finding: Callable[[], str]) -> Check:
    try:
        return Check(name, True, finding())
    except EXPECTED as error:
        return Check(name, False, str(error))


def _parser() -> str:
    from workers.parsing.package import check

    check(SHIPPED)
    return f"all files as in their manifest; annotations have the id {annotator_id(AnnotatorConfig())}"


def _coref() -> str:
    return f"weights as in their card; fingerprint {load_coreference().fingerprint}"


def _parses() -> str:
    from workers.parser import Parser

    document = Parser().parse("doctor", "Iraq attacked Kuwait.")
    if document.deprels[:3] != ("nsubj", "root", "obj"):
        raise ValueError(f"a sentence of three words must have a subject, a root and an object; got {document.deprels}")
    return "a test sentence is parsed correctly"


def _storage(warehouse: str) -> str:
    """Write, read and delete a file in the warehouse."""
    opened = existing_warehouse(warehouse)
    probe = f"{ASIDE}/doctor"
    opened.write_bytes(probe, b"doctor")
    if opened.read_bytes(probe) != b"doctor":
        raise ValueError(f"{warehouse}: a file that was written cannot be read back")
    opened.delete(probe)
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


def _cluster(request: ClusterRequest) -> str:
    expected = annotator_id(AnnotatorConfig())
    with open_cluster(cluster_config(request)) as client:
        found = client.run(annotator_id, AnnotatorConfig(), on_error="return")
        threads = client.nthreads()
    for address, own in found.items():
        if own != expected:
            reason = own if isinstance(own, Exception) else "it has another version of credence or its models"
            raise ValueError(f"worker {address} does not fit: {reason}; install the same version everywhere")
    return f"{len(found)} workers with {sum(threads.values())} threads, all with this version"
