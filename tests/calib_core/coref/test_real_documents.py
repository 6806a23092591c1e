"""The shipped model on OntoGUM dev, where that corpus is beside the repository."""

from pathlib import Path

import numpy as np
import pytest

from calib_core.coref import AntecedentModel, pair_marginals, read_corpus, sample_clusterings
from calib_core.coref.metrics.evaluation import evaluate
from calib_core.document import Document
from calib_core.randomness import document_key

DEV = Path(__file__).resolve().parents[4] / "shared" / "data" / "coref" / "ontogum" / "dev"
pytestmark = pytest.mark.skipif(not DEV.is_dir(), reason="OntoGUM dev is not beside the repository")


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    return list(read_corpus([DEV], drop_singletons=True))


def test_accuracy_and_calibration_meet_the_bar(documents: list[Document]) -> None:
    reports = evaluate(AntecedentModel.load(), documents)
    assert reports.scores().conll.f1 >= 0.645
    assert reports.calibration().value <= 0.018


@pytest.mark.parametrize("number", [3, 16])
def test_a_hundred_thousand_samples_agree_with_the_marginals(documents: list[Document], number: int) -> None:
    antecedents = AntecedentModel.load().antecedents(documents[number])
    exact = pair_marginals(antecedents)
    pairs = np.random.default_rng(0).integers(0, len(antecedents), (2, 3000))
    key, n = document_key(0, documents[number].doc_id), 100_000
    together = np.zeros(3000)
    for first in range(0, n, 10_000):
        entities = sample_clusterings(antecedents, 10_000, key=key, first_sample=first)
        together += np.sum(entities[:, pairs[0]] == entities[:, pairs[1]], axis=0)
    q = exact[pairs[0], pairs[1]]
    # Five standard deviations, and one count for pairs that are all but impossible.
    assert np.all(np.abs(together / n - q) <= 5 * np.sqrt(q * (1 - q) / n) + 2 / n)
