"""What each measure says of the same model at each dose, document by document.

Covers: preparing unseen documents, scaling the logits, calibration, log loss, counts with their intervals, F1.
Not here: the measurement of one document (`workers.calibration.measure`), the page (`page`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Bools, Floats
from calib_core.coref import CoreferenceModel
from calib_core.coref.metrics.scores import Scores
from calib_core.coref.recalibration.forms import Temperature
from calib_core.document import Document
from calib_core.events.generic import frequent_words
from reproductions.findings import Progress
from reproductions.resampling import Drawn, combined, draw_times, mean_of, ratio, root_mean, squared_error
from workers.calibration.measure import DocumentFigures, MeasureConfig, MeasureTask, measure
from workers.calibration.prepare import GOLD_TREES, PrepareTask, prepare
from workers.parsing.choice import ParserConfig

DOSES = (0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0)
"""What all logits are multiplied by: below 1 flattens, above 1 makes overconfident."""
MEASURES = ("CalibErr", "log loss", "coverage", "stated over true", "F1")
N_SAMPLES = 200
LEAST_SHARE = 40
"""Words of events occur in at least two documents, and in one of so many."""
BIN_SIZE = 5000
TINY = 1e-12


@dataclass(frozen=True, slots=True)
class Response:
    """Every measure at one dose, under draws of documents."""

    dose: float
    measures: dict[str, Drawn]


def respond(model: CoreferenceModel, documents: Sequence[Document], progress: Progress, *, seed: int) -> list[Response]:
    """Measure the same documents at every dose."""
    progress.stage("reading unseen documents", len(documents))
    prepared = []
    for document in documents:
        prepared.append(prepare(PrepareTask(document, GOLD_TREES, 0), ((model,), ParserConfig())))
        progress.advance(document.doc_id)
    least = max(2, len(prepared) // LEAST_SHARE)
    descriptions, verbs = frequent_words((one.events.evidence for one in prepared), least=least)
    config = MeasureConfig(samples=N_SAMPLES, seed=seed, descriptions=descriptions, verbs=verbs)
    progress.stage("measuring", len(DOSES))
    found = []
    for dose in DOSES:
        figures = [measure(MeasureTask(one, Temperature(dose)), config) for one in prepared]
        found.append(Response(dose, measures_of(figures)))
        progress.advance(f"logits times {dose:g}")
    return found


def measures_of(figures: Sequence[DocumentFigures]) -> dict[str, Drawn]:
    """All measures of one dose."""
    times = draw_times(len(figures))
    pred, label = (np.concatenate([getattr(one.pairs, name) for one in figures]) for name in ("pred", "label"))
    document = np.repeat(np.arange(len(figures)), [len(one.pairs.pred) for one in figures])
    size = min(BIN_SIZE, max(1, len(pred) // 20))
    stated, true = (_per_document(figures, name) for name in ("pred", "label"))
    return {
        "CalibErr": root_mean([squared_error(pred, label, document, times, bin_size=size)]),
        "log loss": mean_of(_log_loss(pred, label.astype(np.bool_)), document, times),
        "coverage": mean_of([_covered(one) for one in figures], np.arange(len(figures)), times),
        "stated over true": ratio(*(Drawn(float(part.sum()), times @ part) for part in (stated, true))),
        "F1": combined(lambda f1: 100 * f1, _conll(figures, times)),
    }


def _log_loss(pred: Floats, label: Bools) -> Floats:
    kept = np.clip(pred, TINY, 1 - TINY)
    return np.asarray(-np.where(label, np.log(kept), np.log1p(-kept)))


def _covered(figures: DocumentFigures) -> float:
    """Whether the true number of events is in the middle 95 % of the samples' numbers."""
    lo, hi = np.quantile(figures.events.totals, [0.025, 0.975], method="inverted_cdf")
    return float(lo <= figures.events.label.sum() <= hi)


def _per_document(figures: Sequence[DocumentFigures], name: str) -> Floats:
    return np.array([float(getattr(one.events, name).sum()) for one in figures])


def _conll(figures: Sequence[DocumentFigures], times: Floats) -> Drawn:
    """Mean F1 of MUC, B³ and CEAF over entities, from sums of what documents add."""
    kinds = ("muc", "b_cubed", "ceaf_e")
    parts = {kind: np.array([_numbers(one.scores, kind) for one in figures]) for kind in kinds}

    def f1(sums: Floats) -> Floats:
        recall, precision = (sums[..., at] / np.maximum(sums[..., at + 1], TINY) for at in (0, 2))
        return 2 * recall * precision / np.maximum(recall + precision, TINY)

    plain = np.mean([f1(part.sum(axis=0)) for part in parts.values()])
    return Drawn(float(plain), np.mean([f1(times @ part) for part in parts.values()], axis=0))


def _numbers(scores: Scores, kind: str) -> list[float]:
    part = getattr(scores, kind)
    return [part.recall_num, part.recall_den, part.precision_num, part.precision_den]
