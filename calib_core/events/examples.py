"""Examples that say what the event predicate means, and how a parser fares on them.

`examples/predicate.conllu` holds short documents with trees, entities and the expected answer, one for each case that
had to be decided. They document the predicate, test it, and, given only their text, test a parser.

Covers: reading the examples, answering them, the share that a parser gets right.
Not here: the predicate itself (`agents`, `affiliation`).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from calib_core.coref.mentions.detection import Mentions
from calib_core.document import Document, Span
from calib_core.events.agents import UNNAMED
from calib_core.events.dyads import ANY_TARGET, dyad
from calib_core.events.evidence import fulfilling_entities, mention_evidence
from calib_core.events.linked import fulfilled
from calib_core.events.pieces import fold
from calib_core.events.query import NOBODY, Query

Answer = frozenset[tuple[str, str]]
"""Pairs of a country's code and the head word, without case, of a mention by which it is an agent."""

_BRACKET = re.compile(r"\((\d+)\)|\((\d+)|(\d+)\)")


@dataclass(frozen=True, slots=True)
class Example:
    """A document with its mentions, their entities, and the right answer to a bundled query."""

    name: str
    year: int
    query: str
    expected: Answer
    note: str
    text: str
    document: Document
    spans: tuple[Span, ...]
    entities: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NewsSentence:
    """A text with the rows that a reader expects of a bundled query: codes, or `AGENT>TARGET`."""

    name: str
    year: int
    query: str
    expected: frozenset[str]
    text: str


@dataclass(frozen=True, slots=True)
class ParserReport:
    """How many examples a parser's trees answer rightly, and which not."""

    n_right: int
    n: int
    wrong: tuple[str, ...]

    @property
    def share(self) -> float:
        """Share of examples answered rightly."""
        return self.n_right / self.n


def predicate_examples() -> tuple[Example, ...]:
    """The bundled examples of the predicate, in the file's order."""
    return _examples("predicate")


def language_examples() -> tuple[Example, ...]:
    """The bundled examples of what goes beyond it, in the file's order."""
    return _examples("language")


def news_sentences() -> tuple[NewsSentence, ...]:
    """The bundled sentences that are judged from their raw text, in the file's order."""
    lines = (files("calib_core.events") / "examples" / "sentences.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return tuple(
        NewsSentence(name, int(year), query, frozenset(filter(None, expected.split("; "))), text)
        for name, year, query, expected, text in rows[1:]
    )


def _examples(name: str) -> tuple[Example, ...]:
    """All examples of one file."""
    text = (files("calib_core.events") / "examples" / f"{name}.conllu").read_text(encoding="utf-8")
    blocks = [block for block in text.split("\n\n") if re.search(r"^\d", block, re.MULTILINE)]
    documents: list[list[str]] = []
    for block in blocks:
        if "# newdoc" in block:
            documents.append([])
        documents[-1].append(block)
    return tuple(_example(sentences) for sentences in documents)


def answer(
    document: Document, spans: Sequence[Span], entities: Sequence[int], query: Query, year: int
) -> frozenset[tuple[str, int]]:
    """Codes, each with the mentions by which it is an agent, of a document whose entities are known.

    What is no mention is negative: `UNNAMED`, or -2 - t for a token t that stands for itself.
    """
    heads = np.array([span_head(document, span) for span in spans], dtype=np.int64)
    starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    evidence = mention_evidence(document, Mentions(starts, ends, heads), query, year=year)
    words = [token if token == UNNAMED else -2 - token for token in evidence.word_tokens]
    entries = [*range(len(heads)), *words]
    reported = {code for code, asked_for in zip(evidence.codes, evidence.reported, strict=True) if asked_for}
    if evidence.links is not None:
        rows = fulfilled(evidence, np.array(entities, dtype=np.int64))
        dyadic = evidence.links.dyadic
        wanted = [row for row in rows if (row.target != ANY_TARGET) == dyadic]
        return frozenset((dyad(row.country, row.target), entries[row.agent]) for row in wanted)
    return frozenset(
        (code, entries[agent])
        for code, members in fulfilling_entities(evidence, np.array(entities, dtype=np.int64))
        for agent in members
        if code in reported and evidence.agent[agent]
    )


def worded(example: Example, answers: frozenset[tuple[str, int]], document: Document | None = None) -> Answer:
    """An answer by words, as `Example.expected` has it; `document` is another parse that gave the answer."""
    heads = [span_head(example.document, span) for span in example.spans]
    parsed = document or example.document

    def word(entry: int) -> str:
        if entry == UNNAMED:
            return NOBODY
        return fold(example.document.words[heads[entry]] if entry >= 0 else parsed.words[-2 - entry])

    return frozenset((code, word(entry)) for code, entry in answers)


def span_head(document: Document, span: Span) -> int:
    """The first token of a span whose governor lies outside it."""
    start, end = span
    return next((t for t in range(start, end) if not start <= document.heads[t] < end), start)


def parser_report(parse: Callable[[str], Document], examples: Sequence[Example] | None = None) -> ParserReport:
    """Parse the examples' texts, keep their entities, and see which answers come out right.

    Parameters
    ----------
    parse : callable
        Text to `Document`, with character offsets.
    examples : sequence of Example, optional
        By default those of the predicate.
    """
    examples = predicate_examples() if examples is None else examples
    wrong = tuple(example.name for example in examples if not is_right(example, parse(example.text)))
    return ParserReport(len(examples) - len(wrong), len(examples), wrong)


def is_right(example: Example, parsed: Document) -> bool:
    """Whether another parse of the text gives the expected answer; a mention that it cannot hold is lost."""
    aligned = [_aligned(example.document, parsed, span) for span in example.spans]
    kept = [mention for mention, span in enumerate(aligned) if span is not None]
    spans = [span for span in aligned if span is not None]
    entities = [example.entities[mention] for mention in kept]
    found = answer(parsed, spans, entities, Query.from_yaml(example.query), example.year)
    found = frozenset((code, kept[entry] if entry >= 0 else entry) for code, entry in found)
    return worded(example, found, parsed) == example.expected


def _aligned(ours: Document, theirs: Document, span: Span) -> Span | None:
    """Tokens of another tokenisation that overlap a span of ours."""
    first, last = ours.starts[span[0]], ours.ends[span[1] - 1]
    inside = np.flatnonzero((theirs.starts < last) & (theirs.ends > first))
    return (int(inside[0]), int(inside[-1]) + 1) if len(inside) else None


def _example(sentences: list[str]) -> Example:
    """One document from its CoNLL-U blocks."""
    field = dict(re.findall(r"^# (newdoc id|year|query|expect|note) = ?(.*)$", sentences[0], re.MULTILINE))
    pairs = [pair.split(" by ") for pair in field["expect"].split(";") if pair.strip()]
    text = " ".join(re.findall(r"^# text = (.*)$", "\n".join(sentences), re.MULTILINE))
    document, brackets = _document(field["newdoc id"], sentences, text)
    mentions = _bracketed(brackets)
    return Example(
        name=field["newdoc id"], year=int(field["year"]), query=field["query"],
        expected=frozenset((code.strip(), fold(word.strip())) for code, word in pairs),
        note=field["note"], text=text, document=document,
        spans=tuple(span for span, _ in mentions), entities=tuple(label for _, label in mentions),
    )  # fmt: skip


def _document(name: str, sentences: list[str], text: str) -> tuple[Document, list[str]]:
    """The document, and what stands in MISC of each token."""
    rows = [
        [*line.split("\t"), str(number)]
        for number, block in enumerate(sentences)
        for line in block.splitlines()
        if line[:1].isdigit()
    ]
    n, starts, position = len(rows), [], 0
    for row in rows:
        position = text.index(row[1], position)
        starts.append(position)
        position += len(row[1])
    column = [tuple(row[i] for row in rows) for i in range(11)]
    sentence = np.array(column[10], dtype=np.int64)
    first = np.searchsorted(sentence, sentence)
    governor = np.array(column[6], dtype=np.int64)
    document = Document(
        doc_id=name, words=column[1], lemmas=column[2], upos=column[3], xpos=column[4], feats=column[5],
        heads=np.where(governor == 0, -1, first + governor - 1), deprels=column[7], sentences=sentence,
        starts=np.array(starts), ends=np.array([s + len(r[1]) for s, r in zip(starts, rows, strict=True)]),
        speakers=("",) * n,
    )  # fmt: skip
    return document, list(column[9])


def _bracketed(misc: list[str]) -> list[tuple[Span, int]]:
    """Spans and labels of the entity brackets, in order of start."""
    found: list[tuple[Span, int]] = []
    opened: dict[int, list[int]] = {}
    for token, value in enumerate(misc):
        for both, opens, closes in _BRACKET.findall(value):
            if both or opens:
                opened.setdefault(int(both or opens), []).append(token)
            if both or closes:
                label = int(both or closes)
                found.append(((opened[label].pop(), token + 1), label))
    return sorted(found)
