"""The Python blocks of docs/analyst.md run as they stand, one after the other; that for R with another reader."""

import re
import shutil
import subprocess
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.dyad_warehouse import dyad_run
from tests.report_warehouse import drawn_run
from workers.ingest import IngestConfig, ingest
from workers.runs import open_run
from workers.schemas import ANCHORED_DRAWS
from workers.storage import Warehouse

PAGE = Path(__file__).parents[2] / "docs" / "analyst.md"
R_PACKAGES = "stopifnot(all(sapply(c('dplyr', 'tidyr', 'jsonlite'), requireNamespace, quietly = TRUE)))"
R_READER = """read_parquet <- function(path)
  tibble::as_tibble(jsonlite::fromJSON(paste0(path, ".json"), simplifyMatrix = FALSE))
"""
"""In place of Arrow's, which few machines have: the same columns from a JSON export."""


@pytest.mark.slow
def test_every_block_runs_and_counts_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn_run(tmp_path / "warehouse", ["ERI", "ETH", "IRQ"], first=1998, quarters=12, per_cell=4)
    article = '{"doc_id": "1999Q3-ERI-0", "published": "1999-08-01", "title": "T", "text": "x", "source": ""}\n'
    (tmp_path / "a.jsonl").write_text(article)
    ingest([str(tmp_path / "a.jsonl")], Warehouse.open(tmp_path / "warehouse"), IngestConfig())
    write_anchored_draws(tmp_path / "warehouse")
    (tmp_path / "d").mkdir()
    dyad_run(tmp_path / "d").rename(tmp_path / "dyads")
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S):
        exec(compile(block, "analyst.md", "exec"), space)  # noqa: S102 - our own document
    printed = capsys.readouterr().out
    assert "1999Q3-ERI-0" in printed
    assert re.search(r"posterior samples +slope", printed)
    assert "IRQ" in printed[printed.index("one_best") :]
    assert "not attributed: 1.0" in printed
    answers = space["answers"]
    assert isinstance(answers, dict)
    assert answers["posterior means"][0] == pytest.approx(answers["posterior samples"][0])
    assert answers["anchored draws"][1] > answers["posterior samples"][1]
    assert answers["posterior means"][1] < answers["posterior samples"][1]


def write_anchored_draws(root: Path) -> None:
    """Joint draws as `credence anchor` publishes them: the posterior samples of each cell, with more noise."""
    run, rng, rows = open_run(Warehouse.open(root)), np.random.default_rng(0), []
    for row in run.counts().to_pylist():
        draws = np.resize(row["samples"], 200) + rng.normal(0, 1, 200)
        rows.append(
            {"level": "cell", "quarter": row["quarter"], "country": row["country"], "tier": "B", "draws": draws}
        )
    for country in {row["country"] for row in rows}:
        total = sum(row["draws"] for row in rows if row["country"] == country)
        rows.append({"level": "country", "quarter": None, "country": country, "tier": "A", "draws": total})
    table = pa.Table.from_pylist([row | {"target": None} for row in rows], schema=ANCHORED_DRAWS)
    run.warehouse.write_table(run.folder.anchored_draws, table)


def r_with_packages() -> str:
    """The program that runs R; the test is skipped where it or a package is missing."""
    program = shutil.which("Rscript")
    if program is None or subprocess.run([program, "-e", R_PACKAGES], capture_output=True).returncode != 0:
        pytest.skip("R with dplyr, tidyr and jsonlite is not installed")
    return program


@pytest.mark.slow
def test_block_for_r_finds_what_the_counts_say(tmp_path: Path) -> None:
    program = r_with_packages()
    drawn_run(tmp_path / "warehouse", ["ERI", "ETH", "IRQ"], first=1998, quarters=9, per_cell=4)
    counts = tmp_path / "warehouse" / "latest" / "counts.parquet"
    duckdb.sql(f"COPY (FROM '{counts}') TO '{counts}.json' (FORMAT json, ARRAY true)")
    found = re.search(r"```r\nlibrary\(arrow\)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert found
    script = "options(pillar.print_max = 50)\n" + R_READER + found[1]
    done = subprocess.run([program, "-"], input=script, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    table = re.findall(r"^ *\d+ (\d{4}Q\d) +([\d.]+) +([\d.]+)", done.stdout, flags=re.M)
    rows = {(row["quarter"], row["country"]): np.array(row["samples"]) for row in pq.read_table(counts).to_pylist()}
    assert [quarter for quarter, *_ in table] == [*sorted({quarter for quarter, _ in rows}), "2000Q3"]
    for quarter, above, _ in table[:-1]:
        eth, eri = rows.get((quarter, "ETH"), 0), rows.get((quarter, "ERI"), 0)
        assert float(above) == pytest.approx(np.mean(eth > eri), abs=0.006)
    assert table[-1][1:] == ("0", "1")  # no row of either: zero in every sample, so equal
    quarters = [f"{1998 + n // 4}Q{1 + n % 4}" for n in range(1, 9)]
    change = np.array([rows.get((q, "ETH"), 0) - rows.get((q, "ERI"), np.zeros(1)) for q in quarters])
    slope = re.search(r"slope +se *\n *(-?[\d.]+) +[\d.]+", done.stdout)
    assert slope
    assert float(slope[1]) == pytest.approx(np.polyfit(np.arange(8), change.mean(axis=1), 1)[0], abs=1e-5)
