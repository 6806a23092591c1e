"""What is lost by keeping mentions and antecedents of the best tree in every sample: a study by brute force.

Covers: the same articles by sampled counts as shipped, and with everything computed again on each sampled tree.
Not here: the page (`experiment`).
"""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np

from calib_core.events import Query, TreeSamples, document_bits, gate, query_document
from calib_core.randomness import document_key
from calib_core.syntax import DocumentTrees, sampled_documents
from reproductions.findings import Progress
from workers.annotate import Annotator, AnnotatorConfig
from workers.annotation_table import Annotation

N_ARTICLES, N_TREES, PER_TREE = 40, 20, 5


@dataclass(frozen=True, slots=True)
class Recomputed:
    """Expected counts in three ways, and how far single probabilities are apart."""

    n: int
    n_trees: int
    kept: float
    recomputed: float
    best: float
    difference: float
    noise: float


def recomputed_counts(archive: Path, progress: Progress, *, seed: int) -> Recomputed:
    """The first articles past the gate of the paper's query."""
    annotator, query = Annotator(AnnotatorConfig()), Query.from_yaml("attack")
    progress.stage("mentions on every sampled tree", N_ARTICLES)
    kept: list[float] = []
    again: list[float] = []
    best: list[float] = []
    noise: list[float] = []
    for annotation in _annotations(archive, annotator):
        if annotation.trees is None:
            raise ValueError("the parser must state its doubt; this one does not")
        ours = _kept(annotation, query, seed, annotation.trees)
        theirs = _again(annotation, annotator, query, seed, annotation.trees)
        plain = _kept(annotation, query, seed, None)
        for country in sorted({*ours, *theirs, *plain}):
            share = ours.get(country, np.zeros(N_TREES * PER_TREE))
            kept.append(float(share.mean()))
            noise.append(abs(float(share[::2].mean() - share[1::2].mean())))
            again.append(theirs.get(country, 0.0))
            best.append(float(plain[country].mean()) if country in plain else 0.0)
        progress.advance()
    difference = float(np.abs(np.subtract(kept, again)).mean())
    return Recomputed(len(kept), N_TREES, sum(kept), sum(again), sum(best), difference, float(np.mean(noise)))


def _annotations(archive: Path, annotator: Annotator) -> Iterator[Annotation]:
    read = 0
    with gzip.open(archive, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if read < N_ARTICLES and gate(record["text"]):
                read += 1
                yield annotator.annotate(record["doc_id"], date.fromisoformat(record["published"]), "", record["text"])


def _kept(annotation: Annotation, query: Query, seed: int, trees: DocumentTrees | None) -> dict[str, np.ndarray]:
    """Whether each country counts, sample by sample, as counts do it."""
    n, year = N_TREES * PER_TREE, annotation.published.year
    samples = None if trees is None else TreeSamples(trees, n, seed)
    asked = query_document(annotation.document, annotation.linked, query, year=year, trees=samples)
    found = document_bits(asked.evidence, asked.antecedents, n, key=document_key(seed, annotation.doc_id))
    return {country: row > 0 for country, row in zip(found.country, found.entities, strict=True) if row.any()}


def _again(
    annotation: Annotation, annotator: Annotator, query: Query, seed: int, trees: DocumentTrees
) -> dict[str, float]:
    """Share of samples of each country, with mentions and antecedents of each sampled tree."""
    total: dict[str, float] = {}
    for number, document in enumerate(sampled_documents(annotation.document, trees, N_TREES, seed=seed)):
        asked = query_document(document, annotator.model.link(document), query, year=annotation.published.year)
        key = document_key(seed + 1 + number, annotation.doc_id)
        found = document_bits(asked.evidence, asked.antecedents, PER_TREE, key=key)
        for country, p in zip(found.country, found.p.tolist(), strict=True):
            total[country] = total.get(country, 0.0) + p / N_TREES
    return total
