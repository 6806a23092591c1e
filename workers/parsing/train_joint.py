"""Fine-tune the encoder with tagger and parser on top, jointly, from CoNLL-U treebanks.

Covers: batches, loss, schedule, averaging, checkpoints that survive interruption.
Not here: the tokenizer (`train_tokenizer`), packing the result for shipping (`package`).
"""

import json
import logging
import random
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from safetensors.torch import load_file
from stanza.models.common.vocab import VOCAB_PREFIX_SIZE
from stanza.models.pos.vocab import MultiVocab
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence

from workers.parsing.network import JointNetwork, Sizes, build_vocabulary
from workers.parsing.pieces import WordPieces, make_batch
from workers.parsing.segment import as_read
from workers.parsing.treebank import TreebankSentence, Word, read_conllu

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class JointConfig:
    """What `train_joint` needs; the defaults trained the shipped models.

    batch_pieces : word pieces per batch, padding included; small, so that memory stays low.
    encoder_rate, head_rate : peak learning rates; linear warm-up, then linear decay to zero.
    average : decay of the running average of the weights, which is what is kept.
    upper_case : share of training sentences whose characters are shown in capitals (headlines).
    """

    train: tuple[Path, ...]
    encoder: Path
    out: Path
    sizes: Sizes = field(default_factory=Sizes)
    epochs: int = 5
    batch_pieces: int = 1500
    encoder_rate: float = 1.5e-4
    head_rate: float = 2e-3
    warm_up: float = 0.06
    average: float = 0.998
    upper_case: float = 0.03
    seed: int = 1
    checkpoint_every: int = 200


@dataclass(slots=True)
class TrainingStep:
    """What training has done so far, for a progress bar."""

    step: int
    steps: int
    loss: float


def train_joint(config: JointConfig, report: Callable[[TrainingStep], None] | None = None) -> Path:
    """Train to the end, from the last checkpoint if there is one; returns the averaged weights' file."""
    torch.manual_seed(config.seed)
    config.out.mkdir(parents=True, exist_ok=True)
    sentences = [s for path in config.train for s in read_conllu(path)]
    vocab = build_vocabulary(sentences)
    pieces = WordPieces(config.encoder / "tokenizer.json")
    network = new_network(config, vocab)
    run = _Run(config, network, sentences, pieces)
    run.resume()
    while run.step < run.steps:
        loss = run.one_step()
        if report:
            report(TrainingStep(run.step, run.steps, loss))
        if run.step % config.checkpoint_every == 0 or run.step == run.steps:
            run.save()
    return config.out / "average.pt"


def new_network(config: JointConfig, vocab: MultiVocab) -> JointNetwork:
    """The untrained network over the pre-trained encoder, its word-piece table rounded and frozen.

    The table is rounded to 8 bits a number before training, so that shipping it so costs nothing.
    """
    encoder_config = json.loads((config.encoder / "config.json").read_text())
    encoder_config |= {"attention_probs_dropout_prob": 0.0}
    network = JointNetwork(config.sizes, vocab, encoder_config, str(config.encoder))
    weights = load_file(config.encoder / "model.safetensors")
    missing, _ = network.encoder.load_state_dict(weights, strict=False)
    if missing:
        raise ValueError(f"{config.encoder}: the encoder file lacks {missing[:3]} and {len(missing) - 3} more")
    table = network.encoder.embeddings.word_embeddings.weight
    scale = table.detach().abs().amax(1, keepdim=True).clamp_min(1e-12) / 127
    table.data = (table.detach() / scale).round() * scale
    table.requires_grad = False
    return network


class _Run:
    def __init__(
        self, config: JointConfig, network: JointNetwork, sentences: list[TreebankSentence], pieces: WordPieces
    ) -> None:
        self.config, self.network, self.sentences, self.pieces = config, network, sentences, pieces
        self.sizes = [2 + sum(map(len, pieces.of([as_read(w.form) for w in s.words]))) for s in sentences]
        self.steps = sum(1 for epoch in range(config.epochs) for _ in self._epoch(epoch))
        self.step = 0
        self.batches = self._batches()
        encoder = {id(p) for p in network.encoder.parameters()}
        self.trained = [p for p in network.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(
            [
                {"params": [p for p in self.trained if id(p) in encoder], "peak": config.encoder_rate},
                {"params": [p for p in self.trained if id(p) not in encoder], "peak": config.head_rate},
            ],
            betas=(0.9, 0.98), eps=1e-6, weight_decay=0.01,
        )  # fmt: skip
        self.average = [p.detach().clone() for p in self.trained]

    def _epoch(self, epoch: int) -> list[list[int]]:
        """Batches of sentence numbers: of like length, in random order; a function of seed and epoch."""
        rng = random.Random(f"{self.config.seed}/{epoch}")  # noqa: S311 - order of training, no secret
        order = sorted(range(len(self.sizes)), key=lambda i: self.sizes[i] * rng.uniform(0.85, 1.15))
        batches: list[list[int]] = [[]]
        for i in order:
            widest = max([self.sizes[i], *(self.sizes[j] for j in batches[-1])])
            if batches[-1] and widest * (len(batches[-1]) + 1) > self.config.batch_pieces:
                batches.append([])
            batches[-1].append(i)
        rng.shuffle(batches)
        return batches

    def _batches(self) -> Iterator[list[int]]:
        for epoch in range(self.config.epochs):
            yield from self._epoch(epoch)

    def one_step(self) -> float:
        self.network.train()
        batch = sorted((self.sentences[i] for i in next(self.batches)), key=lambda s: -len(s.words))
        loss = self._loss(batch)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.trained, 1.0)
        warm_up = max(1, int(self.config.warm_up * self.steps))
        share = min((self.step + 1) / warm_up, (self.steps - self.step) / (self.steps - warm_up))
        for group in self.optimizer.param_groups:
            group["lr"] = group["peak"] * share
        self.optimizer.step()
        self.step += 1
        # Early on, the average must not remember the untrained weights.
        decay = min(self.config.average, self.step / (self.step + 20))
        torch._foreach_lerp_(self.average, [p.detach() for p in self.trained], 1 - decay)
        return loss.item()

    def _loss(self, sentences: list[TreebankSentence]) -> Tensor:
        words = [[as_read(w.form) for w in s.words] for s in sentences]
        rng = random.Random(f"{self.config.seed}:{self.step}")  # noqa: S311 - as above
        shout = [rng.random() < self.config.upper_case for _ in words]
        spelled = [[w.upper() for w in s] if up else s for s, up in zip(words, shout, strict=True)]
        batch = make_batch(words, spelled, self.pieces, self.network.vocab["char"])
        tagger_in, parser_in = self.network.word_states(batch)
        return tagging_loss(self.network, tagger_in, batch.lengths, sentences) + parsing_loss(
            self.network, parser_in, batch.lengths, sentences
        )

    def save(self) -> None:
        """Write aside, then rename: an interrupted save leaves the previous checkpoint whole."""
        state = {"step": self.step, "network": self.network.state_dict(), "optimizer": self.optimizer.state_dict(),
                 "average": self.average, "random": torch.get_rng_state()}  # fmt: skip
        _write(state, self.config.out / "checkpoint.pt")
        current = [p.detach().clone() for p in self.trained]
        for p, mean in zip(self.trained, self.average, strict=True):
            p.data.copy_(mean)
        averaged = {"step": self.step, "sizes": asdict(self.config.sizes), "network": self.network.state_dict(),
                    "vocab": self.network.vocab.state_dict()}  # fmt: skip
        _write(averaged, self.config.out / "average.pt")
        for p, value in zip(self.trained, current, strict=True):
            p.data.copy_(value)

    def resume(self) -> None:
        path = self.config.out / "checkpoint.pt"
        if not path.exists():
            return
        state = torch.load(path, weights_only=True)
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.average = state["average"]
        torch.set_rng_state(state["random"])
        while self.step < state["step"]:
            next(self.batches)
            self.step += 1
        log.info("resumed at step %d of %d", self.step, self.steps)


def tagging_loss(
    network: JointNetwork, states: Tensor, lengths: list[int], sentences: list[TreebankSentence]
) -> Tensor:
    """Mean cross-entropy of UPOS and XPOS, plus that of every feature."""
    hidden = network.tag_states(states, lengths).data
    rows = [torch.tensor([_tag_ids(network.vocab, word) for word in sentence.words]) for sentence in sentences]
    padded = nn.utils.rnn.pad_sequence(rows, batch_first=True)
    gold = pack_padded_sequence(padded, lengths, batch_first=True).data
    losses = [
        functional.cross_entropy(classify(hidden), gold[:, i]) for i, classify in enumerate(network.tag_classifiers())
    ]
    return torch.stack(losses).sum()


def _tag_ids(vocab: MultiVocab, word: Word) -> list[int]:
    return [vocab["upos"].unit2id(word.upos), vocab["xpos"].unit2id(word.xpos), *vocab["feats"].unit2id(word.feats)]


def parsing_loss(
    network: JointNetwork, states: Tensor, lengths: list[int], sentences: list[TreebankSentence]
) -> Tensor:
    """Mean cross-entropy of heads, plus that of the relation at the right head."""
    encoded = network.parser_states(states, lengths)
    scores = network.arc_scores(encoded)
    n_positions = scores.shape[1]
    padding = torch.arange(n_positions).unsqueeze(0) > torch.tensor(lengths).unsqueeze(1)
    scores = scores.masked_fill(padding.unsqueeze(1), -torch.inf)
    sentence = torch.tensor([i for i, s in enumerate(sentences) for _ in s.words])
    position = torch.tensor([j + 1 for s in sentences for j in range(len(s.words))])
    head = torch.tensor([w.head for s in sentences for w in s.words])
    relation = torch.tensor([network.vocab["deprel"].unit2id(w.deprel) for s in sentences for w in s.words])
    arcs = functional.cross_entropy(scores[sentence, position], head)
    labels = network.label_logits(encoded[sentence, position], encoded[sentence, head])
    return arcs + functional.cross_entropy(labels, relation - VOCAB_PREFIX_SIZE)


def _write(state: dict[str, object], path: Path) -> None:
    aside = path.with_suffix(".writing")
    torch.save(state, aside)
    aside.replace(path)
