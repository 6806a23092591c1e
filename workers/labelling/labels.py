"""The log of what coders answered: lines are added, never changed, and each is on the disk before anybody is told so.

Covers: one line, adding lines, reading a log that a crash cut short.
Not here: what several lines about one article amount to (`verdicts`), where an answer is typed (`flows`).

    {"answer": "IRQ;USA", "coder": "ada", "doc_id": "...", "frame_id": "...", "kind": "label", "time": "..."}
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from workers.labelling.answers import Answer, read_answer
from workers.labelling.frame import Frame, read_frame
from workers.storage import Warehouse

LABEL, SKIP, UNDO, ADJUDICATION = "label", "skip", "undo", "adjudication"
KINDS = (LABEL, SKIP, UNDO, ADJUDICATION)


class LabelError(ValueError):
    """A line cannot be taken; one sentence says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One line of the log.

    Attributes
    ----------
    frame_id, doc_id, coder : str
        The sample, the article, and who read it.
    kind : str
        `label`: an answer. `skip`: no answer, for a `reason`. `undo`: takes back everything that this coder
        said of the article before. `adjudication`: the answer that settles a disagreement between coders.
    answer : str
        As `Answer` is written; empty for `skip` and `undo`.
    time : str
        ISO 8601, by the clock of the machine that took the answer.
    reason : str
        Of a skip, or a remark.
    seconds : float or None
        How long the coder took.
    source : str
        Where the answer comes from: `page`, or the name of an imported file.
    """

    frame_id: str
    doc_id: str
    coder: str
    kind: str = LABEL
    answer: str = ""
    time: str
    reason: str = ""
    seconds: float | None = None
    source: str = ""

    def read_answer(self, frame: Frame) -> Answer:
        """The answer, checked against the query's codes."""
        return read_answer(self.answer, frame.question.codes)


@dataclass(frozen=True, slots=True)
class LabelLog:
    """What a log holds.

    Attributes
    ----------
    labels : tuple of Label
        In order of writing; those of the frames that this one extends come first.
    broken : tuple of str
        Lines that cannot be read, for instance because the machine died while one was written: which and why. They
        stay in the file.
    """

    labels: tuple[Label, ...]
    broken: tuple[str, ...] = ()


def append_labels(warehouse: Warehouse, frame: Frame, labels: Sequence[Label]) -> None:
    """Add lines to the log of a frame; when this returns, the disk has them.

    All are checked before the first is written, so that a bad one costs none of the others and leaves no half.

    Raises
    ------
    LabelError
        A label of another frame, of an article that was not drawn, or without a coder or a time.
    AnswerError
        An answer that the query does not know.
    """
    for label in labels:
        check_label(frame, label)
    lines = [json.dumps(_content(label), sort_keys=True, ensure_ascii=False) for label in labels]
    if lines:
        warehouse.append_lines(frame.folder.labels, lines)


def check_label(frame: Frame, label: Label) -> None:
    """Refuse a line that does not belong in the log of this frame."""
    if label.frame_id != frame.frame_id:
        raise LabelError(f"the label of {label.doc_id!r} is of frame {label.frame_id}, not of {frame.frame_id}")
    if label.doc_id not in frame.drawn_ids:
        raise LabelError(f"{label.doc_id!r} is no article that frame {frame.frame_id} drew")
    if not label.coder.strip():
        raise LabelError(f"a label needs the name of its coder; that of {label.doc_id!r} has none")
    if not label.time:
        raise LabelError(f"a label needs a time; that of {label.doc_id!r} has none")
    if label.kind not in KINDS:
        raise LabelError(f"kind must be one of {', '.join(KINDS)}; got {label.kind!r} for {label.doc_id!r}")
    if label.kind in (LABEL, ADJUDICATION):
        label.read_answer(frame)
    elif label.answer:
        raise LabelError(f"{label.kind} of {label.doc_id!r} must have no answer; got {label.answer!r}")


def read_labels(warehouse: Warehouse, frame: Frame) -> LabelLog:
    """Everything that was said about the articles of a frame, also in the frames that it extends."""
    earlier = frame.settings.extends
    labels: list[Label] = []
    broken: list[str] = []
    if earlier is not None:
        before = read_labels(warehouse, read_frame(warehouse, earlier))
        labels += [label for label in before.labels if label.doc_id in frame.drawn_ids]
        broken += before.broken
    name = frame.folder.labels
    if not warehouse.exists(name):
        return LabelLog(tuple(labels), tuple(broken))
    for number, line in enumerate(warehouse.read_bytes(name).split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            label = _label(line)
            check_label(frame, label)
        except ValueError as error:
            broken.append(f"{warehouse.path(name)}:{number}: left out: {error}")
        else:
            labels.append(label)
    return LabelLog(tuple(labels), tuple(broken))


def _content(label: Label) -> dict[str, Any]:
    """What is written: empty fields are left out."""
    return {name: value for name, value in asdict(label).items() if value not in ("", None)}


def _label(line: bytes) -> Label:
    try:
        content = json.loads(line)
    except ValueError as error:
        raise LabelError(f"the line is cut or damaged ({error})") from error
    known = {field.name for field in fields(Label)}
    missing = {"frame_id", "doc_id", "coder", "time"} - set(content) if isinstance(content, dict) else {"everything"}
    if missing:
        raise LabelError(f"the line lacks {', '.join(sorted(missing))}")
    return Label(**{name: value for name, value in content.items() if name in known})
