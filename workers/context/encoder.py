"""Word vectors of a document: the lower layers of a pre-trained encoder, read window by window.

Covers: building an encoder from its configuration and weights, word pieces of a text, vectors of chosen words.
Not here: where windows begin (`windows`), what is trained inside the encoder (`adapters`), what is made of the vectors
(`scorer`).

Windows are read one at a time, so memory does not grow with the document but for what the caller keeps. The layers
below the first adapted one are the same for all members of an ensemble: a window goes through them once.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, SupportsIndex

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
_NO_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}  # slow, and the scorer drops enough


def build_network(config: Mapping[str, Any], depth: int) -> nn.Module:
    """An encoder with its first `depth` layers and random weights, to be loaded into; nothing in it is trained.

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
    settings = configuration(**{**config, **_NO_DROPOUT, "num_hidden_layers": depth})
    cut: nn.Module = network(settings, add_pooling_layer=False)
    return cut.requires_grad_(requires_grad=False).eval()


@dataclass(frozen=True, slots=True)
class Pieces:
    """Word pieces of a text and the characters that each stands for, all of shape (n_pieces,)."""

    ids: Ints
    starts: Ints
    ends: Ints


@dataclass(frozen=True, slots=True)
class ReadWindow:
    """A window after the layers that all members share.

    Attributes
    ----------
    rows : shape (n_rows,)
        Which of the words asked for the window speaks for.
    first, last : shape (n_rows,)
        The pieces of each, the last excluded.
    kept : dict
        Output of the shared layers that are read, by layer, and of the last shared one; each of shape
        (1, n_pieces + 2, width).
    """

    rows: Ints
    first: Ints
    last: Ints
    kept: dict[int, Tensor]


def has_fast_halves() -> bool:
    """Whether this CPU multiplies 16-bit numbers faster than 32-bit ones: then encoders use them."""
    return torch.cpu._is_avx512_bf16_supported()


Known = dict[bytes, dict[int, Tensor]]
"""Outputs of the shared layers, by the pieces of a window."""


Origin = tuple[Callable[..., "ContextEncoder"], tuple[Any, ...]]


class ContextEncoder:
    """An encoder with its tokenizer.

    Parameters
    ----------
    network : nn.Module
    tokenizer : Tokenizer
    layers : tuple of int
        Layers whose output is read; 0 is what goes into the first.
    shared : int
        Lowest layers, which have no adapters.
    halves : bool, optional
        Multiply 16-bit numbers; None: where the CPU does so faster.
    origin : (function, arguments), optional
        Reads the encoder from its files. Processes that it is sent to do so, as its weights are larger than a message
        should be.
    """

    def __init__(
        self, network: nn.Module, tokenizer: Tokenizer, layers: tuple[int, ...], shared: int,
        *, halves: bool | None = None, origin: Origin | None = None,
    ) -> None:  # fmt: skip
        self._origin = origin
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self.network, self.layers, self.shared = network, layers, min(shared, max(layers))
        self._halves = has_fast_halves() if halves is None else halves
        self._tokenizer = tokenizer
        self._before, self._after = _marks(tokenizer)

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        """How it is pickled: by its origin if it has one."""
        return self._origin or super().__reduce_ex__(protocol)

    @property
    def width(self) -> int:
        """Width of a vector of one layer."""
        return int(self.network.config.hidden_size)  # type: ignore[union-attr, arg-type]

    def pieces(self, text: str) -> Pieces:
        """The pieces of a text."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        spans = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)
        return Pieces(np.array(encoding.ids, dtype=np.int64), spans[:, 0], spans[:, 1])

    def read(self, document: Document, words: Ints, *, known: Known | None = None) -> Iterator[ReadWindow]:
        """Take some words of a document through the shared layers, window by window.

        Parameters
        ----------
        document : Document
        words : shape (n_words,)
            Positions in the document, rising. A word without pieces, such as a lone blank sign, takes its neighbour's.
            In a text without any pieces no window speaks for any word.
        known : Known, optional
            Windows read before, to which those of this document are added, in 16 bits: variants of a text share them.
        """
        document = spaced(document)
        pieces = self.pieces(raw_text(document))
        if not len(pieces.ids):
            return
        first, last = _pieces_of(pieces, document.starts[words], document.ends[words])
        for window in windows(len(pieces.ids)):
            rows = np.flatnonzero((first >= window.first) & (first < window.last))
            if len(rows):
                ids = pieces.ids[window.start : window.end]
                kept = self._shared(ids) if known is None else self._looked_up(ids, known)
                begin, end = first[rows] - window.start, np.minimum(last[rows], window.end) - window.start
                yield ReadWindow(rows, begin, end, kept)

    def _looked_up(self, ids: Ints, known: Known) -> dict[int, Tensor]:
        key = ids.tobytes()
        if key not in known:
            known[key] = {layer: hidden.bfloat16() for layer, hidden in self._shared(ids).items()}
        return known[key]

    @torch.no_grad()
    def _shared(self, ids: Ints) -> dict[int, Tensor]:
        """Outputs of the shared layers that are read, and of the last one."""
        row = torch.tensor([[self._before, *ids.tolist(), self._after]])
        with self._precision():
            hidden = self.network.embeddings(input_ids=row)  # type: ignore[operator]
            outputs = {0: hidden, **dict(self._through(hidden, 0, self.shared))}
        return {layer: outputs[layer] for layer in {*self.layers, self.shared} if layer <= self.shared}

    def _precision(self) -> torch.autocast:
        return torch.autocast("cpu", dtype=torch.bfloat16, enabled=self._halves)

    def vectors(self, window: ReadWindow) -> Tensor:
        """Mean over each word's pieces, after the layers that are not shared; shape (n_rows, n_layers, width)."""
        outputs = dict(window.kept)
        with self._precision():
            outputs |= self._through(outputs[self.shared].float(), self.shared, max(self.layers))
        hidden = torch.stack([outputs[layer][0, 1:-1].float() for layer in self.layers], dim=1)
        return _means(hidden, window.first, window.last)

    def _through(self, hidden: Tensor, below: int, top: int) -> Iterator[tuple[int, Tensor]]:
        """Outputs of the layers above `below` up to `top`, by number."""
        stack: Any = self.network.encoder
        bias: tuple[Any, ...] = ()
        if top > below and hasattr(stack, "compute_position_bias"):
            with torch.no_grad():
                bias = (None, stack.compute_position_bias(hidden))
        for number in range(below, top):
            output = stack.layer[number](hidden, *bias)
            hidden = output[0] if isinstance(output, tuple) else output
            yield number + 1, hidden


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
