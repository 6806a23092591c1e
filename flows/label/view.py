"""What the page is told, as plain data: the question, one article with its marks, progress, agreement.

Covers: everything that goes to the browser, and nothing that a model answered: no score, no probability, no stratum.
Not here: HTML (`page`), the order of articles (`desk`).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from calib_core.events import Query
from flows.label.articles import Article
from flows.label.codebook import codebook
from flows.label.desk import SETTLE, Desk, Turn
from flows.label.double_coding import agreement_of
from flows.label.marking import Marked, Stretch, marked
from flows.label.names import choices
from workers.labelling import Verdict


def question_view(query: Query) -> dict[str, Any]:
    """The question: codebook, and what may be answered."""
    known = [[one.code, one.name, list(one.words), one.agent, one.target] for one in choices(query)]
    dyads = query.language.targets is not None
    return {"query": query.name, "codebook": asdict(codebook(query)), "choices": known, "dyads": dyads}


def turn_view(desk: Desk, turn: Turn, task: str) -> dict[str, Any]:
    """An article with its marks, or none at the end; how far the task is; how far coders agree."""
    known = desk.verdicts()
    article = turn.article
    return {
        "article": None if article is None else article_view(article, desk.frame.question),
        "answers": _answers(known.get(article.doc_id)) if article is not None and task == SETTLE else [],
        "progress": asdict(turn.progress),
        "agreement": _agreement(known),
        "disputed": sum(verdict.disputed for verdict in known.values()),
    }


def article_view(article: Article, query: Query) -> dict[str, Any]:
    """Headline, text and the codes that have a key, in order of first appearance."""
    year = article.published.year
    title, text = marked(article.title, query, year), marked(article.text, query, year)
    asked = {choice.code for choice in choices(query)}
    return {
        "id": article.doc_id,
        "published": article.published.isoformat(),
        "title": [_stretch(stretch) for part in title.paragraphs for stretch in part],
        "paragraphs": [[_stretch(stretch) for stretch in part] for part in text.paragraphs],
        "named": [code for code in _in_order(title, text) if code in asked],
    }


def _in_order(*parts: Marked) -> Sequence[str]:
    return list(dict.fromkeys(code for part in parts for code in part.codes))


def _stretch(stretch: Stretch) -> list[str]:
    return [stretch.text, stretch.kind, stretch.code]


def _answers(verdict: Verdict | None) -> list[list[str]]:
    """Who answered what; only for whoever settles a disagreement."""
    return [] if verdict is None else [[coder, str(answer)] for coder, answer in sorted(verdict.answers.items())]


def _agreement(known: Mapping[str, Verdict]) -> dict[str, Any]:
    """Figures that JSON can hold: None for what is not defined."""
    figures = asdict(agreement_of(known))
    return {name: None if math.isnan(value) else value for name, value in figures.items()}
