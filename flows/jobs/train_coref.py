"""Train a coreference model: log-linear like the one that ships with Credence, or one that reads context.

Covers: reading the documents, progress, saving.
Not here: training (`calib_core.coref.model.training`, `workers.context.train`).
"""

from dataclasses import dataclass, replace
from pathlib import Path

from calib_core.coref import CorpusError, TrainConfig, read_sound_files, train_antecedent_model
from calib_core.document import Document
from flows.jobs.progress import OnProgress, Progress, quiet
from flows.jobs.requests import TrainCorefRequest
from workers.one_thread import one_thread

LOGLINEAR, CONTEXT = "loglinear", "context"


@dataclass(frozen=True, slots=True)
class TrainCorefReport:
    """Documents used for training, where the weights are, and what is wrong with each file that was left out."""

    documents: int
    out: Path
    left_out: tuple[CorpusError, ...] = ()


def train_coref(request: TrainCorefRequest, *, on_progress: OnProgress = quiet) -> TrainCorefReport:
    """Train and save; ValueError and FileNotFoundError name what cannot be used."""
    _check(request)
    documents, left_out = read_sound_files(request.data, drop_singletons=True)
    if left_out and (request.strict or not documents):
        raise left_out[0]
    train = _train_context if request.kind == CONTEXT else _train_loglinear
    return TrainCorefReport(len(documents), train(request, documents, on_progress), tuple(left_out))


def _check(request: TrainCorefRequest) -> None:
    if request.kind not in (LOGLINEAR, CONTEXT):
        raise ValueError(f"kind must be {LOGLINEAR} or {CONTEXT}; got {request.kind!r}")
    if request.kind == CONTEXT and request.encoder is None:
        raise ValueError("a context model needs --encoder FOLDER; `credence models fetch` gets one")
    if request.kind == LOGLINEAR and (request.encoder or request.layers or request.embed or request.adapters):
        raise ValueError("--encoder, --layers, --adapters and --embed are for --kind context")


def _train_loglinear(request: TrainCorefRequest, documents: list[Document], on_progress: OnProgress) -> Path:
    config = TrainConfig(seed=request.seed)
    config = replace(config, epochs=request.epochs or config.epochs, members=request.members or config.members)

    def show(done: int, total: int, likelihood: float) -> None:
        detail = f"{done:,} of {total:,}, log-likelihood {likelihood:.4f} per mention"
        on_progress(Progress("training", done, total, detail))

    with one_thread():
        model = train_antecedent_model(documents, config, progress=show)
    model.save(request.out)
    return request.out


def _train_context(request: TrainCorefRequest, documents: list[Document], on_progress: OnProgress) -> Path:
    """Train on the annotators' trees and on the parser's; the model is in the folder `model` of `out`."""
    from workers.context.train import ContextTrainConfig, train_context  # torch takes seconds to import
    from workers.parser import Parser
    from workers.reparse import reparse, spaced

    parser, variants = Parser(), []
    for number, document in enumerate(documents):
        on_progress(Progress("parsing", number, len(documents)))
        variants.append(reparse(spaced(document), parser))
    config = ContextTrainConfig(embed=request.embed)
    learning = replace(config.learning, seed=request.seed, epochs=request.epochs or config.learning.epochs)
    config = replace(
        config,
        layers=_layers(request.layers) if request.layers else config.layers,
        rank=request.adapters,
        members=request.members or config.members,
        learning=learning,
        loglinear=replace(config.loglinear, seed=request.seed),
    )
    return train_context(
        documents,
        request.encoder or Path(),
        request.out,
        config,
        variants=variants,
        report=lambda step, done, total: on_progress(Progress(step, done, total)),
    )


def _layers(text: str) -> tuple[int, ...]:
    """Layers of a list such as "5,8,10"."""
    try:
        layers = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"layers must be whole numbers with commas between them; got {text!r}") from None
    if list(layers) != sorted(set(layers)) or layers[0] < 1:
        raise ValueError(f"layers must rise from 1 on; got {text!r}")
    return layers
