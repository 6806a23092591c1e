"""From annotated documents and an encoder to a context model, step by step.

Covers: cross-fitted shortlists, members, the recalibration; folds and epochs are kept in the working folder, so that a
call after an interruption goes on where the last one stopped.
Not here: the shortlists (`crossfit`), one member's epochs (`learning`), the files of a model (`package`).
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from shutil import copyfile, copytree
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer

from calib_core.arrays import Ints
from calib_core.coref.features.columns import TYPE
from calib_core.coref.model.antecedent_model import AntecedentModel
from calib_core.coref.model.held_out import HeldOut
from calib_core.coref.model.shortlist import Shortlist
from calib_core.coref.model.training import TrainConfig
from calib_core.coref.recalibration.fitting import FITS
from calib_core.document import Document
from workers.context.adapters import add_adapters, shared_layers, use_adapters
from workers.context.crossfit import Prepared, cross_fitted, folds_of, loglinear_model, prepare
from workers.context.encoder import ContextEncoder, Known, build_network
from workers.context.learning import (
    ContextExample,
    LearningConfig,
    MentionWords,
    context_example,
    example_logits,
    learn,
)  # fmt: skip
from workers.context.member import Member
from workers.context.package import (
    BASE_WEIGHTS,
    ENCODER,
    LOGLINEAR,
    MEMBERS,
    PIECES,
    ContextSettings,
    file_hash,
    load_base,
    round_to_bytes,
    save_encoder,
    save_members,
    write_card,
)  # fmt: skip
from workers.context.scorer import Sizes
from workers.context.unseen import FOLDS, write_unseen

TOKENIZER = "tokenizer.json"
"""The tokenizer's file in an encoder's folder."""

StepDone = Callable[[str, int, int], None]
"""Called with a step's name, how much of it is done, and of how much."""


def quiet(step: str, done: int, total: int) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class ContextTrainConfig:
    """What a context model depends on besides documents and encoder.

    Attributes
    ----------
    layers : tuple of int
        Encoder layers to read; the encoder is cut behind the last.
    rank : int
        Width of the adapters in the layers above the first that is read; 0: the encoder stays as it is.
    keep : int
        Places of a shortlist.
    members : int
        Members to average. Member m learns from all texts but those of part m, so that the recalibration can be fitted
        to logits of texts that a member has not seen without training others for it.
    folds, fold_members : int
        Parts for cross-fitting; log-linear members in each, fewer than in the final model because they take the time.
    embed : bool
        Put the encoder into the model folder, in 8 bits; else the model names it by its hash.
    recalibration : str
        How the recalibration is fitted: a key of `recalibration.fitting.FITS`.
    """

    layers: tuple[int, ...] = (5, 8, 10)
    rank: int = 0
    keep: int = 30
    folds: int = 8
    fold_members: int = 2
    members: int = 4
    embed: bool = False
    recalibration: str = "type_scaling"
    learning: LearningConfig = field(default_factory=LearningConfig)
    loglinear: TrainConfig = field(default_factory=TrainConfig)
    sizes: dict[str, Any] = field(default_factory=dict)


def train_context(
    documents: Iterable[Document], encoder: Path, out: Path, config: ContextTrainConfig, *,
    variants: Iterable[Document] = (), report: StepDone = quiet,
) -> Path:  # fmt: skip
    """Train a context model; returns its folder, `out / "model"`.

    Same documents, encoder, seed and kind of CPU give the same weights, interrupted or not.

    Parameters
    ----------
    documents : iterable of Document
        Annotated and parsed.
    encoder : Path
        Folder with `config.json`, `model.safetensors` and `tokenizer.json`.
    out : Path
        Folder for what each step leaves, and for the model.
    config : ContextTrainConfig
    variants : iterable of Document
        The same texts under other trees, as `workers.reparse` gives them. The scorers learn from both; the log-linear
        model learns from `documents` alone.
    report : callable, optional
    """
    torch.set_num_threads(1)
    annotated = [prepare(document) for document in documents]
    everything = annotated + [prepare(document) for document in variants]
    out.mkdir(parents=True, exist_ok=True)
    _check_resumes(out, everything, encoder, config)
    fold = folds_of(everything, config.folds)
    shorts = cross_fitted(
        annotated, everything, fold, out / FOLDS, replace(config.loglinear, members=config.fold_members), config.keep,
        fold_done=lambda done: report("cross-fitting", done, config.folds),
    )  # fmt: skip
    loglinear = loglinear_model(annotated, out / LOGLINEAR, config.loglinear)
    reader = open_encoder(encoder, config)
    examples = _examples(everything, shorts, reader, report)
    sizes = Sizes(vectors=_config(encoder)["hidden_size"], layers=len(config.layers), **config.sizes)
    part = folds_of(everything, config.members)
    write_unseen(out, [p.text for p in everything], fold, part)
    members = _members(everything, examples, part, reader, sizes, config, out, report)
    recalibration = FITS[config.recalibration](_held_out(everything, shorts, examples, part, reader, members))
    settings = ContextSettings(
        encoder=_config(encoder), layers=config.layers, rank=config.rank, sizes=sizes,
        members=config.members, keep=config.keep, loglinear=loglinear.fingerprint,
        base=None if config.embed else _named(encoder), recalibration=recalibration,
        about={"config": _plain(asdict(config)), "documents": len(everything),
               "trained_on": sorted({p.text for p in everything})},
    )  # fmt: skip
    return _write(out, encoder, settings, members)


def _check_resumes(out: Path, prepared: Sequence[Prepared], encoder: Path, config: ContextTrainConfig) -> None:
    """Refuse a working folder that holds steps of another training."""
    texts = blake2b("".join(p.text for p in prepared).encode(), digest_size=16).hexdigest()
    asked = {"config": _plain(asdict(config)), "texts": texts, "encoder": file_hash(encoder / BASE_WEIGHTS)}
    note = out / "training.json"
    if note.exists():
        if json.loads(note.read_text(encoding="utf-8")) != asked:
            raise ValueError(f"{out} holds a training with other documents, encoder or settings; choose another folder")
    else:
        note.write_text(json.dumps(asked, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def _plain(content: Any) -> Any:
    return json.loads(json.dumps(content))


def _config(encoder: Path) -> dict[str, Any]:
    settings: dict[str, Any] = json.loads((encoder / "config.json").read_text(encoding="utf-8"))
    return settings


def _examples(
    prepared: Sequence[Prepared], shorts: Sequence[Shortlist], reader: ContextEncoder, report: StepDone
) -> list[ContextExample]:
    """Every document after the layers that are not trained, which its variants share, beside its shortlist."""
    known: Known = {}
    examples = []
    for d, (one, short) in enumerate(zip(prepared, shorts, strict=True)):
        words = MentionWords.of(one.mentions.heads, one.mentions.starts, one.mentions.ends)
        windows = list(reader.read(one.document, words.words, known=known))
        examples.append(context_example(windows, words, one.arrays.props, short, one.entities))
        report("reading context", d + 1, len(prepared))
    return examples


def open_encoder(folder: Path, config: ContextTrainConfig) -> ContextEncoder:
    """The encoder as the model will have it: an embedded one has gone through its 8 bits."""
    network = load_base(folder, build_network(_config(folder), max(config.layers)))
    if config.embed:
        round_to_bytes(network)
    shared = shared_layers(config.layers, config.rank)
    add_adapters(network, config.rank, shared)
    return ContextEncoder(network, Tokenizer.from_file(str(folder / TOKENIZER)), config.layers, shared)


def _by_text(prepared: Sequence[Prepared], examples: Sequence[ContextExample]) -> dict[str, list[ContextExample]]:
    """The variants of each text, in order of appearance."""
    texts: dict[str, list[ContextExample]] = {}
    for one, example in zip(prepared, examples, strict=True):
        texts.setdefault(one.text, []).append(example)
    return texts


def _members(
    prepared: Sequence[Prepared], examples: Sequence[ContextExample], part: Ints, reader: ContextEncoder, sizes: Sizes,
    config: ContextTrainConfig, out: Path, report: StepDone,
) -> list[Member]:  # fmt: skip
    """The ensemble, each member trained without one part of the texts."""
    total = config.members * config.learning.epochs
    members = []
    for m in range(config.members):
        seen = np.flatnonzero(part != m).tolist()
        texts = _by_text([prepared[d] for d in seen], [examples[d] for d in seen])
        learning = replace(config.learning, seed=config.learning.seed + m)
        before = m * config.learning.epochs
        members.append(
            learn(list(texts.values()), reader, sizes, learning, checkpoint=out / f"member-{m}.pt",
                  done=lambda epoch, _, __, before=before: report("members", before + epoch, total))  # type: ignore[misc]
        )  # fmt: skip
    return members


@torch.inference_mode()
def _held_out(
    prepared: Sequence[Prepared], shorts: Sequence[Shortlist], examples: Sequence[ContextExample], part: Ints,
    reader: ContextEncoder, members: Sequence[Member],
) -> list[HeldOut]:  # fmt: skip
    """Each document as the one member states it that has not seen its text."""
    held_out = []
    for d, (one, short) in enumerate(zip(prepared, shorts, strict=True)):
        member = members[int(part[d])]
        use_adapters(reader.network, member.adapters)
        logits = example_logits(reader, member.scorer, examples[d]).double().log_softmax(dim=1).numpy()
        kinds = one.arrays.props[:, TYPE].copy()
        held_out.append(HeldOut(short.antecedents(logits), kinds, one.entities))
    return held_out


def _named(encoder: Path) -> dict[str, str]:
    return {"name": encoder.name, "sha256": file_hash(encoder / BASE_WEIGHTS)}


def _write(out: Path, encoder: Path, settings: ContextSettings, members: Sequence[Member]) -> Path:
    """The model folder; the log-linear model goes in unless it is the shipped one."""
    folder = out / "model"
    folder.mkdir(exist_ok=True)
    save_members(folder / MEMBERS, members)
    copyfile(encoder / TOKENIZER, folder / PIECES)
    if settings.base is None:
        network = load_base(encoder, build_network(settings.encoder, max(settings.layers)))
        save_encoder(folder / ENCODER, network)
    else:
        copyfile(encoder / BASE_WEIGHTS, folder / BASE_WEIGHTS)
    if AntecedentModel.load().fingerprint != settings.loglinear:
        copytree(out / LOGLINEAR, folder / LOGLINEAR, dirs_exist_ok=True)
    write_card(folder, settings)
    return folder
