from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from calib_core.anchoring import COLD, no_cold, pooled_draws
from calib_core.anchoring.pooled import fit_effects, pool_rows
from tests.calib_core.anchoring.archives import sampled_from, simulated


def drawn(budget=300, seed=0):
    archive = simulated()
    sampled, cold = sampled_from(archive, np.random.default_rng(seed).random(2000), budget)
    outside = archive.stratum != COLD
    cells = {name: getattr(cold, name)[14:] for name in ("group_size", "group_labelled", "low", "high")}
    return archive, sampled, archive.country[outside], archive.quarter[outside], replace(cold, **cells)


def test_a_full_census_gives_the_truth_in_every_draw():
    archive, sampled, country, quarter, cold = drawn(2000)
    counts = pooled_draws(sampled, country, quarter, cold, n_draws=5)
    assert (counts.reshape(5, 40) == (archive.truth @ archive.groups)[14:]).all()


def test_pools_count_every_row_once():
    _, sampled, country, quarter, _ = drawn()
    pools = pool_rows(sampled, country, quarter)
    assert pools.read.sum() == sampled.labelled.sum()
    assert pools.found.sum() == sampled.low[sampled.labelled].sum()
    assert (pools.read + pools.unread + pools.unsure).sum() == 1200


def test_newton_finds_what_a_general_optimiser_finds():
    _, sampled, country, quarter, _ = drawn()
    pools = pool_rows(sampled, country, quarter)
    spread = np.full(pools.effects.shape[1], 0.5)

    def loss(effects):
        z = pools.offset + pools.effects @ effects
        value = pools.read @ np.logaddexp(0, z) - pools.found @ z + (effects**2 / spread**2).sum() / 2
        return value, pools.effects.T @ (pools.read * expit(z) - pools.found) + effects / spread**2

    best = minimize(loss, np.zeros(len(spread)), jac=True, method="BFGS", options={"gtol": 1e-8}).x
    assert fit_effects(pools, spread).mode == pytest.approx(best, abs=1e-6)


def test_unsure_rows_may_be_events_or_not():
    _, sampled, country, quarter, _ = drawn(2000)
    unsure = np.arange(1200) < 200
    doubtful = replace(sampled, low=np.where(unsure, 0, sampled.low), high=np.where(unsure, 1, sampled.high))
    totals = pooled_draws(doubtful, country, quarter, no_cold(40), n_draws=50).sum(axis=(1, 2))
    assert totals.std() > 0
    assert totals.min() >= sampled.low[~unsure].sum()


def test_the_same_seed_gives_the_same_draws():
    _, sampled, country, quarter, cold = drawn(100)
    draws = [pooled_draws(sampled, country, quarter, cold, n_draws=20, seed=s) for s in (1, 1, 2)]
    assert (draws[0] == draws[1]).all()
    assert (draws[0] != draws[2]).any()


def test_cold_groups_that_are_not_the_cells_are_refused():
    _, sampled, country, quarter, _ = drawn(100)
    with pytest.raises(ValueError, match="cold must have a group per cell, 40; got 3"):
        pooled_draws(sampled, country, quarter, no_cold(3))


@pytest.mark.slow
def test_draws_hold_the_truth_of_cells_and_totals():
    held = np.zeros(41)
    for seed in range(60):
        archive, sampled, country, quarter, cold = drawn(300, seed)
        counts = pooled_draws(sampled, country, quarter, cold, n_draws=400).reshape(400, 40)
        counts = np.column_stack([counts.sum(axis=1), counts])
        truth = (archive.truth @ archive.groups)[np.r_[0, 14:54]]
        low, high = np.quantile(counts, [0.025, 0.975], axis=0)
        held += (low <= truth) & (truth <= high)
    assert held[0] / 60 >= 0.88
    assert held[1:].mean() / 60 >= 0.93
