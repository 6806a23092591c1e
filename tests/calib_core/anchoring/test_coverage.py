from dataclasses import replace

import numpy as np
import pytest

from calib_core.anchoring import anchored_counts, recalibrated
from tests.calib_core.anchoring.archives import sampled_from, simulated


def coverage(archive, budget, redraws=80):
    """Share of redraws whose intervals hold the truth: of the total, countries, quarters and cells."""
    rng, held = np.random.default_rng(1), np.zeros(54)
    truth, stories = archive.truth @ archive.groups, np.arange(1200)
    for _ in range(redraws):
        sampled, cold = sampled_from(archive, rng.random(2000), budget)
        counts = anchored_counts(recalibrated(sampled, stories), cold)
        held += (counts.lower <= truth + 1e-9) & (truth <= counts.upper + 1e-9)
    return [float(part.mean()) / redraws for part in np.split(held, [1, 6, 14])]


@pytest.mark.slow
@pytest.mark.parametrize("budget", [100, 300])
def test_intervals_hold_the_truth(budget):
    assert min(coverage(simulated(), budget)) >= 0.93


@pytest.mark.slow
def test_intervals_hold_even_if_the_model_says_the_opposite():
    archive = simulated()
    upside_down = replace(archive, score=np.where(archive.stratum == 0, 1 - archive.score, 0))
    assert min(coverage(upside_down, 200)) >= 0.93
