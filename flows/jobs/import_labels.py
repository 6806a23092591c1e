"""Import labels: answers made in a spreadsheet, doccano or Label Studio, into the log of their frame.

Covers: checking every record before the first is written, what is known already, contradictions.
Not here: the formats (`flows.label.foreign`), the log (`workers.labelling`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from flows.jobs.choosing import existing_warehouse
from flows.jobs.progress import OnProgress, Progress, quiet
from flows.jobs.requests import ImportLabelsRequest
from flows.label.foreign import Foreign, ForeignFileError, read_foreign
from workers.labelling import Frame, Label, append_labels, choose_frame, read_answer, read_labels
from workers.labelling.labels import LABEL, SKIP, UNDO

SKIPPED_THERE = "skipped in Label Studio"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What an import did.

    Attributes
    ----------
    frame_id : str
    added : int
        Answers written to the log, skips included.
    known : int
        Answers that the log, or the file itself, had already.
    unanswered : int
        Records without an answer.
    coders : tuple of str
        Whose answers were added.
    """

    frame_id: str
    added: int
    known: int
    unanswered: int
    coders: tuple[str, ...]


def import_labels(request: ImportLabelsRequest, *, on_progress: OnProgress = quiet) -> ImportReport:
    """Add the answers of a file to the log; all of them, or none.

    Raises
    ------
    ForeignFileError
        A record that cannot be taken: of another frame or article, an answer that the query does not know, or one that
        contradicts what the same coder answered before.
    FrameError, StorageError
        When there is no such frame.
    """
    warehouse = existing_warehouse(request.warehouse)
    frame = choose_frame(warehouse, request.frame)
    file = Path(request.file)
    on_progress(Progress("reading", detail=file.name))
    records = read_foreign(file.name, _content(file))
    answered = [record for record in records if record.answer or record.skipped]
    time = datetime.now(UTC).isoformat(timespec="milliseconds")
    labels = [_label(file.name, record, frame, request.coder, time) for record in answered]
    standing = _standing(read_labels(warehouse, frame).labels)
    new = _new(file.name, answered, labels, standing)
    on_progress(Progress("writing", total=len(new)))
    append_labels(warehouse, frame, new)
    return ImportReport(
        frame_id=frame.frame_id,
        added=len(new),
        known=len(labels) - len(new),
        unanswered=len(records) - len(answered),
        coders=tuple(sorted({label.coder for label in new})),
    )


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ForeignFileError(str(file), None, "a file of labels must be there to read", error.strerror) from error


def _label(file: str, record: Foreign, frame: Frame, coder: str, time: str) -> Label:
    """The line of a record, checked against the frame."""
    if record.frame_id != frame.frame_id:
        rule = f"labels must be of frame {frame.frame_id}, or the command must name theirs by --frame"
        raise ForeignFileError(file, record.record, rule, record.frame_id)
    if record.doc_id not in frame.drawn_ids:
        raise ForeignFileError(file, record.record, "doc_id must be of an article that was drawn", record.doc_id)
    name = record.coder or coder
    if not name:
        rule = "a label needs its coder: add a column coder, or name one by --coder"
        raise ForeignFileError(file, record.record, rule, "none")
    answer = ""
    if not record.skipped:
        try:
            answer = str(read_answer(record.answer, frame.question.codes))
        except ValueError as error:
            raise ForeignFileError(file, record.record, str(error), repr(record.answer)) from error
    return Label(
        frame_id=frame.frame_id, doc_id=record.doc_id, coder=name, kind=SKIP if record.skipped else LABEL,
        answer=answer, reason=SKIPPED_THERE if record.skipped else "", seconds=record.seconds,
        time=record.time or time, source=file,
    )  # fmt: skip


def _standing(labels: Sequence[Label]) -> dict[tuple[str, str], Label]:
    """The latest line of each coder and article that nobody took back; what settled a disagreement aside."""
    standing: dict[tuple[str, str], Label] = {}
    for label in labels:
        if label.kind == UNDO:
            standing.pop((label.coder, label.doc_id), None)
        elif label.kind in (LABEL, SKIP):
            standing[label.coder, label.doc_id] = label
    return standing


def _new(
    file: str, records: Sequence[Foreign], labels: Sequence[Label], standing: dict[tuple[str, str], Label]
) -> list[Label]:
    """Lines that are not known yet; the same coder's two answers to one article are refused."""
    new: list[Label] = []
    seen: dict[tuple[str, str], str] = dict.fromkeys(standing, "in the log")
    known = dict(standing)
    for record, label in zip(records, labels, strict=True):
        key = (label.coder, label.doc_id)
        before = known.get(key)
        if before is None:
            known[key], seen[key] = label, f"in record {record.record}"
            new.append(label)
        elif (before.kind, before.answer) != (label.kind, label.answer):
            rule = (
                f"{label.coder} must answer {label.doc_id!r} once, or take the answer back first; "
                f"{seen[key]} it is {before.answer or before.kind!r}"
            )
            raise ForeignFileError(file, record.record, rule, repr(label.answer or label.kind))
    return new
