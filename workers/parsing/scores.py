"""Score a parser against a treebank, from raw text and from gold words.

Covers: F1 of words, sentences, tags, heads and relations by the CoNLL 2018 evaluation (`udtools.udeval`).
Not here: speed (`benchmarks`).
"""

import io
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from udtools import udeval

from workers.parsing.joint import JointEngine, ParsedSentence
from workers.parsing.segment import Token, as_read
from workers.parsing.train_tokenizer import conllu_lines
from workers.parsing.treebank import TreebankSentence

METRICS = {
    "words": "Words", "sentences": "Sentences", "upos": "UPOS", "xpos": "XPOS", "feats": "UFeats", "uas": "UAS",
    "las": "LAS",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scores:
    """F1 in percent by metric, and the words read in a second."""

    f1: dict[str, float]
    words_per_second: float


def score_raw(engine: JointEngine, sentences: list[TreebankSentence]) -> Scores:
    """Tokenize, tag and parse the treebank's text."""
    text = raw_text(sentences)
    started = time.monotonic()
    parsed = list(engine.parse(text))
    return _compare(sentences, parsed, text, time.monotonic() - started)


def score_gold_words(engine: JointEngine, sentences: list[TreebankSentence]) -> Scores:
    """Tag and parse the treebank's own words and sentences."""
    text, given = "", []
    for sentence in sentences:
        tokens = []
        for word in sentence.words:
            tokens.append(Token(as_read(word.form), len(text), len(text) + len(word.form)))
            text += word.form
        given.append(tokens)
    started = time.monotonic()
    parsed = engine.parse_sentences(given)
    return _compare(sentences, parsed, text, time.monotonic() - started)


def raw_text(sentences: Iterable[TreebankSentence]) -> str:
    """The treebank as running text: paragraphs apart by a blank line, words as their `SpaceAfter` says."""
    parts: list[str] = []
    for sentence in sentences:
        parts.append("\n\n" if sentence.new_paragraph and parts else "")
        parts.extend(word.form + (" " if word.space_after else "") for word in sentence.words)
    return "".join(parts)


def _compare(gold: list[TreebankSentence], parsed: list[ParsedSentence], text: str, seconds: float) -> Scores:
    wanted = (line for sentence in gold for line in conllu_lines(sentence))
    found = (line for sentence in parsed for line in _parsed_lines(sentence, text))
    results = udeval.evaluate(_load(wanted, "gold"), _load(found, "parsed"))
    f1 = {name: round(100 * results[column].f1, 2) for name, column in METRICS.items()}
    return Scores(f1, sum(len(s.tokens) for s in parsed) / seconds)


def _load(lines: Iterable[str], name: str) -> Any:
    return udeval.load_conllu(io.StringIO("".join(lines)), name, {})


def _parsed_lines(sentence: ParsedSentence, text: str) -> Iterator[str]:
    rows = zip(
        sentence.tokens, sentence.upos, sentence.xpos, sentence.feats, sentence.heads, sentence.deprels, strict=True
    )
    for index, (token, upos, xpos, feats, head, deprel) in enumerate(rows, 1):
        form = text[token.start : token.end].replace("\n", " ")
        yield f"{index}\t{form}\t_\t{upos}\t{xpos}\t{feats}\t{head}\t{deprel}\t_\t_\n"
    yield "\n"
