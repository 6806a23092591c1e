"""The Python blocks of docs/analyst.md run as they stand, one after the other."""

import re
from pathlib import Path

import pytest

from tests.report_warehouse import drawn_run
from workers.ingest import IngestConfig, ingest
from workers.storage import Warehouse

PAGE = Path(__file__).parents[2] / "docs" / "analyst.md"


@pytest.mark.slow
def test_every_block_runs_and_counts_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn_run(tmp_path / "warehouse", ["ERI", "ETH", "IRQ"], first=1998, quarters=12, per_cell=4)
    article = '{"doc_id": "1999Q3-ERI-0", "published": "1999-08-01", "title": "T", "text": "x", "source": ""}\n'
    (tmp_path / "a.jsonl").write_text(article)
    ingest([str(tmp_path / "a.jsonl")], Warehouse.open(tmp_path / "warehouse"), IngestConfig())
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S):
        exec(compile(block, "analyst.md", "exec"), space)  # noqa: S102 - our own document
    printed = capsys.readouterr().out
    assert "1999Q3-ERI-0" in printed
    assert re.search(r"posterior samples +slope", printed)
    answers = space["answers"]
    assert isinstance(answers, dict)
    assert answers["posterior means"][0] == pytest.approx(answers["posterior samples"][0])
    assert answers["posterior means"][1] < answers["posterior samples"][1]
