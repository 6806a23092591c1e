"""`python -m reproductions.context paired|gap`: the log-linear model and another one side by side."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from calib_core.coref import read_sound_files
from reproductions.context.gap import measure_gap, read_gap
from reproductions.context.paired import Judged, conll, gain, judge, likelihood
from workers.coreference import load_coreference
from workers.one_thread import one_thread
from workers.parser import Parser
from workers.reparse import reparse, spaced

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
Model = Annotated[str, typer.Option(metavar="FOLDER", help="The model to compare with the shipped one.")]


@app.command()
def paired(data: Annotated[list[Path], typer.Argument(metavar="DATA")], coref: Model) -> None:
    """CoNLL F1 and log-likelihood on annotated documents that neither model was trained on."""
    models = [load_coreference(), load_coreference(coref)]
    documents, _ = read_sound_files(data, drop_singletons=True)
    parser = Parser()
    with one_thread():
        for title, texts in (("gold trees", documents), ("raw text", [reparse(spaced(d), parser) for d in documents])):
            before, after = ([judge(model, text) for text in texts] for model in models)
            _show(f"{title}, all {len(texts)} documents", before, after)
            news = [d for d, text in enumerate(texts) if "news" in text.doc_id]
            if news:
                _show(f"{title}, {len(news)} of news", [before[d] for d in news], [after[d] for d in news])


def _show(title: str, before: Sequence[Judged], after: Sequence[Judged]) -> None:
    for name, figure in (("CoNLL F1", conll), ("log-likelihood per mention", likelihood)):
        by = gain(figure, before, after)
        typer.echo(
            f"{title}: {name} {figure(before):.4f} -> {figure(after):.4f}, gain {by.value:+.4f} "
            f"({by.lo:+.4f} to {by.hi:+.4f})"
        )


@app.command()
def gap(file: Annotated[Path, typer.Argument(metavar="TSV")], coref: Model) -> None:
    """Which of two names a pronoun means, from raw text."""
    names = ["default", coref]
    with one_thread():
        figures = measure_gap([load_coreference(name) for name in names], read_gap(file), Parser())
    for name, one in zip(names, figures, strict=True):
        typer.echo(
            f"{name}: {one.accuracy:.3f} right of {one.n}; the right name likelier for {one.chosen:.3f} "
            f"of {one.n_named}; log-loss {one.log_loss:.3f}"
        )


if __name__ == "__main__":
    app()
