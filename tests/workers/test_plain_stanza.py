"""The exported files run in plain `stanza.Pipeline`, and our worker gives the same parse from one encoder pass."""

from pathlib import Path

import pytest
import stanza

from workers.parser import SHIPPED, Parser, ParserConfig
from workers.parsing.package import export_stanza
from workers.parsing.pipeline import PipelineEngine

TEXT = """Iraqi troops attacked Kuwait on Thursday, officials said. U.S. forces, which had been \
stationed in Saudi Arabia since 1990, moved north; they met little resistance.

"We can't say who fired first," the president of Iraq told reporters. Kuwait was attacked by them. The men gave the \
boys guns and the boys gave the guns back. It isn't what what he said means that he meant, is it?

1. Oil prices rose 5.2%   to $18.40 a barrel (up from $17.49) at http://example.org/oil
MARKETS CLOSE LOWER AFTER ATTACK!!! Why?!?!"""


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    return export_stanza(SHIPPED, tmp_path_factory.mktemp("exported"))


@pytest.mark.slow
def test_worker_equals_plain_stanza(parser: Parser, settings: dict[str, object]) -> None:
    plain = [sentence.words for sentence in stanza.Pipeline(**settings)(TEXT).sentences]
    ours = parser.parse("d", TEXT)
    words = [word for sentence in plain for word in sentence]
    first = [sum(map(len, plain[:i])) for i, sentence in enumerate(plain) for _ in sentence]
    assert ours.starts.tolist() == [word.start_char for word in words]
    assert ours.upos == tuple(word.upos for word in words)
    assert ours.xpos == tuple(word.xpos for word in words)
    assert ours.feats == tuple(word.feats or "_" for word in words)
    heads = [word.head - 1 + start if word.head else -1 for word, start in zip(words, first, strict=True)]
    assert ours.heads.tolist() == heads
    assert ours.deprels == tuple(word.deprel for word in words)


@pytest.mark.slow
def test_any_stanza_pipeline_can_take_our_place(parser: Parser, settings: dict[str, object]) -> None:
    sentences = list(PipelineEngine(settings).parse(TEXT))
    tokens = [(token.start, token.end) for sentence in sentences for token in sentence.tokens]
    document = parser.parse("d", TEXT)
    assert tokens == list(zip(document.starts.tolist(), document.ends.tolist(), strict=True))


def test_a_trained_folder_can_be_named(parser: Parser) -> None:
    other = Parser(ParserConfig(model=str(Path(SHIPPED))))
    text = "Rebels attacked the town."
    assert other.parse("d", text).deprels == parser.parse("d", text).deprels
