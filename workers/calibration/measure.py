"""The figures of one document, before or after recalibration.

Covers: rows for pairs, antecedents and NEW, counts of entities, events, scores of the 1-best; on a worker.
Not here: the tables over all documents (`metrics`, `event_figures`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.coref import Scores, clusters_of, map_clustering, sample_clusterings, score
from calib_core.coref.metrics.posterior_rows import (
    PairRows,
    Rows,
    antecedent_rows,
    chain_counts,
    new_rows,
    pair_rows,
    sampled_pair_rows,
)
from calib_core.coref.model.held_out import HeldOut, antecedent_loss
from calib_core.coref.recalibration.forms import Recalibration
from calib_core.events import document_bits
from calib_core.events.coverage import sample_pmf
from calib_core.events.generic import GenericEvent, generic_answers
from calib_core.events.readings import aligned
from calib_core.events.sampling import answers_under
from calib_core.randomness import document_key
from workers.calibration.prepare import EventTruth, Prepared


@dataclass(frozen=True, slots=True)
class MeasureConfig:
    """What to measure.

    Attributes
    ----------
    samples : int
        Clusterings to sample for events and chains.
    paper_samples, paper_repeats : int
        Clusterings to sample for pair probabilities as the paper does, and how often, to see the noise; 0: never.
    seed : int
    descriptions, verbs : frozenset of str
        Words of the generic events.
    """

    samples: int = 1000
    paper_samples: int = 0
    paper_repeats: int = 3
    seed: int = 0
    descriptions: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class EventRows:
    """The events of one document that could happen; arrays have shape (n_events,).

    Attributes
    ----------
    events : tuple
        Description and verb, or query and country.
    pred, label
        Share of samples in which the event happens, and whether it happens under the gold entities.
    best
        Whether it happens under the 1-best clustering.
    totals : shape (n_samples,)
        Number of events in each sample.
    """

    events: tuple[GenericEvent, ...]
    pred: Floats
    label: Floats
    best: Floats
    totals: Ints


@dataclass(frozen=True, slots=True)
class DocumentFigures:
    """Everything that one document contributes."""

    doc_id: str
    genre: str
    pairs: PairRows
    kinds: Ints
    sentences: Ints
    new: Rows
    antecedents: Rows
    loss: float
    chain_pmf: Floats
    chains: int
    events: EventRows
    end_to_end: EventRows | None
    queries: dict[str, EventRows]
    scores: Scores
    paper: tuple[Rows, ...]


@dataclass(frozen=True, slots=True)
class MeasureTask:
    """A prepared document and the recalibration of its antecedents."""

    prepared: Prepared
    recalibration: Recalibration


def measure(task: MeasureTask, config: MeasureConfig) -> DocumentFigures:
    """Measure one document; runs on a worker."""
    prepared = task.prepared
    document = prepared.held_out.recalibrated(task.recalibration)
    key = document_key(config.seed, prepared.doc_id)
    sampled = sample_clusterings(document.antecedents, config.samples, key=key).astype(np.int64)
    best = map_clustering(document.antecedents)
    chain_samples, chains = chain_counts(document, config.samples, key=key)
    return DocumentFigures(
        doc_id=prepared.doc_id,
        genre=prepared.genre,
        pairs=pair_rows(document),
        kinds=document.kinds,
        sentences=prepared.sentences,
        new=new_rows(document),
        antecedents=antecedent_rows(document, key=key),
        loss=antecedent_loss(document),
        chain_pmf=sample_pmf(chain_samples),
        chains=chains,
        events=_event_rows(prepared.events, prepared.events, sampled, best, config),
        end_to_end=None
        if prepared.on_gold_trees is None
        else _event_rows(prepared.events, prepared.on_gold_trees, sampled, best, config),
        queries=_query_rows(prepared, task.recalibration, config, key),
        scores=score(prepared.clusters, clusters_of(best, prepared.mentions)),
        paper=_paper_rows(document, prepared.doc_id, config),
    )


def _paper_rows(document: HeldOut, doc_id: str, config: MeasureConfig) -> tuple[Rows, ...]:
    if not config.paper_samples:
        return ()
    keys = [document_key(config.seed + 1 + repeat, doc_id) for repeat in range(config.paper_repeats)]
    return tuple(sampled_pair_rows(document, config.paper_samples, key=key) for key in keys)


def _event_rows(stated: EventTruth, truth: EventTruth, sampled: Ints, best: Ints, config: MeasureConfig) -> EventRows:
    """Events in the samples beside those under the gold entities; true ones that no sample has get probability 0."""
    words = (config.descriptions, config.verbs)
    events, answers = generic_answers(stated.evidence, np.vstack([sampled, best]), *words)
    happened = _happened(truth, words, plain=True)
    every, _ = generic_answers(stated.evidence, sampled[:0], *words, plain=True)
    missed = sorted(_happened(truth, words, plain=False) - set(every))
    nothing = np.zeros(len(missed))
    return EventRows(
        events=(*events, *missed),
        pred=np.append(answers[:, :-1].mean(axis=1), nothing),
        label=np.array([event in happened for event in (*events, *missed)], dtype=np.float64),
        best=np.append(answers[:, -1], nothing).astype(np.float64),
        totals=answers[:, :-1].sum(axis=0).astype(np.int64),
    )


def _happened(truth: EventTruth, words: tuple[frozenset[str], frozenset[str]], *, plain: bool) -> set[GenericEvent]:
    events, answers = generic_answers(truth.evidence, truth.entities[np.newaxis], *words, plain=plain)
    return {event for event, answer in zip(events, answers[:, 0], strict=True) if answer}


def _query_rows(
    prepared: Prepared, recalibration: Recalibration, config: MeasureConfig, key: int
) -> dict[str, EventRows]:
    rows = {}
    for name, asked_before in prepared.queries.items():
        asked = asked_before.recalibrated(recalibration)
        found = document_bits(asked.evidence, asked.antecedents, config.samples, key=key)
        truth = answers_under(aligned(asked.evidence)[0], prepared.events.entities[np.newaxis])
        happens = found.entities > 0
        rows[name] = EventRows(
            events=tuple((name, word) for word in found.words),
            pred=found.p,
            label=(truth[:, 0] > 0).astype(np.float64),
            best=(found.best > 0).astype(np.float64),
            totals=happens.sum(axis=0).astype(np.int64),
        )
    return rows
