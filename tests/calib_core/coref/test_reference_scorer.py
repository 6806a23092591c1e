"""The scorers agree with the CoNLL reference scorer on its own test cases, where those are at hand."""

import csv
from pathlib import Path

import pytest

from calib_core.coref import read_key_clusters, score_documents

CASES = Path(__file__).resolve().parents[4] / "shared" / "data" / "scorer"
ROWS = list(csv.DictReader((CASES / "expected.tsv").read_text().splitlines(), delimiter="\t")) if CASES.is_dir() else []


@pytest.mark.skipif(not ROWS, reason="the reference scorer's test cases are not beside the repository")
def test_all_cases_are_here() -> None:
    assert len({row["case"] for row in ROWS}) == 14


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['case']}-{row['metric']}")
def test_agrees_with_the_reference_scorer(row: dict[str, str]) -> None:
    scores = score_documents(read_key_clusters(CASES / row["key"]), read_key_clusters(CASES / row["response"]))
    ours = scores.as_dict()[row["metric"]]
    for name in ("recall", "precision", "f1"):
        assert ours[name] == pytest.approx(float(row[name]), abs=1e-4)
