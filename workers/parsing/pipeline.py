"""Any Stanza model on one document, through `stanza.Pipeline`.

Covers: models that users bring (`stanza.download("en")`, a GPU), at Stanza's own speed.
Not here: the shipped models (`joint`).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import stanza

from workers.parsing.choice import ModelError
from workers.parsing.joint import ParsedSentence
from workers.parsing.segment import SURROGATES, Token, section_bounds


class PipelineEngine:
    """A loaded Stanza pipeline."""

    def __init__(self, settings: dict[str, Any]) -> None:
        try:
            self._pipeline = stanza.Pipeline(**settings)
        except Exception as error:  # Stanza raises many kinds, some of them plain Exception
            raise ModelError(str(settings.get("dir")), f"Stanza cannot load it: {error!r}") from error

    def parse(self, text: str) -> Iterator[ParsedSentence]:
        """Parse a text section by section; a document of usual length is one section."""
        readable = SURROGATES.sub("\ufffd", text)
        for start, end in section_bounds(readable):
            section = readable[start:end]
            if section.strip():
                for sentence in self._pipeline(section).sentences:
                    yield _sentence(sentence, start)


def settings_for(folder: Path | None, package: str | None, *, gpu: bool) -> dict[str, Any]:
    """Arguments for `stanza.Pipeline`: Stanza's English models in `folder` (or where Stanza keeps them)."""
    settings: dict[str, Any] = {
        "lang": "en", "processors": "tokenize,mwt,pos,lemma,depparse", "download_method": None,
        "use_gpu": gpu, "verbose": False,
    }  # fmt: skip
    if folder is not None:
        settings["dir"] = str(folder)
    return settings | ({"package": package} if package else {})


def _sentence(sentence: Any, offset: int) -> ParsedSentence:
    words = sentence.words
    spans = [_span(word) for word in words]
    return ParsedSentence(
        [Token(w.text, start + offset, end + offset) for w, (start, end) in zip(words, spans, strict=True)],
        [w.upos or "_" for w in words],
        [w.xpos or "_" for w in words],
        [w.feats or "_" for w in words],
        [w.head for w in words],
        [w.deprel for w in words],
    )


def _span(word: Any) -> tuple[int, int]:
    """The word's own offsets, or those of the token that it is a part of."""
    place = word if word.start_char is not None else word.parent
    return place.start_char, place.end_char
