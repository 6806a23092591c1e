"""Treebanks in, words out."""

from pathlib import Path

import pytest

from workers.parsing.scores import raw_text
from workers.parsing.train_tokenizer import conllu_lines
from workers.parsing.treebank import read_conllu

TREEBANK = """\
# newdoc id = d
# text = I can't.
1\tI\tI\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
2\tca\tcan\tAUX\tMD\t_\t0\troot\t_\t_
3\tn't\tnot\tPART\tRB\t_\t2\tadvmod\t_\t_
3.1\tgo\tgo\tVERB\tVB\t_\t_\t_\t2:dep\t_
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# text = No!
1\tNo\tno\tINTJ\tUH\t_\t0\troot\t_\tSpaceAfter=No
2\t!\t!\tPUNCT\t.\t_\t1\tpunct\t_\t_
"""


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.conllu"
    path.write_text(TREEBANK)
    return path


def test_parts_of_a_multiword_token_become_words_without_space(treebank: Path) -> None:
    first = read_conllu(treebank)[0]
    assert [word.form for word in first.words] == ["I", "ca", "n't", "."]
    assert [word.space_after for word in first.words] == [True, False, False, True]
    assert first.new_paragraph


def test_raw_text_is_what_was_written(treebank: Path) -> None:
    assert raw_text(read_conllu(treebank)) == "I can't. No! "


def test_written_lines_read_back(treebank: Path, tmp_path: Path) -> None:
    sentences = read_conllu(treebank)
    again = tmp_path / "again.conllu"
    again.write_text("".join(line for sentence in sentences for line in conllu_lines(sentence)))
    assert read_conllu(again) == sentences


@pytest.mark.parametrize(
    ("line", "message"),
    [("1\tI", "has 10 columns; got 2"), ("1\t" * 9 + "_", None), ("1\tI\t_\t_\t_\t_\tx\t_\t_\t_", "'x'")],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, message: str | None) -> None:
    path = tmp_path / "bad.conllu"
    path.write_text(line + "\n\n")
    if message is None:
        assert len(read_conllu(path)) == 1
    else:
        with pytest.raises(ValueError, match=rf"bad\.conllu:1: .*{message}"):
            read_conllu(path)
