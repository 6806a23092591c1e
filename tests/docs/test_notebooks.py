"""The cells of the notebooks run as they stand, one after the other; Jupyter itself is not needed for that."""

import json
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebooks" / "dyad_panel.ipynb"
DYADS = (("IRQ", "IRN"), ("IRN", "IRQ"), ("ETH", "ERI"), ("ERI", "ETH"), ("LBY", "TCD"))


def write_counts(path: Path) -> None:
    """Counts of a query with targets, in which attacks answer attacks; some quarters have no row."""
    rng, rows = np.random.default_rng(0), []
    truth = dict.fromkeys(DYADS, 4.0)
    for number in range(16):
        truth = {(a, b): rng.poisson(2 + 0.6 * truth.get((b, a), 0.0)) for a, b in DYADS}
        for (agent, target), count in truth.items():
            samples = rng.binomial(int(count), 0.9, 50)
            if samples.any():
                quarter = f"{1980 + number // 4}Q{number % 4 + 1}"
                rows += [
                    {"quarter": quarter, "country": agent, "target": to, "samples": samples} for to in (target, "*")
                ]
    path.parent.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows), path)


@pytest.fixture
def cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    write_counts(tmp_path / "warehouse" / "latest" / "counts.parquet")
    monkeypatch.chdir(tmp_path)
    space: dict[str, Any] = {}
    for number, cell in enumerate(json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), space)  # noqa: S102 - our own document
    return space


def test_the_panel_has_both_directions_and_every_quarter(cells: dict[str, Any]) -> None:
    assert cells["panel"].shape == (16, 6, 50)
    assert ("TCD", "LBY") in cells["dyads"]
    assert not cells["panel"][:, cells["dyads"].index(("TCD", "LBY"))].any()


def test_joint_draws_give_the_wider_interval(cells: dict[str, Any]) -> None:
    fits, answer = cells["fits"], cells["answer"]
    assert answer["slope"] == pytest.approx(np.mean(fits[:, 0]))
    assert answer["se"] ** 2 == pytest.approx(fits[:, 1].mean() + 1.02 * fits[:, 0].var(ddof=1))
    assert answer["se"] > np.sqrt(fits[:, 1].mean())


def test_the_slope_is_that_of_least_squares_with_dyad_effects(cells: dict[str, Any]) -> None:
    panel, reverse = cells["panel"], cells["reverse"]
    y, x = panel[1:, :, 0], panel[:-1, reverse, 0]
    effects = np.tile(np.eye(y.shape[1]), (y.shape[0], 1))
    coefficients, *_ = np.linalg.lstsq(np.column_stack([x.ravel(), effects]), y.ravel(), rcond=None)
    assert cells["fits"][0, 0] == pytest.approx(coefficients[0])


def test_the_plot_shows_one_pair_in_both_directions(cells: dict[str, Any]) -> None:
    assert isinstance(cells["chart"], alt.LayerChart)
    assert cells["busiest"][::-1] in cells["dyads"]
    assert len(cells["chart"].to_dict()["datasets"]) == 1


def test_the_notebook_is_kept_without_outputs() -> None:
    code = [cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
