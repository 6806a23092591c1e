"""Learn one scorer: maximum marginal likelihood over right antecedents, document by document.

Covers: a training document as tensors, the epochs of one member, going on after an interruption.
Not here: where the documents' vectors and shortlists come from (`train`), the network (`scorer`).

The loss is −log of the probability of all right places together (Durrett & Klein 2013), so the distribution itself is
what is trained; costs for wrong links would sharpen it beyond what it knows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from calib_core.arrays import Ints
from calib_core.coref.features.columns import TYPE
from calib_core.coref.features.context_features import pair_features
from calib_core.coref.model.shortlist import ABSENT, Shortlist
from workers.context.scorer import PairInputs, Scorer, Sizes

EpochDone = Callable[[int, int, float], None]
"""Called after each epoch with (epochs done, epochs in all, log-likelihood per mention)."""

_MENTIONS_PER_STEP = 200  # the size of an average document: longer ones take longer steps, as in the likelihood
_WARM_UP = 100  # steps until the full rate
_LARGEST_SLOPE = 1.0


@dataclass(frozen=True, slots=True)
class LearningConfig:
    """What a member depends on besides documents and sizes."""

    epochs: int = 6
    rate: float = 5e-4
    decay: float = 0.01
    seed: int = 0


@dataclass(frozen=True, slots=True)
class MentionWords:
    """Which words of a document mentions are made of.

    Attributes
    ----------
    words : shape (n_words,)
        Positions in the document of every head, first and last word, rising, each once.
    heads, starts, ends : shape (n_mentions,)
        Rows of `words`.
    """

    words: Ints
    heads: Ints
    starts: Ints
    ends: Ints

    @classmethod
    def of(cls, heads: Ints, starts: Ints, ends: Ints) -> "MentionWords":
        """From token positions, `ends` excluded."""
        words = np.unique(np.concatenate([heads, starts, ends - 1]))
        rows = (np.searchsorted(words, tokens).astype(np.int64) for tokens in (heads, starts, ends - 1))
        return cls(words, *rows)


@dataclass(frozen=True, slots=True)
class ContextExample:
    """One training document.

    Attributes
    ----------
    vectors : shape (n_words, layers, width), 16-bit
        Of the words that mentions are made of.
    words : MentionWords
    kinds : shape (n_mentions,)
    pairs : PairInputs
    right : shape (n_mentions, keep + 1), bool
    """

    vectors: Tensor
    words: MentionWords
    kinds: Tensor
    pairs: PairInputs
    right: Tensor


def pair_inputs(props: Ints, short: Shortlist, first: int = 0, last: int | None = None) -> PairInputs:
    """The pairs of mentions `first` to `last` as the scorer reads them."""
    last = len(short.candidates) if last is None else last
    candidates = short.candidates[first:last]
    features = pair_features(props, candidates, first)
    return PairInputs(
        own=torch.arange(first, last),
        candidates=torch.from_numpy(np.maximum(candidates, 0)),
        present=torch.from_numpy(candidates >= 0),
        links=torch.from_numpy(short.links[first:last].astype(np.float32)),
        new=torch.from_numpy(short.new[first:last].astype(np.float32)),
        sentences=torch.from_numpy(features.sentences),
        mentions=torch.from_numpy(features.mentions),
        agree=torch.from_numpy(features.agree),
    )


def context_example(
    vectors: Tensor, words: MentionWords, props: Ints, short: Shortlist, entities: Ints
) -> ContextExample:
    """A training document from its parts."""
    kinds = torch.from_numpy(props[:, TYPE].astype(np.int64))
    return ContextExample(vectors, words, kinds, pair_inputs(props, short), torch.from_numpy(short.right(entities)))


def example_logits(scorer: Scorer, example: ContextExample) -> Tensor:
    """Logits of all mentions, shape (n_mentions, keep + 1)."""
    rows = (torch.from_numpy(r) for r in (example.words.heads, example.words.starts, example.words.ends))
    described = scorer.describe(scorer.words(example.vectors.float()), *rows)
    logits: Tensor = scorer(described, example.kinds, example.pairs)
    return logits


def negative_likelihood(logits: Tensor, right: Tensor) -> Tensor:
    """−log P(a right place) of each mention."""
    return torch.logsumexp(logits, dim=1) - torch.logsumexp(logits.masked_fill(~right, ABSENT), dim=1)


def learn(
    texts: Sequence[Sequence[ContextExample]], sizes: Sizes, config: LearningConfig, *,
    checkpoint: Path | None = None, done: EpochDone | None = None,
) -> Scorer:  # fmt: skip
    """Train one member; the same texts, seed and kind of CPU give the same weights, interrupted or not.

    Parameters
    ----------
    texts : sequence of sequences of ContextExample
        For each text its variants, such as gold trees and own parse; an epoch reads one of them, by turns.
    sizes : Sizes
    config : LearningConfig
    checkpoint : Path, optional
        File that keeps the state after each epoch; a later call goes on from there.
    done : callable, optional
    """
    if not any(len(example.kinds) for variants in texts for example in variants):
        raise ValueError("no training document has a mention")
    state = _begin(sizes, config)
    if checkpoint is not None and checkpoint.exists():
        state.load(checkpoint)
    while state.epoch < config.epochs:
        likelihood = _epoch(state, texts, config)
        state.epoch += 1
        if checkpoint is not None:
            state.save(checkpoint)
        if done is not None:
            done(state.epoch, config.epochs, likelihood)
    return state.scorer.eval()


@dataclass(slots=True)
class _State:
    """All that the next epoch follows from."""

    scorer: Scorer
    optimiser: torch.optim.AdamW
    epoch: int = 0

    def save(self, file: Path) -> None:
        aside = file.with_suffix(".part")
        content = {"scorer": self.scorer.state_dict(), "optimiser": self.optimiser.state_dict(), "epoch": self.epoch}
        torch.save(content, aside)
        aside.replace(file)

    def load(self, file: Path) -> None:
        content = torch.load(file, weights_only=True)
        self.scorer.load_state_dict(content["scorer"])
        self.optimiser.load_state_dict(content["optimiser"])
        self.epoch = int(content["epoch"])


def _begin(sizes: Sizes, config: LearningConfig) -> _State:
    torch.manual_seed(config.seed)
    scorer = Scorer(sizes)
    return _State(scorer, torch.optim.AdamW(scorer.parameters(), lr=config.rate, weight_decay=config.decay))


def _epoch(state: _State, texts: Sequence[Sequence[ContextExample]], config: LearningConfig) -> float:
    """One pass in an order, and with dropout, that follow from seed and epoch alone."""
    torch.manual_seed(config.seed * 1000 + state.epoch + 1)
    order = np.random.default_rng([config.seed, state.epoch]).permutation(len(texts)).tolist()
    state.scorer.train()
    total, mentions = 0.0, 0
    for number, d in enumerate(order):
        example = texts[d][(state.epoch + d) % len(texts[d])]
        if not len(example.kinds):
            continue
        _set_rate(state, config, state.epoch * len(order) + number, config.epochs * len(order))
        loss = _step(state, example)
        total, mentions = total - loss, mentions + len(example.kinds)
    return total / max(1, mentions)


def _step(state: _State, example: ContextExample) -> float:
    """Climb one document's likelihood; returns its negative."""
    losses = negative_likelihood(example_logits(state.scorer, example), example.right)
    state.optimiser.zero_grad()
    (losses.sum() / _MENTIONS_PER_STEP).backward()
    torch.nn.utils.clip_grad_norm_(state.scorer.parameters(), _LARGEST_SLOPE)
    state.optimiser.step()
    return float(losses.detach().sum())


def _set_rate(state: _State, config: LearningConfig, step: int, steps: int) -> None:
    """Rising over the first steps, then falling to zero in a straight line."""
    for group in state.optimiser.param_groups:
        group["lr"] = config.rate * min(1.0, (step + 1) / _WARM_UP) * (1 - step / steps)
