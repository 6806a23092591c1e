"""Event bits: for each document and country, in which posterior samples the document counts.

Covers: samples and 1-best answers of one document or many, packing into bytes.
Not here: the flat arrays (`batching`), the loops (`kernel`), sums over documents (`tallying`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Bools, Floats, Ints
from calib_core.coref.model.antecedents import Antecedents
from calib_core.coref.posterior.sampling import cumulative_probabilities
from calib_core.events.batching import Batch
from calib_core.events.evidence import Evidence
from calib_core.events.kernel import (
    best_batch,
    given_clusterings,
    sample_batch,
)
from calib_core.events.ragged import countries_of

Bytes = NDArray[np.uint8]
EntityCounts = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class EventSamples:
    """One row per document and country that the document could count for.

    Attributes
    ----------
    document : shape (n_rows,)
        Position of the document in the batch, never decreasing.
    country : tuple of str
        Code of each row, ascending within a document.
    entities : shape (n_rows, n_samples)
        How many entities fulfil the query in each sample; a document with more than 65,535 has 65,535.
    best : shape (n_rows,)
        The same under the 1-best clustering.
    """

    document: Ints
    country: tuple[str, ...]
    entities: EntityCounts
    best: EntityCounts

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.country)

    @property
    def p(self) -> Floats:
        """Posterior probability that the document counts: the share of samples, shape (n_rows,)."""
        return np.asarray((self.entities > 0).mean(axis=1), dtype=np.float64)

    @property
    def bits(self) -> Bytes:
        """Whether the document counts in sample s: bit s % 8 of byte s // 8, shape (n_rows, ceil(n_samples / 8))."""
        return np.packbits(self.entities > 0, axis=1, bitorder="little")

    def positive(self) -> "EventSamples":
        """Only rows that count in some sample or in the 1-best clustering; the others add nothing to any sum."""
        keep = np.flatnonzero(self.entities.any(axis=1) | (self.best > 0))
        country = tuple(self.country[row] for row in keep)
        return EventSamples(self.document[keep], country, self.entities[keep], self.best[keep])


def document_bits(
    evidence: Evidence, antecedents: Antecedents, n_samples: int, *, key: int, best: Ints | None = None
) -> EventSamples:
    """Sample one document.

    Parameters
    ----------
    evidence : Evidence
        From `mention_evidence`.
    antecedents : Antecedents
        Of the same mentions.
    n_samples : int
    key : int
        `calib_core.randomness.document_key(seed, doc_id)`: the samples are those of `sample_clusterings` for that key.
    best : shape (n_mentions,), optional
        Entity of each mention in the 1-best clustering; by default each mention takes its most probable antecedent.

    Notes
    -----
    Equation 3 of Nguyen & O'Connor (2015) is `entities > 0`; the entity count itself is the query of footnote 11.
    """
    samples = batch_bits([evidence], [antecedents], n_samples, keys=[key])
    if best is None:
        return samples
    answer = clustering_answers(evidence, np.asarray(best, dtype=np.int64)[np.newaxis], samples.country)
    return EventSamples(samples.document, samples.country, samples.entities, answer[:, 0])


def batch_bits(
    evidence: Sequence[Evidence], antecedents: Sequence[Antecedents], n_samples: int, *, keys: Sequence[int]
) -> EventSamples:
    """Sample many documents in one call; the answer is the same however they are batched."""
    return ragged_bits(Batch.of(evidence, antecedents, keys), n_samples)


def ragged_bits(batch: Batch, n_samples: int) -> EventSamples:
    """Sample documents whose mentions and antecedents are already one after another in flat arrays."""
    if not 1 <= n_samples < 2**32:
        raise ValueError(f"n_samples must be at least 1 and less than 2**32; got {n_samples}")
    row_offsets = np.zeros(len(batch) + 1, dtype=np.int64)
    row_country = np.empty(len(batch.country), dtype=np.int64)
    n_rows = countries_of(batch.mentions, batch.country, batch.agent, batch.reported, row_offsets, row_country)
    row_country = row_country[:n_rows]
    entities = np.zeros((n_rows, n_samples), dtype=np.uint16)
    best = np.zeros((n_rows, 1), dtype=np.uint16)
    if n_rows:
        ragged = (batch.mentions, batch.country, batch.agent, batch.offsets, batch.candidates)
        cumulative = cumulative_probabilities(Antecedents(batch.offsets, batch.candidates, batch.logits))
        sample_batch(*ragged, cumulative, batch.keys, row_offsets, row_country, entities)
        best_batch(*ragged, batch.logits, row_offsets, row_country, best)
    document = np.repeat(np.arange(len(batch)), np.diff(row_offsets))
    return EventSamples(document, tuple(batch.codes[code] for code in row_country), entities, best[:, 0])


def clustering_answers(evidence: Evidence, entities: Ints, countries: Sequence[str]) -> EntityCounts:
    """Fulfilling entities under given clusterings, shape (n_countries, n_samples).

    Parameters
    ----------
    evidence : Evidence
    entities : shape (n_samples, n_mentions)
        A label from 0 for the entity of each mention in each clustering, as `sample_clusterings` returns them.
    countries : sequence of str
        Codes to answer for.
    """
    rows = _rows(evidence, countries)
    labels = _labels(evidence, entities)
    counts = np.zeros((len(rows), len(labels)), dtype=np.uint16)
    if len(evidence) and len(rows):
        given_clusterings(evidence.country, evidence.agent, labels, rows, counts)
    return counts


def _rows(evidence: Evidence, countries: Sequence[str]) -> Ints:
    """Positions of codes."""
    for code in countries:
        if code not in evidence.codes:
            raise ValueError(f"unknown country {code!r}; it is none of the query's {len(evidence.codes)} codes")
    return np.array([evidence.codes.index(code) for code in countries], dtype=np.int64)


def _labels(evidence: Evidence, entities: Ints) -> Ints:
    """Labels that are checked and small: the kernel holds one state for each number up to the largest."""
    if entities.ndim != 2 or entities.shape[1] != len(evidence):
        raise ValueError(f"entities has shape {entities.shape} but there are {len(evidence)} mentions")
    if entities.size and entities.min() < 0:
        sample, mention = np.argwhere(entities < 0)[0]
        raise ValueError(
            f"labels of entities count from 0; clustering {sample} gives mention {mention} {entities[sample, mention]}"
        )
    small = [np.unique(row, return_inverse=True)[1].astype(np.int64) for row in entities]
    return np.array(small, dtype=np.int64).reshape(entities.shape)


def unpack_bits(bits: Bytes, n_samples: int) -> Bools:
    """Rows of bytes as rows of samples: what `EventSamples.bits` packed, shape (n_rows, n_samples)."""
    if bits.shape[1] != (n_samples + 7) // 8:
        raise ValueError(f"{n_samples} samples take {(n_samples + 7) // 8} bytes a row; got {bits.shape[1]}")
    return np.unpackbits(bits, axis=1, count=n_samples, bitorder="little").astype(np.bool_)
