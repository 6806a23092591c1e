"""The probabilities of a run, by article and code.

Covers: reading them from event samples; a code is a country, or for dyads `AGENT>TARGET`.
Not here: writing event samples (`workers.event_samples`).
"""

from workers.labelling.answers import DYAD
from workers.runs import Run

TARGET = "target"


def has_targets(run: Run) -> bool:
    """Whether the run's query asks for targets, so that codes are `AGENT>TARGET`."""
    return TARGET in run.counts().column_names


def read_scores(run: Run) -> dict[str, dict[str, float]]:
    """Probability of each code that a run gives a chance, by doc_id; articles without one are left out."""
    scores: dict[str, dict[str, float]] = {}
    for _, table in run.event_samples():
        targets = table.column(TARGET).to_pylist() if TARGET in table.column_names else [None] * table.num_rows
        columns = [table.column(name).to_pylist() for name in ("doc_id", "country", "p")]
        for doc_id, country, p, target in zip(*columns, targets, strict=True):
            code = country if target is None else f"{country}{DYAD}{target}"
            if p > 0.0:
                scores.setdefault(doc_id, {})[code] = p
    return scores
