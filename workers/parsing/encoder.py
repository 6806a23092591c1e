"""The encoder's forward pass for parsing: the same layers with less around them.

Covers: hidden layers of a BERT encoder without dropout or gradients; query, key and value are one matrix product.
Not here: training, which runs transformers' own module (`network`).
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertModel


class InferenceEncoder(nn.Module):
    """A view of a trained BERT encoder; the weights of the joined product are copied, the others shared."""

    def __init__(self, bert: BertModel) -> None:
        super().__init__()
        self.embeddings = bert.embeddings
        self.layers = nn.ModuleList(
            InferenceLayer(layer, bert.config.num_attention_heads) for layer in bert.encoder.layer
        )

    def forward(self, pieces: Tensor, mask: Tensor) -> list[Tensor]:
        """Embeddings and the output of each layer, as transformers' `hidden_states`."""
        # Without padding, attention needs no mask and takes a shorter way.
        allowed = None if bool(mask.all()) else mask.bool()[:, None, None, :]
        hidden = [self.embeddings(pieces)]
        for layer in self.layers:
            hidden.append(layer(hidden[-1], allowed))
        return hidden


class InferenceLayer(nn.Module):
    """One transformer layer."""

    def __init__(self, layer: Any, n_heads: int) -> None:
        super().__init__()
        attention = layer.attention.self
        parts = (attention.query, attention.key, attention.value)
        width = attention.query.in_features
        self.joined = nn.Linear(width, 3 * width)
        self.joined.weight.data = torch.cat([part.weight.detach() for part in parts])
        self.joined.bias.data = torch.cat([part.bias.detach() for part in parts])
        self.attended: nn.Module = layer.attention.output.dense
        self.attended_norm: nn.Module = layer.attention.output.LayerNorm
        self.widen: nn.Module = layer.intermediate.dense
        self.narrow: nn.Module = layer.output.dense
        self.norm: nn.Module = layer.output.LayerNorm
        self._n_heads = n_heads

    def forward(self, x: Tensor, allowed: Tensor | None) -> Tensor:
        """Shape (n_sentences, n_pieces, width) in and out."""
        n, length, width = x.shape
        joined = self.joined(x).view(n, length, 3, self._n_heads, -1).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(joined[0], joined[1], joined[2], attn_mask=allowed)
        x = self.attended_norm(self.attended(mixed.transpose(1, 2).reshape(n, length, width)) + x)
        result: Tensor = self.norm(self.narrow(functional.gelu(self.widen(x))) + x)
        return result
