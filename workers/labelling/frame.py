"""A frozen probability sample: every article of an archive, its stratum, and its chance of being drawn.

Covers: what a frame holds, its name, freezing and reading it.
Not here: drawing (`calib_core.anchoring.design`), finding the frames of a query (`frames`), labels (`labels`).

The name is a hash of everything inside but the time, so the same draw has one frame, a file that was changed is
noticed, and a label that carries the name belongs to exactly this draw. The run that gave the scores may be deleted:
labels stay valid, because what counts are the probabilities that stand here.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from calib_core.events import Query
from workers.layout import SampleFolder
from workers.propagation.query_file import query_content, read_query
from workers.schemas import FRAME
from workers.storage import StorageError, Warehouse, content_hash, parquet_bytes

SETTINGS_KEY, CREATED_KEY = b"credence.frame", b"credence.created"
ROWS_AT_ONCE = 4096


class FrameError(ValueError):
    """A frame cannot be used; one sentence says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameSettings:
    """What determined a draw, apart from the articles.

    Attributes
    ----------
    run_id, query, fingerprint : str
        The run whose scores were used, and its query's name and fingerprint.
    seed : int
        Same seed, same permanent numbers.
    budget : int
        Labels asked for; the number drawn varies around it.
    design : mapping
        The fields of `calib_core.anchoring.Design`.
    with_titles : bool
        Whether headlines were read.
    field_words : tuple of str
        Stems that the user added to those of the query's field.
    extends : str or None
        The earlier frame whose articles are all drawn here too, so that its labels count.
    earlier_cold : float
        Largest permanent number that it drew in the cold stratum; -1 without one.
    """

    run_id: str
    query: str
    fingerprint: str
    seed: int
    budget: int
    design: Mapping[str, Any]
    with_titles: bool = False
    field_words: tuple[str, ...] = ()
    extends: str | None = None
    earlier_cold: float = -1.0


@dataclass(frozen=True)
class Frame:
    """A frozen sample.

    Attributes
    ----------
    frame_id : str
    settings : FrameSettings
    table : pyarrow.Table
        Of the schema `FRAME`: every article of the archive.
    question : Query
        As it was asked.
    created : str
    """

    frame_id: str
    settings: FrameSettings
    table: pa.Table
    question: Query
    created: str

    @cached_property
    def drawn(self) -> pa.Table:
        """The articles to label, in the order in which to label them."""
        return self.table.filter(self.table.column("drawn")).sort_by([("turn", "ascending")])

    @cached_property
    def drawn_ids(self) -> frozenset[str]:
        """Their ids."""
        return frozenset(self.drawn.column("doc_id").to_pylist())

    @property
    def quarters(self) -> tuple[str, ...]:
        """Quarters that the frame covers."""
        return tuple(sorted(pc.unique(self.table.column("quarter")).to_pylist()))

    @property
    def folder(self) -> SampleFolder:
        """Where its files lie."""
        return SampleFolder(self.frame_id)


def freeze(warehouse: Warehouse, table: pa.Table, settings: FrameSettings, question: Query, *, created: str) -> Frame:
    """Write a frame once; the same draw again gives the frame that is there, with its labels untouched."""
    table = table.select(FRAME.names).cast(FRAME)
    frame_id = frame_hash(table, settings)
    folder = SampleFolder(frame_id)
    if warehouse.exists(folder.frame):
        return read_frame(warehouse, frame_id)
    stated = {SETTINGS_KEY: _settings_bytes(settings), CREATED_KEY: created.encode()}
    stored = table.replace_schema_metadata({**(table.schema.metadata or {}), **stated})
    warehouse.write_json(folder.query, query_content(question))
    warehouse.write_bytes(folder.frame, parquet_bytes(stored))
    return Frame(frame_id, settings, stored, question, created)


def read_frame(warehouse: Warehouse, frame_id: str) -> Frame:
    """A frame by its id.

    Raises
    ------
    FrameError
        When there is none of that id, or it was changed after it was frozen.
    """
    folder = SampleFolder(frame_id)
    if not frame_id.isalnum() or not warehouse.exists(folder.frame):
        raise FrameError(f"{warehouse.root} has no frame {frame_id}; `credence sample` draws one")
    table = warehouse.read_table(folder.frame, FRAME)
    stated = table.schema.metadata
    if SETTINGS_KEY not in stated:
        raise StorageError(warehouse.path(folder.frame), "says nothing of its draw", "restore it from a copy")
    stored = json.loads(stated[SETTINGS_KEY])
    settings = FrameSettings(**stored | {"field_words": tuple(stored["field_words"])})
    if frame_hash(table, settings) != frame_id:
        raise FrameError(f"{warehouse.path(folder.frame)} was changed after it was drawn; restore it from a copy")
    question = read_query(warehouse.read_json(folder.query))
    return Frame(frame_id, settings, table, question, stated.get(CREATED_KEY, b"").decode())


def frame_hash(table: pa.Table, settings: FrameSettings) -> str:
    """The name that follows from the settings and every value of every row, whatever the file format makes of them."""
    parts = [_settings_bytes(settings)]
    for batch in table.select(FRAME.names).to_batches(max_chunksize=ROWS_AT_ONCE):
        parts.extend(json.dumps(list(row.values()), default=str).encode() for row in batch.to_pylist())
    return content_hash(*parts)


def _settings_bytes(settings: FrameSettings) -> bytes:
    return json.dumps(asdict(settings), sort_keys=True).encode()
