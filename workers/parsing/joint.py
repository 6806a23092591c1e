"""Our own models on one document: the encoder runs once, relations are scored at the likely heads only.

Covers: batches within a section of a document; tags, trees and the distribution over trees of its sentences.
Not here: splitting text (`segment`), model files (`package`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from stanza.models.common.vocab import VOCAB_PREFIX_SIZE
from torch import Tensor
from torch.nn import functional
from torch.nn.utils.rnn import PackedSequence, pad_packed_sequence

from calib_core.syntax import Arcs
from workers.parsing.decode import Heads, Scores, best_tree, repaired
from workers.parsing.distribution import Temperatures, TreeDistribution, likely_arcs, likely_relations
from workers.parsing.network import JointNetwork
from workers.parsing.pieces import WordPieces, make_batch
from workers.parsing.segment import Segmenter, Token

BATCH_PIECES = 2048
WASTED_PIECES = 200


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """Tokens of one sentence with their tags and tree; heads are 1-based, 0 is the root.

    `trees` says how sure the parser is of the tree; None where its model does not tell.
    """

    tokens: list[Token]
    upos: list[str]
    xpos: list[str]
    feats: list[str]
    heads: list[int]
    deprels: list[str]
    trees: TreeDistribution | None = None


class JointEngine:
    """Tokenizer, encoder, tagger and parser, ready to parse."""

    def __init__(
        self, segmenter: Segmenter, network: JointNetwork, pieces: WordPieces, temperatures: Temperatures
    ) -> None:
        self._segmenter = segmenter
        self._network = network.eval()
        self._pieces = pieces
        self._temperatures = temperatures
        self._tags = _TagReader(network)
        self._relations = relation_names(network)

    def parse(self, text: str) -> Iterator[ParsedSentence]:
        """Parse a text, in order; memory is bounded by its longest section."""
        for sentences in self._segmenter.sections(text):
            yield from self.parse_sentences(sentences)

    def parse_sentences(self, sentences: list[list[Token]]) -> list[ParsedSentence]:
        """Parse given sentences; batches are made of these sentences and nothing else."""
        words = [[token.word for token in tokens] for tokens in sentences]
        parsed: list[ParsedSentence | None] = [None] * len(sentences)
        for rows in self._groups(words):
            for row, result in zip(rows, self._parse_batch([sentences[i] for i in rows]), strict=True):
                parsed[row] = result
        return [sentence for sentence in parsed if sentence is not None]

    def _groups(self, sentences: list[list[str]]) -> Iterator[list[int]]:
        """Sentences of like length together, longest first, so that little padding is computed."""
        widths = [2 + sum(map(len, self._pieces.of(words))) for words in sentences]
        group: list[int] = []
        wasted = 0
        for i in sorted(range(len(sentences)), key=lambda i: (-len(sentences[i]), i)):
            width = max([widths[i], *(widths[j] for j in group)])
            wasted = sum(width - widths[j] for j in [*group, i])
            if group and (width * (len(group) + 1) > BATCH_PIECES or wasted > WASTED_PIECES):
                yield group
                group = []
            group.append(i)
        if group:
            yield group

    @torch.inference_mode()
    def _parse_batch(self, sentences: list[list[Token]]) -> Iterator[ParsedSentence]:
        network = self._network
        words = [[token.word for token in tokens] for tokens in sentences]
        batch = make_batch(words, words, self._pieces, network.vocab["char"])
        tagger_in, parser_in = network.word_states(batch)
        tags = self._tags.read(network.tag_states(tagger_in, batch.lengths))
        states = network.parser_states(parser_in, batch.lengths)
        arcs = network.arc_scores(states)
        trees = [self._best(arcs[i], n) for i, n in enumerate(batch.lengths)]
        likely = [likely_arcs(scores, tree, self._temperatures) for scores, tree in trees]
        labels = self._labels(states, likely)
        results = []
        for i, tokens in enumerate(sentences):
            scores, tree = trees[i]
            chosen = labels[i][likely[i].heads == tree[likely[i].words]]
            heads, relations = repaired(scores, tree, chosen, network.vocab["deprel"], self._row(states[i], len(tree)))
            upos, xpos, feats = zip(*tags[i][: len(tokens)], strict=True)
            doubt = likely_relations(likely[i], labels[i], self._temperatures)
            distribution = TreeDistribution(likely[i], doubt, self._relations)
            results.append(
                ParsedSentence(tokens, [*upos], [*xpos], [*feats], heads[1:].tolist(), relations, distribution)
            )
        return iter(results)

    def _best(self, scores: Tensor, n_words: int) -> tuple[Scores, Heads]:
        square = functional.log_softmax(scores[: n_words + 1, : n_words + 1], 1).numpy()
        return square, best_tree(square)

    def _labels(self, states: Tensor, likely: list[Arcs]) -> list[Scores]:
        """Log-probabilities of the relations of each likely arc, one array (n_arcs, n_labels) per sentence.

        Most of the work is per word and serves all of its heads, so a few more of them cost next to nothing.
        """
        sentence = torch.tensor(np.repeat(np.arange(len(likely)), [len(arcs) for arcs in likely]))
        word = torch.tensor(np.concatenate([np.arange(1, len(arcs) + 1) for arcs in likely]))
        counts = np.concatenate([np.diff(arcs.offsets) for arcs in likely])
        real = np.arange(counts.max()) < counts[:, np.newaxis]
        heads = np.zeros(real.shape, dtype=np.int64)
        heads[real] = np.concatenate([arcs.heads for arcs in likely])
        logits = self._network.label_logits_of_heads(states, sentence, word, torch.tensor(heads))
        logs = functional.log_softmax(logits[torch.tensor(real)], 1).numpy()
        return np.split(logs, np.cumsum([len(arcs.heads) for arcs in likely])[:-1])

    def _row(self, states: Tensor, n_positions: int) -> Callable[[int], Scores]:
        def row(word: int) -> Scores:
            heads = states[:n_positions]
            with torch.inference_mode():
                logits = self._network.label_logits(heads[word].expand_as(heads), heads)
                return functional.log_softmax(logits, 1).numpy()

        return row


def relation_names(network: JointNetwork) -> tuple[str, ...]:
    """Names of the relations, in the order of their scores."""
    vocab = network.vocab["deprel"]
    return tuple(vocab.unmap(list(range(VOCAB_PREFIX_SIZE, len(vocab)))))


class _TagReader:
    """All tag classifiers as one matrix, and tag ids back to strings."""

    def __init__(self, network: JointNetwork) -> None:
        classifiers = network.tag_classifiers()
        self._weight = torch.cat([c.weight.detach() for c in classifiers])
        self._bias = torch.cat([c.bias.detach() for c in classifiers])
        self._widths = [c.out_features for c in classifiers]
        self._vocab = network.vocab
        self._known: dict[tuple[int, ...], tuple[str, str, str]] = {}

    def read(self, states: PackedSequence) -> list[list[tuple[str, str, str]]]:
        """UPOS, XPOS and FEATS of each word of each sentence (padding included)."""
        logits = functional.linear(states.data, self._weight, self._bias)
        ids = torch.stack([part.argmax(1) for part in logits.split(self._widths, 1)], 1)
        padded, _ = pad_packed_sequence(PackedSequence(ids, states.batch_sizes), batch_first=True)
        return [[self._strings(tuple(row)) for row in sentence] for sentence in padded.tolist()]

    def _strings(self, ids: tuple[int, ...]) -> tuple[str, str, str]:
        known = self._known.get(ids)
        if known is None:
            vocab = self._vocab
            known = vocab["upos"].id2unit(ids[0]), vocab["xpos"].id2unit(ids[1]), vocab["feats"].id2unit(ids[2:])
            self._known[ids] = known
        return known
