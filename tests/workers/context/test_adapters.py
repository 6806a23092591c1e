"""Adapters leave an encoder as it was until they are trained, and only they are trained."""

import json
from pathlib import Path

import pytest
import torch
from torch import nn

from workers.context.adapters import adapter_weights, add_adapters, reset_adapters, shared_layers, use_adapters
from workers.context.encoder import build_network
from workers.context.package import load_base


@pytest.fixture
def network(encoder: Path) -> nn.Module:
    config = json.loads((encoder / "config.json").read_text())
    return load_base(encoder, build_network(config, 2))


def output(network: nn.Module) -> torch.Tensor:
    hidden: torch.Tensor = network(input_ids=torch.tensor([[2, 5, 6, 3]])).last_hidden_state
    return hidden


def test_new_adapters_change_nothing(network: nn.Module) -> None:
    before = output(network)
    add_adapters(network, rank=2, shared=0)
    reset_adapters(network)
    assert torch.equal(output(network), before)


def test_only_adapters_above_the_shared_layers_are_trained(network: nn.Module) -> None:
    add_adapters(network, rank=2, shared=1)
    trained = {name for name, weights in network.named_parameters() if weights.requires_grad}
    assert trained == set(adapter_weights(network))
    assert trained
    assert all(name.startswith("encoder.layer.1.") for name in trained)


def test_product_of_both_matrices_is_added(network: nn.Module) -> None:
    add_adapters(network, rank=1, shared=1)
    name, layer = next((n, m) for n, m in network.named_modules() if f"{n}.up" in adapter_weights(network))
    weights = {n: torch.zeros_like(w) for n, w in adapter_weights(network).items()}
    weights[f"{name}.down"] += 0.5
    weights[f"{name}.up"] += 3.0
    x = torch.arange(float(weights[f"{name}.down"].shape[1]))
    before = layer(x)
    use_adapters(network, weights)
    torch.testing.assert_close(layer(x) - before, torch.full_like(before, 2.0 * 3.0 * 0.5 * float(x.sum())))


def test_encoder_without_adapters_is_shared_as_a_whole() -> None:
    assert shared_layers((5, 8, 10), 0) == 10
    assert shared_layers((5, 8, 10), 16) == 5


def test_adapters_of_negative_width_are_refused(network: nn.Module) -> None:
    with pytest.raises(ValueError, match="rank of adapters must be at least 0; got -1"):
        add_adapters(network, rank=-1, shared=1)
