"""The `fast` profile: the matrix products of encoder and LSTMs in 8-bit integers.

Covers: replacing linear layers of a loaded network, weights per output row, inputs per batch (dynamic).
Not here: which profile to load (`workers.parser`).
"""

import warnings

import torch
import torch.ao.nn.quantized.dynamic
import torch.ao.quantization
from torch import Tensor, nn

from workers.parsing.network import JointNetwork


class Int8Linear(nn.Module):
    """A linear layer over 8-bit weights; inputs are rounded to 8 bits on the fly, sums are exact."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        weight = linear.weight.detach()
        scale = weight.abs().amax(1).clamp_min(1e-8) / 127
        with warnings.catch_warnings():
            # torch moves quantisation to another package; these operators are what that package calls on x86.
            warnings.simplefilter("ignore")
            quantised = torch.quantize_per_channel(
                weight, scale.double(), torch.zeros(len(scale), dtype=torch.long), 0, torch.qint8
            )
            self._packed = torch.ops.quantized.linear_prepack(quantised, linear.bias.detach())
        self._out = linear.out_features

    def forward(self, x: Tensor) -> Tensor:
        """As `nn.Linear`."""
        product: Tensor = torch.ops.quantized.linear_dynamic(x.reshape(-1, x.shape[-1]), self._packed)
        return product.view(*x.shape[:-1], self._out)


def quantise(network: JointNetwork) -> None:
    """Replace the encoder's linear layers and the two LSTMs over it, in place."""
    if network.inference is None:
        raise ValueError("only a network that is prepared to parse can be quantised")
    for module in list(network.inference.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, nn.Linear):
                setattr(module, name, Int8Linear(child))
    for lstm in (network.tagger.taggerlstm.lstm[0], network.parser.parserlstm.lstm[0]):
        lstm.lstm = _int8_lstm(lstm.lstm)


def _int8_lstm(lstm: nn.LSTM) -> nn.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as above
        lstm.qconfig = torch.ao.quantization.default_dynamic_qconfig
        quantised: nn.Module = torch.ao.nn.quantized.dynamic.LSTM.from_float(lstm)
    return quantised
