"""Which frames a warehouse has, and which of them a command means.

Covers: listing, choosing by id or by query.
Not here: what a frame holds (`frame`).
"""

from workers.labelling.frame import CREATED_KEY, SETTINGS_KEY, Frame, FrameError, read_frame
from workers.layout import SAMPLES, SampleFolder, frame_of
from workers.schemas import FRAME
from workers.storage import Warehouse


def frame_ids(warehouse: Warehouse, fingerprint: str | None = None) -> list[str]:
    """Ids of all frames, oldest first; of one query, where its fingerprint is given."""
    found = []
    for name in warehouse.names(SAMPLES, "/frame.parquet"):
        stated = warehouse.read_metadata(name, FRAME)
        if fingerprint is None or f'"fingerprint": "{fingerprint}"'.encode() in stated[SETTINGS_KEY]:
            found.append((stated.get(CREATED_KEY, b""), frame_of(name)))
    return [frame_id for _, frame_id in sorted(found)]


def choose_frame(
    warehouse: Warehouse, frame_id: str | None, *, fingerprint: str | None = None, with_labels: bool = False
) -> Frame:
    """The frame that was asked for, or the newest of the query, or the newest that has labels.

    Raises
    ------
    FrameError
        When there is none, or the one asked for is of another query.
    """
    if frame_id is not None:
        frame = read_frame(warehouse, frame_id)
        if fingerprint is not None and frame.settings.fingerprint != fingerprint:
            raise FrameError(
                f"frame {frame_id} was drawn for the query {frame.settings.query!r}, which is another one than "
                f"that of this run; choose a frame or a run of the same query"
            )
        return frame
    known = frame_ids(warehouse, fingerprint)
    usable = [name for name in known if not with_labels or warehouse.exists(SampleFolder(name).labels)]
    if not usable:
        problem = "has no labels yet: run `credence label`" if known else "has no sample yet: run `credence sample`"
        raise FrameError(f"{warehouse.root} {problem} first")
    return read_frame(warehouse, usable[-1])
