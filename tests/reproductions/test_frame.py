import struct
import zlib
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import altair as alt
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from calib_core.calibration import Estimate
from flows.jobs.progress import Progress
from reproductions import __main__ as command
from reproductions import writing
from reproductions.__main__ import app
from reproductions.catalogue import EXPERIMENTS, Experiment, find_experiment
from reproductions.findings import Claim, DataFolder, Findings, MissingDataError, Picture, Row
from reproductions.png import recompress
from reproductions.sources import SOURCES
from reproductions.stages import Stages
from reproductions.verdicts import Test
from reproductions.writing import write_findings


def small_findings(*, second_holds: bool = True) -> Findings:
    chart = alt.Chart(alt.Data(values=[{"x": 1, "y": 2}])).mark_point().encode(x="x:Q", y="y:Q")
    return Findings(
        they="They measured.",
        we="So did we.",
        data="Ours is smaller.",
        rows=(
            Row("Overall", "CalibErr, NB", 0.12, theirs=0.105, lo=0.11, hi=0.13, note="bins of 100"),
            Row("Overall", "pairs", 1000.0),
            Row("By tag", "NN", 0.5, detail=True),
        ),
        pictures=(Picture("", "A point.", chart), Picture("more", "Again.", chart)),
        claims=(Claim("A beats B.", "yes", "By far."), Claim("B is bad.", "yes" if second_holds else "no", "It is.")),
        verdict="A beats B.",
    )


@pytest.fixture
def experiment() -> Experiment:
    return Experiment(EXPERIMENTS[0].name, "A title", "A paper", "nowhere")


def test_page_table_pictures_and_index_are_written(tmp_path: Path, experiment: Experiment) -> None:
    name = experiment.name
    paths = write_findings(experiment, small_findings(), tmp_path)
    wanted = [f"{name}.parquet", f"{name}.png", f"{name}-more.png", f"{name}.md", "README.md"]
    assert [path.name for path in paths] == wanted
    assert all(path.stat().st_size for path in paths)


def test_page_shows_both_figures_and_leaves_details_to_the_table(tmp_path: Path, experiment: Experiment) -> None:
    write_findings(experiment, small_findings(), tmp_path)
    page = (tmp_path / f"{experiment.name}.md").read_text()
    assert "| CalibErr, NB | 0.1050 | 0.1200 | 0.1100 to 0.1300 | bins of 100 |" in page
    assert "By tag" not in page
    assert "**A beats B.** Holds. By far." in page
    table = pq.read_table(tmp_path / f"{experiment.name}.parquet")
    assert table.column("figure").to_pylist() == ["CalibErr, NB", "pairs", "NN"]


def test_page_shows_the_test_of_each_claim_and_the_table_keeps_it(tmp_path: Path, experiment: Experiment) -> None:
    test = Test("A is half of B.", "A / B", 0.4, 0.6)
    claims = (test.judged(Estimate(0.5, 0.45, 0.7), "Nearly."), test.untestable("No B."))
    write_findings(experiment, replace(small_findings(), claims=claims), tmp_path)
    page = (tmp_path / f"{experiment.name}.md").read_text()
    assert "| A is half of B. | A / B: 0.4 to 0.6 | 0.5000 | 0.4500 to 0.7000 | these data do not decide |" in page
    assert "| A is half of B. | A / B: 0.4 to 0.6 |  |  | not testable on these data |" in page
    assert "- **A is half of B.** These data do not decide. Nearly." in page
    last = pq.read_table(tmp_path / f"{experiment.name}.parquet").to_pylist()[-1]
    assert (last["table"], last["figure"], last["ours"], last["hi"]) == ("claims", "A is half of B.", 0.5, 0.7)


def test_index_lists_what_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, experiment: Experiment) -> None:
    listed = tmp_path / "moved.tsv"
    listed.write_text(f"experiment\ttable\tfigure\twas\twhy\n{experiment.name}\tOverall\tCalibErr, NB\t0.2\tmended\n")
    monkeypatch.setattr(writing, "MOVED", listed)
    write_findings(experiment, small_findings(), tmp_path)
    assert (
        f"| `{experiment.name}` | Overall: CalibErr, NB | 0.2000 | 0.1200 | mended |"
        in (tmp_path / "README.md").read_text()
    )


def test_index_tells_what_held_and_what_was_not_run(tmp_path: Path, experiment: Experiment) -> None:
    write_findings(experiment, small_findings(second_holds=False), tmp_path)
    index = (tmp_path / "README.md").read_text()
    assert "| 1 of 2 hold, 1 not | A beats B. |" in index
    assert index.count("not run") == len(EXPERIMENTS) - 1


def test_missing_file_is_named_with_the_folder(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match=r"tagging/x\.tsv is missing: looked for it in .*--data"):
        DataFolder(tmp_path).file("tagging/x.tsv")


def plain(output: str) -> str:
    """What Typer prints, without its box."""
    return " ".join(output.translate(str.maketrans("", "", "│╭╮╰╯─")).split())


@pytest.mark.parametrize("options", [[], ["--data", "here"]], ids=["no folder", "empty folder"])
def test_command_without_data_says_what_is_missing_and_where_to_get_it(tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "here").mkdir()
    with chdir(tmp_path):
        result = CliRunner().invoke(app, ["structured", "--out", "out", *options], env={"COLUMNS": "9999"})
    assert result.exit_code == 2
    said = plain(result.output)
    assert f"missing{' in here' if options else ''}: treebank/en_ewt-train.conllu, treebank/en_ewt-dev" in said
    assert "(UD English EWT: https://github.com/UniversalDependencies/UD_English-EWT)" in said
    assert "coref/ontogum/train, coref/ontogum/dev (OntoGUM: https://github.com/amir-zeldes/gum)" in said
    assert "name the folder that holds them with --data" in said
    assert not (tmp_path / "out").exists()


def test_all_tells_everything_that_is_missing_before_the_first_begins() -> None:
    result = CliRunner().invoke(app, ["all"], env={"COLUMNS": "9999"})
    assert result.exit_code == 2
    assert all(name in plain(result.output) for source in SOURCES.values() for name in (*source.files, source.address))


@pytest.mark.parametrize("experiment", [one for one in EXPERIMENTS if one.needs], ids=lambda one: one.name)
def test_files_that_an_experiment_opens_are_among_those_it_needs(experiment: Experiment, tmp_path: Path) -> None:
    known = {name for need in experiment.needs for name in SOURCES[need].files}
    opened: list[str] = []

    class Watched(DataFolder):
        def file(self, name: str) -> Path:
            opened.append(name)
            return super().file(name)

    progress = Stages()
    with pytest.raises(MissingDataError):
        experiment.load()(Watched(tmp_path), progress, 0)
    assert set(opened) <= known


def test_index_names_every_file_of_the_data_and_where_it_is_from(tmp_path: Path, experiment: Experiment) -> None:
    write_findings(experiment, small_findings(), tmp_path)
    shipped = Path(__file__).parents[2] / "docs" / "reproductions" / "README.md"
    for index in (shipped, tmp_path / "README.md"):
        words = index.read_text()
        assert all(name in words for source in SOURCES.values() for name in (*source.files, source.address))


def test_unknown_experiment_is_refused_with_the_names() -> None:
    with pytest.raises(ValueError, match="no experiment is named 'coffee'; there are nb-lr, "):
        find_experiment("coffee")


def test_list_names_every_experiment() -> None:
    result = CliRunner().invoke(app, ["--list"])
    assert [line.split()[0] for line in result.output.splitlines()] == [one.name for one in EXPERIMENTS]


def test_every_experiment_can_be_loaded() -> None:
    assert all(callable(experiment.load()) for experiment in EXPERIMENTS)


def test_all_runs_every_experiment_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def run(name: str, *_: object) -> float:
        ran.append(name)
        return 60.0

    monkeypatch.setattr(command, "run_experiment", run)
    monkeypatch.setattr(command, "check_data", lambda *_: None)
    result = CliRunner().invoke(app, ["all"])
    assert result.exit_code == 0
    assert ran == [experiment.name for experiment in EXPERIMENTS]
    assert f"{len(EXPERIMENTS)} min in all; seconds: nb-lr 60, " in result.output


def test_recompressed_picture_has_the_same_pixels_in_fewer_bytes(tmp_path: Path) -> None:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 100, 100, 8, 0, 0, 0, 0))
    pixels = bytes(101 * 100)
    before = b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(pixels, 0)) + chunk(b"IEND", b"")
    (tmp_path / "x.png").write_bytes(before)
    recompress(tmp_path / "x.png")
    after = (tmp_path / "x.png").read_bytes()
    assert len(after) < len(before)
    assert after.startswith(before[: 8 + len(header)])
    at = 8 + len(header)
    (size,) = struct.unpack(">I", after[at : at + 4])
    assert zlib.decompress(after[at + 8 : at + 8 + size]) == pixels


def test_a_file_that_is_no_picture_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.png").write_bytes(b"GIF89a")
    with pytest.raises(ValueError, match=r"x\.png is not a PNG file"):
        recompress(tmp_path / "x.png")


def test_stages_and_steps_become_progress() -> None:
    told: list[Progress] = []
    progress = Stages(told.append)
    progress.stage("reading")
    progress.stage("training", 2)
    progress.advance("one")
    assert told == [
        Progress("reading"), Progress("training", 0, 2), Progress("training", 1, 2, "1 of 2 one"),
    ]  # fmt: skip
