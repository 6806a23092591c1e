"""Documents whose gold entities are drawn from a known antecedent distribution."""

import numpy as np

from calib_core.coref import Antecedents, sample_clusterings
from calib_core.coref.mentions.lexicon import N_TYPES
from calib_core.coref.model.held_out import HeldOut
from calib_core.coref.recalibration.forms import Recalibration


def drawn_documents(n_documents: int, *, n_mentions: int = 30, seed: int = 0) -> list[HeldOut]:
    """Documents that a model with these logits describes exactly."""
    rng, documents = np.random.default_rng(seed), []
    for number in range(n_documents):
        entries = [[*range(j), -1] for j in range(n_mentions)]
        offsets = np.cumsum([0] + [len(row) for row in entries]).astype(np.int64)
        candidates = np.array([i for row in entries for i in row], dtype=np.int64)
        logits = rng.normal(0, 2, len(candidates))
        logits[offsets[1:] - 1] += 3.0
        antecedents = Antecedents(offsets, candidates, logits)
        entities = sample_clusterings(antecedents, 1, key=seed * 10_000 + number)[0].astype(np.int64)
        documents.append(HeldOut(antecedents, rng.integers(0, N_TYPES, n_mentions), entities))
    return documents


def seen_through(documents: list[HeldOut], distortion: Recalibration) -> list[HeldOut]:
    """The same documents as a model would state them whose logits are distorted."""
    return [document.recalibrated(distortion) for document in documents]
