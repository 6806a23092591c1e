"""The sentences of an article that matter to an answer, with mentions, chains and verbs marked.

Covers: which mentions and sentences are shown, and cutting their text into marked stretches. The result is plain data,
which the page, the explanation in HTML and the terminal each draw in their own way.
Not here: finding reasons (`calib_core.events.explanation`), drawing (`assets/`, `explain_page`,
`flows.cli.explain_text`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from calib_core.events import Explanation
from calib_core.events.agents import UNNAMED
from calib_core.events.naming import NONE
from workers.annotation_table import Annotation
from workers.explanations import ExplainedDocument

MAX_SENTENCES, MAX_MENTION = 8, 70
CHAINS, DECISIONS, OPTIONS = 4, 3, 4
"""How many of each are shown per country."""

Stretch = tuple[str, tuple[int, ...]]
"""Text, and the marks that it lies in, outer ones first."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of text with a meaning.

    Attributes
    ----------
    text : str
        Shortened.
    mention : int
        Its number in the document; -1 for a verb.
    agent : bool
        Whether it has a role of a query verb that the query asks for.
    country : str
        What it is described as; "several" for more than one, empty for none.
    """

    text: str
    mention: int
    agent: bool
    country: str


@dataclass(frozen=True, slots=True)
class Passage:
    """Marked sentences; None stands for sentences left out."""

    marks: tuple[Mark, ...]
    sentences: tuple[tuple[Stretch, ...] | None, ...]


def mention_text(annotation: Annotation, mention: int) -> str:
    """A mention's words on one line, shortened."""
    document, mentions = annotation.document, annotation.mentions
    start, end = document.starts[mentions.starts[mention]], document.ends[mentions.ends[mention] - 1]
    text = one_line(annotation.text[start:end])
    return text if len(text) <= MAX_MENTION else text[: MAX_MENTION - 1].rstrip() + "…"


def entry_text(explained: ExplainedDocument, entry: int) -> str:
    """The words of a mention, or of what stands for itself: a word inside a noun's phrase, or an agent not named."""
    n_mentions = len(explained.annotation.mentions.heads)
    if entry < n_mentions:
        return mention_text(explained.annotation, entry)
    token = explained.evidence.word_tokens[entry - n_mentions]
    return "nobody named" if token == UNNAMED else explained.annotation.document.words[token]


def one_line(text: str) -> str:
    """Blanks, line breaks and tabs as single blanks."""
    return re.sub(r"\s+", " ", text)


def mention_mark(explained: ExplainedDocument, mention: int) -> Mark:
    """What a mention says."""
    code = int(explained.evidence.country[mention])
    country = explained.evidence.codes[code] if code > NONE else "several" if code < NONE else ""
    text = entry_text(explained, mention)
    return Mark(text, mention, bool(explained.evidence.agent[mention]), country)


def key_mentions(explained: ExplainedDocument) -> list[int]:
    """Mentions that affect the answer, most telling first: chains, those in a role, then the undecided."""
    found: dict[int, None] = {}
    for one in explained.countries:
        found |= dict.fromkeys(mention for chain in one.chains[:CHAINS] for mention in chain.mentions)
    found |= dict.fromkeys(np.flatnonzero(explained.evidence.agent).tolist())
    for one in explained.countries:
        found |= dict.fromkeys(_deciding(one))
    n_mentions = len(explained.annotation.mentions.heads)
    return [mention for mention in found if mention < n_mentions]


def _deciding(one: Explanation) -> Iterable[int]:
    for decision in one.decisions[:DECISIONS]:
        yield decision.mention
        yield from (option.antecedent for option in decision.options[:OPTIONS] if option.antecedent >= 0)
    yield from (doubt.mention for doubt in one.doubts[:DECISIONS])


def key_passage(explained: ExplainedDocument) -> Passage:
    """The few sentences that hold the key mentions and the verbs."""
    document = explained.annotation.document
    mentions = key_mentions(explained)
    heads = [int(explained.annotation.mentions.heads[mention]) for mention in mentions]
    sentences = list(dict.fromkeys(int(document.sentences[token]) for token in [*_verbs(explained), *heads]))
    return _passage(explained, sorted(sentences[:MAX_SENTENCES]), sorted(mentions))


def whole_passage(explained: ExplainedDocument, mentions: Iterable[int]) -> Passage:
    """All sentences, with some mentions marked."""
    document = explained.annotation.document
    return _passage(explained, sorted(set(document.sentences.tolist())), sorted(mentions))


def _verbs(explained: ExplainedDocument) -> list[int]:
    return sorted({event.verb for events in explained.events.values() for event in events})


def _passage(explained: ExplainedDocument, sentences: list[int], mentions: list[int]) -> Passage:
    annotation = explained.annotation
    document, found = annotation.document, annotation.mentions
    marks = [mention_mark(explained, mention) for mention in mentions]
    spans = [(int(document.starts[found.starts[m]]), int(document.ends[found.ends[m] - 1])) for m in mentions]
    for verb in _verbs(explained):
        marks.append(Mark(document.words[verb], -1, agent=False, country=""))
        spans.append((int(document.starts[verb]), int(document.ends[verb])))
    shown: list[tuple[Stretch, ...] | None] = []
    for number, sentence in enumerate(sentences):
        if sentence > (sentences[number - 1] + 1 if number else 0):
            shown.append(None)
        tokens = np.flatnonzero(document.sentences == sentence)
        start, end = int(document.starts[tokens[0]]), int(document.ends[tokens[-1]])
        shown.append(_stretches(annotation.text, start, end, spans))
    return Passage(tuple(marks), tuple(shown))


def _stretches(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> tuple[Stretch, ...]:
    """Cut [start, end) wherever a mark begins or ends."""
    inside = [(a, b, number) for number, (a, b) in enumerate(spans) if a < end and b > start]
    cuts = sorted({start, end, *(cut for a, b, _ in inside for cut in (a, b) if start < cut < end)})
    widest_first = sorted(inside, key=lambda span: (span[0] - span[1], span[2]))
    return tuple(
        (one_line(text[a:b]), tuple(number for first, last, number in widest_first if first <= a and b <= last))
        for a, b in pairwise(cuts)
    )
