"""Pairs with known calibration: the generator of the thesis, section 4.3, and its true error."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import quad
from scipy.special import ndtr
from scipy.stats import beta

from calib_core.arrays import Bools, Floats, Ints
from calib_core.calibration.inputs import check_at_least, check_pred


def distort(p: ArrayLike, k: float) -> Floats:
    """True frequency t(p) behind prediction p: pushed from the middle by k, so that the model is underconfident.

    The thesis prints min(0, p + k) for p > 0.5, which would be 0 everywhere, and tests x where it means p. It means
    min(1, p + k).
    """
    _check_shift(k)
    given = check_pred(p, "p")
    return np.where(given <= 0.5, np.maximum(0.0, given - k), np.minimum(1.0, given + k))


def synthetic_pairs(n: int, *, a: float = 0.2, b: float = 0.6, k: float = 0.0, seed: int = 0) -> tuple[Floats, Bools]:
    """Draw n predictions from Beta(a, b), and labels that happen with probability t(prediction).

    With k = 0 the pairs are perfectly calibrated. Small a and b put most predictions near 0 and 1, as language models
    do.
    """
    check_at_least("n", n, 1)
    _check_shape(a, b)
    rng = np.random.default_rng(seed)
    pred = rng.beta(a, b, n)
    return pred, rng.random(n) < distort(pred, k)


def synthetic_documents(
    n_documents: int,
    rows: int,
    *,
    a: float = 0.2,
    b: float = 0.6,
    k: float = 0.0,
    correlation: float = 0.3,
    seed: int = 0,
) -> tuple[Floats, Bools, Ints]:
    """Like `synthetic_pairs`, but the rows of a document err together, as the mention pairs of a real one do.

    A standard normal decides each label, and those of one document share `correlation` of their variance. Each single
    label still happens with probability t(prediction). Returns predictions, labels and document numbers.
    """
    check_at_least("n_documents", n_documents, 1)
    check_at_least("rows", rows, 1)
    _check_shape(a, b)
    if not 0 <= correlation <= 1:
        raise ValueError(f"correlation must be in [0, 1]; got {correlation}")
    rng, document = np.random.default_rng(seed), np.repeat(np.arange(n_documents), rows)
    pred = rng.beta(a, b, len(document))
    shared, own = rng.standard_normal(n_documents)[document], rng.standard_normal(len(document))
    latent = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own
    return pred, ndtr(latent) < distort(pred, k), document


def true_calibration_error(*, a: float = 0.2, b: float = 0.6, k: float = 0.0) -> float:
    """sqrt(E (q - t(q))²) of `synthetic_pairs`: what an estimate approaches with more rows and narrower bins."""
    _check_shape(a, b)
    _check_shift(k)
    if not k:
        return 0.0
    # the gap is k except near 0 and 1, where t is cut off: there it is q, or 1 - q
    low = quad(lambda q: q**2 * beta.pdf(q, a, b), 0, k)[0]
    high = quad(lambda q: (1 - q) ** 2 * beta.pdf(q, a, b), 1 - k, 1)[0]
    middle = beta.cdf(1 - k, a, b) - beta.cdf(k, a, b)
    return float(np.sqrt(low + high + k**2 * middle))


def _check_shift(k: float) -> None:
    if not 0 <= k <= 0.5:
        raise ValueError(f"k must be in [0, 0.5]; got {k}")


def _check_shape(a: float, b: float) -> None:
    if not (a > 0 and b > 0):
        raise ValueError(f"a and b must be positive; got {a} and {b}")
