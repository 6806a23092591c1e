from collections import Counter

import numpy as np
import pytest

from tests.anchored_warehouse import articles, label_all, published_run
from workers.labelling import FrameError, frame_ids, read_labels
from workers.labelling.drawing import DrawSettings, draw_frame


def drawn(run, budget, seed=0, created="2026"):
    return draw_frame(run, DrawSettings(budget=budget, seed=seed), created=created)


@pytest.fixture
def run(tmp_path):
    return published_run(tmp_path / "w", articles(80))


def test_every_article_has_a_stratum_and_those_past_the_gate_their_scores(run):
    table = drawn(run, 30).table
    assert Counter(table.column("stratum").to_pylist()) == {"gate": 40, "warm": 20, "cold": 20}
    scored = {row["doc_id"] for row in table.to_pylist() if row["scores"]}
    assert scored == {row["doc_id"] for _, samples in run.event_samples() for row in samples.to_pylist()}


def test_the_same_draw_twice_is_one_frame(run):
    assert drawn(run, 30).frame_id == drawn(run, 30, created="2027").frame_id
    assert len(frame_ids(run.warehouse)) == 1


def test_more_labels_only_add_articles_and_keep_the_answers(run):
    small = drawn(run, 20)
    label_all(run, small, articles(80))
    large = drawn(run, 50, created="2027")
    assert large.settings.extends == small.frame_id
    assert small.drawn_ids < large.drawn_ids
    assert {label.doc_id for label in read_labels(run.warehouse, large).labels} == small.drawn_ids


def test_more_quarters_only_add_articles(run, tmp_path):
    before = drawn(run, 30)
    later = published_run(tmp_path / "w", articles(80) + articles(80, first=80, year=1988), run_id="r2")
    after = drawn(later, 30, created="2027")
    assert len(after.quarters) > len(before.quarters)
    assert before.drawn_ids < after.drawn_ids
    old = dict(zip(before.table.column("doc_id").to_pylist(), before.table.column("pi").to_pylist(), strict=True))
    for row in after.table.to_pylist():
        if row["stratum"] != "cold":
            assert row["pi"] >= old.get(row["doc_id"], 0.0)


def test_labelling_in_turn_may_stop_anywhere(run):
    frame = drawn(run, 40)
    entries = frame.drawn.column("entry").to_pylist()
    assert entries == sorted(entries)
    assert frame.drawn.column("turn").to_pylist() == list(range(frame.drawn.num_rows))


def test_another_seed_draws_other_articles(run):
    assert drawn(run, 30).drawn_ids != drawn(run, 30, seed=1).drawn_ids


def test_a_sample_larger_than_the_archive_is_refused(run):
    with pytest.raises(FrameError, match="the run has 80 articles, fewer than the 81 labels asked for"):
        drawn(run, 81)


def test_a_sample_of_everything_draws_everything(run):
    frame = drawn(run, 80)
    assert frame.drawn.num_rows == 80
    assert np.all(frame.table.column("pi").to_numpy() == 1.0)


def test_strata_without_articles_are_fine(tmp_path):
    only_gate = [row for row in articles(80) if int(row["doc_id"][1:]) % 4 < 2]
    frame = drawn(published_run(tmp_path / "w", only_gate), 10)
    assert set(frame.table.column("stratum").to_pylist()) == {"gate"}
    assert frame.drawn.num_rows > 0
