"""`credence score` and `credence train coref`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from calib_core.coref import AntecedentModel
from flows.cli import app
from flows.jobs.train_coref import _layers

KEY = "#begin document (a); part 0\nx (0)\ny (0)\nz -\n#end document\n"
RESPONSE = "#begin document (a); part 0\nx (0)\ny -\nz (0)\n#end document\n"
TREE = (
    "# newdoc id = a\n"
    "1\tAnn\tAnn\tPROPN\tNNP\tNumber=Sing\t2\tnsubj\t_\tEntity=(1)\n2\tran\trun\tVERB\tVBD\t_\t0\troot\t_\t_\n\n"
    "1\tShe\tshe\tPRON\tPRP\tNumber=Sing\t2\tnsubj\t_\tEntity=(1)\n2\tfell\tfall\tVERB\tVBD\t_\t0\troot\t_\t_\n\n"
)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "key.conll").write_text(KEY)
    (tmp_path / "response.conll").write_text(RESPONSE)
    (tmp_path / "a.conllu").write_text(TREE)
    return tmp_path


def run(*arguments: object):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_scores_as_json(files: Path) -> None:
    result = run("score", files / "key.conll", files / "response.conll", "--json")
    scores = json.loads(result.stdout)
    assert scores["mentions"] == {"recall": 0.5, "precision": 0.5, "f1": 0.5}
    assert scores["muc"]["f1"] == 0.0
    assert set(scores) >= {"muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "conll"}


def test_scores_as_a_table(files: Path) -> None:
    result = run("score", files / "key.conll", files / "key.conll")
    assert result.exit_code == 0
    assert "conll" in result.stdout
    assert "100.00" in result.stdout


def test_a_bad_file_is_named_with_its_line(files: Path) -> None:
    (files / "bad.conll").write_text(RESPONSE.replace("y -", "y 4)"))
    result = run("score", files / "key.conll", files / "bad.conll")
    assert result.exit_code != 0
    assert "bad.conll:3" in result.output.replace("\n", "").replace("│ ", "").replace(" │", "")


def test_training_writes_a_model_that_loads(files: Path) -> None:
    result = run("train", "coref", files / "a.conllu", "--out", files / "model", "--epochs", 1, "--members", 1)
    assert result.exit_code == 0, result.output
    assert AntecedentModel.load(files / "model").about["documents"] == 1


def test_training_leaves_out_a_file_that_cannot_be_read_unless_strict(files: Path) -> None:
    (files / "b.conllu").write_text(TREE.replace("= a", "= b") + "1\tbroken\n\n")
    command = ("train", "coref", files / "a.conllu", files / "b.conllu", "--epochs", 1, "--members", 1, "--out")
    refusal = run(*command, files / "strict", "--strict").output
    assert "b.conllu" in "".join(refusal.replace("│", "").split())  # the box may break a long path
    assert not (files / "strict").exists()
    result = run(*command, files / "model")
    assert result.exit_code == 3
    assert f"left out: {files / 'b.conllu'}:8: " in result.stderr
    assert AntecedentModel.load(files / "model").about["documents"] == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--kind", "neural"), "kind must be loglinear or context; got 'neural'"),
        (("--kind", "context"), "a context model needs --encoder FOLDER; `credence models fetch` gets one"),
        (("--embed",), "--encoder, --layers, --adapters and --embed are for --kind context"),
    ],
)
def test_training_that_cannot_start_says_why(files: Path, options: tuple[str, ...], sentence: str) -> None:
    result = run("train", "coref", files / "a.conllu", "--out", files / "model", *options)
    assert result.exit_code == 2
    said = " ".join(result.output.replace("│", " ").split())
    assert sentence in said


@pytest.mark.parametrize("layers", ["5,x", "8,5", "0,2", "5,5"])
def test_layers_that_are_no_rising_numbers_are_refused(layers: str) -> None:
    with pytest.raises(ValueError, match="layers must"):
        _layers(layers)


def test_layers_are_read_from_a_list() -> None:
    assert _layers("5,8,10") == (5, 8, 10)


def test_fetching_an_unknown_encoder_is_refused(files: Path) -> None:
    result = run("models", "fetch", "big", "--out", files / "big")
    assert result.exit_code == 1
    assert "big: must be one of all-mpnet-base-v2" in result.output.replace("\n", " ")
