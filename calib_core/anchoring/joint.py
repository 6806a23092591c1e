"""Joint draws of anchored counts, so that sums and differences of groups have intervals too.

Covers: draws from the estimates' sampling distribution.
Not here: the interval of one group, which does not rest on the normal distribution's shape alone (`interval`), draws
of small cells and of what the cold stratum hides (`pooled`).
"""

import numpy as np

from calib_core.anchoring.cold import ColdStratum
from calib_core.anchoring.difference import Sampled, covariance, group_totals
from calib_core.anchoring.interval import known_range
from calib_core.arrays import Floats, Ints


def design_draws(sampled: Sampled, cold: ColdStratum, hidden: Ints, *, seed: int = 0) -> Floats:
    """Draws of each group's count, shape (n_draws, n_groups).

    Parameters
    ----------
    hidden : shape (n_draws, n_groups)
        Draws of the events of each group in cold documents that nobody read, as `hidden_draws` gives them.

    Notes
    -----
    Normal with the covariance of `difference.covariance`, held to what is known for certain. Unsure labels count half.
    """
    rng = np.random.default_rng(seed)
    middle = (sampled.low + sampled.high) / 2.0
    values, vectors = np.linalg.eigh(covariance(sampled, middle))
    root = vectors * np.sqrt(np.maximum(values, 0.0))  # rounding may leave a variance just below 0
    seen = group_totals(sampled, middle) + rng.standard_normal((len(hidden), len(values))) @ root.T
    least, most = known_range(sampled)
    return np.clip(seen, least, most) + cold.low + hidden
