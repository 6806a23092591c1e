"""The exact probability that a given set of mentions is one whole entity.

Covers: P(these mentions, and no others, are an entity), for every entity of a clustering at once.
Not here: pairs (`marginals`), other questions about whole clusterings (`sampling`).
"""

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.coref.model.antecedents import Antecedents
from calib_core.coref.posterior.marginals import antecedent_probabilities
from calib_core.kernels import kernel


def entity_marginals(antecedents: Antecedents, entities: Ints) -> Floats:
    """The probability of each entity of a clustering, shape (n_entities,).

    Parameters
    ----------
    antecedents : Antecedents
    entities : shape (n_mentions,)
        The entity of each mention, numbered from 0 without gaps, as `map_clustering` gives it.

    Notes
    -----
    A set C of mentions is an entity if and only if its first mention starts one, every other member attaches to an
    earlier member, and no mention outside attaches to a member. Mentions choose independently, so

        P(C) = P(a_first = NEW) · Π_{j ∈ C, j > first} Σ_{k ∈ C} P(a_j = k) · Π_{j ∉ C} (1 − Σ_{k ∈ C} P(a_j = k)).

    One pass over the candidates serves all entities. No sampling, though the number of clusterings is exponential.
    """
    if len(entities) != len(antecedents):
        raise ValueError(f"entities must be one for each of {len(antecedents)} mentions; got {len(entities)}")
    count = int(entities.max(initial=-1)) + 1
    if count and entities.min() < 0:
        raise ValueError(f"entities must be numbered from 0; got {entities.min()}")
    logs = np.zeros(count)
    _add_logs(antecedents.offsets, antecedents.candidates, antecedent_probabilities(antecedents), entities, logs)
    return np.exp(np.minimum(logs, 0.0))


@kernel
def _add_logs(offsets: Ints, candidates: Ints, probability: Floats, entities: Ints, logs: Floats) -> None:
    """Add the logarithm of every mention's factor to the entities that it affects."""
    seen = np.zeros(len(logs), dtype=np.bool_)
    toward = np.zeros(len(logs))
    for j in range(len(entities)):
        new, own = 0.0, entities[j]
        for k in range(offsets[j], offsets[j + 1]):
            if candidates[k] < 0:
                new += probability[k]
            else:
                toward[entities[candidates[k]]] += probability[k]
        logs[own] += np.log(toward[own] if seen[own] else new)
        for k in range(offsets[j], offsets[j + 1]):
            if candidates[k] >= 0:
                entity = entities[candidates[k]]
                if entity != own and toward[entity] > 0.0:
                    logs[entity] += np.log1p(-min(toward[entity], 1.0))
                toward[entity] = 0.0
        seen[own] = True
