"""The charts of experiment `hmm-crf`.

Covers: curves over all tags, errors by tag and pair, curves of the CRF with few and many features.
Not here: the figures themselves (`measures`).
"""

import altair as alt

from calib_core.calibration import reliability_curve
from flows.charts.reliability import reliability_chart
from reproductions.findings import Picture
from reproductions.hmm_crf.measures import BIN_SIZE, MODELS, Measured, Results
from reproductions.paired_bars import paired_bars

_LEGEND = "Bars: 95 % Wilson intervals; dashed: perfect calibration."
_NN_BINS = 50


def curves(results: Results, found: Measured) -> Picture:
    """Both models over all tags, in the paper's bins."""
    panels = {}
    for model in MODELS:
        tagged, error = results.tagged[f"{model} printed"], found.overall[model].paper.value
        question = tagged.all_tags()
        title = f"{model}: {100 * tagged.accuracy:.1f} % right, CalibErr {error:.4f}"
        panels[title] = reliability_curve(question.pred, question.label, bin_size=BIN_SIZE)
    subtitle = f"Adaptive bins of {BIN_SIZE:,} rows. {_LEGEND}"
    chart = reliability_chart(panels, title="Is this the word's tag? All words, all tags", subtitle=subtitle)
    return Picture("", "Calibration curves over all tags, as Figure 3 of the paper; HMM with one pseudocount.", chart)


def bars(found: Measured) -> Picture:
    """Errors by tag and by pair of tags."""
    charts = [
        paired_bars(many.names, {"HMM": many.hmm, "CRF": many.crf}, title=title)
        for title, many in (("single tags", found.tags), ("pairs of neighbouring tags", found.pairs))
    ]
    caption = "CalibErr by tag and by pair of tags, as Figure 4 of the paper; HMM with one pseudocount."
    return Picture("tags", caption, alt.hconcat(*charts, bounds="flush", spacing=70).configure_view(stroke=None))


def feature_curves(results: Results) -> Picture:
    """The question of the thesis, to the basic CRF and to the advanced one."""
    panels = {}
    steps = list(results.ladder.values())
    for name, tagged in (("CRF-Basic", steps[0]), ("CRF-Advanced", steps[-1])):
        question = tagged.one_tag("NN")
        curve = reliability_curve(question.pred, question.label, n_bins=_NN_BINS)
        panels[f"{name}: {100 * tagged.accuracy:.1f} % right"] = curve
    chart = reliability_chart(panels, title="Is this word NN?", subtitle=f"{_NN_BINS} adaptive bins. {_LEGEND}")
    caption = "CRFs with the word alone and with all features, as Figures 4.2 and 4.3 of the thesis."
    return Picture("features", caption, chart)
