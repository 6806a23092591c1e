"""Mini-batch AdaGrad for an objective that is a sum over batches: the estimator of the thesis's CRF.

Covers: the steps over the batches.
Not here: the objective (`crf`).
"""

from collections.abc import Callable, Sequence

import numpy as np

from calib_core.arrays import Floats

Objective = Callable[[Floats], tuple[float, Floats]]


def adagrad(
    batches: Sequence[Objective],
    n_weights: int,
    *,
    rate: float,
    n_epochs: int,
    seed: int,
    on_epoch: Callable[[int, float], None],
) -> Floats:
    """Weights after `n_epochs` passes over the batches in random order, from zero (Duchi, Hazan & Singer 2011).

    Each batch gives its value and its gradient; each weight moves by `rate` over the root of its summed squares.
    """
    rng, weights, squares = np.random.default_rng(seed), np.zeros(n_weights), np.full(n_weights, 1e-12)
    for epoch in range(1, n_epochs + 1):
        total = 0.0
        for number in rng.permutation(len(batches)):
            value, gradient = batches[number](weights)
            squares += gradient**2
            weights -= rate * gradient / np.sqrt(squares)
            total += value
        on_epoch(epoch, total)
    return weights
