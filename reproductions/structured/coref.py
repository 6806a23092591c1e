"""Recalibration of coreference: events "this link is right" and "this cluster is right".

Covers: features by what they cost, in the spirit of Table 1 of Kuleshov & Liang.
Not here: the model (`calib_core.coref`), the page (`structured`).

The best clustering stands for the MAP labelling. A link joins a mention to the nearest earlier member of its entity; it
is right if both are in one gold entity. A cluster of at least two mentions is right if it is a gold entity, mention by
mention.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.calibration import margin
from calib_core.coref import (
    AntecedentModel,
    Antecedents,
    Mentions,
    antecedent_probabilities,
    clusters_of,
    detect_mentions,
    entity_marginals,
    gold_entities,
    map_clustering,
    pair_marginals,
)
from calib_core.coref.features.columns import TYPE
from calib_core.coref.features.properties import mention_arrays
from calib_core.coref.mentions.lexicon import N_TYPES
from calib_core.document import Document
from reproductions.structured.events import Events

LINK_GROUPS = {
    "none: antecedent margin": ["local"],
    "MAP: frequency, neighbours, type": ["frequency", "neighbours", "type"],
    "MAP: pseudomargin": ["pseudo"],
    "MAP: all": ["frequency", "neighbours", "type", "pseudo"],
    "marginals: pair": ["marginal"],
    "marginals: pair, concordance": ["marginal", "concordance"],
    "all": ["local", "frequency", "neighbours", "type", "pseudo", "marginal", "concordance"],
}
CLUSTER_GROUPS = {
    "none: antecedent margin": ["local"],
    "MAP: size": ["size"],
    "MAP: size, admissible": ["size", "admissible"],
    "MAP: pseudomargin": ["pseudo"],
    "MAP: all": ["size", "admissible", "pseudo"],
    "marginals: least pair": ["least"],
    "marginals: entity": ["entity"],
    "all": ["local", "size", "admissible", "pseudo", "least", "entity"],
}


@dataclass(frozen=True, slots=True)
class Reading:
    """One document as the model reads it; arrays have one entry per mention."""

    mentions: Mentions
    gold: Ints
    entities: Ints
    nearest: Ints
    """The nearest earlier mention of the same entity, -1 for none."""
    local: Floats
    """Margin of the mention's antecedent distribution: what one sees without any clustering."""
    pseudo: Floats
    """P(own entity) minus P(next best entity or NEW), all other mentions as in the best clustering."""
    types: Ints
    together: Floats
    """Exact pair marginals, shape (n, n)."""
    of_entity: Floats
    """Exact probability of each entity."""


def read_document(model: AntecedentModel, document: Document) -> Reading:
    """Everything that the features need."""
    mentions = detect_mentions(document)
    arrays = mention_arrays(document, mentions)
    antecedents = model.score(arrays)
    entities = map_clustering(antecedents)
    local, pseudo = _margins(antecedents, entities)
    return Reading(
        mentions,
        gold_entities(document, mentions),
        entities,
        np.array([_last(np.flatnonzero(entities[:j] == entities[j])) for j in range(len(entities))], dtype=np.int64),
        local,
        pseudo,
        arrays.props[:, TYPE],
        pair_marginals(antecedents),
        entity_marginals(antecedents, entities),
    )


def _last(found: Ints) -> int:
    return int(found[-1]) if len(found) else -1


def _margins(antecedents: Antecedents, entities: Ints) -> tuple[Floats, Floats]:
    """Margins among single antecedents, and among whole entities and NEW."""
    p = antecedent_probabilities(antecedents)
    local, pseudo = np.ones(len(antecedents)), np.ones(len(antecedents))
    for j in range(len(antecedents)):
        entries = slice(antecedents.offsets[j], antecedents.offsets[j + 1])
        candidates = antecedents.candidates[entries]
        if len(candidates) < 2:
            continue
        local[j] = margin(p[entries])
        summed = np.zeros(j + 2)
        np.add.at(summed, np.where(candidates < 0, j + 1, entities[candidates]), p[entries])
        own = j + 1 if not (entities[:j] == entities[j]).any() else entities[j]
        pseudo[j] = summed[own] - np.delete(summed, own).max()
    return local, pseudo


def coref_events(model: AntecedentModel, documents: Sequence[Document]) -> tuple[Events, Events]:
    """Events about links, and about clusters, of documents that the model has not seen."""
    readings = [read_document(model, document) for document in documents]
    links = [_links(reading) for reading in readings]
    clusters = [_clusters(reading, document) for reading, document in zip(readings, documents, strict=True)]
    return _pooled(links), _pooled(clusters)


def _links(reading: Reading) -> dict[str, Floats]:
    later = np.flatnonzero(reading.nearest >= 0)
    earlier, n = reading.nearest[later], max(1, len(reading.gold))
    size = np.bincount(reading.entities, minlength=1)
    near = _beside(reading.entities)
    p = np.clip(reading.together[later, earlier], 0.0, 1.0)
    return {
        "raw": p,
        "holds": (reading.gold[later] >= 0) & (reading.gold[later] == reading.gold[earlier]),
        "local": reading.local[later],
        "frequency": size[reading.entities[later]] / n,
        "neighbours": near[later],
        "type": np.eye(N_TYPES)[reading.types[later]],
        "pseudo": reading.pseudo[later],
        "marginal": p,
        "concordance": (p > 0.5).astype(np.float64),
    }


def _beside(entities: Ints) -> Floats:
    """How many of the two neighbouring mentions are in the same entity."""
    same = (entities[1:] == entities[:-1]).astype(np.float64)
    return np.pad(same, (0, 1)) + np.pad(same, (1, 0)) if len(entities) else np.zeros(0)


def _clusters(reading: Reading, document: Document) -> dict[str, Floats]:
    members = [np.flatnonzero(reading.entities == e) for e in range(len(reading.of_entity))]
    kept = [number for number, inside in enumerate(members) if len(inside) > 1]
    chosen = [members[number] for number in kept]
    gold = {frozenset(cluster) for cluster in document.clusters or ()}
    whole = clusters_of(reading.entities, reading.mentions, singletons=True)
    return {
        "raw": reading.of_entity[kept],
        "holds": np.array([frozenset(whole[number]) in gold for number in kept], dtype=np.bool_),
        "local": np.array([reading.local[inside[1:]].min() for inside in chosen]),
        "size": np.array([len(inside) for inside in chosen], dtype=np.float64),
        "admissible": np.array([_disjoint(reading.mentions, inside) for inside in chosen], dtype=np.float64),
        "pseudo": np.array([reading.pseudo[inside].min() for inside in chosen]),
        "least": np.array([_least(reading, inside) for inside in chosen]),
        "entity": reading.of_entity[kept],
    }


def _disjoint(mentions: Mentions, inside: Ints) -> bool:
    """Whether no mention of a cluster lies in another: a phrase does not refer to a part of itself."""
    return bool((mentions.starts[inside][1:] >= np.maximum.accumulate(mentions.ends[inside])[:-1]).all())


def _least(reading: Reading, inside: Ints) -> float:
    """The smallest marginal of a link between a member and its nearest predecessor."""
    return float(min(reading.together[later, earlier] for earlier, later in pairwise(inside.tolist())))


def _pooled(parts: Sequence[dict[str, Floats]]) -> Events:
    example = np.repeat(np.arange(len(parts)), [len(part["raw"]) for part in parts])
    columns = {name: np.concatenate([part[name] for part in parts if len(part["raw"])]) for name in parts[0]}
    return Events(columns.pop("raw"), columns.pop("holds").astype(np.bool_), example, columns)
