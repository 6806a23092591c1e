"""Model files on disk: pack what training gave, check and load it, export it for plain Stanza.

Covers: a folder with `manifest.json` (size and SHA-256 of each file), weights in half precision with the word-piece
table in 8 bits, and a loader that runs no code from the files.
Not here: training (`train`), parsing (`joint`).
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from shutil import copyfile
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from stanza.models.pos.vocab import MultiVocab
from torch import Tensor

from workers.parsing.choice import MANIFEST, ModelError
from workers.parsing.distribution import TEMPERATURES
from workers.parsing.network import JointNetwork, Sizes, parser_arguments, tagger_arguments

WEIGHTS, SETTINGS, WORD_PIECES, TOKENIZER = "joint.safetensors", "joint.json", "wordpieces.json", "tokenizer.pt"
TABLE = "encoder.embeddings.word_embeddings.weight"
SHARED = ("tagger.bert_model.", "parser.bert_model.", "parser.charmodel.")


def pack(trained: Path, tokenizer: Path, encoder: Path, out: Path) -> None:
    """Write the model folder from the averaged weights, the Stanza tokenizer and the encoder's own folder."""
    out.mkdir(parents=True, exist_ok=True)
    state = torch.load(trained, weights_only=True)
    save_file(_compress(state["network"]), out / WEIGHTS)
    config = json.loads((encoder / "config.json").read_text())
    settings = {"sizes": state["sizes"], "encoder": config, "vocab": state["vocab"]}
    (out / SETTINGS).write_text(json.dumps(settings, ensure_ascii=False))
    word_pieces = json.loads((encoder / "tokenizer.json").read_text(encoding="utf-8"))
    word_pieces |= {"truncation": None, "padding": None}
    (out / WORD_PIECES).write_text(json.dumps(word_pieces, ensure_ascii=False), encoding="utf-8")
    copyfile(tokenizer, out / TOKENIZER)
    write_manifest(out)


def write_manifest(folder: Path) -> None:
    """Record size and SHA-256 of every model file in the folder."""
    files = [folder / name for name in (WEIGHTS, SETTINGS, WORD_PIECES, TOKENIZER, TEMPERATURES)]
    files = [file for file in files if file.exists() or file.name != TEMPERATURES]
    entries = {f.name: {"bytes": f.stat().st_size, "sha256": sha256(f.read_bytes()).hexdigest()} for f in files}
    (folder / MANIFEST).write_text(json.dumps(entries, indent=2) + "\n")


def check(folder: Path) -> None:
    """Compare every file with the manifest.

    Raises
    ------
    ModelError
        When a file is missing or differs.
    """
    try:
        entries: Mapping[str, Any] = json.loads((folder / MANIFEST).read_text())
        for name, entry in entries.items():
            if not (folder / name).is_file():
                raise ModelError(str(folder / name), f"is missing, but {MANIFEST} lists it")
            found = sha256((folder / name).read_bytes()).hexdigest()
            if found != entry["sha256"]:
                raise ModelError(str(folder / name), f"SHA-256 must be {entry['sha256']}; got {found}")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(str(folder), f"cannot be checked against {MANIFEST}: {error!r}") from error


def load_network(folder: Path) -> JointNetwork:
    """The network of a checked model folder, in single precision."""
    settings = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    vocab = MultiVocab.load_state_dict(settings["vocab"])
    network = JointNetwork(Sizes(**settings["sizes"]), vocab, settings["encoder"])
    weights = _expand(load_file(folder / WEIGHTS))
    missing, unexpected = network.load_state_dict(weights, strict=False)
    lacking = [name for name in missing if not name.startswith(SHARED)]
    if lacking or unexpected:
        raise ModelError(str(folder / WEIGHTS), f"lacks {lacking[:3]}, has unknown {unexpected[:3]}")
    return network.prepare()


def _compress(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Each shared weight once, in half precision; the word-piece table as bytes and one scale a row."""
    kept = {name: t.half().contiguous() for name, t in state.items() if not name.startswith(SHARED)}
    table = state[TABLE].float()
    scale = table.abs().amax(1, keepdim=True).clamp_min(1e-12) / 127
    kept[TABLE] = (table / scale).round().to(torch.int8)
    kept[f"{TABLE}.scale"] = scale
    return kept


def _expand(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    expanded = {name: t.float() for name, t in weights.items()}
    expanded[TABLE] = expanded[TABLE] * expanded.pop(f"{TABLE}.scale")
    return expanded


def export_stanza(folder: Path, out: Path) -> dict[str, Any]:
    """Write tokenizer, tagger and parser as ordinary Stanza files; returns settings for `stanza.Pipeline(**settings)`.

    Tagger and parser each carry the fine-tuned encoder, as Stanza saves it, so the files are several times larger.
    """
    check(folder)
    network = load_network(folder)
    encoder = out / "encoder"
    pooler = _export_encoder(network, folder, encoder)
    copyfile(folder / TOKENIZER, out / TOKENIZER)
    for name, head, arguments in (
        ("tagger", network.tagger, tagger_arguments(network.sizes, str(encoder))),
        ("parser", network.parser, parser_arguments(network.sizes, str(encoder))),
    ):
        model = head.state_dict() | {f"bert_model.{key}": value for key, value in pooler.items()}
        saved = {"model": model, "vocab": network.vocab.state_dict(), "config": arguments}
        torch.save(saved, out / f"{name}.pt", _use_new_zipfile_serialization=False)
    (out / "resources.json").write_text(json.dumps({"en": {"tokenize": {}, "mwt": {}, "packages": {}}}))
    return stanza_settings(out)


def _export_encoder(network: JointNetwork, folder: Path, out: Path) -> dict[str, Tensor]:
    """Write the encoder as transformers reads it; returns the unused pooling layer that it insists on."""
    out.mkdir(parents=True, exist_ok=True)
    config = network.encoder.config
    pooler = {
        "pooler.dense.weight": torch.zeros(config.hidden_size, config.hidden_size),
        "pooler.dense.bias": torch.zeros(config.hidden_size),
    }
    save_file(dict(network.encoder.state_dict()) | pooler, out / "model.safetensors", metadata={"format": "pt"})
    config.to_json_file(out / "config.json", use_diff=False)
    copyfile(folder / WORD_PIECES, out / "tokenizer.json")
    limit = config.max_position_embeddings
    tokenizer_config = {"tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": limit}
    (out / "tokenizer_config.json").write_text(json.dumps(tokenizer_config))
    return pooler


def stanza_settings(exported: Path) -> dict[str, Any]:
    """Arguments for `stanza.Pipeline` that run the exported files and look for nothing else."""
    return {
        "lang": "en", "dir": str(exported), "package": None, "processors": "tokenize,pos,lemma,depparse",
        "tokenize_model_path": str(exported / TOKENIZER), "pos_model_path": str(exported / "tagger.pt"),
        "depparse_model_path": str(exported / "parser.pt"), "lemma_use_identity": True,
        "allow_unknown_language": True, "download_method": None, "use_gpu": False, "verbose": False,
    }  # fmt: skip
