"""Event bits: for each document and country, in which posterior samples the document counts.

Covers: samples and 1-best answers of one document or many, packing into bytes.
Not here: the flat arrays (`batching`), the loops (`kernel`), sums over documents (`tallying`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Bools, Floats, Ints
from calib_core.coref.model.antecedents import Antecedents
from calib_core.coref.posterior.decoding import NEW_DISCOUNT
from calib_core.coref.posterior.sampling import antecedent_odds, cumulated
from calib_core.events.batch_scans import countries_of
from calib_core.events.batching import Batch
from calib_core.events.dyads import dyad
from calib_core.events.evidence import Evidence, with_words
from calib_core.events.kernel import (
    best_batch,
    given_clusterings,
    sample_batch,
)
from calib_core.events.linked_batching import LinkArrays, links_of, packed, possible_rows
from calib_core.events.linked_kernel import best_linked, given_linked, sample_linked
from calib_core.events.readings import AnyEvidence

NEW_FACTOR = float(np.exp(-NEW_DISCOUNT))
"""What P(NEW) is multiplied by in the 1-best clustering."""

Bytes = NDArray[np.uint8]
EntityCounts = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Crossed:
    """Answers with the clustering of each sample and the trees of the next; the last sample takes the first one's.

    Attributes
    ----------
    entities : shape (n_rows, n_samples)
        As in `EventSamples`.
    several : shape (n_rows,)
        Whether the samples of the row's document read different trees at all.
    """

    entities: EntityCounts
    several: Bools

    def of(self, rows: Ints) -> "Crossed":
        """Some of the rows."""
        return Crossed(self.entities[rows], self.several[rows])


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
        The same under the 1-best clustering, which is that of `map_clustering`.
    target : tuple of str, or None
        Of a dyadic query the target of each row: a code, "-" for a target without one, "*" for any. A row of "*" is
        the row of the query without targets.
    crossed : Crossed or None
        None where no document reads different trees in different samples.
    """

    document: Ints
    country: tuple[str, ...]
    entities: EntityCounts
    best: EntityCounts
    target: tuple[str, ...] | None = None
    crossed: Crossed | None = None

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.country)

    @property
    def words(self) -> tuple[str, ...]:
        """What each row counts for: its country, or agent and target in one word (`dyads`)."""
        if self.target is None:
            return self.country
        return tuple(dyad(*pair) for pair in zip(self.country, self.target, strict=True))

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
        target = None if self.target is None else tuple(self.target[row] for row in keep)
        crossed = None if self.crossed is None else self.crossed.of(keep)
        return EventSamples(self.document[keep], country, self.entities[keep], self.best[keep], target, crossed)


def document_bits(evidence: AnyEvidence, antecedents: Antecedents, n_samples: int, *, key: int) -> EventSamples:
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

    Notes
    -----
    Equation 3 of Nguyen & O'Connor (2015) is `entities > 0`; the entity count itself is the query of footnote 11.
    """
    return batch_bits([evidence], [antecedents], n_samples, keys=[key])


def batch_bits(
    evidence: Sequence[AnyEvidence], antecedents: Sequence[Antecedents], n_samples: int, *, keys: Sequence[int]
) -> EventSamples:
    """Sample many documents in one call; the answer is the same however they are batched."""
    return ragged_bits(Batch.of(evidence, antecedents, keys), n_samples)


def ragged_bits(batch: Batch, n_samples: int) -> EventSamples:
    """Sample documents whose mentions and antecedents are already one after another in flat arrays."""
    if not 1 <= n_samples < 2**32:
        raise ValueError(f"n_samples must be at least 1 and less than 2**32; got {n_samples}")
    if batch.links is not None:
        return _linked_bits(batch, batch.links, n_samples)
    row_offsets = np.zeros(len(batch) + 1, dtype=np.int64)
    row_country = np.empty(len(batch.country), dtype=np.int64)
    n_rows = countries_of(batch.blocks, batch.country, batch.agent, batch.reported, row_offsets, row_country)
    row_country = row_country[:n_rows]
    entities, crossed = np.zeros((2, n_rows, n_samples), dtype=np.uint16)
    best = np.zeros((n_rows, 1), dtype=np.uint16)
    if n_rows:
        odds = antecedent_odds(Antecedents(batch.offsets, batch.candidates, batch.logits))
        best_batch(
            batch.mentions, batch.blocks, batch.country, batch.agent, batch.offsets, batch.candidates, odds,
            NEW_FACTOR, row_offsets, row_country, best,
        )  # fmt: skip
        cumulative = cumulated(batch.offsets, odds)
        for which, counts in _passes(batch, n_samples, entities, crossed):
            sample_batch(
                batch.mentions, batch.blocks, which, batch.country, batch.agent, batch.offsets, batch.candidates,
                cumulative, batch.keys, row_offsets, row_country, counts,
            )  # fmt: skip
    document = np.repeat(np.arange(len(batch)), np.diff(row_offsets))
    country = tuple(batch.codes[code] for code in row_country)
    return EventSamples(document, country, entities, best[:, 0], crossed=_crossed(batch, crossed, document))


def _passes(
    batch: Batch, n_samples: int, entities: EntityCounts, crossed: EntityCounts
) -> Iterator[tuple[Ints, EntityCounts]]:
    """The reading of each sample and where its answers go; then the same clusterings with the next sample's trees."""
    which = batch.which(n_samples)
    yield which, entities
    if batch.several.any():
        yield np.roll(which, -1, axis=1), crossed


def _crossed(batch: Batch, entities: EntityCounts, document: Ints) -> Crossed | None:
    return Crossed(entities, batch.several[document]) if batch.several.any() else None


def _linked_bits(batch: Batch, links: LinkArrays, n_samples: int) -> EventSamples:
    """As `ragged_bits` for a query whose answer joins entities."""
    entities, crossed = np.zeros((2, len(links.rows), n_samples), dtype=np.uint16)
    best = np.zeros((len(links.rows), 1), dtype=np.uint16)
    if len(links.rows):
        odds = antecedent_odds(Antecedents(batch.offsets, batch.candidates, batch.logits))
        best_linked(
            batch.mentions, batch.blocks, links.readings, links.own, links.aims, links.link_offsets, links.links,
            links.possessor_offsets, links.possessors, batch.offsets, batch.candidates, odds, NEW_FACTOR,
            links.row_offsets, links.rows, best,
        )  # fmt: skip
        cumulative = cumulated(batch.offsets, odds)
        for which, counts in _passes(batch, n_samples, entities, crossed):
            sample_linked(
                batch.mentions, batch.blocks, links.readings, which, links.own, links.aims, links.link_offsets,
                links.links, links.possessor_offsets, links.possessors, batch.offsets, batch.candidates, cumulative,
                batch.keys, links.row_offsets, links.rows, counts,
            )  # fmt: skip
    document = np.repeat(np.arange(len(batch)), np.diff(links.row_offsets))
    country = tuple(links.agent_label(row) for row in range(len(links.rows)))
    target = tuple(links.target_label(row) for row in range(len(links.rows))) if links.dyadic else None
    return EventSamples(document, country, entities, best[:, 0], target, _crossed(batch, crossed, document))


def linked_answers(evidence: Evidence, entities: Ints, rows: Ints) -> EntityCounts:
    """Fulfilling entities under given clusterings for a query whose answer joins entities, shape (n_rows, n_samples).

    Parameters
    ----------
    evidence : Evidence
    entities : shape (n_samples, n_mentions)
        As for `clustering_answers`.
    rows : shape (n_rows, 3)
        From `possible_rows`.
    """
    links, (own, aims) = links_of(evidence), packed([evidence])
    labels = _labels(evidence, entities)
    counts = np.zeros((len(rows), len(labels)), dtype=np.uint16)
    for sample, clustering in enumerate(labels):
        given_linked(clustering, own, aims, links.events, links.possessors, rows, counts, 0, sample)
    return counts


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


def answers_under(evidence: Evidence, entities: Ints) -> EntityCounts:
    """Fulfilling entities under given clusterings for every row that `document_bits` has, in its order.

    Parameters
    ----------
    evidence : Evidence
        Of any query, one that joins entities included.
    entities : shape (n_samples, n_mentions)
        As for `clustering_answers`.

    Returns
    -------
    shape (n_rows, n_samples)
    """
    if evidence.links is not None:
        return linked_answers(evidence, entities, possible_rows([evidence]))
    told = np.unique(evidence.country) if evidence.agent.any() else np.zeros(0, dtype=np.int64)
    countries = [evidence.codes[code] for code in told if code >= 0 and evidence.reported[code]]
    return clustering_answers(evidence, entities, countries)


def _rows(evidence: Evidence, countries: Sequence[str]) -> Ints:
    """Positions of codes."""
    for code in countries:
        if code not in evidence.codes:
            raise ValueError(f"unknown country {code!r}; it is none of the query's {len(evidence.codes)} codes")
    return np.array([evidence.codes.index(code) for code in countries], dtype=np.int64)


def _labels(evidence: Evidence, entities: Ints) -> Ints:
    """Labels that are checked and small: the kernel holds one state for each number up to the largest."""
    n_mentions = len(evidence) - evidence.n_words
    if entities.ndim != 2 or entities.shape[1] != n_mentions:
        raise ValueError(f"entities has shape {entities.shape} but there are {n_mentions} mentions")
    if entities.size and entities.min() < 0:
        sample, mention = np.argwhere(entities < 0)[0]
        raise ValueError(
            f"labels of entities count from 0; clustering {sample} gives mention {mention} {entities[sample, mention]}"
        )
    small = [np.unique(with_words(row, evidence.n_words), return_inverse=True)[1] for row in entities]
    return np.array(small, dtype=np.int64).reshape(len(entities), len(evidence))


def unpack_bits(bits: Bytes, n_samples: int) -> Bools:
    """Rows of bytes as rows of samples: what `EventSamples.bits` packed, shape (n_rows, n_samples)."""
    if bits.shape[1] != (n_samples + 7) // 8:
        raise ValueError(f"{n_samples} samples take {(n_samples + 7) // 8} bytes a row; got {bits.shape[1]}")
    return np.unpackbits(bits, axis=1, count=n_samples, bitorder="little").astype(np.bool_)
