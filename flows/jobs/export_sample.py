"""Files by which a sample is labelled elsewhere: CSV for spreadsheets, doccano's JSONL, Label Studio's JSON.

Covers: writing them, with the frame's id in every item, so that what comes back is known to belong to it.
Not here: reading the answers (`flows.label.foreign`).

No file holds what the model says: suggestions are known to bend labels.
"""

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from flows.label.articles import drawn_articles
from workers.labelling import Frame
from workers.storage import StorageError, Warehouse

COLUMNS = ("frame_id", "doc_id", "published", "title", "text")
Items = Sequence[dict[str, Any]]


def export_sample(warehouse: Warehouse, frame: Frame, name: str, file: Path) -> None:
    """Write the drawn articles, in the order in which to label them.

    Raises
    ------
    StorageError
        When the file is there already (it may hold answers), or cannot be written.
    """
    items = [
        {
            "frame_id": frame.frame_id, "doc_id": article.doc_id, "published": str(article.published),
            "title": article.title, "text": article.text,
        }
        for article in drawn_articles(warehouse, frame)
    ]  # fmt: skip
    content = FORMATS[name](items)
    try:
        with file.open("x", encoding="utf-8", newline="") as out:
            out.write(content)
    except FileExistsError as error:
        raise StorageError(str(file), "exists and may hold answers, so it was left as it is", "name another") from error
    except OSError as error:
        raise StorageError(str(file), f"cannot be written ({error.strerror})", "name another file") from error


def _csv(items: Items) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(items)
    return out.getvalue()


def _doccano(items: Items) -> str:
    lines = (json.dumps({**item, "label": []}, ensure_ascii=False) for item in items)
    return "".join(f"{line}\n" for line in lines)


def _label_studio(items: Items) -> str:
    return json.dumps([{"data": item} for item in items], ensure_ascii=False, indent=1) + "\n"


FORMATS: dict[str, Callable[[Items], str]] = {"csv": _csv, "doccano": _doccano, "label-studio": _label_studio}
