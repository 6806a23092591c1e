"""Draw the errors of two models side by side, a few questions and averages over all.

Covers: the bar charts of Nguyen & O'Connor's Figure 4.
Not here: reliability diagrams (`flows.charts.reliability`).
"""

from collections.abc import Sequence

import altair as alt
import numpy as np

from calib_core.arrays import Floats
from flows.charts.palette import LIGHT


def paired_bars(names: Sequence[str], errors: dict[str, Floats], *, title: str, n_shown: int = 5) -> alt.LayerChart:
    """The first `n_shown` questions, their average, and the average of all.

    Parameters
    ----------
    names : sequence of str
        Questions, most frequent first.
    errors : dict
        For each model the error of each question, shape (n_questions,).
    """
    labels = [*names[:n_shown], f"average ({n_shown})", f"average ({len(names)})"]
    rows = [
        {"question": label, "model": model, "error": float(value)}
        for model, values in errors.items()
        for label, value in zip(labels, [*values[:n_shown], np.mean(values[:n_shown]), np.mean(values)], strict=True)
    ]
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_bar()
        .encode(
            alt.X("question:N", sort=labels, title=None, axis=alt.Axis(labelAngle=-30)),
            alt.Y("error:Q", title="CalibErr"),
            alt.Color("model:N", sort=list(errors), scale=alt.Scale(range=LIGHT), title=None),
            alt.XOffset("model:N", sort=list(errors)),
        )
        .properties(width=300, height=200, title=alt.Title(title, anchor="start", fontWeight="normal"))
    )
