"""Label: the page on which people answer for the articles of a frame, served on this machine.

Covers: opening the frame and its articles, and the server until it is stopped.
Not here: the page and the desk (`flows.label`), labels made elsewhere (`import_labels`).
"""

from dataclasses import dataclass

from flows.jobs.choosing import existing_warehouse
from flows.jobs.progress import OnProgress, Progress, quiet
from flows.jobs.requests import LabelRequest
from flows.label.articles import drawn_articles
from flows.label.desk import Desk
from flows.label.server import LabelServer
from workers.labelling import choose_frame
from workers.storage import StorageError


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelReport:
    """How far the labels of a frame are.

    Attributes
    ----------
    frame_id, query : str
    drawn, answered, skipped, disputed : int
        Articles: to be labelled; with an answer; skipped and answered by nobody; on which coders disagree.
    broken : tuple of str
        Lines of the log that cannot be read, each with its reason; they stay where they are.
    """

    frame_id: str
    query: str
    drawn: int
    answered: int
    skipped: int
    disputed: int
    broken: tuple[str, ...]


def open_labelling(request: LabelRequest, *, on_progress: OnProgress = quiet) -> LabelServer:
    """A server that is bound to its address and not yet serving; `serve_forever` and `report` are the next calls.

    Raises
    ------
    FrameError
        When there is no frame, or the archive has lost one of its articles.
    StorageError
        When the port is taken.
    """
    warehouse = existing_warehouse(request.warehouse)
    frame = choose_frame(warehouse, request.frame)
    on_progress(Progress("reading", total=frame.drawn.num_rows, detail="articles of the frame"))
    desk = Desk(warehouse, frame, drawn_articles(warehouse, frame))
    try:
        return LabelServer(desk, port=request.port, coder=request.coder)
    except OSError as error:
        raise StorageError(
            f"127.0.0.1:{request.port}", f"cannot be listened on ({error})", "name another --port"
        ) from error


def report(desk: Desk) -> LabelReport:
    """How far the labels are."""
    known = desk.verdicts()
    return LabelReport(
        frame_id=desk.frame.frame_id,
        query=desk.frame.settings.query,
        drawn=len(desk.articles),
        answered=sum(bool(verdict.answers) for verdict in known.values()),
        skipped=sum(verdict.skipped for verdict in known.values()),
        disputed=sum(verdict.disputed for verdict in known.values()),
        broken=desk.log().broken,
    )
