"""`credence parse` from file, standard input and bad input."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from flows.cli import app

TEXT = "Rebels attacked the town.\n\nIt fell."


def credence_parse(*args: str, text: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["parse", *args], input=text)


def test_text_becomes_conllu(tmp_path: Path) -> None:
    file = tmp_path / "news.txt"
    file.write_text(TEXT)
    lines = credence_parse(str(file)).stdout.splitlines()
    assert lines[1:3] == ["# sent_id = 1", "# text = Rebels attacked the town."]
    assert lines[3].split("\t")[:8] == ["1", "Rebels", "_", "NOUN", "NNS", "Number=Plur", "2", "nsubj"]
    assert lines[6].split("\t")[9] == "SpaceAfter=No|start_char=20|end_char=24"
    assert "# sent_id = 2" in lines


def test_standard_input_and_the_fast_profile_do_too() -> None:
    assert "\tattacked\t" in credence_parse("-", "--model", "fast", text=TEXT).stdout


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (None, [], "No such file or directory"),
        (b"caf\xe9", [], "the text must be UTF-8; byte 3 is not"),
        (b"Text.", ["--model", "nowhere"], "nowhere: is neither `default`, `fast`, `stanza` nor a folder"),
    ],
)
def test_an_error_is_one_line(tmp_path: Path, content: bytes | None, options: list[str], message: str) -> None:
    file = tmp_path / "news.txt"
    if content is not None:
        file.write_bytes(content)
    result = credence_parse(str(file), *options)
    assert result.exit_code == 1
    assert message in result.output
    assert len(result.output.splitlines()) == 1
