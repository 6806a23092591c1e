"""Which articles a page lists, and which of them with text: the most relevant, within a number of bytes.

Covers: the order of relevance, titles, marked passages with reasons, as plain data for the page.
Not here: reading samples (`rows`), finding reasons (`workers.explanations`).

Only articles shown with text have their text read, one annotation file at a time.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from calib_core.arrays import Ints
from calib_core.events import Explanation
from flows.report import reasons
from flows.report.names import Names
from flows.report.passages import CHAINS, DECISIONS, OPTIONS, key_passage
from flows.report.periods import key_of
from flows.report.rows import EventRows
from workers.annotation_table import read_annotations
from workers.explanations import ExplainedDocument, RunSettings, explain_document
from workers.runs import Run
from workers.schemas import ANNOTATIONS

LIST_BYTES, TEXT_BYTES = 2_400_000, 4_200_000
MAX_ROWS, MAX_TITLE, N_UNCERTAIN = 30_000, 160, 100
BYTES_PER_ROW = 24
"""Bytes of a row of the list in JSON, without its article."""
REPORT_SAMPLES = 1000
"""Samples for weighing decisions: fewer than for one document, because here there are many."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Rows that a page lists, and the articles that it shows with text, both in order of relevance."""

    rows: Ints
    with_text: tuple[str, ...]


def by_uncertainty(rows: EventRows, *, near: float = 0.5) -> Ints:
    """Positions of the rows, those whose probability is nearest to `near` first."""
    return np.lexsort((np.arange(len(rows)), np.abs(rows.p - near)))


def select(rows: EventRows, countries: Sequence[str], *, max_texts: int) -> Selection:
    """The most uncertain articles, then the most probable of every country and quarter in turn."""
    shown = set(countries)
    ranks: dict[tuple[str, str], int] = defaultdict(int)
    order: dict[int, None] = dict.fromkeys(
        row for row in by_uncertainty(rows)[:N_UNCERTAIN].tolist() if rows.country[row] in shown
    )
    ranked = []
    for row in np.argsort(-rows.p, kind="stable").tolist():
        if rows.country[row] in shown:
            cell = (rows.country[row], key_of(rows.published[row], "quarter"))
            ranked.append((ranks[cell], -rows.p[row], row))
            ranks[cell] += 1
    order |= dict.fromkeys(row for _, _, row in sorted(ranked))
    kept = list(order)[:MAX_ROWS]
    texts = tuple(dict.fromkeys(rows.doc_id[row] for row in kept))[:max_texts]
    return Selection(np.array(kept, dtype=np.int64), texts)


def article_data(
    run: Run,
    rows: EventRows,
    selection: Selection,
    countries: Sequence[str],
    settings: RunSettings,
    advance: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """The list of articles and the texts, as the page reads them.

    Parameters
    ----------
    countries : sequence of str
        Countries of the page; rows refer to them by number.
    advance : callable
        Called for every article whose text is read.
    """
    titles, texts = _read(run, rows, selection, settings, advance)
    position = {code: number for number, code in enumerate(countries)}
    articles: dict[str, int] = {}
    listed: list[list[Any]] = []
    data: list[list[Any]] = []
    room = LIST_BYTES
    for row in selection.rows.tolist():
        doc_id = rows.doc_id[row]
        room -= BYTES_PER_ROW
        if doc_id not in articles:
            entry = [doc_id, str(rows.published[row]), titles.get(doc_id, "")[:MAX_TITLE]]
            room -= len(json.dumps(entry, ensure_ascii=False).encode())
        if room < 0:
            break
        if doc_id not in articles:
            articles[doc_id] = len(listed)
            listed.append(entry)
        data.append([articles[doc_id], position[rows.country[row]], round(float(rows.p[row]), 4), int(rows.best[row])])
    kept = _within(selection.with_text, texts, TEXT_BYTES)
    return {
        "articles": listed,
        "rows": data,
        "texts": {str(articles[doc_id]): texts[doc_id] for doc_id in kept if doc_id in articles},
    }


def _within(order: Sequence[str], texts: Mapping[str, Any], room: int) -> Iterator[str]:
    """Ids in order, until their texts fill the space."""
    for doc_id in order:
        if doc_id in texts:
            room -= len(json.dumps(texts[doc_id], ensure_ascii=False).encode())
            if room < 0:
                return
            yield doc_id


def _read(
    run: Run, rows: EventRows, selection: Selection, settings: RunSettings, advance: Callable[[], None]
) -> tuple[dict[str, str], dict[str, Any]]:
    """Titles of all listed articles, and passages of those with text, one annotation file at a time."""
    listed: dict[str, set[str]] = defaultdict(set)
    for row in selection.rows.tolist():
        listed[rows.chunk[row]].add(rows.doc_id[row])
    with_text = set(selection.with_text)
    titles: dict[str, str] = {}
    texts: dict[str, Any] = {}
    names = Names(settings.query)
    for chunk in sorted(listed):
        name = run.annotations_path(chunk)
        table = run.warehouse.read_table(name, ANNOTATIONS, ["doc_id", "title"])
        titles |= dict(zip(table["doc_id"].to_pylist(), table["title"].to_pylist(), strict=True))
        wanted = listed[chunk] & with_text
        if wanted:
            table = run.warehouse.read_table(name, ANNOTATIONS)
            table = table.filter(pc.is_in(table["doc_id"], pa.array(sorted(wanted))))
            for annotation in read_annotations(table, trees=True):
                explained = explain_document(annotation, settings, n_more=REPORT_SAMPLES)
                texts[annotation.doc_id] = text_data(explained, names)
                advance()
    return titles, texts


def text_data(explained: ExplainedDocument, names: Mapping[str, str]) -> dict[str, Any]:
    """Marked sentences of one article and the reasons for each country, as the page reads them."""
    passage = key_passage(explained)
    return {
        "marks": [[mark.text, mark.mention, int(mark.agent), mark.country] for mark in passage.marks],
        "sentences": [sentence and [[text, list(marks)] for text, marks in sentence] for sentence in passage.sentences],
        "why": [_why(explained, one, names) for one in explained.countries],
    }


def _why(explained: ExplainedDocument, one: Explanation, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "country": one.country,
        "chains": [
            [round(chain.share, 4), reasons.chain_sentence(explained, one, chain, names), list(chain.mentions)]
            for chain in one.chains[:CHAINS]
        ],
        "more": round(sum(chain.share for chain in one.chains[CHAINS:]), 4),
        "failures": [[round(share, 4), text] for share, text in reasons.failure_sentences(explained, one, names)],
        "decisions": [
            [
                reasons.decision_sentence(explained, decision),
                round(decision.influence, 3),
                [
                    [reasons.option_text(explained, option), round(option.probability, 3), option.p_event]
                    for option in decision.options[:OPTIONS]
                ],
            ]
            for decision in one.decisions[:DECISIONS]
        ],
        "doubts": [reasons.doubt_sentence(explained, doubt, names) for doubt in one.doubts[:DECISIONS]],
    }
