"""`credence explain`: one document, in the terminal or as a page.

Covers: finding the document and choosing the form.
Not here: the forms (`explain_text`, `explain_page`).
"""

from pathlib import Path

from rich.console import Console

from flows.report.finding import find_annotation
from flows.report.series import country_names
from flows.report.writing import write_whole
from workers.explanations import RunSettings, explain_document
from workers.runs import Run


def show_explanation(run: Run, settings: RunSettings, doc_id: str, html: Path | None, *, every: bool) -> None:
    """Explain a document of a run."""
    explained = explain_document(find_annotation(run, settings, doc_id), settings)
    names = country_names(settings.query.lexicon)
    console = Console(highlight=False)
    if html is None:
        from flows.report.explain_text import explanation_text

        console.print(explanation_text(explained, names, every=every))
        return
    from flows.report.explain_page import explanation_page

    write_whole(html, explanation_page(explained, names))
    console.print(f"{html}: written; open it in a browser, it needs no network", soft_wrap=True, markup=False)
