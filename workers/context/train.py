"""From annotated documents and an encoder to a context model, step by step.

Covers: cross-fitted shortlists, frozen word vectors, members, the repair of the distributions; each step is kept in the
working folder, so that a call after an interruption goes on where the last one stopped.
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
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

from calib_core.arrays import Ints
from calib_core.coref.features.columns import TYPE
from calib_core.coref.model.antecedent_model import AntecedentModel
from calib_core.coref.model.held_out import HeldOut
from calib_core.coref.model.shortlist import Shortlist
from calib_core.coref.model.training import TrainConfig
from calib_core.coref.recalibration.fitting import FITS
from calib_core.document import Document
from workers.context.crossfit import Prepared, cross_fitted, folds_of, loglinear_model, prepare
from workers.context.encoder import ContextEncoder, build_network
from workers.context.learning import (
    ContextExample,
    LearningConfig,
    MentionWords,
    context_example,
    example_logits,
    learn,
)  # fmt: skip
from workers.context.package import (
    BASE_WEIGHTS,
    ENCODER,
    LOGLINEAR,
    PIECES,
    SCORERS,
    ContextSettings,
    file_hash,
    load_base,
    round_to_bytes,
    save_encoder,
    save_scorers,
    write_card,
)  # fmt: skip
from workers.context.scorer import Scorer, Sizes

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
    keep : int
        Places of a shortlist.
    members : int
        Scorers to average. Member m learns from all texts but those of part m, so that the repair can be fitted to
        logits of texts that a scorer has not seen without training others for it.
    folds, fold_members : int
        Parts for cross-fitting; log-linear members in each, fewer than in the final model because they take the time.
    embed : bool
        Put the encoder into the model folder, in 8 bits; else the model names it by its hash.
    repair : str
        How the repair is fitted: a key of `recalibration.fitting.FITS`.
    """

    layers: tuple[int, ...] = (5, 8, 10)
    keep: int = 30
    folds: int = 8
    fold_members: int = 2
    members: int = 4
    embed: bool = False
    repair: str = "type_scaling"
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
        annotated, everything, fold, out / "folds", replace(config.loglinear, members=config.fold_members), config.keep,
        fold_done=lambda done: report("cross-fitting", done, config.folds),
    )  # fmt: skip
    loglinear = loglinear_model(annotated, out / LOGLINEAR, config.loglinear)
    examples = _examples(everything, shorts, encoder, out / "vectors", config, report)
    sizes = Sizes(vectors=_config(encoder)["hidden_size"], layers=len(config.layers), **config.sizes)
    part = folds_of(everything, config.members)
    members = _members(everything, examples, part, sizes, config, out, report)
    repair = FITS[config.repair](_held_out(everything, shorts, examples, part, members))
    settings = ContextSettings(
        encoder=_config(encoder), layers=config.layers, sizes=sizes, members=config.members, keep=config.keep,
        loglinear=loglinear.fingerprint, base=None if config.embed else _named(encoder), repair=repair,
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
    prepared: Sequence[Prepared], shorts: Sequence[Shortlist], encoder: Path, folder: Path,
    config: ContextTrainConfig, report: StepDone,
) -> list[ContextExample]:  # fmt: skip
    """Word vectors of every document beside its shortlist; the encoder is loaded when a document first needs it."""
    folder.mkdir(exist_ok=True)
    reader: ContextEncoder | None = None
    found = []
    for d, (one, short) in enumerate(zip(prepared, shorts, strict=True)):
        words = MentionWords.of(one.mentions.heads, one.mentions.starts, one.mentions.ends)
        file = folder / f"{d}.safetensors"
        if not file.exists():
            reader = reader or open_encoder(encoder, config)
            _keep_vectors(reader, one, words, file)
        found.append(context_example(load_file(file)["vectors"], words, one.arrays.props, short, one.entities))
        report("reading context", d + 1, len(prepared))
    return found


def _keep_vectors(reader: ContextEncoder, one: Prepared, words: MentionWords, file: Path) -> None:
    """Write the vectors of a document's words in 16 bits."""
    table = torch.zeros(len(words.words), len(reader.layers), reader.width, dtype=torch.float16)
    for rows, vectors in reader.vectors(one.document, words.words):
        table[torch.from_numpy(rows)] = vectors.half()
    save_file({"vectors": table}, file.with_suffix(".part"))
    file.with_suffix(".part").replace(file)


def open_encoder(folder: Path, config: ContextTrainConfig) -> ContextEncoder:
    """The encoder as the model will have it: an embedded one has gone through its 8 bits."""
    network = load_base(folder, build_network(_config(folder), max(config.layers)))
    if config.embed:
        round_to_bytes(network)
    return ContextEncoder(network, Tokenizer.from_file(str(folder / TOKENIZER)), config.layers)


def _by_text(prepared: Sequence[Prepared], examples: Sequence[ContextExample]) -> dict[str, list[ContextExample]]:
    """The variants of each text, in order of appearance."""
    texts: dict[str, list[ContextExample]] = {}
    for one, example in zip(prepared, examples, strict=True):
        texts.setdefault(one.text, []).append(example)
    return texts


def _members(
    prepared: Sequence[Prepared], examples: Sequence[ContextExample], part: Ints, sizes: Sizes,
    config: ContextTrainConfig, out: Path, report: StepDone,
) -> list[Scorer]:  # fmt: skip
    """The scorers of the ensemble, each trained without one part of the texts."""
    total = config.members * config.learning.epochs
    members = []
    for m in range(config.members):
        seen = np.flatnonzero(part != m).tolist()
        texts = _by_text([prepared[d] for d in seen], [examples[d] for d in seen])
        learning = replace(config.learning, seed=config.learning.seed + m)
        before = m * config.learning.epochs
        members.append(
            learn(list(texts.values()), sizes, learning, checkpoint=out / f"member-{m}.pt",
                  done=lambda epoch, _, __, before=before: report("scorers", before + epoch, total))  # type: ignore[misc]
        )  # fmt: skip
    return members


@torch.inference_mode()
def _held_out(
    prepared: Sequence[Prepared], shorts: Sequence[Shortlist], examples: Sequence[ContextExample], part: Ints,
    members: Sequence[Scorer],
) -> list[HeldOut]:  # fmt: skip
    """Each document as the one member states it that has not seen its text."""
    held_out = []
    for d, (one, short) in enumerate(zip(prepared, shorts, strict=True)):
        logits = example_logits(members[int(part[d])], examples[d]).double().log_softmax(dim=1).numpy()
        kinds = one.arrays.props[:, TYPE].copy()
        held_out.append(HeldOut(short.antecedents(logits), kinds, one.entities))
    return held_out


def _named(encoder: Path) -> dict[str, str]:
    return {"name": encoder.name, "sha256": file_hash(encoder / BASE_WEIGHTS)}


def _write(out: Path, encoder: Path, settings: ContextSettings, members: list[Scorer]) -> Path:
    """The model folder; the log-linear model goes in unless it is the shipped one."""
    folder = out / "model"
    folder.mkdir(exist_ok=True)
    save_scorers(folder / SCORERS, members)
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
