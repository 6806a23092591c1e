"""Decide which documents to label, and with what probability each of them was drawn.

Covers: how a budget of labels is split over three strata, inclusion probabilities, permanent random numbers, the draw.
Not here: what the labels then say about counts (`difference`), or what the cold stratum can hide (`cold`).

A larger budget only adds documents, by construction: each document keeps its random number, and no probability falls
when the budget grows. New documents would lower the probabilities of old ones; so a draw that extends an earlier one
takes the larger of both, and again only adds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Bools, Floats, Ints
from calib_core.calibration.inputs import check_at_least, check_tags
from calib_core.randomness import document_key

GATE, WARM, COLD = 0, 1, 2  # past the gate; gated out but close; the rest
N_STRATA = 3
STEPS = 150  # of budgets at which labelling may stop
_ROUNDING = 1e-9  # a share this close to a whole label counts as one


@dataclass(frozen=True, slots=True)
class Design:
    """How labels are spread; none of it depends on the budget."""

    shares: tuple[float, float, float] = (0.48, 0.24, 0.28)
    """Labels of the gate, warm and cold strata go by these numbers times the square root of the stratum's size."""
    floor: float = 0.05
    """Smallest standard deviation that a document past the gate is credited with: models are surer than right."""
    uniform: float = 0.3
    """Part of the gate's labels that ignores the model's doubt."""
    weight_cap: float = 5.0
    """No weight 1/π of the gate is more than this many times the weight of a uniform sample."""

    def __post_init__(self) -> None:
        if min(self.shares) < 0.0 or sum(self.shares) <= 0.0:
            raise ValueError(f"shares must be at least 0 and not all 0; got {self.shares}")
        if not 0.0 <= self.uniform <= 1.0:
            raise ValueError(f"uniform must be in [0, 1]; got {self.uniform}")
        if self.floor <= 0.0:
            raise ValueError(f"floor must be above 0; got {self.floor}")
        if self.weight_cap < 1.0:
            raise ValueError(f"weight_cap must be at least 1; got {self.weight_cap}")


@dataclass(frozen=True, slots=True)
class Draw:
    """One entry per document, every array of shape (n_docs,)."""

    stratum: Ints
    pi: Floats
    """Probability of being drawn; 0 in a stratum that got no labels."""
    number: Floats
    """Permanent random number in [0, 1)."""
    drawn: Bools


@dataclass(frozen=True, slots=True)
class Earlier:
    """A draw that is to be extended: all that it drew is drawn again."""

    pi: Floats
    """Probability in the earlier draw, shape (n_docs,); 0 for documents that it did not know."""
    cold_number: float
    """Largest permanent number that it drew in the cold stratum; -1 without any."""


def permanent_numbers(seed: int, doc_ids: Sequence[str]) -> Floats:
    """A number in [0, 1) for each document, the same in every frame and on every machine.

    >>> bool(permanent_numbers(0, ["a", "b"])[1] == permanent_numbers(0, ["b"])[0])
    True
    """
    return np.array([(document_key(seed, doc_id) >> 11) * 2.0**-53 for doc_id in doc_ids], dtype=np.float64)


def score_spread(document: Ints, p: Floats, n_docs: int) -> Floats:
    """Standard deviation of each document's number of events, √Σp(1 − p) over its pairs with a country.

    Parameters
    ----------
    document, p : shape (n_pairs,)
        The document of each pair, in [0, n_docs), and the model's probability of its event.
    """
    return np.sqrt(np.bincount(document, weights=p * (1.0 - p), minlength=n_docs))


def allocate(budget: int, sizes: Ints, shares: Sequence[float] | Floats) -> Floats:
    """Expected labels in each stratum; what a small stratum cannot use goes to the others in proportion.

    The cold stratum's number is whole, rounded down, so that the sum may fall short of the budget by less than one.
    """
    check_at_least("budget", budget, 0)
    if len(sizes) != N_STRATA:
        raise ValueError(f"sizes must have {N_STRATA} entries; got {len(sizes)}")
    # a stratum without a share is used only when all others are exhausted
    share = np.maximum(np.asarray(shares, dtype=np.float64), _ROUNDING)
    labels = sizes * fill(np.where(sizes > 0, share / np.maximum(sizes, 1), 0.0), sizes, budget)
    labels[COLD] = np.floor(labels[COLD] + _ROUNDING)
    return labels


def fill(size: Floats, count: Ints, budget: float) -> Floats:
    """Rates min(1, t · size) with the t at which Σ count · rate is the budget; no rate falls when the budget grows.

    Parameters
    ----------
    size : shape (n,)
        Positive, except where `count` is 0.
    count : shape (n,)
        How many units share each size.
    """
    if budget >= count.sum():
        return np.where(count > 0, 1.0, 0.0)
    order = np.argsort(-size, kind="stable")
    numbers, mass = count[order], (count * size)[order]
    before = np.cumsum(numbers) - numbers  # units that are certain if the k largest sizes are
    rest = np.cumsum(mass[::-1])[::-1]
    enough = np.flatnonzero(((budget - before) * size[order] <= rest) & (rest > 0.0))
    if not len(enough):  # only by rounding, when the budget is all but everything
        return np.where(count > 0, 1.0, 0.0)
    first = enough[0]
    return np.minimum(1.0, (budget - before[first]) / rest[first] * size)


def gate_sizes(spread: Floats, design: Design) -> Floats:
    """What inclusion past the gate is proportional to: mean 1, and at least 1 / weight_cap."""
    if not len(spread):
        return np.zeros(0)
    doubt = np.maximum(spread, design.floor)
    uniform = max(design.uniform, 1.0 / design.weight_cap)
    return (1.0 - uniform) * doubt / doubt.mean() + uniform


def inclusion(stratum: Ints, spread: Floats, budget: int, design: Design) -> Floats:
    """Probability that each document is drawn, shape (n_docs,); the sum is within one label of the budget.

    Parameters
    ----------
    stratum : shape (n_docs,)
        GATE, WARM or COLD.
    spread : shape (n_docs,)
        From `score_spread`; read past the gate only.
    """
    strata = check_tags(stratum, N_STRATA, "stratum")
    if strata.shape != spread.shape:
        raise ValueError(f"stratum and spread must have the same length; got {len(strata)} and {len(spread)}")
    sizes = np.bincount(strata, minlength=N_STRATA)
    labels = allocate(budget, sizes, np.asarray(design.shares) * np.sqrt(sizes))
    pi = (labels / np.maximum(sizes, 1))[strata]
    gate = strata == GATE
    weights = gate_sizes(spread[gate], design)
    if len(weights):
        pi[gate] = fill(weights, np.ones(len(weights), dtype=np.int64), float(labels[GATE]))
    return pi


def draw(
    stratum: Ints,
    spread: Floats,
    number: Floats,
    *,
    budget: int,
    design: Design | None = None,
    earlier: Earlier | None = None,
) -> Draw:
    """Draw documents: number < π in the gate and warm strata, the n smallest numbers in the cold one.

    The first is Poisson sampling, each document on its own. The second is a simple random sample, which the exact
    bound on the cold stratum needs. The number drawn therefore varies around the budget.

    Notes
    -----
    An extended draw takes every cold document whose number is not above the earlier draw's largest, so that new ones
    come in at the old rate. Their number is then random, and given it the sample is a simple random one, but for the
    single document that set the limit.
    """
    if number.shape != stratum.shape:
        raise ValueError(f"stratum and number must have the same length; got {len(stratum)} and {len(number)}")
    pi = inclusion(stratum, spread, budget, design or Design())
    cold = np.flatnonzero(stratum == COLD)
    n_cold = round(float(pi[cold].sum()))
    if earlier is not None:
        pi = np.where(stratum == COLD, pi, np.maximum(pi, earlier.pi))
        n_cold = max(n_cold, int((number[cold] <= earlier.cold_number).sum()))
        pi[cold] = n_cold / max(len(cold), 1)
    drawn = (number < pi) & (stratum != COLD)
    drawn[cold[np.argsort(number[cold], kind="stable")[:n_cold]]] = True
    return Draw(stratum=stratum, pi=pi, number=number, drawn=drawn)


def entry_budgets(
    stratum: Ints,
    spread: Floats,
    number: Floats,
    *,
    budget: int,
    design: Design | None = None,
    earlier: Earlier | None = None,
) -> Ints:
    """Smallest budget, in about `STEPS` even steps up to `budget`, that draws each document; -1 for those not drawn.

    Whoever labels in this order may stop anywhere: what is labelled then is the draw of a smaller budget.
    """
    entry = np.full(len(stratum), -1, dtype=np.int64)
    for smaller in budget_steps(budget)[::-1]:
        drawn = draw(stratum, spread, number, budget=smaller, design=design, earlier=earlier).drawn
        entry[drawn] = smaller
    return entry


def budget_steps(budget: int) -> list[int]:
    """Budgets at which labelling may stop, the last one included."""
    step = max(1, budget // STEPS)
    return sorted({*range(step, budget + 1, step), budget})
