"""How to ingest: formats, limits, what to do with duplicates; and the error that refuses an ingest."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

MEBIBYTE = 1 << 20

Format = Literal["jsonl", "json", "csv", "parquet", "nitf", "gigaword", "reuters", "nexis", "factiva", "html", "txt"]
DateOrder = Literal["iso", "day-first", "month-first"]
Duplicates = Literal["refuse", "skip"]
FORMATS: tuple[str, ...] = get_args(Format)
COLUMNS = ("doc_id", "published", "title", "text", "source")
NEEDED = ("doc_id", "published", "text")


class IngestError(ValueError):
    """Nothing was published: which file, which record (0: the file itself), which rule, which value."""

    def __init__(self, file: str, record: int, rule: str, value: str) -> None:
        super().__init__(file, record, rule, value)
        self.file, self.record, self.rule, self.value = file, record, rule, value

    def __str__(self) -> str:
        where = f"{self.file}, record {self.record}" if self.record else self.file
        return f"{where}: {self.rule}; got {self.value}"


@dataclass(frozen=True, slots=True)
class IngestConfig:
    """Options of one ingest.

    Attributes
    ----------
    format : str or None
        One of `FORMATS` for all files; None recognises each by its first bytes.
    duplicates : "refuse" or "skip"
        What to do when an id appears again: publish nothing, or keep the first.
    names : mapping
        Our column to the input's field or column, for JSONL, CSV and Parquet, where they differ.
    dates : "iso", "day-first" or "month-first"
        What 03/04/1987 means; with "iso" it is refused. Dates with the year first or the month as a word are always
        understood.
    encoding : str
        Of JSON, CSV, TXT, HTML, Nexis and Factiva files; a byte order mark overrules it.
    html : bool
        Texts are HTML: keep their words.
    make_ids : bool
        An article without an id gets one made from its date, title and text.
    chunk_docs, chunk_characters : int
        Most articles in a chunk, and most characters of title and text.
    max_text_bytes, max_record_bytes : int
        Longer articles and longer lines are quarantined.
    sort_bytes : int
        Memory for articles before a sorted run goes to the disk.
    """

    format: Format | None = None
    duplicates: Duplicates = "refuse"
    names: Mapping[str, str] = field(default_factory=dict)
    dates: DateOrder = "iso"
    encoding: str = "utf-8"
    html: bool = False
    make_ids: bool = False
    chunk_docs: int = 1000
    chunk_characters: int = 8 * MEBIBYTE
    max_text_bytes: int = 4 * MEBIBYTE
    max_record_bytes: int = 16 * MEBIBYTE
    sort_bytes: int = 32 * MEBIBYTE

    def __post_init__(self) -> None:
        choices = (("format", (None, *FORMATS)), ("duplicates", get_args(Duplicates)), ("dates", get_args(DateOrder)))
        for name, allowed in choices:
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} must be one of {', '.join(map(str, allowed))}; got {getattr(self, name)!r}")
        for name in ("chunk_docs", "chunk_characters", "max_text_bytes", "max_record_bytes", "sort_bytes"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1; got {getattr(self, name)}")
        try:
            "".encode(self.encoding)
        except LookupError:
            raise ValueError(f"encoding must be a text encoding such as cp1252; got {self.encoding!r}") from None
        for name in self.names:
            if name not in COLUMNS:
                raise ValueError(f"names may map {', '.join(COLUMNS)}; got {name!r}")

    @property
    def input_names(self) -> dict[str, str]:
        """Our column to the input's, all five."""
        return {column: self.names.get(column, column) for column in COLUMNS}

    @property
    def needed(self) -> tuple[str, ...]:
        """Columns that every article must have."""
        return tuple(column for column in NEEDED if not (self.make_ids and column == "doc_id"))
