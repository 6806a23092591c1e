"""The probability of whole entities, against enumeration and samples."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from calib_core.coref import (
    Antecedents,
    antecedent_probabilities,
    entity_marginals,
    map_clustering,
    pair_marginals,
    sample_clusterings,
    sampled_pair_marginals,
)

Draw = Callable[..., Antecedents]


def by_enumeration(antecedents: Antecedents, entities: np.ndarray) -> list[float]:
    """Sum over every combination of antecedents in which the members, and no others, are together."""
    n, p = len(antecedents), antecedent_probabilities(antecedents)
    entries = [range(antecedents.offsets[j], antecedents.offsets[j + 1]) for j in range(n)]
    total = np.zeros(entities.max() + 1)
    for choice in product(*entries):
        drawn = np.arange(n)
        for j, k in enumerate(choice):
            if antecedents.candidates[k] >= 0:
                drawn[j] = drawn[antecedents.candidates[k]]
        for entity in range(len(total)):
            inside = entities == entity
            whole = len(set(drawn[inside])) == 1 and not set(drawn[inside]) & set(drawn[~inside])
            total[entity] += np.prod(p[list(choice)]) * whole
    return total.tolist()


def test_two_mentions_by_hand() -> None:
    halves = Antecedents(np.array([0, 1, 3]), np.array([-1, 0, -1]), np.log([1.0, 0.3, 0.7]))
    assert entity_marginals(halves, np.array([0, 0])).tolist() == pytest.approx([0.3])
    assert entity_marginals(halves, np.array([0, 1])).tolist() == pytest.approx([0.7, 0.7])


@pytest.mark.parametrize("seed", range(4))
def test_entities_equal_enumeration(random_antecedents: Draw, seed: int) -> None:
    antecedents = random_antecedents(6, seed)
    for entities in (map_clustering(antecedents), np.array([0, 1, 0, 2, 1, 0]), np.zeros(6, dtype=np.int64)):
        assert entity_marginals(antecedents, entities).tolist() == pytest.approx(by_enumeration(antecedents, entities))


def test_a_window_makes_entities_beyond_it_impossible(random_antecedents: Draw) -> None:
    assert entity_marginals(random_antecedents(4, 1, window=1), np.array([0, 1, 1, 0])).tolist()[0] == 0.0


def test_samples_agree_with_both_kinds_of_marginals(random_antecedents: Draw) -> None:
    antecedents = random_antecedents(12, 3)
    samples, entities = sample_clusterings(antecedents, 20_000, key=7), map_clustering(antecedents)
    assert np.abs(sampled_pair_marginals(samples) - pair_marginals(antecedents)).max() < 0.02
    for entity, p in enumerate(entity_marginals(antecedents, entities).tolist()):
        inside = entities == entity
        together = (samples[:, inside] == samples[:, inside][:, :1]).all(axis=1)
        apart = (samples[:, ~inside] != samples[:, inside][:, :1]).all(axis=1)
        assert (together & apart).mean() == pytest.approx(p, abs=0.02)


def test_what_does_not_fit_is_refused(random_antecedents: Draw) -> None:
    with pytest.raises(ValueError, match="one for each of 3 mentions; got 2"):
        entity_marginals(random_antecedents(3), np.array([0, 1]))
    with pytest.raises(ValueError, match="numbered from 0; got -1"):
        entity_marginals(random_antecedents(2), np.array([0, -1]))
    with pytest.raises(ValueError, match="at least 1 sample"):
        sampled_pair_marginals(np.zeros((0, 3), dtype=np.int32))
    assert entity_marginals(random_antecedents(0), np.zeros(0, dtype=np.int64)).tolist() == []
