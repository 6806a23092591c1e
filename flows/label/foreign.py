"""Labels that were made elsewhere: CSV, doccano's JSONL (also zipped), Label Studio's JSON and JSON-MIN.

Covers: telling the formats apart by content, and one record per answer, in the words of the file.
Not here: whether the answers fit the frame (`flows.jobs.import_labels`), writing files to be labelled elsewhere.

An article without any answer is no "none": doccano exports unlabelled articles with an empty list, a spreadsheet leaves
the cell empty. Such records have an empty answer and are counted, never guessed.
"""

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from workers.labelling.answers import BETWEEN

NEEDED = ("frame_id", "doc_id")
DELIMITERS = (",", ";", "\t")
ANSWER_NAMES = ("answer", "label", "labels", "choice", "choices")
LONGEST_FIELD = 1 << 30
NOBODY = frozenset({"all", "unknown"})
"""Names of doccano's files that stand for no coder."""


class ForeignFileError(ValueError):
    """A file of labels cannot be used: which file, which record, which rule, which value."""

    def __init__(self, file: str, record: int | None, rule: str, value: object) -> None:
        super().__init__(file, record, rule, value)
        self.file, self.record, self.rule, self.value = file, record, rule, value

    def __str__(self) -> str:
        place = self.file if self.record is None else f"{self.file}: record {self.record}"
        shown = str(self.value)
        return f"{place}: {self.rule}; got {shown if len(shown) <= 120 else shown[:119] + '…'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """One answer as a file has it.

    Attributes
    ----------
    record : int
        From 1: data row of a CSV, line of JSONL, task of Label Studio.
    frame_id, doc_id, coder, answer : str
        Empty where the file does not say.
    skipped : bool
        Whether the coder skipped the article, as Label Studio allows.
    seconds : float or None
    time : str
    """

    record: int
    frame_id: str
    doc_id: str
    coder: str = ""
    answer: str = ""
    skipped: bool = False
    seconds: float | None = None
    time: str = ""


def read_foreign(name: str, content: bytes) -> list[Foreign]:
    """All records of a file.

    Raises
    ------
    ForeignFileError
        When it is none of the formats, or is cut.
    """
    if zipfile.is_zipfile(io.BytesIO(content)):
        return list(_zipped(name, content))
    text = _decoded(name, content)
    first = text.lstrip()[:1]
    if first == "[":
        return list(_label_studio(name, text))
    return list(_json_lines(name, text) if first == "{" else _csv(name, text))


def _decoded(name: str, content: bytes) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ForeignFileError(name, None, "a file of labels must be UTF-8", str(error)) from error
    if not text.strip():
        raise ForeignFileError(name, None, "a file of labels must not be empty", "no content")
    return text


def _zipped(name: str, content: bytes) -> Iterator[Foreign]:
    """Doccano's archive: a file per coder, who is its name."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for member in sorted(archive.namelist()):
            if not member.endswith(".jsonl") or not archive.getinfo(member).file_size:
                continue
            coder = PurePath(member).stem
            for found in _json_lines(f"{name}!{member}", _decoded(f"{name}!{member}", archive.read(member))):
                own = found.coder or ("" if coder in NOBODY else coder)
                yield Foreign(**{**_fields(found), "coder": own})


def _fields(found: Foreign) -> dict[str, Any]:
    return {name: getattr(found, name) for name in Foreign.__slots__}


def _csv(name: str, text: str) -> Iterator[Foreign]:
    """Rows of frame_id, doc_id, answer and perhaps coder; other columns may stand between."""
    if not text.endswith(("\n", "\r")):
        rule = "the last line of a CSV must end with a line break, or the file may be cut; if it is whole, add one"
        raise ForeignFileError(name, None, rule, repr(text.splitlines()[-1][-40:]))
    head = text.split("\n", 1)[0].strip("\r")
    delimiter = next((sign for sign in DELIMITERS if {*NEEDED, "answer"} <= set(_cells(head, sign))), None)
    if delimiter is None:
        raise ForeignFileError(name, None, "a CSV needs the columns frame_id, doc_id and answer", head)
    csv.field_size_limit(LONGEST_FIELD)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    columns = [column.strip() for column in next(rows)]
    record = 0
    try:
        for record, row in enumerate(rows, start=1):
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(columns):
                rule = f"a row must have {len(columns)} cells, as the header does; the file may be cut"
                raise ForeignFileError(name, record, rule, len(row))
            cells = dict(zip(columns, (cell.strip() for cell in row), strict=True))
            yield Foreign(
                record=record, frame_id=cells["frame_id"], doc_id=row[columns.index("doc_id")],
                coder=cells.get("coder", ""), answer=cells["answer"],
            )  # fmt: skip
    except csv.Error as error:
        raise ForeignFileError(name, record + 1, "the row is damaged, or the file is cut", error) from error


def _cells(line: str, delimiter: str) -> list[str]:
    return [cell.strip().strip('"') for cell in line.split(delimiter)]


def _json_lines(name: str, text: str) -> Iterator[Foreign]:
    """Doccano's export: labels as a list, what we wrote beside the text at the top or under `meta`."""
    for record, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
        except ValueError as error:
            raise ForeignFileError(name, record, "a line must be whole JSON; the file may be cut", error) from error
        yield from _flat(name, record, content)


def _label_studio(name: str, text: str) -> Iterator[Foreign]:
    """Label Studio's JSON, an object per task with its annotations, or JSON-MIN, an object per annotation."""
    try:
        tasks = json.loads(text)
    except ValueError as error:
        raise ForeignFileError(name, None, "the file must be whole JSON; it may be cut", error) from error
    for record, task in enumerate(tasks, start=1):
        if isinstance(task, Mapping) and isinstance(task.get("data"), Mapping):
            yield from _task(name, record, task)
        else:
            yield from _flat(name, record, task)


def _task(name: str, record: int, task: Mapping[str, Any]) -> Iterator[Foreign]:
    """One record per annotation of a task; none where nobody annotated it."""
    frame_id, doc_id = _ids(name, record, task["data"])
    annotations = task.get("annotations") or []
    if not isinstance(annotations, list) or not all(isinstance(one, Mapping) for one in annotations):
        rule = "annotations must be a list of objects (export JSON, not a list of their ids)"
        raise ForeignFileError(name, record, rule, annotations)
    if not annotations:
        yield Foreign(record=record, frame_id=frame_id, doc_id=doc_id)
    for annotation in annotations:
        chosen = [choice for result in annotation.get("result") or [] for choice in _chosen(name, record, result)]
        yield Foreign(
            record=record, frame_id=frame_id, doc_id=doc_id, coder=_coder(annotation.get("completed_by")),
            answer=BETWEEN.join(chosen), skipped=bool(annotation.get("was_cancelled")),
            seconds=_seconds(annotation.get("lead_time")), time=str(annotation.get("updated_at") or ""),
        )  # fmt: skip


def _chosen(name: str, record: int, result: object) -> Iterable[str]:
    """Codes of one result: choices, or what was typed into a text area."""
    value = result.get("value") if isinstance(result, Mapping) else None
    if not isinstance(value, Mapping):
        raise ForeignFileError(name, record, "a result must have a value", result)
    return _texts(name, record, value.get("choices", value.get("text", [])))


def _flat(name: str, record: int, content: object) -> Iterator[Foreign]:
    """An object whose answer stands beside its ids."""
    if not isinstance(content, Mapping):
        raise ForeignFileError(name, record, "a record must be an object", content)
    meta: Mapping[str, Any] = next(
        (content[key] for key in ("meta", "metadata") if isinstance(content.get(key), Mapping)), {}
    )
    frame_id, doc_id = _ids(name, record, {**meta, **content})
    answer: object = next((content[key] for key in ANSWER_NAMES if content.get(key) not in (None, "")), [])
    if isinstance(answer, Mapping):
        answer = answer.get("choices", [])
    who = next((content[key] for key in ("coder", "annotator", "username") if content.get(key) is not None), None)
    yield Foreign(
        record=record, frame_id=frame_id, doc_id=doc_id, coder=_coder(who),
        answer=BETWEEN.join(_texts(name, record, answer)),
        seconds=_seconds(content.get("lead_time")), time=str(content.get("updated_at") or ""),
    )  # fmt: skip


def _ids(name: str, record: int, content: Mapping[str, Any]) -> tuple[str, str]:
    for key in NEEDED:
        if not isinstance(content.get(key), str) or not content[key]:
            rule = f"a record must carry the {key} that `credence sample --export` wrote"
            raise ForeignFileError(name, record, rule, repr(content.get(key)))
    return content["frame_id"], content["doc_id"]


def _texts(name: str, record: int, answer: object) -> list[str]:
    values: list[Any] = answer if isinstance(answer, list) else [answer]
    for value in values:
        if not isinstance(value, str):
            raise ForeignFileError(name, record, "labels must be texts such as IRQ or none", repr(value))
    return [value.strip() for value in values if value.strip()]


def _coder(who: object) -> str:
    """A name, an address, or the number of a user."""
    named: object = who.get("email") or who.get("username") or who.get("id") if isinstance(who, Mapping) else who
    return f"user-{named}" if isinstance(named, int) else str(named or "").strip()


def _seconds(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and value >= 0 else None
