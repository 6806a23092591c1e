"""Word vectors of a document: the lower layers of a pre-trained encoder, read window by window.

Covers: building an encoder from its configuration and weights, word pieces of a text, vectors of chosen words.
Not here: where windows begin (`windows`), what is made of the vectors (`scorer`).

Windows are read one at a time, so memory does not grow with the document but for what the caller keeps.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel

from calib_core.arrays import Ints
from calib_core.document import Document
from workers.context.windows import windows
from workers.reparse import raw_text, spaced

_KINDS = {"bert": (BertConfig, BertModel), "mpnet": (MPNetConfig, MPNetModel)}
_MARKS = (("<s>", "</s>"), ("[CLS]", "[SEP]"))  # the first that a vocabulary has; MPNet's has both


def build_network(config: Mapping[str, Any], depth: int) -> nn.Module:
    """An encoder with its first `depth` layers and random weights, to be loaded into.

    Parameters
    ----------
    config : mapping
        The encoder's `config.json`.
    depth : int
    """
    kind = config.get("model_type")
    if kind not in _KINDS:
        raise ValueError(f"model_type of an encoder must be one of {', '.join(_KINDS)}; got {kind!r}")
    if not 1 <= depth <= int(config.get("num_hidden_layers", 0)):
        raise ValueError(f"layers must lie between 1 and the encoder's {config.get('num_hidden_layers')}; got {depth}")
    configuration, network = _KINDS[str(kind)]
    cut: nn.Module = network(configuration(**{**config, "num_hidden_layers": depth}), add_pooling_layer=False)
    return cut.eval()


@dataclass(frozen=True, slots=True)
class Pieces:
    """Word pieces of a text and the characters that each stands for, all of shape (n_pieces,)."""

    ids: Ints
    starts: Ints
    ends: Ints


class ContextEncoder:
    """A frozen encoder with its tokenizer."""

    def __init__(self, network: nn.Module, tokenizer: Tokenizer, layers: tuple[int, ...]) -> None:
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._network, self._tokenizer, self.layers = network, tokenizer, layers
        self._before, self._after = _marks(tokenizer)

    @property
    def width(self) -> int:
        """Width of a vector of one layer."""
        return int(self._network.config.hidden_size)  # type: ignore[union-attr, arg-type]

    def pieces(self, text: str) -> Pieces:
        """The pieces of a text."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        spans = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)
        return Pieces(np.array(encoding.ids, dtype=np.int64), spans[:, 0], spans[:, 1])

    @torch.inference_mode()
    def vectors(self, document: Document, words: Ints) -> Iterator[tuple[Ints, Tensor]]:
        """Vectors of some words, window by window.

        Parameters
        ----------
        document : Document
        words : shape (n_words,)
            Positions in the document, rising.

        Yields
        ------
        rows : Ints
            Which of `words` the window speaks for.
        vectors : shape (len(rows), n_layers, width)
            The mean over a word's pieces. A word without pieces, such as a lone blank sign, takes its neighbour's.
        """
        document = spaced(document)
        pieces = self.pieces(raw_text(document))
        if not len(pieces.ids):
            yield np.arange(len(words)), torch.zeros(len(words), len(self.layers), self.width)
            return
        first, last = _pieces_of(pieces, document.starts[words], document.ends[words])
        for window in windows(len(pieces.ids)):
            rows = np.flatnonzero((first >= window.first) & (first < window.last))
            if len(rows):
                hidden = self._read(pieces.ids[window.start : window.end])
                a, b = first[rows] - window.start, np.minimum(last[rows], window.end) - window.start
                yield rows, _means(hidden, a, b)

    def _read(self, ids: Ints) -> Tensor:
        """Shape (n_pieces, n_layers, width) of one window."""
        row = torch.tensor([[self._before, *ids.tolist(), self._after]])
        hidden = self._network(input_ids=row, output_hidden_states=True).hidden_states
        return torch.stack([hidden[layer][0, 1:-1] for layer in self.layers], dim=1)


def _marks(tokenizer: Tokenizer) -> tuple[int, int]:
    for before, after in _MARKS:
        ids = tokenizer.token_to_id(before), tokenizer.token_to_id(after)
        if ids[0] is not None and ids[1] is not None:
            return int(ids[0]), int(ids[1])
    raise ValueError(f"the word-piece vocabulary must have {' or '.join(' and '.join(pair) for pair in _MARKS)}")


def _pieces_of(pieces: Pieces, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """First piece of each word, and the piece after its last; always at least one."""
    first = np.minimum(np.searchsorted(pieces.ends, starts, "right"), len(pieces.ids) - 1)
    last = np.maximum(np.searchsorted(pieces.starts, ends, "left"), first + 1)
    return first.astype(np.int64), last.astype(np.int64)


def _means(hidden: Tensor, first: Ints, last: Ints) -> Tensor:
    """Mean of rows first to last of `hidden`, for each pair of bounds."""
    lengths = last - first
    rows = np.repeat(first - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths) + np.arange(lengths.sum())
    owner = torch.from_numpy(np.repeat(np.arange(len(first)), lengths))
    summed = torch.zeros(len(first), *hidden.shape[1:]).index_add_(0, owner, hidden[torch.from_numpy(rows)])
    return summed / torch.from_numpy(lengths)[:, None, None].float()
