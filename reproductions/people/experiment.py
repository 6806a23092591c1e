"""Experiment `people`: counts of police actions against what readers found in every article.

Covers: the order of things.
Not here: the articles (`archive`), the page (`page`).
"""

from reproductions.findings import DataFolder, Findings, Progress
from reproductions.people.page import BUDGET, N_REDRAWS, page


def run(data: DataFolder, progress: Progress, seed: int) -> Findings:
    """Annotate once, ask three questions, draw labels again and again."""
    path = data.file("events/india-police-dev.jsonl.gz")
    from reproductions.people.archive import (  # torch takes seconds to load; report a missing file first
        QUESTIONS,
        annotate,
        ask_all,
        read_articles,
        redraw,
    )

    articles = read_articles(path)
    annotations = annotate(articles, progress)
    progress.stage("asking, and drawing labels", len(QUESTIONS))
    found = {}
    for name in QUESTIONS:
        asked = ask_all(articles, annotations, name, seed=seed)
        found[name] = asked, redraw(asked, BUDGET, N_REDRAWS, seed=seed)
        progress.advance(name)
    return page(found)
