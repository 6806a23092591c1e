"""Figures of a variant from its counts per seed and document, with draws of both.

Covers: pair and MUC scores, calibration of the pair probabilities, each averaged over the seeds.
Not here: training and counting (`pair_variants`), tables (`tables`), claims (`claims`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from calib_core.arrays import Bools, Floats, Ints
from calib_core.calibration import ReliabilityCurve, calibration_error, reliability_curve
from reproductions.resampling import Drawn, combined, draw_times, root_mean, squared_error

COUNTS = (
    *("before right", "before linked", "before wrong", "after right", "after linked", "after wrong"),
    *("coreferent", "pairs", "muc recalled", "muc key", "muc precise", "muc response"),
)
BIN_SIZE = 5000


def _f1(right: Floats, linked: Floats, true: Floats) -> Floats:
    return 2 * right / np.maximum(linked + true, 1)


def _share(part: Floats, whole: Floats) -> Floats:
    return part / np.maximum(whole, 1)


Counted = Callable[..., Floats]
FIGURES: dict[str, tuple[Counted, tuple[str, ...]]] = {
    **{
        f"{part} {when}": (function, tuple(name.format(when=when) for name in names))
        for when in ("before", "after")
        for part, function, names in (
            ("error", _share, ("{when} wrong", "pairs")),
            ("recall", _share, ("{when} right", "coreferent")),
            ("precision", _share, ("{when} right", "{when} linked")),
            ("F1", _f1, ("{when} right", "{when} linked", "coreferent")),
        )
    },
    "MUC recall": (_share, ("muc recalled", "muc key")),
    "MUC precision": (_share, ("muc precise", "muc response")),
}
"""How each figure follows from sums of counts; MUC F1 from the two before it."""


@dataclass(frozen=True)
class Predictions:
    """Probabilities of all pairs from each seed; shape (n_pairs,) each."""

    pred: list[Floats]
    label: Bools
    document: Ints


@dataclass(frozen=True)
class Outcome:
    """How one variant does on the test documents; `counts` has shape (n_seeds, n_documents, len(COUNTS))."""

    counts: Floats
    predictions: Predictions

    def figure(self, name: str) -> Drawn:
        """A figure of `FIGURES`, or `MUC F1`, in %; draws are of documents and of seeds."""
        if name == "MUC F1":
            return combined(_harmonic, self.figure("MUC recall"), self.figure("MUC precision"))
        function, names = FIGURES[name]
        total, drawn = self._sums
        columns = [COUNTS.index(one) for one in names]
        return Drawn(
            100 * float(function(*(total[at] for at in columns))),
            100 * np.asarray(function(*(drawn[:, at] for at in columns))),
        )

    def of_seed(self, name: str, seed: int) -> float:
        """The figure from one seed alone."""
        return Outcome(self.counts[seed : seed + 1], self.predictions).figure(name).value

    @cached_property
    def _sums(self) -> tuple[Floats, Floats]:
        n_seeds, n_documents, _ = self.counts.shape
        documents, seeds = draw_times(n_documents), draw_times(n_seeds, seed=1)
        by_seed = np.einsum("bd,sdk->bsk", documents, self.counts)
        return self.counts.sum(axis=(0, 1)), np.einsum("bs,bsk->bk", seeds, by_seed)

    @cached_property
    def error(self) -> Drawn:
        """CalibErr of the pairs without noise: root mean square over seeds; draws are of documents."""
        one = self.predictions
        times, size = draw_times(self.counts.shape[1]), self.bin_size
        return root_mean([squared_error(pred, one.label, one.document, times, bin_size=size) for pred in one.pred])

    @property
    def printed_error(self) -> float:
        """CalibErr as the papers measure it, averaged over seeds."""
        one = self.predictions
        return float(np.mean([calibration_error(pred, one.label, bin_size=self.bin_size) for pred in one.pred]))

    @property
    def bin_size(self) -> int:
        """5,000, or less for small texts."""
        return min(BIN_SIZE, max(1, len(self.predictions.label) // 50))

    @property
    def mean_pred(self) -> float:
        """Mean predicted probability."""
        return float(np.mean([pred.mean(dtype=np.float64) for pred in self.predictions.pred]))

    @property
    def mean_drawn(self) -> Drawn:
        """Mean predicted probability, averaged over seeds; draws are of documents."""
        one, n_documents = self.predictions, self.counts.shape[1]
        sums = sum(np.bincount(one.document, weights=pred, minlength=n_documents) for pred in one.pred)
        rows, times = np.bincount(one.document, minlength=n_documents), draw_times(n_documents)
        scale = len(one.pred)
        return Drawn(float(np.sum(sums) / rows.sum() / scale), times @ sums / (times @ rows) / scale)

    @property
    def rate(self) -> float:
        """Share of coreferent pairs."""
        return float(self.predictions.label.mean())

    def curve(self) -> ReliabilityCurve:
        """The reliability curve of the first seed."""
        return reliability_curve(self.predictions.pred[0], self.predictions.label, bin_size=self.bin_size)


def _harmonic(recall: Floats, precision: Floats) -> Floats:
    total = recall + precision
    return 2 * recall * precision / np.where(total == 0, 1.0, total)
