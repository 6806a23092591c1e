"""Text to sentences of words with character offsets, by Stanza's tokenizer.

Covers: sections of bounded size, the words a model may read, and where they stand in the text.
Not here: tags and trees (`joint`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from stanza.models.tokenization.data import TokenizationDataset
from stanza.models.tokenization.trainer import Trainer
from stanza.models.tokenization.utils import output_predictions

SECTION_CHARACTERS = 50_000
SENTENCE_WORDS = 400
# Stanza shows its models this word for tokens longer than those it was trained on.
TOO_LONG = "<UNK>"
PARAGRAPH_BREAK = re.compile(r"\n[\s\u0080-\u009f]*\n")
SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Token:
    """A word as the models read it, and its place in the document's text (end excluded)."""

    word: str
    start: int
    end: int


class Segmenter:
    """A loaded Stanza tokenizer."""

    def __init__(self, model_file: Path) -> None:
        self._trainer = Trainer(model_file=str(model_file), device="cpu")

    def sections(self, text: str) -> Iterator[list[list[Token]]]:
        """Sentences of the text, section by section; a document of usual length is one section.

        A sentence of more than `SENTENCE_WORDS` words is cut, so that the work on one sentence is bounded.
        """
        readable = SURROGATES.sub("\ufffd", text)
        for start, end in section_bounds(readable):
            sentences = [tokens for tokens in self._sentences(readable[start:end], start) if tokens]
            yield [
                tokens[i : i + SENTENCE_WORDS] for tokens in sentences for i in range(0, len(tokens), SENTENCE_WORDS)
            ]

    def _sentences(self, text: str, offset: int) -> Iterator[list[Token]]:
        trainer = self._trainer
        if not text.strip():
            return
        dataset = TokenizationDataset(
            trainer.args, input_text=text, vocab=trainer.vocab, evaluation=True, dictionary=trainer.dictionary
        )
        if not dataset.data:
            return
        longest = trainer.args["max_seqlen"]
        with torch.inference_mode():
            _, _, _, sentences = output_predictions(
                None, trainer, dataset, trainer.vocab, None, max_seqlen=longest, orig_text=text
            )
        for sentence in sentences:
            yield [
                Token(
                    token["text"] if len(token["text"]) <= longest else TOO_LONG,
                    token["start_char"] + offset,
                    token["end_char"] + offset,
                )
                for token in sentence
            ]


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
