"""Documents that failed: which, at what stage, and why."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from workers.schemas import QUARANTINE

LONGEST = 200


@dataclass(frozen=True, slots=True)
class FailedDocument:
    """One document that could not be counted.

    Attributes
    ----------
    doc_id : str
    stage : str
        annotate or sample.
    rule, value : str
        What should have happened, and what did.
    file : str
        Chunk of the archive that holds the document.
    """

    doc_id: str
    stage: str
    rule: str
    value: str
    file: str = ""

    @classmethod
    def of(cls, doc_id: str, stage: str, error: Exception) -> "FailedDocument":
        """A fault from an exception."""
        return cls(doc_id, stage, RULES[stage], f"{type(error).__name__}: {error}"[:LONGEST])


RULES = {"annotate": "the document must be parsed and annotated", "sample": "the annotated document must be sampled"}


def quarantine_table(faults: Iterable[FailedDocument]) -> pa.Table:
    """Rows of the quarantine table, by document."""
    ordered = sorted(faults, key=lambda fault: (fault.doc_id, fault.stage))
    return pa.Table.from_pylist([_row(fault) for fault in ordered], schema=QUARANTINE)


def _row(fault: FailedDocument) -> dict[str, Any]:
    return {
        "stage": fault.stage, "doc_id": fault.doc_id, "file": fault.file or None, "record": None,
        "rule": fault.rule, "value": fault.value,
        "error": f"{fault.file}: document {fault.doc_id!r}: {fault.rule}; got {fault.value}",
    }  # fmt: skip
