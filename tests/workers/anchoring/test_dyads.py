import numpy as np
import pytest

from calib_core.anchoring import LabelledRows
from tests.anchored_warehouse import articles, published_run, true_codes
from workers.anchoring import answered_sample, estimate, list_groups
from workers.anchoring.evidence import gather, with_any_target
from workers.anchoring.groups import Group
from workers.anchoring.tables import RawCounts, table_rows
from workers.labelling import Verdict
from workers.labelling.drawing import DrawSettings, draw_frame

ROWS = articles(120)


@pytest.fixture
def groups(tmp_path):
    """All articles answered; every attack was on France, and the model gives each an even chance."""
    frame = draw_frame(published_run(tmp_path / "w", ROWS), DrawSettings(budget=120, seed=0), created="t")
    told = {row["doc_id"]: frozenset(f"{code}>FRA" for code in true_codes(row)) for row in ROWS}
    verdicts = {doc_id: Verdict(codes, codes, open=False) for doc_id, codes in told.items()}
    scores = {doc_id: {code: 0.5, f"{code[:3]}>*": 0.5} for doc_id, codes in told.items() for code in codes}
    return list_groups(gather(answered_sample(frame, verdicts), scores, dyads=True))


def test_an_event_with_a_target_is_one_with_any_target():
    assert with_any_target(frozenset({"USA>IRQ"}), dyads=True) == {"USA>IRQ", "USA>*"}
    assert with_any_target(frozenset({"USA"}), dyads=True) == {"USA>*"}
    assert with_any_target(frozenset({"USA>IRQ"}), dyads=False) == {"USA"}


def test_sums_count_each_event_once_whatever_its_targets(groups):
    assert isinstance(groups.labelled_rows(), LabelledRows)
    found = estimate(groups, n_draws=10, seed=0)
    truth = sum(len(true_codes(row)) for row in ROWS)
    assert found.design.estimate[groups.wide.index(Group("total"))] == pytest.approx(truth)
    countries = [n for n, group in enumerate(groups.wide) if group.level == "country"]
    assert found.design.estimate[countries].sum() == pytest.approx(truth)
    dyads = [n for n, group in enumerate(groups.cells) if group.target == "FRA"]
    assert found.cells[:, dyads].sum(axis=1) == pytest.approx(np.full(10, truth))


def test_rows_name_the_target(groups):
    raw = RawCounts(
        {("1987Q1", "IRQ", "*"): np.array([2, 4]), ("1987Q1", "IRQ", "FRA"): np.array([1, 3])},
        frozenset(),
        frozenset({"1987Q1"}),
    )
    rows = table_rows(estimate(groups, n_draws=10, seed=0), raw, "dyads")
    assert next(row for row in rows if row["level"] == "total")["raw_mean"] == 3
    cell = next(row for row in rows if (row["quarter"], row["country"], row["target"]) == ("1987Q1", "IRQ", "FRA"))
    assert cell["raw_mean"] == 2
