"""Anchored counts in words: what a reader who knows no statistics should take from them.

Covers: the rows of a run beside its raw counts, a sentence for each, what the flags mean.
Not here: computing them (`workers.anchoring`).
"""

from collections.abc import Iterable, Mapping
from typing import Any

from workers.anchoring import read_anchored
from workers.runs import Run

Row = Mapping[str, Any]
FLAGS = {
    "few_labels": "few articles that bear on it were read",
    "tiers_disagree": "the two ways of estimating it disagree: read more articles before you use it",
    "outside_frame": "the sample was not drawn from this quarter: nothing is known beyond the models",
    "grown": "articles came in after the sample was drawn: they are left out",
    "part_of_run": "quarters outside the sample are left out",
}
"""What each flag says."""
NOT_ANCHORED = (
    "These intervals cover doubt about who is meant, and nothing else the models get wrong. "
    "To get intervals that hold, read a sample: credence sample, label, anchor."
)
PROMISE = (
    "The first interval is the models' own. The second, of a country, a quarter or everything, holds the true count "
    "95 times in 100 whatever the models get wrong, if the people who read the sample were right. That of a country in "
    "one quarter also leans on what was read about other quarters and countries."
)


def anchored_of(run: Run) -> list[dict[str, Any]]:
    """Rows of the anchored table; none where the run was not anchored."""
    table = read_anchored(run)
    return [] if table is None else table.to_pylist()


def level_rows(rows: Iterable[Row], level: str, countries: Iterable[str] = ()) -> list[Row]:
    """Rows of one level, of any target, the largest first."""
    wanted = set(countries)
    kept = [
        row for row in rows
        if row["level"] == level and row["target"] in (None, "*") and (not wanted or row["country"] in wanted)
    ]  # fmt: skip
    return sorted(kept, key=lambda row: -(row["estimate"] or 0.0))


def sentence(row: Row, name: str) -> str:
    """One count in words.

    Parameters
    ----------
    name : str
        What is counted, such as "All countries" or "Iraq in 1987Q1".
    """
    raw = f"the models alone expect {row['raw_mean']:.0f}"
    if row["estimate"] is None:
        return f"{name}: {raw}; {FLAGS['outside_frame']}."
    middle, low, high = (f"{row[key]:.0f}" for key in ("estimate", "lo", "hi"))
    articles = "article" if row["n_labels"] == 1 else "articles"
    read = f"with {row['n_labels']:,} {articles} read by people, about {middle}, and between {low} and {high}"
    return f"{name}: {raw}; {read} with 95 % confidence."


def notes(rows: Iterable[Row]) -> list[str]:
    """What the flags of some rows mean."""
    flags = {flag for row in rows for flag in row["flags"]}
    return [f"{flag}: {meaning}" for flag, meaning in FLAGS.items() if flag in flags]


def anchored_data(run: Run, names: Mapping[str, str], limit: int = 20) -> dict[str, Any] | None:
    """What the report page shows; None where the run was not anchored."""
    rows = anchored_of(run)
    if not rows:
        return None
    total = level_rows(rows, "total")
    shown = total + level_rows(rows, "country")[:limit] + level_rows(rows, "quarter")
    return {
        "lead": sentence(total[0], "All countries and quarters together") if total else "",
        "promise": PROMISE,
        "rows": [_cells(row, names) for row in shown],
        "notes": notes(shown),
    }


def _cells(row: Row, names: Mapping[str, str]) -> list[str]:
    name = row["quarter"] or (names.get(row["country"], row["country"]) if row["country"] else "all")
    anchored = ["", ""]
    if row["estimate"] is not None:
        anchored = [f"{row['estimate']:.1f}", f"{row['lo']:.1f} to {row['hi']:.1f}"]
    raw = [f"{row['raw_mean']:.1f}", f"{row['raw_lo']:.0f} to {row['raw_hi']:.0f}"]
    return [name, *raw, *anchored, f"{row['n_labels']:,}", ", ".join(row["flags"])]
