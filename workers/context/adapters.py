"""Adapters: what is trained inside an encoder whose own weights stay as they are.

Covers: low-rank products beside the linear layers of the upper encoder layers (LoRA, Hu et al. 2021), their weights.
Not here: the encoder (`encoder`), learning the weights (`learning`).

One encoder serves every member of an ensemble: before a member reads, its few weights are put into the adapters.
"""

import math
from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional

STRENGTH = 2.0
"""Factor of every product; it sets how far one step of learning moves the layer."""


class Adapted(nn.Module):
    """A frozen linear layer plus the product of two narrow matrices.

    Attributes
    ----------
    down : shape (rank, inputs)
    up : shape (outputs, rank)
    """

    def __init__(self, frozen: nn.Linear, rank: int) -> None:
        super().__init__()
        self.frozen = frozen
        self.down = nn.Parameter(torch.zeros(rank, frozen.in_features))
        self.up = nn.Parameter(torch.zeros(frozen.out_features, rank))

    def forward(self, x: Tensor) -> Tensor:
        """The layer's output, shape (..., outputs)."""
        moved: Tensor = self.frozen(x) + STRENGTH * functional.linear(functional.linear(x, self.down), self.up)
        return moved


def shared_layers(layers: tuple[int, ...], rank: int) -> int:
    """How many of the lowest encoder layers have no adapters: those up to the first that is read, or all at rank 0."""
    return layers[0] if rank else layers[-1]


def add_adapters(network: nn.Module, rank: int, shared: int) -> None:
    """Put adapters beside all linear layers above the `shared` lowest encoder layers."""
    if rank < 0:
        raise ValueError(f"rank of adapters must be at least 0; got {rank}")
    for layer in network.encoder.layer[shared:]:  # type: ignore[union-attr, index]
        for module in list(layer.modules()):
            for name, child in list(module.named_children()):
                if isinstance(child, nn.Linear):
                    setattr(module, name, Adapted(child, rank))


def adapter_weights(network: nn.Module) -> dict[str, nn.Parameter]:
    """The trained matrices, by name."""
    return {
        f"{name}.{part}": getattr(module, part)
        for name, module in network.named_modules()
        if isinstance(module, Adapted)
        for part in ("down", "up")
    }


@torch.no_grad()
def reset_adapters(network: nn.Module) -> None:
    """Draw the weights that learning begins with: one matrix of each product is zero, so the layers are as before."""
    for name, weights in adapter_weights(network).items():
        if name.endswith(".down"):
            weights.normal_(std=1 / math.sqrt(weights.shape[1]))
        else:
            weights.zero_()


@torch.no_grad()
def use_adapters(network: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Put one member's weights into the adapters."""
    for name, parameter in adapter_weights(network).items():
        parameter.copy_(weights[name])
