"""A second coreference model, small and deterministic: mentions with the same head word corefer, a pronoun might.

Tests drop it in beside the log-linear one, to show that nothing else has to change, and put it where a model that
takes seconds to load would only be in the way.
"""

import json
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np

from calib_core.coref import NEW, Antecedents, LinkedMentions, Mentions, detect_mentions
from calib_core.coref.mentions.attributes import mention_kinds
from calib_core.document import Document

SAME_WORD = 4.0
"""Logit of a mention with the same head word."""


@dataclass(frozen=True)
class HeadWords:
    """Candidates are earlier mentions with the same head word; of a pronoun, all earlier mentions."""

    pronoun: float

    @property
    def fingerprint(self) -> str:
        """By its one number."""
        return blake2b(f"headwords {self.pronoun}".encode(), digest_size=16).hexdigest()

    @property
    def trained_on(self) -> frozenset[str]:
        """Nothing."""
        return frozenset()

    def mentions(self, document: Document) -> Mentions:
        """Those of the rules."""
        return detect_mentions(document)

    def link(self, document: Document, *, mentions: Mentions | None = None) -> LinkedMentions:
        """Candidates by head word."""
        found = detect_mentions(document) if mentions is None else mentions
        words = [document.words[head].lower() for head in found.heads]
        offsets, candidates, logits = [0], list[int](), list[float]()
        for mention, word in enumerate(words):
            if document.upos[found.heads[mention]] == "PRON":
                earlier, logit = list(range(mention)), self.pronoun
            else:
                earlier, logit = [i for i in range(mention) if words[i] == word], SAME_WORD
            candidates += [*earlier, NEW]
            logits += [*[logit] * len(earlier), 0.0]
            offsets.append(len(candidates))
        antecedents = Antecedents(np.array(offsets), np.array(candidates, np.int64), np.array(logits))
        return LinkedMentions(found, mention_kinds(document, found), antecedents)


def load(folder: Path) -> HeadWords:
    """As `workers.coreference` wants it."""
    return HeadWords(json.loads((folder / "model.json").read_text())["pronoun"])
