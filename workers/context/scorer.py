"""Score the shortlist of each mention by word vectors: a small network on top of the log-linear model.

Covers: the network, from vectors of head, first and last word to logits of candidates and NEW.
Not here: where the vectors come from (`encoder`), learning the weights (`learning`).

The logits are the log-linear ones times a learned scale, plus what the network says. Its last layers begin at zero, so
that training starts from the log-linear model and moves only where vectors tell more.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from calib_core.coref.features.context_features import AGREEMENTS, MENTION_STEPS, SENTENCE_STEPS
from calib_core.coref.mentions.lexicon import N_TYPES
from calib_core.coref.model.shortlist import ABSENT

_STEP_WIDTH = 16  # of the vectors that stand for a distance or a mention type
_UNLIKELY = -12.0  # log-probabilities below this are one to the network
_LINK_SCALE = 6.0  # brings log-probabilities to the size of the other inputs


@dataclass(frozen=True, slots=True)
class Sizes:
    """Widths of the network, and the shares that are dropped in training.

    Attributes
    ----------
    vectors, layers : int
        Width of a word vector of one encoder layer, and how many layers are read.
    head, edge : int
        Numbers that a mention keeps of its head, and of its first and last word together.
    product : int
        Numbers of two mentions that are multiplied with each other.
    hidden : int
    dropout, vector_dropout : float
        Of hidden numbers, and of the vectors.
    """

    vectors: int
    layers: int
    head: int = 256
    edge: int = 64
    product: int = 96
    hidden: int = 128
    dropout: float = 0.5
    vector_dropout: float = 0.5

    @property
    def mention(self) -> int:
        """Numbers that a mention keeps of its words."""
        return self.head + self.edge


class PairInputs(NamedTuple):
    """Some mentions of a document and their shortlists; m mentions, `keep` places.

    Attributes
    ----------
    own : shape (m,)
        Their positions in the document.
    candidates : shape (m, keep)
        Positions of candidates, 0 where `present` is false.
    present : shape (m, keep)
    links : shape (m, keep)
        Log-probabilities of the log-linear model; of NEW in `new`, shape (m,).
    sentences, mentions : shape (m, keep)
        Steps of distance.
    agree : shape (m, keep, len(AGREEMENTS))
    """

    own: Tensor
    candidates: Tensor
    present: Tensor
    links: Tensor
    new: Tensor
    sentences: Tensor
    mentions: Tensor
    agree: Tensor


class Scorer(nn.Module):
    """One member of an ensemble."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.sizes = sizes
        read, known = sizes.layers * sizes.vectors, sizes.mention + _STEP_WIDTH
        self.norm = nn.LayerNorm(sizes.vectors, elementwise_affine=False)
        self.head = nn.Linear(read, sizes.head)
        self.first = nn.Linear(read, sizes.edge)
        self.last = nn.Linear(read, sizes.edge, bias=False)
        self.kinds = nn.Embedding(N_TYPES, _STEP_WIDTH)
        self.older = nn.Linear(known, sizes.hidden)
        self.newer = nn.Linear(known, sizes.hidden, bias=False)
        self.factor = nn.Linear(sizes.mention, sizes.product)
        self.product = nn.Linear(sizes.product, sizes.hidden, bias=False)
        self.sentences = nn.Embedding(len(SENTENCE_STEPS) + 1, _STEP_WIDTH)
        self.mentions = nn.Embedding(len(MENTION_STEPS) + 1, _STEP_WIDTH)
        self.features = nn.Linear(2 * _STEP_WIDTH + len(AGREEMENTS) + 2, sizes.hidden, bias=False)
        self.link = nn.Linear(sizes.hidden, 1)
        self.fresh = nn.Linear(known + 1, sizes.hidden)
        self.new = nn.Linear(sizes.hidden, 1)
        self.scale = nn.Parameter(torch.ones(()))
        self.drop, self.vector_drop = nn.Dropout(sizes.dropout), nn.Dropout(sizes.vector_dropout)
        for last in (self.link, self.new):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)

    def words(self, vectors: Tensor) -> Tensor:
        """What the scorer keeps of each word, as head, as first and as last word of a mention, side by side.

        Parameters
        ----------
        vectors : shape (n_words, layers, vectors)

        Returns
        -------
        shape (n_words, head + 2 * edge)
        """
        read = self.vector_drop(self.norm(vectors)).flatten(1)
        return torch.cat([self.head(read), self.first(read), self.last(read)], dim=1)

    def describe(self, words: Tensor, heads: Tensor, starts: Tensor, ends: Tensor) -> Tensor:
        """Shape (n_mentions, mention) from rows of `words`: those of each mention's head, first and last word."""
        head, first, last = words.split([self.sizes.head, self.sizes.edge, self.sizes.edge], dim=1)
        described: Tensor = self.drop(torch.tanh(torch.cat([head[heads], first[starts] + last[ends]], dim=1)))
        return described

    def forward(self, described: Tensor, kinds: Tensor, pairs: PairInputs) -> Tensor:
        """Logits of the candidates and NEW, shape (m, keep + 1).

        Parameters
        ----------
        described : shape (n_mentions, mention)
            Of all mentions of the document.
        kinds : shape (n_mentions,)
            Their types.
        pairs : PairInputs
        """
        known = torch.cat([described, self.kinds(kinds)], dim=1)
        factor = self.factor(described)
        hidden = (
            self.older(known)[pairs.candidates]
            + self.newer(known[pairs.own])[:, None]
            + self.product(factor[pairs.own][:, None] * factor[pairs.candidates])
            + self.features(self._features(pairs))
        )
        said = self.link(self.drop(functional.relu(hidden)))[..., 0]
        links = (self.scale * pairs.links + said).masked_fill(~pairs.present, ABSENT)
        fresh = self.fresh(torch.cat([known[pairs.own], pairs.new[:, None]], dim=1))
        new = self.scale * pairs.new + self.new(self.drop(functional.relu(fresh)))[:, 0]
        return torch.cat([links, new[:, None]], dim=1)

    def _features(self, pairs: PairInputs) -> Tensor:
        likely = pairs.links.clamp(min=_UNLIKELY)
        stated = torch.stack([likely / _LINK_SCALE, likely.exp()], dim=-1)
        distances = [self.sentences(pairs.sentences), self.mentions(pairs.mentions)]
        return torch.cat([*distances, pairs.agree.float(), stated], dim=-1)
