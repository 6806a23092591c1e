"""Calibrate: prepare, choose a recalibration, measure before and after, publish.

Covers: the order of the stages, here or on a Dask cluster, and what the run reports.
Not here: the stages themselves, options and clocks (`flows.jobs.calibrate`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np
from distributed import Client

from calib_core.arrays import Floats, Ints
from calib_core.coref import CoreferenceModel, CorpusError
from calib_core.coref.model.held_out import HeldOut
from calib_core.coref.recalibration.choice import Choice, TwoParts, choose, losses_without, parts_of, two_parts
from calib_core.coref.recalibration.forms import Identity
from calib_core.events.generic import frequent_words
from workers.annotate import parser_id
from workers.calibration.arc_figures import arc_tables, judge_arcs
from workers.calibration.event_figures import event_tables
from workers.calibration.folds import FoldConfig, fold_models
from workers.calibration.inputs import AnnotatedSet, DataError, refuse_training_documents
from workers.calibration.measure import DocumentFigures, MeasureConfig, MeasureTask, measure
from workers.calibration.metrics import count_tables, mention_tables, pair_tables, paper_rows, score_rows
from workers.calibration.prepare import GOLD_MENTIONS, GOLD_TREES, MODES, RAW_TEXT, Prepared, PrepareTask, prepare
from workers.calibration.publish import Stamp, calibration_id, publish, refuse_replacement
from workers.calibration.rows import Place, Row, Tables, metric_row
from workers.calibration.tasks import Report, run_tasks, silent
from workers.one_thread import one_thread
from workers.parsing.choice import ParserConfig, is_ours
from workers.storage import Warehouse, content_hash

Unseen = tuple[Sequence[CoreferenceModel], Ints]
"""Models, and for each document the number of the one that has not seen it."""

NOT_RECALIBRATED = "none"
_LEAST_SHARE = 20
"""A word of a generic event occurs in at least one of this many documents, and in two."""


@dataclass(frozen=True, slots=True)
class CalibrateConfig:
    """What to measure and how.

    Attributes
    ----------
    modes : tuple of str
        Of `prepare.MODES`; empty: all that the corpus allows.
    folds : FoldConfig
    measure : MeasureConfig
    parser : ParserConfig
    parts : int
        Parts of the documents for choosing and judging the recalibration.
    allow_training_data : bool
        Measure even documents that the model was trained on.
    """

    modes: tuple[str, ...] = ()
    folds: FoldConfig = field(default_factory=FoldConfig)
    measure: MeasureConfig = field(default_factory=MeasureConfig)
    parser: ParserConfig = field(default_factory=ParserConfig)
    parts: int = 5
    allow_training_data: bool = False


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """What a run found; `tables` are as published, `left_out` says what is wrong with each file that was left out."""

    calibration_id: str
    model_id: str
    dataset: str
    split: str
    documents: int
    form: str
    fit_mode: str
    gains: dict[str, tuple[float, float]]
    tables: Tables
    left_out: tuple[CorpusError, ...] = ()

    def metric(self, metric: str, **where: str) -> float | None:
        """One figure of the whole corpus, by columns such as mode and recalibrated; None if it was not measured."""
        wanted = {"query": "pairs", "slice": "all", "genre": "all", "mode": self.fit_mode, **where, "metric": metric}
        found = [row for row in self.tables.metrics if all(row[name] == value for name, value in wanted.items())]
        return float(found[0]["value"]) if found else None


@one_thread()
def calibrate(
    annotated: AnnotatedSet, model: CoreferenceModel, config: CalibrateConfig, warehouse: Warehouse,
    *, created: datetime, unseen: Unseen | None = None, client: Client | None = None, report: Report = silent,
) -> CalibrationReport:  # fmt: skip
    """Measure a model on annotated documents, fit a recalibration, and publish both.

    With `unseen` the documents may be those that the model was trained on.

    Raises
    ------
    DataError
        If the model was trained on the documents, or a mode needs trees that are missing; before any work.
    """
    modes = usable_modes(annotated, config.modes)
    stamp = _stamp(annotated, model, config, modes, created)
    refuse_replacement(warehouse, stamp)
    if not (config.folds.folds or unseen or config.allow_training_data):
        refuse_training_documents(model, annotated)
    if config.folds.folds and unseen is None:
        unseen = _trained_without(annotated, config, client, report)
    prepared = _prepare_all(annotated, unseen or _the_same(model, annotated), config, modes, client, report)
    fit_mode = RAW_TEXT if RAW_TEXT in modes else modes[-1]
    documents = [one.held_out for one in prepared[fit_mode]]
    choice = _choose(documents, config, client, report)
    tables = Tables()
    for mode in modes:
        tables.add(_measure_mode(prepared[mode], mode, choice, config, client, report))
    if RAW_TEXT in modes and annotated.has_trees:
        tables.add(_measure_arcs(annotated, config, client, report))
    tables.metrics.append(_left_out_row(annotated, fit_mode))
    publish(warehouse, stamp, tables, _recalibration_content(stamp, choice, fit_mode, annotated))
    return CalibrationReport(
        stamp.calibration_id, stamp.model_id, stamp.dataset, stamp.split, len(annotated.documents),
        choice.form, fit_mode, choice.gains, tables, annotated.left_out,
    )  # fmt: skip


def _measure_arcs(annotated: AnnotatedSet, config: CalibrateConfig, client: Client | None, report: Report) -> Tables:
    """The parser's own probabilities on the annotators' words; nothing from a model that does not state any."""
    if not is_ours(config.parser):
        return Tables()
    judged = run_tasks(client, judge_arcs, annotated.documents, config.parser, stage="judging arcs", report=report)
    tables = arc_tables(judged)
    model = {"model_id": parser_id(config.parser)}
    return Tables([row | model for row in tables.metrics], [row | model for row in tables.bins])


def _left_out_row(annotated: AnnotatedSet, mode: str) -> Row:
    """How many files of the corpus could not be read, so that a figure without them says so."""
    left_out, documents = len(annotated.left_out), len(annotated.documents)
    return metric_row(Place(mode, NOT_RECALIBRATED, "corpus"), "files_left_out", left_out, documents, documents)


def usable_modes(annotated: AnnotatedSet, asked: Sequence[str]) -> tuple[str, ...]:
    """The modes asked for, in order, or all that the corpus allows."""
    for mode in asked:
        if mode not in MODES:
            raise DataError(f"mode {mode!r}", f"a mode must be one of {', '.join(MODES)}")
        if mode in (GOLD_MENTIONS, GOLD_TREES) and not annotated.has_trees:
            raise DataError(f"mode {mode}", f"{annotated.dataset} has no dependency trees; use raw_text")
    chosen = asked or (MODES if annotated.has_trees else (RAW_TEXT,))
    return tuple(mode for mode in MODES if mode in chosen)


def _the_same(model: CoreferenceModel, annotated: AnnotatedSet) -> Unseen:
    """One model for all documents."""
    return [model], np.zeros(len(annotated.documents), dtype=np.int64)


def _trained_without(annotated: AnnotatedSet, config: CalibrateConfig, client: Client | None, report: Report) -> Unseen:
    """Log-linear models, each trained without the documents it is for."""
    if not annotated.has_trees:
        raise DataError("--folds", f"{annotated.dataset} has no dependency trees to train on")
    return fold_models(client, annotated.documents, config.folds, report=report)


def _prepare_all(
    annotated: AnnotatedSet, unseen: Unseen, config: CalibrateConfig, modes: Sequence[str],
    client: Client | None, report: Report,
) -> dict[str, list[Prepared]]:  # fmt: skip
    """Every document in every mode, each scored by its model."""
    models, fold = unseen
    tasks = [
        PrepareTask(document, mode, int(number))
        for mode in modes
        for document, number in zip(annotated.documents, fold, strict=True)
    ]
    done = run_tasks(client, prepare, tasks, (models, config.parser), stage="scoring documents", report=report)
    return {mode: [one for one in done if one.mode == mode] for mode in modes}


def _choose(documents: list[HeldOut], config: CalibrateConfig, client: Client | None, report: Report) -> Choice:
    n_parts = min(config.parts, len(documents))
    if n_parts < 3:
        nothing = Identity()
        part = np.zeros(len(documents), dtype=np.int64)
        return Choice(nothing.kind, nothing, part, (nothing.kind,), (nothing,), {})
    part = parts_of(len(documents), n_parts, seed=config.measure.seed)
    twos = two_parts(n_parts)
    tables = run_tasks(client, _losses, twos, (documents, part), stage="fitting recalibrations", report=report)
    return choose(documents, part, dict(zip(twos, tables, strict=True)))


def _losses(two: TwoParts, shared: tuple[list[HeldOut], Ints]) -> Floats:
    documents, part = shared
    return losses_without(documents, part, two)


def _measure_mode(
    prepared: list[Prepared], mode: str, choice: Choice, config: CalibrateConfig, client: Client | None,
    report: Report,
) -> Tables:  # fmt: skip
    """Figures before recalibration and, unless every part chose to change nothing, after it."""
    least = max(2, len(prepared) // _LEAST_SHARE)
    descriptions, verbs = frequent_words((one.events.evidence for one in prepared), least=least)
    settings = replace(config.measure, descriptions=descriptions, verbs=verbs)
    tables = Tables()
    before = [MeasureTask(one, Identity()) for one in prepared]
    figures = run_tasks(client, measure, before, settings, stage=f"measuring {mode}", report=report)
    tables.add(_tables(figures, Place(mode, NOT_RECALIBRATED, "pairs"), settings))
    after = [MeasureTask(one, choice.recalibration_of(d)) for d, one in enumerate(prepared)]
    settings = replace(settings, paper_samples=0)
    figures = run_tasks(client, measure, after, settings, stage=f"measuring {mode}, recalibrated", report=report)
    tables.add(_tables(figures, Place(mode, choice.form, "pairs"), settings))
    return tables


def _tables(figures: list[DocumentFigures], place: Place, config: MeasureConfig) -> Tables:
    tables = pair_tables(place, figures)
    tables.add(mention_tables(place, figures))
    tables.add(count_tables(place, figures))
    tables.add(event_tables(place, figures))
    tables.metrics += score_rows(replace(place, query="scores"), figures)
    tables.metrics += paper_rows(place, figures, config.paper_samples)
    return tables


def _stamp(
    annotated: AnnotatedSet, model: CoreferenceModel, config: CalibrateConfig, modes: Sequence[str], created: datetime
) -> Stamp:
    what = [model.fingerprint, annotated.dataset, annotated.split, *sorted(annotated.hashes()), *modes,
            repr(config)]  # fmt: skip
    found = calibration_id(created, *what)
    folds = config.folds.folds
    return Stamp(found, created, model_id_of(model, annotated, folds), annotated.dataset, annotated.split, folds)


def model_id_of(model: CoreferenceModel, annotated: AnnotatedSet, folds: int) -> str:
    """Identity of the model that the figures are about.

    Cross-validated models stand for the model trained on all the documents together. If the given model is that one, it
    is meant; otherwise it does not exist yet, and is named after the documents.
    """
    if not folds or set(annotated.hashes()) == model.trained_on:
        return model.fingerprint
    return f"cross-validated-{content_hash(*(one.encode() for one in sorted(annotated.hashes())))[:12]}"


def _recalibration_content(stamp: Stamp, choice: Choice, fit_mode: str, annotated: AnnotatedSet) -> dict[str, Any]:
    """The recalibration, with what a reader may want to know about it."""
    return {
        **choice.recalibration.to_json(),
        "model_id": stamp.model_id,
        "calibration_id": stamp.calibration_id,
        "created": stamp.created.isoformat(timespec="seconds"),
        "form": choice.form,
        "fitted_on": {
            "dataset": stamp.dataset, "split": stamp.split, "documents": len(annotated.documents), "mode": fit_mode,
            "folds": stamp.folds,
        },
        "gains": {name: {"per_pair": gain, "standard_error": error} for name, (gain, error) in choice.gains.items()},
    }  # fmt: skip
