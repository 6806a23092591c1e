"""Files of a context model: write them, and read them without running code from them.

Covers: `model.json` with the settings and a SHA-256 of every other file, members in half precision, encoder weights in
8 bits, or the hash of those from upstream.
Not here: what the parts do (`encoder`, `scorer`), the model itself (`model`).

| file | what |
|---|---|
| `model.json` | format, settings, hashes |
| `members.safetensors` | scorer and adapters of each member of the ensemble, 16-bit floats |
| `wordpieces.json` | the encoder's tokenizer |
| `encoder.safetensors` | the encoder's layers, a byte per weight |
| `model.safetensors` | instead of it: the encoder's weights as they came from upstream, a base that others share |
| `loglinear/` | the model that draws up the shortlist; absent if it is the shipped one |
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from calib_core.coref.recalibration.forms import Identity, Recalibration, read_recalibration
from workers.context.adapters import adapter_weights
from workers.context.member import Member
from workers.context.scorer import Scorer, Sizes
from workers.parsing.choice import ModelError

KIND = "context"
"""Names the implementation in the card; see `workers.coreference`."""

FORMAT = "credence-context-2"
"""Changes whenever settings, features or files change meaning."""

CARD, MEMBERS, PIECES, ENCODER, LOGLINEAR = (
    "model.json", "members.safetensors", "wordpieces.json", "encoder.safetensors", "loglinear"
)  # fmt: skip
BASE_WEIGHTS = "model.safetensors"
_SCALE = ".row_scale"


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """All of a context model but its weights.

    Attributes
    ----------
    encoder : dict
        The encoder's own `config.json`.
    layers : tuple of int
        Encoder layers that are read; the last is the depth at which the encoder is cut.
    rank : int
        Width of the adapters in the encoder's layers above the first that is read; 0: there are none.
    sizes : Sizes
    members, keep : int
        Members of the ensemble; places of a shortlist.
    loglinear : str
        Fingerprint of the model that draws up the shortlist.
    base : dict or None
        `name` and `sha256` of the upstream weights, for a model whose encoder is not embedded.
    recalibration : Recalibration
    about : dict
        How the weights came to be; `trained_on` holds the hash of each training text.
    """

    encoder: dict[str, Any]
    layers: tuple[int, ...]
    rank: int
    sizes: Sizes
    members: int
    keep: int
    loglinear: str
    base: dict[str, str] | None = None
    recalibration: Recalibration = field(default_factory=Identity)
    about: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """What `read_settings` reads."""
        plain = {
            name: getattr(self, name) for name in ("encoder", "rank", "members", "keep", "loglinear", "base", "about")
        }
        return {"kind": KIND, "format": FORMAT, "layers": list(self.layers), "sizes": asdict(self.sizes),
                "recalibration": self.recalibration.to_json(), **plain}  # fmt: skip


def write_card(folder: Path, settings: ContextSettings) -> None:
    """Write `model.json` with the hashes of the files beside it."""
    names = [name for name in (MEMBERS, PIECES, ENCODER) if (folder / name).exists()]
    files = {name: file_hash(folder / name) for name in names}
    card = settings.to_json() | {"files": files}
    (folder / CARD).write_text(json.dumps(card, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def read_settings(folder: Path) -> ContextSettings:
    """Settings of a model folder, after comparing every file with its hash.

    Raises
    ------
    ModelError
        For a card of another format, a file that is missing, or one that is not what the card describes.
    """
    try:
        card: dict[str, Any] = json.loads((folder / CARD).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(str(folder / CARD), f"cannot be read: {error}") from error
    if card.get("format") != FORMAT:
        raise ModelError(str(folder / CARD), f"format must be {FORMAT!r}; got {card.get('format')!r}")
    try:
        settings = ContextSettings(
            encoder=card["encoder"], layers=tuple(card["layers"]), rank=card["rank"],
            sizes=Sizes(**card["sizes"]), members=card["members"], keep=card["keep"], loglinear=card["loglinear"],
            base=card["base"], recalibration=read_recalibration(card["recalibration"]), about=card["about"],
        )  # fmt: skip
        files: Mapping[str, str] = card["files"]
        wanted = {MEMBERS, PIECES} | (set() if settings.base else {ENCODER})
        if set(files) != wanted:
            raise ModelError(str(folder / CARD), f"must list {', '.join(sorted(wanted))}; got {', '.join(files)}")
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(str(folder / CARD), f"does not describe a context model: {error!r}") from error
    for name, expected in files.items():
        check_hash(folder / name, expected)
    return settings


def check_hash(file: Path, expected: str) -> None:
    """Refuse a file that is missing or not the expected one."""
    if not file.is_file():
        raise ModelError(str(file), "is missing")
    found = file_hash(file)
    if found != expected:
        raise ModelError(str(file), f"SHA-256 must be {expected}; got {found}")


def file_hash(file: Path) -> str:
    """SHA-256 of a file of any size."""
    digest = sha256()
    with file.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def save_members(file: Path, members: Sequence[Member]) -> None:
    """All members in one file, in half precision."""
    state = {
        f"{number}.{part}.{name}": weights.half().contiguous()
        for number, member in enumerate(members)
        for part, content in (("scorer", member.scorer.state_dict()), ("adapters", member.adapters))
        for name, weights in content.items()
    }
    save_file(state, file)


def load_members(file: Path, settings: ContextSettings, network: nn.Module) -> tuple[Member, ...]:
    """The members, in single precision, for a network that has adapters."""
    stored = load_file(file)
    wanted = {name: weights.shape for name, weights in adapter_weights(network).items()}
    members = []
    for number in range(settings.members):
        scorer = Scorer(settings.sizes)
        _fill(scorer, _under(f"{number}.scorer.", stored), file)
        adapters = _under(f"{number}.adapters.", stored)
        if {name: weights.shape for name, weights in adapters.items()} != wanted:
            raise ModelError(str(file), f"the adapters of member {number} do not fit the encoder")
        members.append(Member(scorer.eval(), adapters))
    return tuple(members)


def _under(prefix: str, stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """What stands under a prefix, by the rest of its name."""
    return {name.removeprefix(prefix): w.float() for name, w in stored.items() if name.startswith(prefix)}


def save_encoder(file: Path, network: nn.Module) -> None:
    """An encoder's weights: matrices as bytes with a scale for each row, everything else in half precision."""
    save_file(_compress(network.state_dict()), file)


def load_encoder(file: Path, network: nn.Module) -> nn.Module:
    """Fill a network with what `save_encoder` wrote."""
    return _fill(network, _expand(load_file(file)), file)


def round_to_bytes(network: nn.Module) -> None:
    """Change the weights to what they would be after saving and loading."""
    network.load_state_dict(_expand(_compress(network.state_dict())), strict=False)


def _compress(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    stored: dict[str, Tensor] = {}
    for name, tensor in state.items():
        if not tensor.is_floating_point():
            continue
        if tensor.dim() == 2:
            scale = tensor.float().abs().amax(1, keepdim=True).clamp_min(1e-12) / 127
            stored[name] = (tensor / scale).round().to(torch.int8)
            stored[name + _SCALE] = scale
        else:
            stored[name] = tensor.half().contiguous()
    return stored


def _expand(stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {
        name: tensor.float() * stored[name + _SCALE] if name + _SCALE in stored else tensor.float()
        for name, tensor in stored.items()
        if not name.endswith(_SCALE)
    }


def load_base(folder: Path, network: nn.Module, base: Mapping[str, str] | None = None) -> nn.Module:
    """Fill a network, which may have fewer layers, with upstream weights; `base` says which they must be."""
    file = folder / BASE_WEIGHTS
    if base is not None:
        if not file.is_file():
            rule = f"is missing: the model reads the encoder {base['name']}; `credence models fetch` gets it"
            raise ModelError(str(file), rule)
        check_hash(file, base["sha256"])
    stored, wanted = load_file(file), network.state_dict()
    return _fill(network, {name: t.float() for name, t in stored.items() if name in wanted}, file)


def _fill(network: nn.Module, state: Mapping[str, Tensor], file: Path) -> nn.Module:
    """Load weights; whole-number tables, such as positions, are the network's own."""
    try:
        missing, unexpected = network.load_state_dict(state, strict=False)
    except RuntimeError as error:
        raise ModelError(str(file), f"does not fit its settings: {error}") from error
    own = network.state_dict()
    lacking = [name for name in missing if own[name].is_floating_point()]
    if lacking or unexpected:
        raise ModelError(str(file), f"lacks {lacking[:3]}, has unknown {unexpected[:3]}")
    return network
