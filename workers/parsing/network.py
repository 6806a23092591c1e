"""The joint network: one MiniLM encoder under Stanza's own tagger and graph parser.

Covers: the sizes, the vocabularies, and the forward passes that training and parsing share. The heads are
`stanza.models.pos.model.Tagger` and `stanza.models.depparse.model.GraphParser`, so their weights are ordinary Stanza
weights; only the encoder and the character model are shared between them.
Not here: reading text (`pieces`), trees (`decode`), the training loop (`train_joint`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from stanza.models.common.char_model import CharacterModel
from stanza.models.common.vocab import CharVocab
from stanza.models.depparse.model import GraphParser
from stanza.models.pos.model import Tagger
from stanza.models.pos.vocab import FeatureVocab, MultiVocab, WordVocab
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence
from transformers import BertConfig, BertModel

from workers.parsing.encoder import InferenceEncoder
from workers.parsing.treebank import TreebankSentence

# A cutoff above any count keeps Stanza's word and lemma tables empty: the encoder replaces them.
NO_WORDS = 10**9
LANGUAGE = "en_credence"
# Stanza reads longer inputs in windows, each of which repeats this many pieces of the one before.
WINDOW_OVERLAP = 20


@dataclass(frozen=True, slots=True)
class Sizes:
    """Layer sizes of the joint network; the defaults are those of the shipped models."""

    encoder_layers: int = 6
    mixed_layers: int = 4
    char_emb: int = 24
    char_hidden: int = 64
    char_out: int = 48
    tagger_hidden: int = 128
    tagger_classifier: int = 256
    parser_hidden: int = 200
    parser_biaffine: int = 160


@dataclass(frozen=True, slots=True)
class Batch:
    """Sentences of one batch, longest first (by words).

    Attributes
    ----------
    pieces, mask : shape (n_sentences, n_pieces)
        Word-piece ids, and 1 where they are real.
    last_piece : shape (n_sentences, n_words + 1)
        Where each word ends; column 0 is the start symbol, which stands for the root.
    lengths : list of int
        Number of words of each sentence, without the root.
    chars : shape (n_unique, n_chars)
        Character ids of the distinct words, longest first; `char_lengths` are their lengths.
    word_of : shape (n_sentences, n_words + 1)
        Row in `chars` of each word; column 0 is the root.
    """

    pieces: Tensor
    mask: Tensor
    last_piece: Tensor
    lengths: list[int]
    chars: Tensor
    char_lengths: list[int]
    word_of: Tensor


def stanza_arguments(sizes: Sizes, bert_model: str) -> dict[str, Any]:
    """The arguments that Stanza saves beside its weights, as far as tagger and parser share them."""
    return {
        "shorthand": LANGUAGE, "lang": "en", "word_emb_dim": 0, "tag_emb_dim": 0, "pretrain": False,
        "char": True, "charlm": None, "char_emb_dim": sizes.char_emb, "char_hidden_dim": sizes.char_hidden,
        "char_num_layers": 1, "char_rec_dropout": 0, "transformed_dim": sizes.char_out, "num_layers": 1,
        "rec_dropout": 0, "word_dropout": 0.0, "dropout": 0.25, "bert_model": bert_model,
        "bert_hidden_layers": sizes.mixed_layers, "bert_finetune": True, "use_peft": False, "share_hid": True,
        "lr": 1e-3, "optim": "adamw", "beta2": 0.99, "max_steps": 1, "bert_learning_rate": 0.1,
        "word_cutoff": NO_WORDS, "reversed": False,
    }  # fmt: skip


def tagger_arguments(sizes: Sizes, bert_model: str) -> dict[str, Any]:
    """Stanza's arguments for the tagger."""
    return stanza_arguments(sizes, bert_model) | {
        "hidden_dim": sizes.tagger_hidden, "deep_biaff_hidden_dim": sizes.tagger_classifier,
        "composite_deep_biaff_hidden_dim": sizes.tagger_classifier, "batch_size": 250,
    }  # fmt: skip


def parser_arguments(sizes: Sizes, bert_model: str) -> dict[str, Any]:
    """Stanza's arguments for the graph parser."""
    return stanza_arguments(sizes, bert_model) | {
        "hidden_dim": sizes.parser_hidden, "deep_biaff_hidden_dim": sizes.parser_biaffine,
        "deep_biaff_output_dim": sizes.parser_biaffine, "batch_size": 5000, "linearization": False,
        "distance": False, "use_arc_embedding": False, "use_upos": False, "use_xpos": False, "use_ufeats": False,
    }  # fmt: skip


def build_vocabulary(sentences: list[TreebankSentence]) -> MultiVocab:
    """Characters, tags and relations of a treebank, in Stanza's own vocabulary classes."""
    rows = [
        [(w.form, w.upos, w.xpos, w.feats, w.lemma, w.head, w.deprel) for w in sentence.words]
        for sentence in sentences
    ]  # fmt: skip
    return MultiVocab(
        {
            "char": CharVocab(rows, LANGUAGE, cutoff=3),
            "word": WordVocab(rows, LANGUAGE, cutoff=NO_WORDS, lower=True),
            "upos": WordVocab(rows, LANGUAGE, idx=1),
            "xpos": WordVocab(rows, LANGUAGE, idx=2, ignore=["_"]),
            "feats": FeatureVocab(rows, LANGUAGE, idx=3),
            "lemma": WordVocab(rows, LANGUAGE, cutoff=NO_WORDS, idx=4, lower=True),
            "deprel": WordVocab(rows, LANGUAGE, idx=6),
        }
    )


class JointNetwork(nn.Module):
    """One encoder and one character model under a Stanza tagger and a Stanza graph parser."""

    def __init__(self, sizes: Sizes, vocab: MultiVocab, encoder_config: dict[str, Any], bert_model: str = "") -> None:
        super().__init__()
        self.sizes = sizes
        self.vocab = vocab
        config = BertConfig(**encoder_config)
        config.num_hidden_layers = sizes.encoder_layers
        self.encoder = BertModel(config, add_pooling_layer=False)
        parts = {"bert_model": self.encoder, "bert_tokenizer": None, "force_bert_saved": True}
        # Stanza reads an empty name as "no encoder".
        bert_model = bert_model or "encoder"
        self.tagger = Tagger(tagger_arguments(sizes, bert_model), vocab, share_hid=True, **parts)
        self.parser = GraphParser(parser_arguments(sizes, bert_model), vocab, **parts)
        self.parser.charmodel = self.tagger.charmodel
        self.inference: InferenceEncoder | None = None

    def prepare(self) -> "JointNetwork":
        """Make the trained network ready to parse; it cannot be trained any more."""
        self.inference = InferenceEncoder(self.encoder)
        return self.eval()

    def word_states(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Inputs of the tagger's and the parser's LSTM, each (n_sentences, n_words + 1, width).

        Position 0 is the root, which the tagger leaves out.
        """
        rows = torch.arange(batch.last_piece.shape[0]).unsqueeze(1)
        words = [layer[rows, batch.last_piece] for layer in self._layers(batch.pieces, batch.mask)]
        chars = self._character_states(batch)
        drop = self.tagger.drop

        def states(head: Any) -> Tensor:
            spelled = head.trans_char(drop(chars))[batch.word_of]
            return drop(torch.cat([spelled, _mix(head.bert_layer_mix, words)], 2))

        return states(self.tagger), states(self.parser)

    def _layers(self, pieces: Tensor, mask: Tensor) -> list[Tensor]:
        """The last hidden layers of the encoder; inputs longer than it can read go through in windows, as in Stanza."""
        longest = self.encoder.config.max_position_embeddings
        windows = []
        start = 0
        while True:
            window = slice(start, start + longest)
            hidden = self._hidden(pieces[:, window], mask[:, window])
            seen = WINDOW_OVERLAP if start else 0
            windows.append([layer[:, seen:] for layer in hidden[-self.sizes.mixed_layers :]])
            if pieces.shape[1] - start <= longest:
                break
            start += longest - WINDOW_OVERLAP
        return windows[0] if len(windows) == 1 else [torch.cat(parts, 1) for parts in zip(*windows, strict=True)]

    def _hidden(self, pieces: Tensor, mask: Tensor) -> Sequence[Tensor]:
        if self.inference is not None:
            return self.inference(pieces, mask)
        return self.encoder(pieces, attention_mask=mask, output_hidden_states=True).hidden_states

    def _character_states(self, batch: Batch) -> Tensor:
        """One vector per distinct word, shape (n_unique, char_hidden)."""
        model: CharacterModel = self.tagger.charmodel
        lengths = batch.char_lengths
        embedded = pack_padded_sequence(model.dropout(model.char_emb(batch.chars)), lengths, batch_first=True)
        initial = _initial((model.charlstm_h_init, model.charlstm_c_init), len(lengths))
        output, _ = model.charlstm(embedded, lengths, hx=initial)
        weights = torch.sigmoid(model.char_attn(model.dropout(output.data)))
        weighted = PackedSequence(output.data * weights, output.batch_sizes)
        padded: Tensor = pad_packed_sequence(weighted, batch_first=True)[0]
        return padded.sum(1)

    def tag_states(self, states: Tensor, lengths: list[int]) -> PackedSequence:
        """The tagger's last hidden layer, from which every tag is read."""
        tagger = self.tagger
        packed = pack_padded_sequence(states[:, 1:], lengths, batch_first=True)
        initial = _initial((tagger.taggerlstm_h_init, tagger.taggerlstm_c_init), len(lengths))
        output = tagger.taggerlstm(packed, lengths, hx=initial)[0]
        hidden = tagger.drop(torch.relu(tagger.upos_hid(tagger.drop(output.data))))
        return PackedSequence(hidden, packed.batch_sizes)

    def tag_classifiers(self) -> list[nn.Linear]:
        """Of UPOS, of XPOS, and of each feature in the vocabulary's order."""
        tagger = self.tagger
        return [tagger.upos_clf, tagger.tag_clf["xpos"], *tagger.tag_clf["feats"]]

    def parser_states(self, states: Tensor, lengths: list[int]) -> Tensor:
        """The parser's LSTM output, shape (n_sentences, n_words + 1, 2 * parser_hidden)."""
        parser = self.parser
        with_root = [length + 1 for length in lengths]
        packed = pack_padded_sequence(states, with_root, batch_first=True)
        initial = _initial((parser.parserlstm_h_init, parser.parserlstm_c_init), len(lengths))
        output: Tensor = pad_packed_sequence(parser.parserlstm(packed, with_root, hx=initial)[0], batch_first=True)[0]
        return output

    def arc_scores(self, states: Tensor) -> Tensor:
        """Score of each head (last axis) for each word, root row included; no word is its own head."""
        drop = self.parser.drop
        scores: Tensor = self.parser.unlabeled(drop(states), drop(states)).squeeze(3)
        return scores.masked_fill(torch.eye(scores.shape[1], dtype=torch.bool), -torch.inf)

    def label_logits(self, dependents: Tensor, heads: Tensor) -> Tensor:
        """Relation logits of given arcs only: two (n_arcs, width) arrays of parser states."""
        scorer = self.parser.deprel
        drop = self.parser.drop
        left = _with_one(scorer.dropout(torch.relu(scorer.W1(drop(dependents)))))
        right = _with_one(scorer.dropout(torch.relu(scorer.W2(drop(heads)))))
        weight = scorer.scorer.W_bilin.weight
        product = (left @ weight.flatten(1)).view(-1, *weight.shape[1:])
        return torch.bmm(right.unsqueeze(1), product).squeeze(1) + scorer.scorer.W_bilin.bias

    def label_logits_of_heads(self, states: Tensor, sentence: Tensor, word: Tensor, heads: Tensor) -> Tensor:
        """Relation logits of several heads per word.

        Parameters
        ----------
        states : shape (n_sentences, n_words + 1, width)
        sentence, word : shape (n,)
            Where each word stands in `states`.
        heads : shape (n, n_heads)
            Positions in the word's sentence.

        Returns
        -------
        shape (n, n_heads, n_labels)
        """
        scorer = self.parser.deprel
        drop = self.parser.drop
        left = _with_one(scorer.dropout(torch.relu(scorer.W1(drop(states[sentence, word])))))
        right = _with_one(scorer.dropout(torch.relu(scorer.W2(drop(states)))))
        weight = scorer.scorer.W_bilin.weight
        product = (left @ weight.flatten(1)).view(-1, *weight.shape[1:])
        return torch.bmm(right[sentence.unsqueeze(1), heads], product) + scorer.scorer.W_bilin.bias


def _mix(mix: nn.Linear, layers: list[Tensor]) -> Tensor:
    """Stanza's layer mix: learned weights around the mean."""
    weights = mix.weight[0] + 1 / len(layers)
    mixed = weights[0] * layers[0]
    for weight, layer in zip(weights[1:], layers[1:], strict=True):
        mixed = mixed + weight * layer
    return mixed


def _initial(states: tuple[Tensor, Tensor], n_rows: int) -> tuple[Tensor, ...]:
    return tuple(state.expand(-1, n_rows, -1).contiguous() for state in states)


def _with_one(x: Tensor) -> Tensor:
    return torch.cat([x, x.new_ones(*x.shape[:-1], 1)], -1)
