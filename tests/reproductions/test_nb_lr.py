import zipfile
from pathlib import Path

import numpy as np
import pytest

from calib_core.calibration import calibration_error
from reproductions.findings import DataFolder
from reproductions.nb_lr import experiment as nb_lr
from reproductions.stages import Stages

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def write_snippets(root: Path, n: int, seed: int = 0) -> DataFolder:
    """Made-up reviews: words lean to one sentiment, and come in fours, which Naive Bayes takes for four reasons."""
    rng = np.random.default_rng(seed)
    (root / "tagging").mkdir()
    with zipfile.ZipFile(root / "tagging" / "sentence_polarity.zip", "w") as archive:
        for name, lean in (("neg", -0.5), ("pos", 0.5)):
            words = np.clip(rng.normal(lean, 1.0, (n, 6)).round(), -3, 3).astype(int)
            lines = [" ".join(f"a{word} b{word} c{word} d{word}" for word in row) for row in words]
            archive.writestr(f"sentence_polarity/rt-polarity.{name}", "\n".join(lines))
    return DataFolder(root)


def test_words_that_come_together_cost_naive_bayes_its_calibration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nb_lr, "STRENGTH", (0.3, 1.0))  # on easy data F1 is the same for any penalty
    found = nb_lr.run(write_snippets(tmp_path, 800), Stages(), 0)
    ours = {row.figure: row.ours for row in found.rows}
    assert ours["CalibErr, Naive Bayes"] > ours["CalibErr, logistic regression"]
    assert {row.theirs for row in found.rows} >= {0.1048, 0.0409}
    estimate = found.claims[0].estimate
    assert estimate is not None
    assert estimate.value < 0.5


def test_every_snippet_is_tested_once_and_never_by_a_model_that_saw_it() -> None:
    folds = list(nb_lr.rotations(23, 0))
    assert sorted(np.concatenate([test for _, _, test in folds])) == list(range(23))
    for train, dev, test in folds:
        assert sorted(np.concatenate([train, dev, test])) == list(range(23))


def test_archive_without_the_reviews_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("README", "")
    with pytest.raises(ValueError, match=r"must hold sentence_polarity/rt-polarity\.neg; it holds README"):
        nb_lr.read_snippets(path)


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="needs the data folder")
def test_naive_bayes_is_twice_as_miscalibrated_on_the_reviews() -> None:
    texts, labels = nb_lr.read_snippets(DATA / "tagging" / "sentence_polarity.zip")
    rows = next(nb_lr.rotations(len(texts), 0))
    errors = {
        name: calibration_error(fold.pred, fold.label, n_bins=10) for name, fold in nb_lr.fit_fold(texts, labels, rows)
    }
    assert errors["NB"] > 1.5 * errors["LR"]
