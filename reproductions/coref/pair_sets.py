"""Pairs of mentions with their predicted probability and their label, over documents that the model has not seen.

Covers: exact and sampled probabilities, cross-validation, novels that are parsed first.
Not here: the page (`experiment`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calib_core.arrays import Bools, Floats, Ints
from calib_core.coref import (
    AntecedentModel,
    TrainConfig,
    detect_mentions,
    gold_entities,
    pair_marginals,
    sample_clusterings,
    sampled_pair_marginals,
)
from calib_core.coref.features.properties import mention_arrays
from calib_core.coref.model.training import examples, train_examples
from calib_core.document import Document
from calib_core.randomness import document_key
from reproductions.findings import Progress


@dataclass(frozen=True, slots=True)
class PairSet:
    """Pairs of detected mentions; every array has shape (n_pairs,).

    Attributes
    ----------
    pred : Floats
        Exact probability that the two corefer.
    sampled : Floats
        The same estimated from samples; equal to `pred` where none were drawn.
    label : Bools
    annotated : Bools
        Whether both mentions are annotated, be it as singletons.
    document : Ints
    """

    pred: Floats
    sampled: Floats
    label: Bools
    annotated: Bools
    document: Ints

    def where(self, keep: Bools) -> "PairSet":
        """Some of the pairs."""
        return PairSet(self.pred[keep], self.sampled[keep], self.label[keep], self.annotated[keep], self.document[keep])


def document_pairs(model: AntecedentModel, document: Document, number: int, *, n_samples: int, seed: int) -> PairSet:
    """All pairs of one document."""
    mentions = detect_mentions(document)
    antecedents, gold = model.score(mention_arrays(document, mentions)), gold_entities(document, mentions)
    rows, columns = np.tril_indices(len(mentions), -1)
    exact = np.clip(pair_marginals(antecedents)[rows, columns], 0.0, 1.0)
    sampled = exact
    if n_samples:
        drawn = sample_clusterings(antecedents, n_samples, key=document_key(seed, document.doc_id))
        sampled = sampled_pair_marginals(drawn)[rows, columns]
    known = gold >= 0
    return PairSet(
        exact,
        sampled,
        known[rows] & (gold[rows] == gold[columns]),
        known[rows] & known[columns],
        np.full(len(rows), number),
    )


def joined(parts: Sequence[PairSet]) -> PairSet:
    """The pairs of several documents."""
    names = ("pred", "sampled", "label", "annotated", "document")
    return PairSet(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def corpus_pairs(
    model: AntecedentModel, documents: Iterable[Document], progress: Progress, *, n_samples: int, seed: int
) -> PairSet:
    """All pairs of all documents."""
    parts = []
    for number, document in enumerate(documents):
        parts.append(document_pairs(model, document, number, n_samples=n_samples, seed=seed))
        progress.advance(document.doc_id)
    return joined(parts)


def cross_validated_pairs(documents: Sequence[Document], progress: Progress, *, n_folds: int, seed: int) -> PairSet:
    """Every document's pairs, predicted by a model that was trained on the other folds."""
    prepared = examples(documents)
    fold = np.random.default_rng(seed).permutation(len(documents)) % n_folds
    config, parts = TrainConfig(members=1, seed=seed), []
    for k in range(n_folds):
        rest = [prepared[d] for d in np.flatnonzero(fold != k).tolist()]
        model = train_examples(rest, config, progress=lambda *_: progress.advance())
        parts += [
            document_pairs(model, documents[d], d, n_samples=0, seed=seed) for d in np.flatnonzero(fold == k).tolist()
        ]
    return joined(parts)


def with_offsets(document: Document) -> Document:
    """The document as if its words were written one after another with blanks: what the parser needs to read it."""
    lengths = np.array([len(word) for word in document.words], dtype=np.int64)
    ends = np.cumsum(lengths + 1) - 1
    return replace(document, starts=ends - lengths, ends=ends)


def parsed(
    documents: Iterable[Document], reparse: Callable[[Document], Document], progress: Progress
) -> list[Document]:
    """Trees for documents that come without."""
    trees = []
    for document in documents:
        trees.append(reparse(with_offsets(document)))
        progress.advance(document.doc_id)
    return trees
