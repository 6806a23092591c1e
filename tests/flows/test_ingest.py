import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app
from tests.workers.ingest.inputs import article, jsonl, rows, tree, write
from workers.storage import Warehouse

RUN = [sys.executable, "-c", "from flows.cli import main; main()", "ingest"]


@pytest.fixture
def news(tmp_path: Path) -> str:
    return write(tmp_path / "news.jsonl.gz", jsonl(article(1), article(2, "1987-04-05"), b"bad"))


def test_three_lines_say_what_happened(tmp_path: Path, news: str) -> None:
    result = CliRunner().invoke(app, ["ingest", news, "--out", str(tmp_path / "w")])
    assert result.exit_code == 0, result.output
    assert "2 added in 2 chunks, 0 already known, 0 duplicate ids left out, 1 quarantined." in result.stdout
    assert f"{tmp_path}/w/ingests/quarantine/*.parquet" in result.stdout
    assert len(rows(Warehouse.open(tmp_path / "w"))) == 2


def test_the_first_reasons_are_printed(tmp_path: Path, news: str) -> None:
    result = CliRunner().invoke(app, ["ingest", news, "--out", str(tmp_path / "w")])
    assert f"  1 × {news}, record 3: line must be a JSON object; got bad" in result.stdout


def test_it_fails_when_nothing_could_be_used(tmp_path: Path) -> None:
    other = write(tmp_path / "a.jsonl", b'{"id": 1, "date": "1987-03-31", "body": "A"}')
    result = CliRunner().invoke(app, ["ingest", other, "--out", str(tmp_path / "w")])
    assert result.exit_code == 1
    assert "(try --field doc_id=id --field published=date --field text=body)" in result.stdout
    assert "No record could be used, so the archive is as it was." in result.stdout


def test_json_is_all_that_stands_on_standard_output(tmp_path: Path, news: str) -> None:
    result = CliRunner().invoke(app, ["ingest", news, "--out", str(tmp_path / "w"), "--json"])
    report = json.loads(result.stdout)
    assert report["total"]["read"] == 3
    assert report["files"][news]["quarantined"] == 1
    assert len(report["chunks"]) == 2


def test_fields_named_otherwise(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", b"id,date,body\n1,1987-01-01,Text\n")
    names = ["--field", "doc_id=id", "--field", "published=date", "--field", "text=body"]
    result = CliRunner().invoke(app, ["ingest", path, "--out", str(tmp_path / "w"), *names])
    assert result.exit_code == 0, result.output


def test_several_files_are_listed(tmp_path: Path, news: str) -> None:
    other = write(tmp_path / "other[red].jsonl", jsonl(article(3)))
    result = CliRunner().invoke(app, ["ingest", news, other, "--out", str(tmp_path / "w")])
    assert "other[red].jsonl" in result.stdout


def test_refusal_exits_with_1_and_one_sentence(tmp_path: Path, news: str) -> None:
    result = CliRunner().invoke(app, ["ingest", news, news, "--out", str(tmp_path / "w")])
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "doc_id must be unique (--duplicates skip keeps the first); got 'a1' again" in result.stderr
    assert result.stderr.endswith("Nothing was published.\n")
    assert tree(tmp_path / "w") == {}
    skipping = CliRunner().invoke(app, ["ingest", news, news, "--out", str(tmp_path / "w"), "--duplicates", "skip"])
    assert "2 duplicate ids left out" in skipping.stdout


def test_damaged_file_exits_with_3(tmp_path: Path) -> None:
    whole = Path(
        write(tmp_path / "a.jsonl.gz", jsonl(*(article(n, text=f"{n * 7919}") for n in range(999))))
    ).read_bytes()
    (tmp_path / "a.jsonl.gz").write_bytes(whole[:-500])
    result = CliRunner().invoke(app, ["ingest", str(tmp_path / "a.jsonl.gz"), "--out", str(tmp_path / "w")])
    assert result.exit_code == 3
    assert "Cut off, so records are missing" in result.stdout


@pytest.mark.parametrize(
    "options",
    [
        ["--format", "pdf"],
        ["--duplicates", "merge"],
        ["--field", "text"],
        ["--field", "words=body"],
        ["--field", "text="],
        ["--dates", "monthly"],
        ["--encoding", "hex"],
    ],
)
def test_wrong_options_exit_with_2(tmp_path: Path, news: str, options: list[str]) -> None:
    result = CliRunner().invoke(app, ["ingest", news, "--out", str(tmp_path / "w"), *options])
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert not (tmp_path / "w").exists()


def test_unwritable_warehouse_is_named(news: str) -> None:
    result = CliRunner().invoke(app, ["ingest", news, "--out", "/proc/nowhere"])
    assert result.exit_code == 1
    assert result.stderr.startswith("credence ingest: /proc/nowhere: ")


def test_terminal_sees_a_bar_and_a_pipe_does_not(tmp_path: Path, news: str) -> None:
    main_end, terminal = pty.openpty()
    environment = {"TERM": "xterm", "PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [*RUN, news, "--out", str(tmp_path / "w")]
    shown = subprocess.run(command, stderr=terminal, stdout=subprocess.PIPE, check=True, env=environment)
    os.close(terminal)
    assert b"records" in os.read(main_end, 10_000)
    os.close(main_end)
    assert b"3 records read" in shown.stdout
    plain = subprocess.run(command, capture_output=True, check=True, env=environment)
    assert plain.stderr == b""
    assert b"2 already known" in plain.stdout


@pytest.mark.slow
def test_interrupt_leaves_the_archive_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    write(path, jsonl(*(article(n, text="word " * 200) for n in range(60_000))))
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [*RUN, str(path), "--out", str(tmp_path / "w")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        while not list((tmp_path / "w").glob(".aside/ingest/ingest-*/rows")):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in stderr
    assert tree(tmp_path / "w") == {}
