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
from calib_core.coref.model.antecedents import NEW, Antecedents
from calib_core.events.affiliation import SEVERAL
from calib_core.events.batch_scans import first_fault
from calib_core.events.evidence import Evidence
from calib_core.events.kernel import MAX_CODES
from calib_core.events.linked_batching import LinkArrays
from calib_core.events.readings import AnyEvidence, SampledEvidence, aligned, chosen

Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Batch:
    """Evidence and antecedents of documents, one after another.

    Attributes
    ----------
    mentions : shape (n_documents + 1,)
        Document d owns mentions `mentions[d]:mentions[d + 1]`.
    country, agent : shape (n_mentions,)
        As in `Evidence`; a document with several readings has as many blocks of its mentions.
    codes : tuple of str
    reported : shape (n_codes,)
        Which codes to answer for.
    offsets : shape (n_mentions + 1,)
        Mention j, counted through the batch, owns entries `offsets[j]:offsets[j + 1]`.
    candidates, logits : shape (n_entries,)
        As in `Antecedents`; candidates count from the document's first mention.
    keys : shape (n_documents,)
        Of the documents' random numbers.
    starts : shape (n_documents + 1,), optional
        Where the evidence of each document begins in `country` and `agent`; by default where its mentions do.
    evidence : tuple, optional
        Of each document, where some has several readings.
    links : LinkArrays or None
        What a query with targets, possessors or two lexicons needs besides.
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
    starts: Ints | None = None
    evidence: tuple[AnyEvidence, ...] = ()
    links: LinkArrays | None = None

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together, and antecedents that point forward, lack NEW or have no usable logit.

        The kernel is compiled without bounds checks, so everything it indexes by is checked here.
        """
        if len(self.codes) > MAX_CODES:
            raise ValueError(f"a query can tell at most {MAX_CODES} codes apart; got {len(self.codes)}")
        n_mentions = len(self.country) if self.starts is None else int(self.mentions[-1])
        _check_offsets("mentions", self.mentions, len(self.keys), n_mentions)
        _check_offsets("offsets", self.offsets, n_mentions, len(self.candidates))
        _check_offsets("starts", self.blocks, len(self.keys), len(self.country))
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

    @property
    def blocks(self) -> Ints:
        """Where each document's evidence begins: one block of its mentions for each of its readings."""
        return self.mentions if self.starts is None else self.starts

    @property
    def several(self) -> Bools:
        """Which documents have several readings, shape (n_documents,)."""
        found = [isinstance(said, SampledEvidence) for said in self.evidence]
        return np.array(found or [False] * len(self), dtype=np.bool_)

    def which(self, n_samples: int) -> Ints:
        """The reading of each document in each sample, shape (n_documents, n_samples)."""
        if not self.evidence:
            return np.zeros((len(self), n_samples), dtype=np.int64)
        return chosen(self.evidence, n_samples)

    @classmethod
    def of(cls, evidence: Sequence[AnyEvidence], antecedents: Sequence[Antecedents], keys: Sequence[int]) -> "Batch":
        """Join documents of one query; the evidence of one may differ from sample to sample."""
        if len(evidence) != len(antecedents):
            raise ValueError(f"{len(evidence)} evidence, {len(antecedents)} antecedents and {len(keys)} keys differ")
        documents = [aligned(said) for said in evidence]
        first = [readings[0] for readings in documents]
        _check_alike(first, antecedents, keys)
        antecedents = [with_words(linked, said.n_words) for said, linked in zip(first, antecedents, strict=True)]
        readings = [reading for alternatives in documents for reading in alternatives]
        blocks = [len(alternatives[0]) * len(alternatives) for alternatives in documents]
        sizes = np.cumsum([0] + [int(linked.offsets[-1]) for linked in antecedents], dtype=np.int64)
        starts = [linked.offsets[:-1] + size for linked, size in zip(antecedents, sizes, strict=False)]
        ints, floats, bools = np.zeros(0, np.int64), np.zeros(0, np.float64), np.zeros(0, np.bool_)
        return cls(
            mentions=np.cumsum([0] + [len(said) for said in first], dtype=np.int64),
            country=_joined(ints, [said.country for said in readings]),
            agent=_joined(bools, [said.agent for said in readings]),
            codes=first[0].codes if first else (),
            reported=first[0].reported if first else bools,
            offsets=np.append(_joined(ints, starts), sizes[-1]),
            candidates=_joined(ints, [linked.candidates for linked in antecedents]),
            logits=_joined(floats, [linked.logits for linked in antecedents]),
            keys=_as_keys(keys),
            starts=np.cumsum([0, *blocks], dtype=np.int64) if len(readings) > len(documents) else None,
            evidence=tuple(evidence) if len(readings) > len(documents) else (),
            links=LinkArrays.of(documents) if first and first[0].links is not None else None,
        )


def with_words(antecedents: Antecedents, n_words: int) -> Antecedents:
    """Antecedents with further entries at the end that are always entities of their own.

    Draws go by the number of the mention, so entries at the end move no other draw.
    """
    if not n_words:
        return antecedents
    end = antecedents.offsets[-1]
    return Antecedents(
        np.append(antecedents.offsets, np.arange(end + 1, end + 1 + n_words)),
        np.append(antecedents.candidates, np.full(n_words, NEW)),
        np.append(antecedents.logits, np.zeros(n_words)),
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
        if len(said) - said.n_words != len(linked):
            raise ValueError(
                f"document {number} of the batch has evidence of {len(said) - said.n_words} mentions and antecedents "
                f"of {len(linked)}"
            )
        if said.codes is not evidence[0].codes and said.codes != evidence[0].codes:
            raise ValueError(f"document {number} of the batch belongs to a query with other codes than document 0")
