"""Explain: why one article counts, as a page if requested.

Covers: finding the article, its explanation, writing the page.
Not here: the reasons (`workers.explanations`), their words (`flows.report.reasons`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from flows.jobs.choosing import chosen_run
from flows.jobs.progress import OnProgress, quiet
from flows.jobs.requests import ExplainRequest
from flows.report.article_labels import label_sentences
from flows.report.explain_page import explanation_page
from flows.report.finding import UnexplainedError, find_annotation
from flows.report.names import Names
from flows.report.whole_file import write_whole
from workers.explanations import ExplainedDocument, explain_document


@dataclass(frozen=True, slots=True)
class ExplainReport:
    """The explained article, the names of countries by code, and what people said of the article."""

    explained: ExplainedDocument
    names: Mapping[str, str]
    labels: tuple[str, ...] = ()


def explain(request: ExplainRequest, *, on_progress: OnProgress = quiet) -> ExplainReport:  # noqa: ARG001  takes no time
    """Explain an article of a run; write the page if the request names one."""
    run, settings = chosen_run(request.warehouse, request.run_id)
    labels = label_sentences(run, settings.query.fingerprint, request.doc_id)
    try:
        annotation = find_annotation(run, settings, request.doc_id)
    except UnexplainedError as error:  # what people said is worth knowing most where the models are silent
        raise UnexplainedError(". ".join([str(error).rstrip("."), *labels])) from error
    explained = explain_document(annotation, settings)
    names = Names(settings.query)
    if request.html is not None:
        write_whole(request.html, explanation_page(explained, names, labels).encode("utf-8", errors="backslashreplace"))
    return ExplainReport(explained, names, labels)
