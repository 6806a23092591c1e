"""What a coreference model is to everything that uses one.

Covers: the protocol, and what a model says of one document.
Not here: implementations (the log-linear one is `model.antecedent_model`), finding the implementation that reads a
model's folder (`workers.coreference`).

A model finds the mentions of a parsed document and gives each a distribution over its antecedents. Which earlier
mentions are candidates is the model's choice: all of them, the nearest, or a few likely ones. What follows from the
distributions (samples, marginals, counts, recalibrations, figures) is the same for every model.
"""

from dataclasses import dataclass
from typing import Protocol

from calib_core.arrays import Ints
from calib_core.coref.mentions.detection import Mentions
from calib_core.coref.model.antecedents import Antecedents
from calib_core.document import Document


@dataclass(frozen=True, slots=True)
class LinkedMentions:
    """The mentions of one document and what each may refer back to.

    Attributes
    ----------
    mentions : Mentions
    kinds : shape (n_mentions,)
        Type of each mention, one of those that stand first in `mentions.lexicon`; recalibrations and reports group by
        it. `mentions.attributes.mention_kinds` looks them up.
    antecedents : Antecedents
        Of the same mentions.
    """

    mentions: Mentions
    kinds: Ints
    antecedents: Antecedents

    def __post_init__(self) -> None:
        """Refuse parts that are not about the same mentions."""
        n = len(self.mentions)
        if len(self.kinds) != n or len(self.antecedents) != n:
            raise ValueError(f"{n} mentions have {len(self.kinds)} kinds and {len(self.antecedents)} antecedents")


class CoreferenceModel(Protocol):
    """A coreference model; `link` depends only on the document and the model."""

    @property
    def fingerprint(self) -> str:
        """A hash of everything that affects the logits, the same on every machine: the model's id in tables."""

    @property
    def trained_on(self) -> frozenset[str]:
        """`model.training.text_hash` of each document that the model was trained on."""

    def mentions(self, document: Document) -> Mentions:
        """The mentions that `link` finds by itself."""

    def link(self, document: Document, *, mentions: Mentions | None = None) -> LinkedMentions:
        """Mentions and antecedents of a parsed document.

        Parameters
        ----------
        document : Document
        mentions : Mentions, optional
            Link these instead of the model's own: gold mentions, or what `mentions` gave before.
        """
