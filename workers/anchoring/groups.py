"""The groups that are counted: the total, countries, quarters, and cells of both.

Covers: which rows a group adds up, the cold stratum seen by group, how many labels bear on each.
Not here: estimating them (`tables`).

In dyadic queries the total, countries and quarters add up events with any target; cells are there for each target.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array, hstack

from calib_core.anchoring import ColdStratum, LabelledRows
from calib_core.arrays import Ints
from workers.anchoring.evidence import Evidence
from workers.labelling.answers import ANY_TARGET, DYAD

TOTAL, COUNTRY, QUARTER, CELL, HIDDEN = "total", "country", "quarter", "cell", "cold"


@dataclass(frozen=True, slots=True)
class Group:
    """What one row of the anchored table counts; None for all."""

    level: str
    quarter: str | None = None
    country: str | None = None
    target: str | None = None


@dataclass(frozen=True)
class Groups:
    """Groups and what belongs to them.

    Attributes
    ----------
    evidence : Evidence
    wide : tuple of Group
        Total, countries, quarters: tier A.
    cells : tuple of Group
        Code by code, each in all quarters: tier B.
    """

    evidence: Evidence
    wide: tuple[Group, ...]
    cells: tuple[Group, ...]

    @cached_property
    def wide_of_cell(self) -> csr_array:
        """Which cells each wide group adds up: 0/1 of shape (n_cells, n_wide)."""
        entries = [(cell, wide) for cell, inner in enumerate(self.cells) for wide in self._wide_numbers(inner)]
        return _zero_one(entries, (len(self.cells), len(self.wide)))

    def _wide_numbers(self, cell: Group) -> list[int]:
        if cell.target not in (None, ANY_TARGET):
            return []
        target = cell.target
        return [
            self._places[group]
            for group in (Group(TOTAL), Group(COUNTRY, None, cell.country, target), Group(QUARTER, cell.quarter))
        ]

    @cached_property
    def _places(self) -> dict[Group, int]:
        return {group: number for number, group in enumerate(self.wide)}

    @cached_property
    def cell_of_row(self) -> Ints:
        """Cell of each row."""
        evidence = self.evidence
        quarter = evidence.quarter_of[evidence.warm_articles][evidence.rows.article]
        return evidence.rows.code * len(evidence.quarters) + quarter

    @cached_property
    def members(self) -> csr_array:
        """Which rows the wide groups add up, and then the cells: 0/1 of shape (n_rows, n_wide + n_cells)."""
        cell = self.cell_of_row
        own = csr_array((np.ones(len(cell)), (np.arange(len(cell)), cell)), shape=(len(cell), len(self.cells)))
        return csr_array(hstack([own @ self.wide_of_cell, own]))

    def labelled_rows(self) -> LabelledRows:
        """Everything, as the estimators take it."""
        evidence = self.evidence
        return LabelledRows(
            sampled=evidence.sampled(self.members), surprise=evidence.rows.surprise, code=evidence.rows.code,
            quarter=evidence.quarter_of[evidence.warm_articles][evidence.rows.article], story=evidence.story,
            cold=self.cold, shape=(len(evidence.codes), len(evidence.quarters)),
        )  # fmt: skip

    @cached_property
    def cold(self) -> ColdStratum:
        """The cold stratum as the wide groups see it, and then the cells."""
        size, read = self.evidence.cold_per_quarter
        place = {name: number for number, name in enumerate(self.evidence.quarters)}
        groups = [*self.wide, *self.cells]
        where = [slice(None) if group.quarter is None else place[group.quarter] for group in groups]
        labelled = np.array([int(np.sum(read[at])) for at in where], dtype=np.int64)
        low, high = (np.array([self._cold_events(g, sure=s) for g in groups], dtype=np.int64) for s in (True, False))
        return ColdStratum(
            size=int(size.sum()), labelled=int(read.sum()),
            group_size=np.array([int(np.sum(size[at])) for at in where], dtype=np.int64),
            group_labelled=labelled, low=np.minimum(low, labelled), high=np.minimum(high, labelled),
        )  # fmt: skip

    def _cold_events(self, group: Group, *, sure: bool) -> int:
        """Cold articles that were read and have, or may have, an event of the group."""
        evidence, found = self.evidence, 0
        for place, (certain, possible, is_open) in zip(
            evidence.cold_articles.tolist(), evidence.cold_events, strict=True
        ):
            if group.quarter is not None and evidence.quarters[evidence.quarter_of[place]] != group.quarter:
                continue
            codes = certain if sure else possible
            found += (not sure and is_open) or any(_matches(group, code) for code in codes)
        return found

    @cached_property
    def n_labels(self) -> Ints:
        """Labelled articles that bear on each group, the wide ones first."""
        evidence = self.evidence
        seen = evidence.answered.drawn[evidence.warm_articles][evidence.rows.article]
        by_article = csr_array(
            (seen.astype(float), (evidence.rows.article, np.arange(len(seen)))),
            shape=(len(evidence.warm_articles), len(seen)),
        )
        touched = csr_array(by_article @ self.members)
        found = np.asarray((touched > 0).sum(axis=0)).ravel().astype(np.int64)
        drawn = np.bincount(evidence.quarter_of[evidence.answered.drawn], minlength=len(evidence.quarters))
        for number, group in enumerate(self.wide):
            if group.level == TOTAL:
                found[number] = drawn.sum()
            elif group.level == QUARTER:
                found[number] = drawn[evidence.quarters.index(str(group.quarter))]
        return found


def list_groups(evidence: Evidence) -> Groups:
    """All groups that the evidence knows of."""
    any_target = [code for code in evidence.codes if split_code(code)[1] in (None, ANY_TARGET)]
    wide = (
        Group(TOTAL),
        *(Group(COUNTRY, None, *split_code(code)) for code in any_target),
        *(Group(QUARTER, quarter) for quarter in evidence.quarters),
    )
    cells = tuple(Group(CELL, quarter, *split_code(code)) for code in evidence.codes for quarter in evidence.quarters)
    return Groups(evidence, wide, cells)


def split_code(code: str) -> tuple[str, str | None]:
    """Country and target of a code.

    >>> split_code("USA>IRQ"), split_code("USA")
    (('USA', 'IRQ'), ('USA', None))
    """
    country, dyad, target = code.partition(DYAD)
    return country, target if dyad else None


def _matches(group: Group, code: str) -> bool:
    country, target = split_code(code)
    wanted = group.target if group.target is not None or target is None else ANY_TARGET
    return (group.country in (None, country)) and wanted == target


def _zero_one(entries: list[tuple[int, int]], shape: tuple[int, int]) -> csr_array:
    rows, columns = zip(*entries, strict=True) if entries else ((), ())
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
