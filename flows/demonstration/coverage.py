"""Do the intervals of the demonstration archive hold the truth? There it is known.

Covers: P(event) of every article beside its truth, before and after recalibration, and coverage of counts by quarter.
Not here: annotated corpora (`workers.calibration`), where recalibrations are fitted.

The truth is what the articles were written to say, so errors of the parser count as well as those of coreference. The
recalibration is the one that `credence propagate --calibration latest` would use; nothing is fitted here.
"""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from calib_core.coref import CoreferenceModel
from calib_core.coref.recalibration.forms import Identity, Recalibration
from calib_core.document import Document
from calib_core.events import Query, document_bits, gate, poisson_binomial, query_document
from calib_core.randomness import document_key
from flows.demonstration import ARCHIVE, Truth, read_truth
from workers.calibration.drive import NOT_RECALIBRATED, CalibrationReport
from workers.calibration.event_figures import tables_of_events
from workers.calibration.measure import EventRows, MeasureConfig
from workers.calibration.metrics import coverage_rows
from workers.calibration.prepare import RAW_TEXT
from workers.calibration.publish import Stamp, calibration_id, publish
from workers.calibration.published import load_recalibration
from workers.calibration.rows import Place, Row, Tables
from workers.calibration.tasks import Report
from workers.one_thread import one_thread
from workers.parser import process_parser
from workers.parsing.choice import ParserConfig
from workers.storage import Warehouse

DATASET, QUERY = "demonstration", "attack"


@dataclass(frozen=True, slots=True)
class Article:
    """One article past the gate, parsed."""

    truth: Truth
    quarter: str
    document: Document


@one_thread()
def judge_demonstration(
    warehouse: Warehouse, model: CoreferenceModel, parser: ParserConfig, config: MeasureConfig,
    *, created: datetime, report: Report,
) -> CalibrationReport:  # fmt: skip
    """Measure and publish; the pointer to the latest calibration stays where it is."""
    recalibration = load_recalibration(warehouse, model_id=model.fingerprint) or Identity()
    articles = list(articles_past_gate(parser, report))
    tables = Tables()
    for name, one in ((NOT_RECALIBRATED, Identity()), (recalibration.kind, recalibration)):
        rows = [event_rows(article, model, one, config) for article in articles]
        place = Place(RAW_TEXT, name, f"query {QUERY}")
        tables.add(tables_of_events(place, rows))
        tables.coverage += quarter_rows(place, articles, rows)
    what = (model.fingerprint, DATASET, recalibration.fingerprint, repr(parser), repr(config))
    stamp = Stamp(calibration_id(created, *what), created, model.fingerprint, DATASET, "all", 0)
    publish(warehouse, stamp, tables, {**recalibration.to_json(), "model_id": model.fingerprint}, is_latest=False)
    return CalibrationReport(
        stamp.calibration_id, stamp.model_id, DATASET, "all", len(articles), recalibration.kind, RAW_TEXT, {}, tables
    )


def articles_past_gate(parser: ParserConfig, report: Report) -> Iterator[Article]:
    """Articles past the gate."""
    lines = gzip.decompress(ARCHIVE.read_bytes()).decode().splitlines()
    stored = {row["doc_id"]: row for row in map(json.loads, lines)}
    query, truths = Query.from_yaml(QUERY), list(read_truth())
    for number, truth in enumerate(truths, start=1):
        row = stored[truth.doc_id]
        if gate(row["text"], query):
            year, month = row["published"][:4], int(row["published"][5:7])
            document = process_parser(parser).parse(truth.doc_id, row["text"])
            yield Article(truth, f"{year}Q{(month + 2) // 3}", document)
        report("parsing the demonstration archive", number, len(truths))


def event_rows(
    article: Article, model: CoreferenceModel, recalibration: Recalibration, config: MeasureConfig
) -> EventRows:
    """Predicted and true countries of one article."""
    document, truth = article.document, article.truth
    query, linked = Query.from_yaml(QUERY), model.link(document)
    asked = query_document(document, linked, query, year=truth.year, recalibration=recalibration)
    key = document_key(config.seed, truth.doc_id)
    found = document_bits(asked.evidence, asked.antecedents, config.samples, key=key)
    missed = sorted(set(truth.countries) - set(found.country))
    countries = (*found.country, *missed)
    return EventRows(
        events=tuple((QUERY, country) for country in countries),
        pred=np.append(found.p, np.zeros(len(missed))),
        label=np.array([country in truth.countries for country in countries], dtype=np.float64),
        best=np.append(found.best > 0, np.zeros(len(missed))).astype(np.float64),
        totals=(found.entities > 0).sum(axis=0).astype(np.int64),
    )


def quarter_rows(place: Place, articles: Sequence[Article], rows: Sequence[EventRows]) -> list[Row]:
    """Coverage of the count of each quarter and country that some article could count for."""
    stated: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for article, one in zip(articles, rows, strict=True):
        for (_, country), p, label in zip(one.events, one.pred.tolist(), one.label.tolist(), strict=True):
            stated[article.quarter, country].append((p, label))
    cells = sorted(stated)
    quarters = np.unique([quarter for quarter, _ in cells], return_inverse=True)[1]
    pmfs = [poisson_binomial(np.array([p for p, _ in stated[cell]])).pmf for cell in cells]
    truths = [int(sum(label for _, label in stated[cell])) for cell in cells]
    found = coverage_rows(replace(place, slice="each country"), "a quarter", pmfs, truths, quarters)
    often = [d for d, pmf in enumerate(pmfs) if pmf @ np.arange(len(pmf)) >= 1]
    found += coverage_rows(
        replace(place, slice="each country with a mean of 1 or more"), "a quarter",
        [pmfs[d] for d in often], [truths[d] for d in often], quarters[often],
    )  # fmt: skip
    return found
