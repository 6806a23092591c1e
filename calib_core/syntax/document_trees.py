"""The distributions over the trees of all sentences of a document, one after another in flat arrays.

Covers: joining sentences, taking one out again.
Not here: where the distributions come from and how they are stored (`workers`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.syntax.arcs import Arcs, Relations


@dataclass(frozen=True, slots=True)
class DocumentTrees:
    """Possible arcs and relations of a document of n tokens.

    Attributes
    ----------
    n_heads : shape (n,)
        How many possible heads each token has, at least 1.
    heads : shape (n_arcs,)
        Of each token in turn: positions *in its sentence* from 1, 0 for the root.
    scores : shape (n_arcs,)
        Log-probability of each arc, word by word.
    n_relations : shape (n_arcs,)
        How many possible relations each arc has, at least 1.
    labels : shape (n_entries,)
        Of each arc in turn: positions in `names`.
    label_scores : shape (n_entries,)
        Log-probability of each relation given its arc.
    names : tuple of str
        The relations.
    """

    n_heads: Ints
    heads: Ints
    scores: Floats
    n_relations: Ints
    labels: Ints
    label_scores: Floats
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse counts that do not add up."""
        for name, counts, owned in (
            ("heads", self.n_heads, (self.heads, self.scores, self.n_relations)),
            ("labels", self.n_relations, (self.labels, self.label_scores)),
        ):
            lengths = {len(array) for array in owned}
            if lengths != {int(counts.sum())}:
                raise ValueError(f"{name} must have {int(counts.sum())} entries in every array; got {sorted(lengths)}")

    @classmethod
    def of(cls, sentences: Sequence[tuple[Arcs, Relations]], names: tuple[str, ...]) -> "DocumentTrees":
        """Join sentences, in order of the document."""
        ints, floats = [np.zeros(0, np.int64)], [np.zeros(0)]
        return cls(
            n_heads=np.concatenate(ints + [np.diff(arcs.offsets) for arcs, _ in sentences]),
            heads=np.concatenate(ints + [arcs.heads for arcs, _ in sentences]),
            scores=np.concatenate(floats + [arcs.scores for arcs, _ in sentences]),
            n_relations=np.concatenate(ints + [np.diff(relations.offsets) for _, relations in sentences]),
            labels=np.concatenate(ints + [relations.labels for _, relations in sentences]),
            label_scores=np.concatenate(floats + [relations.scores for _, relations in sentences]),
            names=names,
        )

    def __len__(self) -> int:
        """Number of tokens."""
        return len(self.n_heads)

    def sentence(self, first: int, last: int) -> tuple[Arcs, Relations]:
        """Arcs and relations of the sentence of tokens `first` to `last`, the end excluded."""
        start, end = int(self.n_heads[:first].sum()), int(self.n_heads[:last].sum())
        begin, stop = int(self.n_relations[:start].sum()), int(self.n_relations[:end].sum())
        arcs = Arcs(_offsets(self.n_heads[first:last]), self.heads[start:end], self.scores[start:end])
        entries = self.labels[begin:stop], self.label_scores[begin:stop]
        return arcs, Relations(_offsets(self.n_relations[start:end]), *entries)


def _offsets(counts: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
