"""What an ingest did, in figures that add up.

Covers: counts by input file, examples of duplicates, reasons for quarantine, the balance.
Not here: the other quarantined records (the quarantine table), how to print any of it (`flows.cli.ingest`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

MAX_EXAMPLES = 10


@dataclass(frozen=True, slots=True)
class FileCounts:
    """Records of one input file; each that was read is in exactly one of kept, known, duplicates, quarantined.

    Attributes
    ----------
    read : int
        Records found, including unusable ones.
    kept : int
        New in the archive.
    known : int
        Already in the archive, word for word.
    duplicates : int
        Left out because another record has the same id.
    quarantined : int
        Unusable.
    damaged : int
        Of those, places where a file breaks off; what follows is missing.
    repeated_texts : int
        Of the kept, articles whose text the archive also has under another id.
    """

    read: int = 0
    kept: int = 0
    known: int = 0
    duplicates: int = 0
    quarantined: int = 0
    damaged: int = 0
    repeated_texts: int = 0

    def __add__(self, other: "FileCounts") -> "FileCounts":
        return FileCounts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(FileCounts)))

    @property
    def balances(self) -> bool:
        """Whether every record read is counted exactly once."""
        return self.read == self.kept + self.known + self.duplicates + self.quarantined


@dataclass(frozen=True, slots=True)
class Example:
    """A record that repeats another: where it is, its id, and where the other is."""

    kind: str
    file: str
    record: int
    doc_id: str
    first: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Why records were quarantined: the rule, how many broke it, and the first of them."""

    rule: str
    count: int
    file: str
    record: int
    value: str

    def __add__(self, other: "Reason") -> "Reason":
        return replace(self, count=self.count + other.count)


@dataclass(frozen=True, slots=True)
class IngestReport:
    """Counts by input file, the chunks added, the first few duplicates and reasons; reports add with `+`."""

    files: Mapping[str, FileCounts] = field(default_factory=dict)
    chunks: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    reasons: tuple[Reason, ...] = ()

    def __add__(self, other: "IngestReport") -> "IngestReport":
        files = dict(self.files)
        for name, counts in other.files.items():
            files[name] = files.get(name, FileCounts()) + counts
        reasons = gathered([*self.reasons, *other.reasons])
        return IngestReport(files, self.chunks + other.chunks, (self.examples + other.examples)[:MAX_EXAMPLES], reasons)

    @property
    def useless(self) -> bool:
        """Whether records were read, and none of them can be used."""
        return self.total.quarantined > 0 and self.total.quarantined == self.total.read

    @property
    def total(self) -> FileCounts:
        """All files together."""
        return sum(self.files.values(), FileCounts())

    @property
    def balances(self) -> bool:
        """Whether every file's counts do."""
        return all(counts.balances for counts in self.files.values())

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "total": asdict(self.total),
            "files": {name: asdict(counts) for name, counts in self.files.items()},
            "chunks": list(self.chunks),
            "examples": [asdict(example) for example in self.examples],
            "reasons": [asdict(reason) for reason in self.reasons],
        }


def gathered(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """One reason for each of the first few rules, with all counts."""
    found: dict[str, Reason] = {}
    for reason in reasons:
        if reason.rule in found:
            found[reason.rule] += reason
        elif len(found) < MAX_EXAMPLES:
            found[reason.rule] = reason
    return tuple(found.values())
