"""The split of an answer's variance: by hand, against full enumeration, and without doubt about trees."""

from itertools import product

import numpy as np
import pytest

from calib_core.coref import NEW, Antecedents
from calib_core.events import Evidence, SampledEvidence, document_bits
from calib_core.events.variance import variance_parts
from tests.calib_core.events.documents import CODES

REPORTED = np.ones(len(CODES), dtype=np.bool_)


def reading(agent: list[bool]) -> Evidence:
    country = np.array([0, -1], dtype=np.int64)
    return Evidence(country, np.array(agent), country * 0, CODES, REPORTED)


def linked(p: float) -> Antecedents:
    """Mention 1 refers to mention 0, which names AAA, with probability p."""
    return Antecedents(np.array([0, 1, 3]), np.array([NEW, 0, NEW]), np.array([0.0, np.log(p), np.log(1 - p)]))


def truth(p: float, q: float) -> tuple[float, float, float]:
    """Total, coreference and syntax for X = C and T, with P(C) = p and P(T) = q, by enumeration."""
    weight = {(c, t): (p if c else 1 - p) * (q if t else 1 - q) for c, t in product((0, 1), repeat=2)}
    mean = sum(w * c * t for (c, t), w in weight.items())
    by_clustering = sum((p if c else 1 - p) * (c * q - mean) ** 2 for c in (0, 1))
    by_trees = sum((q if t else 1 - q) * (t * p - mean) ** 2 for t in (0, 1))
    return mean * (1 - mean), by_clustering, by_trees


@pytest.mark.parametrize(("p", "q"), [(0.5, 0.5), (0.8, 0.3), (0.3, 0.9)])
def test_parts_are_those_of_enumeration(p: float, q: float) -> None:
    """The agent is mention 1 in a share q of the trees, and nobody in the others."""
    which = (np.random.default_rng(0).random(100_000) >= q).astype(np.int64)
    evidence = SampledEvidence((reading([False, True]), reading([False, False])), which)
    parts = variance_parts(document_bits(evidence, linked(p), 100_000, key=3), unit="documents")
    found = float(parts.total[0]), float(parts.coreference[0]), float(parts.syntax[0])
    assert found == pytest.approx(truth(p, q), abs=0.005)


def test_few_samples_are_right_on_average() -> None:
    rng, found = np.random.default_rng(1), []
    for key in range(3_000):
        which = (rng.random(5) >= 0.3).astype(np.int64)
        evidence = SampledEvidence((reading([False, True]), reading([False, False])), which)
        parts = variance_parts(document_bits(evidence, linked(0.8), 5, key=key), unit="documents")
        found.append((parts.total[0], parts.coreference[0], parts.syntax[0]))
    assert np.mean(found, axis=0) == pytest.approx(truth(0.8, 0.3), abs=0.006)


def test_without_doubt_about_trees_all_is_coreference() -> None:
    samples = document_bits(reading([False, True]), linked(0.4), 200, key=1)
    parts = variance_parts(samples, unit="documents")
    assert samples.crossed is None
    assert parts.coreference.tolist() == parts.total.tolist()
    assert parts.syntax.tolist() == [0.0]
    p = float(samples.p[0])
    assert parts.total[0] == pytest.approx(p * (1 - p) * 200 / 199)


def test_without_doubt_about_coreference_all_is_syntax() -> None:
    which = np.random.default_rng(2).integers(0, 2, 20_000)
    evidence = SampledEvidence((reading([True, False]), reading([False, False])), which)
    parts = variance_parts(document_bits(evidence, linked(0.5), 20_000, key=1), unit="entities")
    assert parts.coreference[0] == pytest.approx(0.0, abs=0.01)
    assert parts.syntax[0] == pytest.approx(parts.total[0], abs=0.01)
