"""Bad input gives a parse or an error that names document and reason, never a crash."""

import pickle
import shutil
from pathlib import Path

import pytest

from workers.parser import SHIPPED, ParseError, Parser, ParserConfig
from workers.parsing.choice import ModelError
from workers.parsing.package import check
from workers.parsing.segment import SENTENCE_WORDS


@pytest.mark.parametrize("text", ["", " ", "\n\n\t \r\n", "\u00a0\u3000", "\x80\x97"])
def test_text_of_white_space_has_no_tokens(parser: Parser, text: str) -> None:
    assert len(parser.parse("empty", text)) == 0


@pytest.mark.parametrize(
    "text",
    ["\x00\x01\x02", "a\x00b \x1b[31mred\x1b[0m", "\ud800 lone surrogate", "\ufeffText.", "\u202eright to left", "́́́"],
)
def test_control_characters_are_parsed(parser: Parser, text: str) -> None:
    document = parser.parse("control", text)
    assert document.words == tuple(text[a:b] for a, b in zip(document.starts, document.ends, strict=True))


@pytest.mark.parametrize(
    "text", ["伊拉克军队袭击了科威特。", "Войска Ирака напали.", "هاجمت القوات العراقية الكويت.", "👍👍👍"]
)
def test_other_scripts_are_parsed(parser: Parser, text: str) -> None:
    assert len(parser.parse("script", text)) > 0


def test_a_word_of_100_000_characters_keeps_its_text(parser: Parser) -> None:
    text = "Before " + "x" * 100_000 + " after."
    document = parser.parse("long word", text)
    assert "".join(document.words) == text.replace(" ", "")


def test_a_sentence_without_end_is_cut(parser: Parser) -> None:
    document = parser.parse("long sentence", "word and " * 250)
    assert len(document) == 500
    lengths = [(document.sentences == i).sum() for i in set(document.sentences.tolist())]
    assert max(lengths) <= SENTENCE_WORDS


def test_text_that_is_no_string_is_refused(parser: Parser) -> None:
    with pytest.raises(ParseError, match="document 'd7' cannot be parsed: the text must be a string; got NoneType"):
        parser.parse("d7", None)  # type: ignore[arg-type]


def test_an_error_crosses_processes() -> None:
    error = pickle.loads(pickle.dumps(ParseError("d7", "too odd")))  # noqa: S301 - our own bytes
    assert (error.doc_id, error.reason) == ("d7", "too odd")
    missing = pickle.loads(pickle.dumps(ModelError("m", "gone")))  # noqa: S301 - our own bytes
    assert str(missing) == "m: gone"


@pytest.fixture
def model_copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHIPPED, tmp_path / "model"))


def test_a_damaged_model_file_is_named(model_copy: Path) -> None:
    weights = model_copy / "joint.safetensors"
    damaged = bytearray(weights.read_bytes())
    damaged[-1] ^= 1
    weights.write_bytes(damaged)
    with pytest.raises(ModelError, match=r"joint\.safetensors: SHA-256 must be"):
        Parser(ParserConfig(model=str(model_copy)))


def test_a_missing_model_file_is_named(model_copy: Path) -> None:
    (model_copy / "tokenizer.pt").unlink()
    with pytest.raises(ModelError, match=r"tokenizer\.pt"):
        check(model_copy)


def test_a_folder_that_is_not_there_is_named() -> None:
    with pytest.raises(ModelError, match="nowhere"):
        Parser(ParserConfig(model="nowhere"))


def test_a_folder_without_stanza_models_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="Stanza cannot load it"):
        Parser(ParserConfig(model=str(tmp_path)))


@pytest.mark.slow
def test_a_very_long_document_is_parsed_in_bounded_memory(fast_parser: Parser) -> None:
    import resource

    sentence = "Rebels attacked the northern town again. "
    fast_parser.parse("warm", sentence * 100)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    document = fast_parser.parse("long", sentence * 1_500)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert len(document) == 10_500
    assert grown < 400_000  # kilobytes
