"""Small random documents for tests: evidence and antecedents without any text."""

import numpy as np

from calib_core.coref.model.antecedents import NEW, Antecedents
from calib_core.events import Evidence

CODES = ("AAA", "BBB", "CCC")


def random_antecedents(n: int, rng: np.random.Generator, *, spread: float = 1.5) -> Antecedents:
    """Every earlier mention and NEW, with normal logits; some candidates left out."""
    kept = [np.flatnonzero(rng.random(j) < 0.9) for j in range(n)]
    candidates = [np.append(earlier, NEW) for earlier in kept]
    offsets = np.cumsum([0] + [len(entries) for entries in candidates])
    flat = np.concatenate(candidates) if n else np.zeros(0, dtype=np.int64)
    return Antecedents(offsets.astype(np.int64), flat.astype(np.int64), rng.normal(0, spread, int(offsets[-1])))


def random_evidence(n: int, rng: np.random.Generator, *, country: float = 0.4, agent: float = 0.4) -> Evidence:
    """Countries (now and then several in one mention) and agents with these shares."""
    codes = rng.integers(0, len(CODES), n)
    codes = np.where(rng.random(n) < country, codes, -1)
    codes = np.where(rng.random(n) < 0.05, -2, codes)
    flags = np.zeros(n, dtype=np.int64)
    return Evidence(codes.astype(np.int64), rng.random(n) < agent, flags, CODES, np.ones(len(CODES), dtype=np.bool_))
