"""Sample: draw the articles that are to be labelled, and say what their labels will buy.

Covers: drawing and freezing, expected widths before anything is labelled, the files for labelling elsewhere.
Not here: the draw (`workers.labelling.drawing`), the labelling page (`flows.jobs.label`).
"""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime

from flows.jobs.choosing import existing_warehouse
from flows.jobs.export_sample import FORMATS, export_sample
from flows.jobs.progress import OnProgress, Progress, quiet
from flows.jobs.requests import SampleRequest
from workers.anchoring.plan import Purchase, expected_purchase
from workers.labelling import Frame, read_labels, verdicts
from workers.labelling.drawing import DrawSettings, draw_frame
from workers.runs import open_run


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleReport:
    """What was drawn.

    Attributes
    ----------
    frame_id, query, run_id : str
    articles, drawn : mapping of str to int
        Articles of each stratum: in the archive, and to be labelled.
    labelled : int
        Drawn articles that have answers already, from this frame or the one that it extends.
    extends : str or None
        The earlier frame.
    bought : tuple of Purchase
        Expected width of total, country, quarter and cell.
    exported : str or None
        The file that was written.
    """

    frame_id: str
    query: str
    run_id: str
    articles: dict[str, int]
    drawn: dict[str, int]
    labelled: int
    extends: str | None
    bought: tuple[Purchase, ...]
    exported: str | None


def sample(request: SampleRequest, *, on_progress: OnProgress = quiet) -> SampleReport:
    """Draw, freeze and export; the same request again finds the same frame and changes nothing.

    Raises
    ------
    FrameError
        When the archive has fewer articles than labels are asked for, or the query counts entities.
    """
    check_request(request)
    run = open_run(existing_warehouse(request.warehouse), request.run_id)
    total = int(run.manifest["balance"]["documents"])
    wanted = DrawSettings(budget=request.labels, seed=request.seed, field_words=request.field_words)
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    frame = draw_frame(
        run, wanted, created=now, on_article=lambda done: on_progress(Progress("reading articles", done, total))
    )
    exported = None
    if request.export and request.file:
        export_sample(run.warehouse, frame, request.export, request.file)
        exported = str(request.file)
    known = verdicts(read_labels(run.warehouse, frame).labels)
    return SampleReport(
        frame_id=frame.frame_id, query=frame.settings.query, run_id=run.run_id, articles=strata(frame, drawn=False),
        drawn=strata(frame, drawn=True), labelled=len(known), extends=frame.settings.extends,
        bought=expected_purchase(frame), exported=exported,
    )  # fmt: skip


def check_request(request: SampleRequest) -> None:
    """Refuse numbers and formats that cannot be meant."""
    if request.labels < 1:
        raise ValueError(f"labels must be at least 1; got {request.labels}")
    if request.export is not None and request.export not in FORMATS:
        raise ValueError(f"export must be one of {', '.join(FORMATS)}; got {request.export!r}")
    for word in request.field_words:
        if not word.strip():
            raise ValueError(f"a field word must have letters; got {word!r}")


def strata(frame: Frame, *, drawn: bool) -> dict[str, int]:
    """Articles of each stratum."""
    table = frame.drawn if drawn else frame.table
    counted = Counter(table.column("stratum").to_pylist())
    return {name: counted[name] for name in ("gate", "warm", "cold")}
