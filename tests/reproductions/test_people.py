"""Counts against people, on made-up answers."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from calib_core.anchoring import COLD, GATE
from reproductions.people.archive import Asked, labelled, read_articles, redraw
from reproductions.people.page import page, raw_interval


def made_up(n: int, seed: int) -> Asked:
    """A third of the articles past the gate with honest probabilities, the rest cold and empty."""
    rng = np.random.default_rng(seed)
    inside = np.arange(n) % 3 == 0
    p = np.where(inside, rng.uniform(0.1, 0.9, n), 0.0)
    return Asked(
        truth=rng.random(n) < p, p=p, best=p > 0.5, named=inside, stratum=np.where(inside, GATE, COLD),
        story=np.arange(n),
    )  # fmt: skip


def test_articles_are_read_with_their_labels(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    record = {"doc_id": "a", "published": "2002-03-01", "text": "Police fired.", "labels": ["FORCE"]}
    path.write_bytes(gzip.compress(json.dumps(record).encode()))
    (article,) = read_articles(path)
    assert (article.published.year, article.labels) == (2002, {"FORCE"})


def test_interval_of_a_sum_by_hand() -> None:
    assert raw_interval(np.array([1.0, 1.0, 0.0])).hi == raw_interval(np.array([1.0, 1.0, 0.0])).lo == 2
    wide = raw_interval(np.full(100, 0.5))
    assert (wide.value, wide.lo, wide.hi) == (50, 40, 60)


def test_labelling_everything_leaves_no_doubt() -> None:
    asked = made_up(60, 0)
    rows, n_labels = labelled(asked, 60, np.full(60, 1e-9))
    found = rows.by_design()
    assert n_labels == 60
    assert found.lower[0] == pytest.approx(asked.truth.sum()) == found.upper[0]


def test_anchored_intervals_hold_and_the_page_says_so() -> None:
    asked = made_up(300, 1)
    redraws = redraw(asked, 90, 60, seed=0)
    total = asked.truth.sum()
    assert np.mean((redraws.lower <= total) & (total <= redraws.upper)) > 0.85
    found = page({"police-arrest": (asked, redraws), "police-kill": (asked, redraws)})
    assert len(found.claims) == 12
    assert found.pictures[0].chart.to_dict()["vconcat"]
