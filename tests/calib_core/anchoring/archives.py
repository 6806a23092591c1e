"""A simulated archive whose model is blind to much, with the truth known."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from calib_core.anchoring import COLD, ColdStratum, Sampled, draw

N_COUNTRIES, N_QUARTERS = 5, 8


@dataclass(frozen=True)
class Archive:
    """One entry per document; groups: the total, countries, quarters, cells."""

    stratum: np.ndarray
    country: np.ndarray
    quarter: np.ndarray
    score: np.ndarray
    truth: np.ndarray

    @property
    def groups(self) -> np.ndarray:
        """Which document each group counts, shape (2000, 54)."""
        rows, groups = np.arange(len(self.truth)), np.zeros((len(self.truth), 14 + 40))
        groups[:, 0] = groups[rows, 1 + self.country] = groups[rows, 6 + self.quarter] = 1
        groups[rows, 14 + self.country * N_QUARTERS + self.quarter] = 1
        return groups


def simulated(seed: int = 0) -> Archive:
    """2,000 documents with about 200 events, half of which the model expects; worse for some countries than others."""
    rng = np.random.default_rng(seed)
    stratum = np.repeat([0, 1, 2], [700, 500, 800])
    country, quarter = rng.integers(0, N_COUNTRIES, 2000), rng.integers(0, N_QUARTERS, 2000)
    chance = np.choose(stratum, [rng.beta(0.4, 1.2, 2000), 0.06, 0.003])
    blindness = np.array([0.4, 0.6, 0.75, 0.75, 0.95])[country]
    score = np.where(stratum == 0, chance * blindness, 0.0)
    return Archive(stratum, country, quarter, score, (rng.random(2000) < chance).astype(float))


def sampled_from(archive: Archive, number: np.ndarray, budget: int) -> tuple[Sampled, ColdStratum]:
    """Draw and label with the truth."""
    spread, groups = np.sqrt(archive.score * (1 - archive.score)), archive.groups
    drawn = draw(archive.stratum, spread, number, budget=budget)
    cold = archive.stratum == COLD
    read, warm = cold & drawn.drawn, ~cold
    found = (archive.truth[read] @ groups[read]).astype(int)
    sizes = groups[cold].sum(axis=0).astype(int), groups[read].sum(axis=0).astype(int)
    sampled = Sampled(
        stratum=archive.stratum[warm],
        pi=drawn.pi[warm],
        labelled=drawn.drawn[warm],
        document=np.arange(int(warm.sum())),
        score=archive.score[warm],
        low=archive.truth[warm],
        high=archive.truth[warm],
        members=csr_array(groups[warm]),
    )
    return sampled, ColdStratum(int(cold.sum()), int(read.sum()), *sizes, found, found)
