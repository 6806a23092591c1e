"""Shares of a count's variance, as the report shows them."""

from datetime import date

import numpy as np
import pytest

from flows.report.doubt import doubt_data
from flows.report.rows import EventRows


def rows(syntax: list[float] | None) -> EventRows:
    day = [date(1990, 1, 1)] * 3
    parts = (None, None) if syntax is None else (np.array([0.25, 0.05, 0.0]), np.array(syntax))
    return EventRows(
        ["a", "b", "c"], day, ["IRN", "IRN", "IRQ"], np.array([0.5, 0.5, 1.0]), np.ones(3, bool), ["c"] * 3,
        np.array([0.25, 0.25, 0.0]), *parts,
    )  # fmt: skip


def test_shares_of_a_country_are_those_of_its_summed_variance() -> None:
    found = doubt_data(rows([0.0, 0.15, 0.0]), ["IRN", "IRQ"])
    assert found is not None
    assert found["countries"] == {"IRN": pytest.approx([0.6, 0.3, 0.1])}
    assert found["all"] == pytest.approx([0.6, 0.3, 0.1])


def test_nothing_is_said_of_a_run_that_believes_the_best_tree_or_does_not_tell() -> None:
    assert doubt_data(rows([0.0, 0.0, 0.0]), ["IRN"]) is None
    assert doubt_data(rows(None), ["IRN"]) is None
