"""Text to sentences of words with character offsets, by a Stanza tokenizer.

Covers: sections of bounded size, the words that a model reads, and where they stand in the text. The network and its
windows are Stanza's; the characters are laid out for it here, each with its place in the text.
Not here: tags and trees (`joint`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stanza.models.common.utils import EXCLAM_RE, QUESTION_RE
from stanza.models.tokenization.data import PER_CHAR_FEAT_FUNCS, TokenizationDataset
from stanza.models.tokenization.trainer import Trainer
from stanza.models.tokenization.utils import predict

from calib_core.arrays import Ints
from workers.parsing.boundaries import BoundaryNetwork
from workers.parsing.choice import ModelError

SECTION_CHARACTERS = 50_000
SENTENCE_WORDS = 400
WINDOW_CHARACTERS = 1000
WORD_CHARACTERS = 100
# A longer run without white space is no word: the tokenizer reads its beginning, and its last token gets the rest.
# (Stanza's search for addresses takes time in the square of such a run.)
RUN_CHARACTERS, RUN_SHOWN = 1000, 200
LONG_RUN = re.compile(rf"(?<=\S{{{RUN_SHOWN}}})\S{{{RUN_CHARACTERS - RUN_SHOWN},}}")
# Stanza shows its models this word for tokens longer than those it was trained on.
TOO_LONG = "<UNK>"
# What Stanza takes for white space, and for the end of a paragraph.
SPACE = re.compile(r"[\s\u0080-\u009f]")
PARAGRAPH_BREAK = re.compile(r"\n[\s\u0080-\u009f]*\n")
SURROGATES = re.compile("[\ud800-\udfff]")
FEATURES = ["space_before", "capitalized", "numeric", "end_of_para", "start_of_para"]


@dataclass(frozen=True, slots=True)
class Token:
    """A word as the models read it, and its place in the document's text (end excluded)."""

    word: str
    start: int
    end: int


class Segmenter:
    """A loaded Stanza tokenizer with its default features."""

    def __init__(self, model_file: Path) -> None:
        self._trainer = Trainer(model_file=str(model_file), device="cpu")
        args = self._trainer.args
        if args["feat_funcs"] != FEATURES or args["use_dictionary"]:
            raise ModelError(str(model_file), f"must have the features {FEATURES} and no dictionary")
        try:
            self._network = BoundaryNetwork(self._trainer.model, args)
        except ValueError as error:
            raise ModelError(str(model_file), str(error)) from error
        self._known: dict[str, tuple[int, ...]] = {}

    def sections(self, text: str) -> Iterator[list[list[Token]]]:
        """Sentences of the text, section by section; a document of usual length is one section.

        A sentence of more than `SENTENCE_WORDS` words is cut, so that the work on one sentence is bounded.
        """
        readable = SURROGATES.sub("\ufffd", text)
        for start, end in section_bounds(readable):
            sentences = self._sentences(Paragraphs(readable, start, end))
            yield [
                tokens[i : i + SENTENCE_WORDS] for tokens in sentences for i in range(0, len(tokens), SENTENCE_WORDS)
            ]

    def _sentences(self, paragraphs: "Paragraphs") -> Iterator[list[Token]]:
        if not paragraphs.data:
            return
        trainer = self._trainer
        dataset = _Dataset(trainer, paragraphs, self._known)
        labels, _ = predict(self._network, dataset, trainer.args["batch_size"], WINDOW_CHARACTERS, True, 0)
        for characters, places, ends in zip(paragraphs.data, paragraphs.places, labels, strict=True):
            yield from _read_off(characters, places, np.asarray(ends), trainer.args["max_seqlen"])


class Paragraphs:
    """The paragraphs of text[start:end] as the tokenizer reads them: runs of white space as one space.

    Attributes
    ----------
    data : list of str
        Its characters.
    places : list of integer arrays
        For each character its place in the text; one more at the end: where the last character ends.
    """

    def __init__(self, text: str, start: int, end: int) -> None:
        self.data: list[str] = []
        self.places: list[Ints] = []
        for first, last in _between_breaks(text, start, end):
            self._add(text[first:last].rstrip(), first)

    def _add(self, paragraph: str, first: int) -> None:
        spaced = SPACE.sub(" ", paragraph)
        keep: NDArray[np.bool_] = np.ones(len(spaced) + 1, dtype=bool)
        for run in LONG_RUN.finditer(spaced):
            keep[run.start() : run.end()] = False
        blank = np.frombuffer(spaced.encode("utf-32-le"), dtype=np.uint32) == ord(" ")
        keep[1:-1] &= ~(blank[1:] & blank[:-1])
        places = np.flatnonzero(keep)
        characters = "".join([spaced[i] for i in places[:-1]])
        if characters.strip():
            self.data.append(characters)
            self.places.append(places + first)


class _Dataset(TokenizationDataset):
    """Stanza's dataset over paragraphs that are laid out already, with features looked up per character."""

    def __init__(self, trainer: Trainer, paragraphs: Paragraphs, known: dict[str, tuple[int, ...]]) -> None:
        self.args, self.vocab, self.eval = trainer.args, trainer.vocab, True
        self.data = paragraphs.data
        self._known = known

    def para_to_sentences(self, para: str) -> list[tuple[Any, ...]]:
        """Ids, labels (none), features and characters of one paragraph."""
        rows = np.array([self._known.get(c) or self._learn(c) for c in para])
        features = np.zeros((len(para), len(FEATURES)))
        features[:, :3] = rows[:, 1:]
        features[-1, 3] = features[0, 4] = 1
        return [(rows[:, 0], np.zeros(len(para), dtype=np.int64), features, list(para))]

    def _learn(self, character: str) -> tuple[int, ...]:
        features = (PER_CHAR_FEAT_FUNCS[name](character) for name in FEATURES[:3])
        self._known[character] = (self.vocab.unit2id(character), *features)
        return self._known[character]


def _read_off(characters: str, places: Ints, labels: Ints, longest: int) -> Iterator[list[Token]]:
    """Sentences of a paragraph from the label of each character: 1 ends a word, 2 a sentence."""
    sentence: list[Token] = []
    begin = 0
    for last in np.flatnonzero(labels).tolist():
        word = characters[begin : last + 1]
        stripped = word.lstrip()
        if stripped:
            # Up to the next character that was kept: so the last word of a shortened run gets all of the run.
            start, end = places[begin + len(word) - len(stripped)], places[last + 1]
            sentence.append(Token(as_read(stripped, longest), int(start), int(end)))
            if labels[last] == 2:
                yield sentence
                sentence = []
        begin = last + 1
    if sentence:
        yield sentence


def as_read(word: str, longest: int = WORD_CHARACTERS) -> str:
    """The word that Stanza shows its tagger and parser: overlong ones unknown, runs of ? and ! as one of them.

    >>> as_read("?!?!"), as_read("Iraq")
    ('?', 'Iraq')
    """
    return TOO_LONG if len(word) > longest else EXCLAM_RE.sub("!", QUESTION_RE.sub("?", word))


def _between_breaks(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for found in PARAGRAPH_BREAK.finditer(text, start, end):
        yield start, found.start()
        start = found.end()
    yield start, end


def section_bounds(text: str, limit: int = SECTION_CHARACTERS) -> list[tuple[int, int]]:
    r"""Cut a long text into sections of at most `limit` characters: between paragraphs, else words, else anywhere.

    >>> section_bounds("ab\n\ncd ef", limit=6)
    [(0, 4), (4, 9)]
    """
    bounds = []
    start = 0
    while len(text) - start > limit:
        end = _last_break(text, start, start + limit)
        bounds.append((start, end))
        start = end
    return [*bounds, (start, len(text))]


def _last_break(text: str, start: int, limit: int) -> int:
    breaks = [match.end() for match in PARAGRAPH_BREAK.finditer(text, start, limit)]
    if breaks:
        return breaks[-1]
    spaces = [text.rfind(space, start + 1, limit) for space in (" ", "\n")]
    return max(spaces) if max(spaces) > start else limit
