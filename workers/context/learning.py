"""Learn one member, adapters and scorer together: maximum marginal likelihood over right antecedents.

Covers: a training document as tensors, the epochs of one member, going on after an interruption.
Not here: where the documents and shortlists come from (`train`), the networks (`adapters`, `scorer`).

The loss is −log of the probability of all right places together (Durrett & Klein 2013), so the distribution itself is
what is trained; costs for wrong links would sharpen it beyond what it knows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from calib_core.arrays import Ints
from calib_core.coref.features.columns import TYPE
from calib_core.coref.features.context_features import pair_features
from calib_core.coref.model.shortlist import ABSENT, Shortlist
from workers.context.adapters import adapter_weights, reset_adapters, use_adapters
from workers.context.encoder import ContextEncoder, ReadWindow
from workers.context.member import Member
from workers.context.scorer import PairInputs, Scorer, Sizes

EpochDone = Callable[[int, int, float], None]
"""Called after each epoch with (epochs done, epochs in all, log-likelihood per mention)."""

_MENTIONS_PER_STEP = 200  # the size of an average document: longer ones take longer steps, as in the likelihood
_WARM_UP = 100  # steps until the full rate
_LARGEST_SLOPE = 1.0


@dataclass(frozen=True, slots=True)
class LearningConfig:
    """What a member depends on besides documents and sizes; `adapter_rate` is the rate of the adapters."""

    epochs: int = 6
    rate: float = 5e-4
    adapter_rate: float = 3e-4
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
    windows : tuple of ReadWindow
        The text after the layers that are not trained, for the words that mentions are made of.
    words : MentionWords
    kinds : shape (n_mentions,)
    pairs : PairInputs
    right : shape (n_mentions, keep + 1), bool
    """

    windows: tuple[ReadWindow, ...]
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
    windows: Sequence[ReadWindow], words: MentionWords, props: Ints, short: Shortlist, entities: Ints
) -> ContextExample:
    """A training document from its parts."""
    kinds = torch.from_numpy(props[:, TYPE].astype(np.int64))
    right = torch.from_numpy(short.right(entities))
    return ContextExample(tuple(windows), words, kinds, pair_inputs(props, short), right)


def example_logits(encoder: ContextEncoder, scorer: Scorer, example: ContextExample) -> Tensor:
    """Logits of all mentions, shape (n_mentions, keep + 1)."""
    vectors = torch.zeros(len(example.words.words), len(encoder.layers), encoder.width)
    if example.windows:
        rows = np.concatenate([window.rows for window in example.windows])
        vectors = torch.cat([encoder.vectors(window) for window in example.windows])[torch.from_numpy(np.argsort(rows))]
    places = (torch.from_numpy(r) for r in (example.words.heads, example.words.starts, example.words.ends))
    described = scorer.describe(scorer.words(vectors), *places)
    logits: Tensor = scorer(described, example.kinds, example.pairs)
    return logits


def negative_likelihood(logits: Tensor, right: Tensor) -> Tensor:
    """−log P(a right place) of each mention."""
    return torch.logsumexp(logits, dim=1) - torch.logsumexp(logits.masked_fill(~right, ABSENT), dim=1)


def learn(
    texts: Sequence[Sequence[ContextExample]], encoder: ContextEncoder, sizes: Sizes, config: LearningConfig, *,
    checkpoint: Path | None = None, done: EpochDone | None = None,
) -> Member:  # fmt: skip
    """Train one member; the same texts, seed and kind of CPU give the same weights, interrupted or not.

    Parameters
    ----------
    texts : sequence of sequences of ContextExample
        For each text its variants, such as gold trees and own parse; an epoch reads one of them, by turns.
    encoder : ContextEncoder
        With adapters, which are trained in place.
    sizes : Sizes
    config : LearningConfig
    checkpoint : Path, optional
        File that keeps the state after each epoch; a later call goes on from there.
    done : callable, optional
    """
    if not any(len(example.kinds) for variants in texts for example in variants):
        raise ValueError("no training document has a mention")
    state = _begin(encoder, sizes, config)
    if checkpoint is not None and checkpoint.exists():
        state.load(checkpoint)
    while state.epoch < config.epochs:
        likelihood = _epoch(state, texts, config)
        state.epoch += 1
        if checkpoint is not None:
            state.save(checkpoint)
        if done is not None:
            done(state.epoch, config.epochs, likelihood)
    return Member(state.scorer.eval(), {name: weight.detach().clone() for name, weight in state.adapters.items()})


@dataclass(slots=True)
class _State:
    """All that the next epoch follows from."""

    encoder: ContextEncoder
    adapters: dict[str, nn.Parameter]
    scorer: Scorer
    optimiser: torch.optim.AdamW
    epoch: int = 0

    def save(self, file: Path) -> None:
        aside = file.with_suffix(".part")
        content = {"scorer": self.scorer.state_dict(), "adapters": {n: w.detach() for n, w in self.adapters.items()},
                   "optimiser": self.optimiser.state_dict(), "epoch": self.epoch}  # fmt: skip
        torch.save(content, aside)
        aside.replace(file)

    def load(self, file: Path) -> None:
        content = torch.load(file, weights_only=True)
        self.scorer.load_state_dict(content["scorer"])
        use_adapters(self.encoder.network, content["adapters"])
        self.optimiser.load_state_dict(content["optimiser"])
        self.epoch = int(content["epoch"])


def _begin(encoder: ContextEncoder, sizes: Sizes, config: LearningConfig) -> _State:
    torch.manual_seed(config.seed)
    scorer, adapters = Scorer(sizes), adapter_weights(encoder.network)
    reset_adapters(encoder.network)
    groups = [
        {"params": list(scorer.parameters()), "weight_decay": config.decay, "full_rate": config.rate},
        {"params": list(adapters.values()), "weight_decay": 0.0, "full_rate": config.adapter_rate},
    ]
    return _State(encoder, adapters, scorer, torch.optim.AdamW(groups, lr=config.rate))


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
        _set_rate(state, state.epoch * len(order) + number, config.epochs * len(order))
        loss = _step(state, example)
        total, mentions = total - loss, mentions + len(example.kinds)
    return total / max(1, mentions)


def _step(state: _State, example: ContextExample) -> float:
    """Climb one document's likelihood; returns its negative."""
    losses = negative_likelihood(example_logits(state.encoder, state.scorer, example), example.right)
    state.optimiser.zero_grad()
    (losses.sum() / _MENTIONS_PER_STEP).backward()
    for group in state.optimiser.param_groups:
        torch.nn.utils.clip_grad_norm_(group["params"], _LARGEST_SLOPE)
    state.optimiser.step()
    return float(losses.detach().sum())


def _set_rate(state: _State, step: int, steps: int) -> None:
    """Rising over the first steps, then falling to zero in a straight line."""
    for group in state.optimiser.param_groups:
        group["lr"] = group["full_rate"] * min(1.0, (step + 1) / _WARM_UP) * (1 - step / steps)
