"""Anchored counts as rows of the published tables.

Covers: estimates of every group, raw counts beside them, flags, joint draws.
Not here: the estimators (`calib_core.anchoring`), files (`publish`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calib_core.anchoring import Anchored
from calib_core.arrays import Floats, Ints
from workers.anchoring.groups import CELL, COUNTRY, HIDDEN, QUARTER, TOTAL, Group, Groups
from workers.labelling.answers import ANY_TARGET

FEWEST_LABELS = 5
"""A row that fewer labels bear on is flagged."""
FEW_LABELS, DISAGREE, OUTSIDE, GROWN, PART, UNSURE = (
    "few_labels", "tiers_disagree", "outside_frame", "grown", "part_of_run", "unsure"
)  # fmt: skip
LOW, HIGH = 0.025, 0.975
TIER_A, TIER_B = "A", "B"

Cell = tuple[str, str, str | None]
"""Quarter, country and target."""


@dataclass(frozen=True)
class Estimates:
    """What the labels make of the counts.

    Attributes
    ----------
    groups : Groups
    design : Anchored
        Tier A of every group, the wide ones first, then the cells.
    cells : shape (n_draws, n_cells)
        Tier B.
    wide : shape (n_draws, n_wide)
        Joint draws of the wide groups.
    """

    groups: Groups
    design: Anchored
    cells: Ints
    wide: Floats


@dataclass(frozen=True)
class RawCounts:
    """The run's own counts.

    Attributes
    ----------
    samples : mapping of Cell to array of shape (n_samples,)
    grown : frozenset of str
        Quarters that have more articles in the run than in the frame.
    quarters : frozenset of str
        All quarters of the run.
    """

    samples: Mapping[Cell, Ints]
    grown: frozenset[str]
    quarters: frozenset[str]

    def of(self, group: Group, known: frozenset[str]) -> tuple[float, float, float]:
        """Mean and 95 % interval of a group, over the quarters of the frame."""
        wanted = [
            samples for (quarter, country, target), samples in self.samples.items()
            if (quarter == group.quarter if group.quarter else quarter in known)
            and group.country in (None, country)
            and target == (group.target if group.country else (ANY_TARGET if target is not None else None))
        ]  # fmt: skip
        if not wanted:
            return 0.0, 0.0, 0.0
        total = np.sum(wanted, axis=0)
        low, high = np.quantile(total, [LOW, HIGH], method="inverted_cdf")
        return float(total.mean()), float(low), float(high)


def estimate(groups: Groups, *, n_draws: int, seed: int) -> Estimates:
    """Estimate every group by both tiers."""
    rows = groups.labelled_rows()
    cells = rows.by_pooling(n_draws=n_draws, seed=seed)
    return Estimates(groups, rows.by_design(), cells, rows.joint(cells, groups.wide_of_cell, seed=seed))


def table_rows(estimates: Estimates, raw: RawCounts, query: str) -> list[dict[str, Any]]:
    """Rows of the anchored table: total, countries, quarters, cells, the cold stratum, and quarters outside."""
    groups, design = estimates.groups, estimates.design
    frame = groups.evidence.answered.frame
    known = frozenset(groups.evidence.quarters)
    rows = []
    ends = np.quantile(estimates.cells, [LOW, HIGH], axis=0, method="inverted_cdf")
    for number, group in enumerate([*groups.wide, *groups.cells]):
        cell = number - len(groups.wide)
        middle, low, high = design.estimate[number], design.lower[number], design.upper[number]
        if cell >= 0:
            middle, low, high = estimates.cells[:, cell].mean(), ends[0, cell], ends[1, cell]
        hidden = 0.0 if cell >= 0 else float(design.cold_upper[number] - groups.cold.low[number])
        values = _labelled_row(group, raw.of(group, known), (float(middle), float(low), float(high)), hidden)
        flags = _flags(group, int(groups.n_labels[number]), raw, known)
        if cell >= 0 and not design.lower[number] <= float(np.median(estimates.cells[:, cell])) <= design.upper[number]:
            flags.append(DISAGREE)
        rows.append(values | {"n_labels": int(groups.n_labels[number]), "flags": flags})
    rows = [row for row in rows if _worth_a_row(row)] + [_cold_row(groups, design)]
    rows += [_outside_row(quarter, raw) for quarter in sorted(raw.quarters - known)]
    return [row | {"query": query, "frame_id": frame.frame_id} for row in rows]


def draw_rows(estimates: Estimates, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The joint draws behind some rows of the anchored table."""
    groups = estimates.groups
    draws = {group: estimates.wide[:, number] for number, group in enumerate(groups.wide)}
    draws |= {group: estimates.cells[:, number].astype(np.float64) for number, group in enumerate(groups.cells)}
    names = ("level", "quarter", "country", "target")
    found = []
    for row in rows:
        group = Group(**{name: row[name] for name in names})
        if group in draws:
            found.append({name: row[name] for name in (*names, "tier")} | {"draws": draws[group].astype(np.float32)})
    return found


def _labelled_row(
    group: Group, raw: tuple[float, float, float], anchored: tuple[float, float, float], hidden: float
) -> dict[str, Any]:
    return {
        "level": group.level, "quarter": group.quarter, "country": group.country, "target": group.target,
        "tier": TIER_B if group.level == CELL else TIER_A,
        "raw_mean": raw[0], "raw_lo": raw[1], "raw_hi": raw[2],
        "estimate": anchored[0], "lo": anchored[1], "hi": anchored[2], "hidden": hidden,
    }  # fmt: skip


def _flags(group: Group, n_labels: int, raw: RawCounts, known: frozenset[str]) -> list[str]:
    found = [FEW_LABELS] if n_labels < FEWEST_LABELS else []
    if group.quarter in raw.grown or (group.quarter is None and raw.grown):
        found.append(GROWN)
    if group.quarter is None and raw.quarters - known:
        found.append(PART)
    return found


def _worth_a_row(row: Mapping[str, Any]) -> bool:
    """Cells in which nothing is counted, estimated or possible need no row."""
    return row["level"] in (TOTAL, QUARTER, COUNTRY) or row["raw_mean"] > 0 or row["hi"] > 0


def _cold_row(groups: Groups, design: Anchored) -> dict[str, Any]:
    """What articles that neither gate nor field words let through may hold."""
    cold, upper = groups.cold, float(design.cold_upper[0])
    share = cold.size / cold.labelled if cold.labelled else 0.0
    values = (float((cold.low[0] + cold.high[0]) / 2 * share), float(cold.low[0]), upper)
    row = _labelled_row(Group(HIDDEN), (0.0, 0.0, 0.0), values, upper - float(cold.low[0]))
    return row | {"n_labels": cold.labelled, "flags": [FEW_LABELS] if cold.labelled < FEWEST_LABELS else []}


def _outside_row(quarter: str, raw: RawCounts) -> dict[str, Any]:
    """A quarter that the sample was not drawn from: its raw count stands alone."""
    counted = raw.of(Group(QUARTER, quarter), frozenset())
    row = _labelled_row(Group(QUARTER, quarter), counted, (0.0, 0.0, 0.0), 0.0)
    nothing: dict[str, Any] = dict.fromkeys(("estimate", "lo", "hi", "hidden"))
    return row | nothing | {"n_labels": 0, "flags": [OUTSIDE]}
