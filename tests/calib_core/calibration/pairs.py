"""Inputs that several tests draw from."""

import numpy as np
from hypothesis import strategies as st

# Few distinct values, so that ties and exact 0 and 1 are common.
PREDICTIONS = st.one_of(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0]), st.floats(0.0, 1.0))


@st.composite
def pairs(draw: st.DrawFn, min_size: int = 1, max_size: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Predictions and as many labels."""
    rows = draw(st.lists(st.tuples(PREDICTIONS, st.booleans()), min_size=min_size, max_size=max_size))
    pred, label = zip(*rows, strict=True)
    return np.array(pred), np.array(label)


def random_pairs(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Continuous predictions and labels that are somewhat miscalibrated."""
    rng = np.random.default_rng(seed)
    pred = rng.beta(0.4, 0.8, n)
    return pred, rng.random(n) < pred**1.3
