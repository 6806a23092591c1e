"""The `fast` profile: the encoder's matrix products in 8-bit integers.

Covers: replacing linear layers of a loaded network, weights per output row, inputs per batch (dynamic).
Not here: which profile to load (`workers.parser`).
"""

import warnings

import torch
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
    """Replace every linear layer of the encoder, in place."""
    for module in list(network.encoder.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, nn.Linear):
                setattr(module, name, Int8Linear(child))
