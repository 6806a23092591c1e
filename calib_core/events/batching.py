"""Many documents in flat arrays: what the kernel reads.

Covers: joining documents, checking what the kernel relies on.
Not here: sampling (`sampling`, `kernel`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Bools, Floats, Ints
from calib_core.coref.model.antecedents import Antecedents
from calib_core.events.affiliation import SEVERAL
from calib_core.events.evidence import Evidence
from calib_core.events.kernel import MAX_CODES
from calib_core.events.ragged import first_fault

Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Batch:
    """Evidence and antecedents of documents, one after another.

    Attributes
    ----------
    mentions : shape (n_documents + 1,)
        Document d owns mentions `mentions[d]:mentions[d + 1]`.
    country, agent : shape (n_mentions,)
        As in `Evidence`.
    codes : tuple of str
    reported : shape (n_codes,)
        Which codes to answer for.
    offsets : shape (n_mentions + 1,)
        Mention j, counted through the batch, owns entries `offsets[j]:offsets[j + 1]`.
    candidates, logits : shape (n_entries,)
        As in `Antecedents`; candidates count from the document's first mention.
    keys : shape (n_documents,)
        Of the documents' random numbers.
    """

    mentions: Ints
    country: Ints
    agent: Bools
    codes: tuple[str, ...]
    reported: Bools
    offsets: Ints
    candidates: Ints
    logits: Floats
    keys: NDArray[np.uint64]

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together, and antecedents that point forward, lack NEW or have no usable logit.

        The kernel is compiled without bounds checks, so everything it indexes by is checked here.
        """
        if len(self.codes) > MAX_CODES:
            raise ValueError(f"a query can tell at most {MAX_CODES} codes apart; got {len(self.codes)}")
        _check_offsets("mentions", self.mentions, len(self.keys), len(self.country))
        _check_offsets("offsets", self.offsets, len(self.country), len(self.candidates))
        _check_length("agent", self.agent, len(self.country))
        _check_length("logits", self.logits, len(self.candidates))
        _check_length("reported", self.reported, len(self.codes))
        _check_countries(self.country, len(self.codes))
        document, mention, entry = first_fault(self.mentions, self.offsets, self.candidates, self.logits)
        if document >= 0 and entry < 0:
            raise ValueError(f"document {document} of the batch: mention {mention} has no antecedents, not even NEW")
        if document >= 0:
            raise ValueError(
                f"document {document} of the batch: mention {mention} has candidate {self.candidates[entry]} with "
                f"logit {self.logits[entry]}; candidates are earlier mentions, then NEW (-1); logits are below infinity"
            )

    def __len__(self) -> int:
        """Number of documents."""
        return len(self.keys)

    @classmethod
    def of(cls, evidence: Sequence[Evidence], antecedents: Sequence[Antecedents], keys: Sequence[int]) -> "Batch":
        """Join documents of one query."""
        _check_alike(evidence, antecedents, keys)
        sizes = np.cumsum([0] + [int(linked.offsets[-1]) for linked in antecedents], dtype=np.int64)
        starts = [linked.offsets[:-1] + size for linked, size in zip(antecedents, sizes, strict=False)]
        ints, floats, bools = np.zeros(0, np.int64), np.zeros(0, np.float64), np.zeros(0, np.bool_)
        return cls(
            mentions=np.cumsum([0] + [len(said) for said in evidence], dtype=np.int64),
            country=_joined(ints, [said.country for said in evidence]),
            agent=_joined(bools, [said.agent for said in evidence]),
            codes=evidence[0].codes if evidence else (),
            reported=evidence[0].reported if evidence else bools,
            offsets=np.append(_joined(ints, starts), sizes[-1]),
            candidates=_joined(ints, [linked.candidates for linked in antecedents]),
            logits=_joined(floats, [linked.logits for linked in antecedents]),
            keys=_as_keys(keys),
        )


def _check_offsets(name: str, offsets: Ints, n_owners: int, n_owned: int) -> None:
    """Refuse offsets that are not one more than their owners, or do not run from 0 to the number of things owned."""
    _check_length(name, offsets, n_owners + 1)
    if offsets[0] != 0 or offsets[-1] != n_owned:
        raise ValueError(f"{name} must run from 0 to {n_owned}; it runs from {offsets[0]} to {offsets[-1]}")
    falling = np.diff(offsets) < 0
    if falling.any():
        position = int(np.argmax(falling))
        raise ValueError(f"{name} must never decrease; entry {position + 1} does, to {offsets[position + 1]}")


def _check_length(name: str, array: NDArray[Any], length: int) -> None:
    """Refuse an array of another length."""
    if array.shape != (length,):
        raise ValueError(f"{name} must have shape ({length},); got {array.shape}")


def _check_countries(country: Ints, n_codes: int) -> None:
    """Refuse a country that is neither a position in the codes nor -1 or -2."""
    wrong = (country < SEVERAL) | (country >= n_codes)
    if wrong.any():
        mention = int(np.argmax(wrong))
        raise ValueError(f"country must lie in [{SEVERAL}, {n_codes}); mention {mention} has {country[mention]}")


def _as_keys(keys: Sequence[int]) -> NDArray[np.uint64]:
    """Keys as 64 bits; one that does not fit is named."""
    for number, key in enumerate(keys):
        if not 0 <= int(key) < 2**64:
            raise ValueError(f"a key must lie in [0, 2**64); document {number} of the batch has {key}")
    return np.array(keys, dtype=np.uint64)


def _joined(empty: NDArray[Scalar], arrays: Sequence[NDArray[Any]]) -> NDArray[Scalar]:
    """Concatenate arrays, possibly none, in the type of the empty one."""
    return np.concatenate([empty, *arrays]).astype(empty.dtype, copy=False)


def _check_alike(evidence: Sequence[Evidence], antecedents: Sequence[Antecedents], keys: Sequence[int]) -> None:
    """Refuse a batch whose parts do not belong together."""
    if not len(evidence) == len(antecedents) == len(keys):
        raise ValueError(f"{len(evidence)} evidence, {len(antecedents)} antecedents and {len(keys)} keys differ")
    for number, (said, linked) in enumerate(zip(evidence, antecedents, strict=True)):
        if len(said) != len(linked):
            raise ValueError(
                f"document {number} of the batch has evidence of {len(said)} mentions and antecedents of {len(linked)}"
            )
        if said.codes is not evidence[0].codes and said.codes != evidence[0].codes:
            raise ValueError(f"document {number} of the batch belongs to a query with other codes than document 0")
