"""Train a parser: tokenizer, tagger and trees from treebanks.

Covers: from the request to the configuration, the command that repeats it, progress.
Not here: training (`workers.parsing.train`).
"""

from pathlib import Path

from flows.jobs.progress import OnProgress, Progress, quiet
from flows.jobs.requests import TrainParserRequest
from workers.parsing.train import TrainConfig
from workers.parsing.train import train_parser as train
from workers.parsing.train_joint import TrainingStep


def train_parser(request: TrainParserRequest, *, on_progress: OnProgress = quiet) -> Path:
    """Train and pack a model, continuing an interrupted call; return the model's folder."""
    config = TrainConfig(
        train=request.treebanks,
        dev=request.dev,
        encoder=request.encoder,
        out=request.out,
        score=request.score,
        epochs=request.epochs,
        seed=request.seed,
        command=_command(request),
    )

    def show(step: TrainingStep) -> None:
        detail = f"step {step.step:,} of {step.steps:,}, loss {step.loss:.3f}"
        on_progress(Progress("training tagger and parser", step.step, step.steps, detail))

    on_progress(Progress("training the tokenizer"))
    return train(config, show)


def _command(request: TrainParserRequest) -> str:
    """The command that trains the same model, for the model's card."""
    return " ".join(
        [
            "credence train parser",
            *map(str, request.treebanks),
            f"--dev {request.dev} --encoder {request.encoder.name} --out {request.out}",
            *(f"--score {path}" for path in request.score),
            f"--epochs {request.epochs} --seed {request.seed}",
        ]
    )
