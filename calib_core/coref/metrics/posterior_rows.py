"""What one document says about a model's probabilities: stated probability beside what the annotators say.

Covers: rows for pairs of mentions, antecedents and NEW; the number of entities; the paper's sampled pairs.
Not here: errors over the rows of a corpus (`calib_core.calibration`), events (`calib_core.events.generic`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Bools, Floats, Ints
from calib_core.coref.model.held_out import HeldOut, correct_entries
from calib_core.coref.posterior.marginals import antecedent_probabilities, pair_marginals
from calib_core.coref.posterior.sampling import Entities, sample_clusterings
from calib_core.kernels import kernel
from calib_core.randomness import uniform


@dataclass(frozen=True, slots=True)
class Rows:
    """Stated probabilities and 0/1 answers, both of shape (n_rows,)."""

    pred: Floats
    label: Floats


@dataclass(frozen=True, slots=True)
class PairRows:
    """Every pair of mentions; arrays have shape (n_pairs,).

    Attributes
    ----------
    pred, label
        Exact probability that the two corefer, and whether they do.
    earlier, later
        Positions of the two mentions.
    """

    pred: Floats
    label: Floats
    earlier: Ints
    later: Ints


def pair_rows(document: HeldOut) -> PairRows:
    """All pairs of one document, by the exact marginals."""
    later, earlier = np.tril_indices(len(document.entities), -1)
    pred = np.clip(pair_marginals(document.antecedents)[later, earlier], 0.0, 1.0)
    return PairRows(pred, _same(document.entities, later, earlier), earlier, later)


def sampled_pair_rows(document: HeldOut, n_samples: int, *, key: int) -> Rows:
    """The paper's protocol (section 5.3): the share of samples in which each pair corefers."""
    later, earlier = np.tril_indices(len(document.entities), -1)
    together = _share_together(sample_clusterings(document.antecedents, n_samples, key=key))
    return Rows(together[later, earlier], _same(document.entities, later, earlier))


def new_rows(document: HeldOut) -> Rows:
    """For each mention P(NEW), and whether no earlier mention among its candidates corefers with it."""
    last = document.antecedents.offsets[1:] - 1
    right = correct_entries(document.antecedents, document.entities)
    return Rows(antecedent_probabilities(document.antecedents)[last], right[last].astype(np.float64))


def antecedent_rows(document: HeldOut, *, key: int) -> Rows:
    """For each candidate of each mention P(antecedent), and whether it is the antecedent.

    Which of several right candidates is the antecedent nobody annotates. One is drawn, with the model's own
    probabilities among the right ones: if the model is right, the drawn ones occur as often as it states.
    """
    antecedents = document.antecedents
    p, right = antecedent_probabilities(antecedents), correct_entries(antecedents, document.entities)
    drawn = _draw_right(antecedents.offsets, p, right, np.uint64(key))
    linked = antecedents.candidates >= 0
    return Rows(p[linked], drawn[linked].astype(np.float64))


def chain_counts(document: HeldOut, n_samples: int, *, key: int) -> tuple[Ints, int]:
    """In each sample the number of entities with two mentions or more, shape (n_samples,), and the true number."""
    sampled = sample_clusterings(document.antecedents, n_samples, key=key)
    counts = np.array([np.count_nonzero(np.bincount(one) > 1) for one in sampled], dtype=np.int64)
    gold = document.entities[document.entities >= 0]
    return counts, int(np.count_nonzero(np.bincount(gold) > 1)) if len(gold) else 0


def _same(entities: Ints, later: Ints, earlier: Ints) -> Floats:
    same = (entities[later] == entities[earlier]) & (entities[later] >= 0)
    return np.asarray(same, dtype=np.float64)


@kernel
def _share_together(entities: Entities) -> Floats:
    """Share of samples in which two mentions have one entity, shape (n_mentions, n_mentions), lower triangle."""
    n_samples, n = entities.shape
    together = np.zeros((n, n))
    for s in range(n_samples):
        for j in range(n):
            for i in range(j):
                together[j, i] += entities[s, i] == entities[s, j]
    return together / n_samples


@kernel
def _draw_right(offsets: Ints, p: Floats, right: Bools, key: np.uint64) -> Ints:
    """1 at one right entry of each mention, drawn in proportion to p."""
    drawn = np.zeros(len(p), dtype=np.int64)
    for j in range(len(offsets) - 1):
        total = 0.0
        for k in range(offsets[j], offsets[j + 1]):
            total += p[k] * right[k]
        left = uniform(key, np.uint64(j)) * total
        last = -1
        for k in range(offsets[j], offsets[j + 1]):
            if right[k]:
                last = k
                left -= p[k]
                if left < 0.0:
                    break
        drawn[last] = 1
    return drawn
