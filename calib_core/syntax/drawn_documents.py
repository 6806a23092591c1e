"""Whole documents with a sampled tree in every sentence: for studies that compute everything again on each.

Covers: replacing a document's trees by drawn ones.
Not here: drawing them (`sampling`), evidence without such copies (`calib_core.events.sampled_evidence`).
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from calib_core.document import Document
from calib_core.syntax.document_trees import DocumentTrees
from calib_core.syntax.sampling import sample_relations, sample_trees, sentence_key


def sampled_documents(document: Document, trees: DocumentTrees, n: int, *, seed: int) -> Iterator[Document]:
    """The document with a sampled tree in every sentence, n times; tags stay as they are."""
    heads, labels = np.tile(document.heads, (n, 1)), np.zeros((n, len(document)), dtype=np.int64)
    starts = np.flatnonzero(np.diff(document.sentences, prepend=-1)).tolist()
    for first, last in zip(starts, [*starts[1:], len(document)], strict=True):
        arcs, relations = trees.sentence(first, last)
        key = sentence_key(seed, document.doc_id, int(document.sentences[first]))
        drawn = sample_trees(arcs, n, key=key)
        labels[:, first:last] = relations.labels[sample_relations(relations, drawn, key=key)]
        heads[:, first:last] = np.where(arcs.heads[drawn] == 0, -1, arcs.heads[drawn] - 1 + first)
    for s in range(n):
        yield replace(document, heads=heads[s], deprels=tuple(trees.names[label] for label in labels[s].tolist()))
