"""Which draw the labels are of: the whole frame, or, while articles wait, the draw of a smaller budget.

Articles are labelled in the order in which a growing budget draws them. So what has been labelled from the front is
the draw of a smaller budget, with smaller probabilities, and stopping early costs width, never truth.

Covers: the largest budget whose articles all have an answer, its draw.
Not here: what the answers say (`workers.labelling.verdicts`), using them (`evidence`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from calib_core.anchoring import Earlier, budget_steps, draw, score_spread
from calib_core.arrays import Bools, Floats
from workers.labelling import Frame, FrameError, Verdict
from workers.labelling.drawing import STRATA, read_design

CODES = {name: code for code, name in STRATA.items()}


@dataclass(frozen=True)
class Answered:
    """A draw all of whose articles were answered, skipped ones included.

    Attributes
    ----------
    frame : Frame
    budget : int
        Of the draw; that of the frame when nothing waits.
    pi, drawn : arrays of shape (n_articles,)
        As in the frame's table, of this draw.
    verdicts : mapping of str to Verdict
        By doc_id, of this draw's articles only.
    waiting : int
        Articles of the frame that nobody answered.
    unused : int
        Articles that were answered out of turn, which this draw does not hold.
    """

    frame: Frame
    budget: int
    pi: Floats
    drawn: Bools
    verdicts: Mapping[str, Verdict]
    waiting: int
    unused: int


def answered_sample(frame: Frame, verdicts: Mapping[str, Verdict]) -> Answered:
    """The largest draw that was answered as a whole.

    Raises
    ------
    FrameError
        When not even the articles that come first have answers.
    """
    ids = frame.table.column("doc_id").to_pylist()
    pi, drawn = (frame.table.column(name).to_numpy() for name in ("pi", "drawn"))
    missing = [number for number in np.flatnonzero(drawn).tolist() if ids[number] not in verdicts]
    budget = frame.settings.budget
    if missing:
        entries = frame.table.column("entry").to_pylist()
        first = min(missing, key=lambda number: entries[number])
        steps = [step for step in budget_steps(budget) if step < entries[first]]
        if not steps:
            raise FrameError(
                f"frame {frame.frame_id} has {len(missing):,} articles without an answer, {ids[first]!r} among the "
                f"first; label in the order that `credence label` gives, and the first of them before anchoring"
            )
        budget = steps[-1]
        pi, drawn = smaller_draw(frame, budget)
    used = {ids[number]: verdicts[ids[number]] for number in np.flatnonzero(drawn).tolist()}
    return Answered(frame, budget, pi, drawn, used, len(missing), len(verdicts) - len(used))


def smaller_draw(frame: Frame, budget: int) -> tuple[Floats, Bools]:
    """Probabilities and articles of the draw that a smaller budget would have made of the same frame."""
    table, settings = frame.table, frame.settings
    scores = table.column("scores").to_pylist()
    document = np.repeat(np.arange(len(scores)), [len(row) for row in scores])
    spread = score_spread(document, np.array([p for row in scores for p in row], dtype=np.float64), len(scores))
    earlier = Earlier(table.column("earlier_pi").to_numpy(), settings.earlier_cold) if settings.extends else None
    found = draw(
        strata_of(frame), spread, table.column("number").to_numpy(),
        budget=budget, design=read_design(settings), earlier=earlier,
    )  # fmt: skip
    return found.pi, found.drawn


def strata_of(frame: Frame) -> np.ndarray:
    """Stratum of each article as `calib_core.anchoring` numbers them."""
    return np.array([CODES[name] for name in frame.table.column("stratum").to_pylist()], dtype=np.int64)
