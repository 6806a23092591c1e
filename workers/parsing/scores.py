"""Score a parser against a treebank, from raw text and from gold words.

Covers: F1 of words, sentences, tags, heads and relations by the CoNLL 2018 evaluation (`udtools.udeval`).
Not here: speed (`benchmarks/`).
"""

import io
from collections.abc import Iterable, Iterator
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


Scores = dict[str, float]
"""F1 in percent, for each of `METRICS`."""


def score_raw(engine: JointEngine, sentences: list[TreebankSentence]) -> Scores:
    """Tokenize, tag and parse the treebank's text."""
    text = raw_text(sentences)
    return _compare(sentences, list(engine.parse(text)), text)


def score_gold_words(engine: JointEngine, sentences: list[TreebankSentence]) -> Scores:
    """Tag and parse the treebank's own words and sentences."""
    text, given = "", []
    for sentence in sentences:
        tokens = []
        for word in sentence.words:
            tokens.append(Token(as_read(word.form), len(text), len(text) + len(word.form)))
            text += word.form
        given.append(tokens)
    return _compare(sentences, engine.parse_sentences(given), text)


def raw_text(sentences: Iterable[TreebankSentence]) -> str:
    """The treebank as running text: paragraphs apart by a blank line, words as their `SpaceAfter` says."""
    parts: list[str] = []
    for sentence in sentences:
        parts.append("\n\n" if sentence.new_paragraph and parts else "")
        parts.extend(word.form + (" " if word.space_after else "") for word in sentence.words)
    return "".join(parts)


def _compare(gold: list[TreebankSentence], parsed: list[ParsedSentence], text: str) -> Scores:
    wanted = (line for sentence in gold for line in conllu_lines(sentence))
    found = (line for sentence in parsed for line in _parsed_lines(sentence, text))
    results = udeval.evaluate(_load(wanted, "gold"), _load(found, "parsed"))
    return {name: round(100 * results[column].f1, 2) for name, column in METRICS.items()}


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
