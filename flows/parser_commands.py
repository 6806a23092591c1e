"""What `credence parse` and `credence train parser` run.

Covers: reading input, progress on the terminal, errors as one line.
Not here: parsing and training (`workers.parser`, `workers.parsing.train`).
"""

import sys
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from workers.parser import ParseError, Parser, ParserConfig
from workers.parsing.choice import ModelError
from workers.parsing.conllu import to_conllu
from workers.parsing.train import TrainConfig, train_parser
from workers.parsing.train_joint import Progress as Step


def parse_file(file: Path, model: str, package: str | None, *, gpu: bool) -> None:
    """Parse one text file (`-`: standard input) and write CoNLL-U to standard output."""
    try:
        raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        text = raw.decode("utf-8")
        document = Parser(ParserConfig(model, package, gpu)).parse(str(file), text)
    except UnicodeDecodeError as error:
        sys.exit(f"{file}: the text must be UTF-8; byte {error.start} is not")
    except (OSError, ModelError, ParseError) as error:
        sys.exit(str(error))
    sys.stdout.writelines(to_conllu(document, text))


def run_training(
    treebanks: tuple[Path, ...], dev: Path, encoder: Path, out: Path, score: tuple[Path, ...], *, epochs: int, seed: int
) -> None:
    """Train with a progress bar, and say where the model is."""
    command = " ".join(
        ["credence train parser", *map(str, treebanks), f"--dev {dev} --encoder {encoder.name} --out {out}",
         *(f"--score {path}" for path in score), f"--epochs {epochs} --seed {seed}"]
    )  # fmt: skip
    config = TrainConfig(treebanks, dev, encoder, out, score, epochs=epochs, seed=seed, command=command)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns) as progress:
        task = progress.add_task("tagger and parser", total=None)

        def show(step: Step) -> None:
            progress.update(task, completed=step.step, total=step.steps, description=f"loss {step.loss:6.3f}")

        model = train_parser(config, show)
    sys.stdout.write(f"{model}: trained; parse with `credence parse FILE --model {model}`\n")
