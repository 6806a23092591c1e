import numpy as np
import pytest

from tests.anchored_warehouse import articles, label_all, published_run, true_codes
from workers.anchoring import anchor_run, read_anchored
from workers.labelling import FrameError, Label, append_labels
from workers.labelling.drawing import DrawSettings, draw_frame
from workers.schemas import ANCHORED_DRAWS

ROWS = articles(240)
TRUTH = sum(len(true_codes(row)) for row in ROWS)


@pytest.fixture
def run(tmp_path):
    return published_run(tmp_path / "w", ROWS)


def drawn(run, budget=80, created="2026"):
    return draw_frame(run, DrawSettings(budget=budget, seed=0), created=created)


def rows_of(report, level):
    return [row for row in report.rows if row["level"] == level]


def test_the_anchored_total_holds_the_truth_where_the_models_miss_it(run):
    label_all(run, drawn(run), ROWS)
    report = anchor_run(run, n_draws=200)
    (total,) = rows_of(report, "total")
    assert total["raw_hi"] < TRUTH
    assert total["lo"] <= TRUTH <= total["hi"]
    assert total["tier"] == "A"
    assert {row["tier"] for row in rows_of(report, "cell")} == {"B"}
    assert read_anchored(run).num_rows == len(report.rows)


def test_with_every_article_labelled_the_truth_is_what_remains(run):
    label_all(run, drawn(run, 240), ROWS)
    report = anchor_run(run, n_draws=20)
    for row in rows_of(report, "cell") + rows_of(report, "country") + rows_of(report, "quarter"):
        true = sum(
            code == (row["country"] or code) for article in ROWS for code in true_codes(article)
            if row["quarter"] in (None, f"1987Q{(int(article['published'][5:7]) + 2) // 3}")
        )  # fmt: skip
        assert row["estimate"] == pytest.approx(true)
        assert row["lo"] == pytest.approx(row["hi"])


def test_labels_of_one_run_anchor_the_run_of_another_model(run, tmp_path):
    label_all(run, drawn(run), ROWS)
    other = published_run(tmp_path / "w", ROWS, blind=0.05, run_id="r2")
    report = anchor_run(other, n_draws=50)
    (total,) = rows_of(report, "total")
    assert report.run_id == "r2"
    assert total["lo"] <= TRUTH <= total["hi"]


def test_quarters_outside_the_frame_are_marked_and_not_anchored(run, tmp_path):
    label_all(run, drawn(run), ROWS)
    later = published_run(tmp_path / "w", ROWS + articles(240, first=240, year=1988), run_id="r2")
    report = anchor_run(later, n_draws=50)
    outside = [row for row in report.rows if "outside_frame" in row["flags"]]
    assert {row["quarter"] for row in outside} == {f"1988Q{number}" for number in range(1, 5)}
    assert all(row["estimate"] is None for row in outside)
    assert "part_of_run" in rows_of(report, "total")[0]["flags"]


def test_labels_that_stop_early_are_used_as_a_smaller_sample(run):
    frame = drawn(run)
    label_all(run, frame, ROWS, first=40)
    report = anchor_run(run, n_draws=50)
    (total,) = rows_of(report, "total")
    assert report.waiting == frame.drawn.num_rows - 40
    assert 20 <= report.labelled <= 40
    assert total["lo"] <= TRUTH <= total["hi"]


def test_labels_out_of_turn_are_kept_but_refused_with_the_first_to_label(run):
    frame = drawn(run)
    last = frame.drawn.column("doc_id").to_pylist()[-1]
    append_labels(run.warehouse, frame, [
        Label(frame_id=frame.frame_id, doc_id=last, coder="ada", answer="none", time="t")
    ])  # fmt: skip
    with pytest.raises(FrameError, match="label in the order that `credence label` gives"):
        anchor_run(run)


def test_unsure_and_skipped_articles_bound_the_count_from_both_sides(run):
    frame = drawn(run)
    label_all(run, frame, ROWS)
    sure = anchor_run(run, n_draws=50)
    told = frame.drawn.column("doc_id").to_pylist()
    more = [Label(frame_id=frame.frame_id, doc_id=doc, coder="ada", answer="unsure", time="t") for doc in told[:6]]
    more += [Label(frame_id=frame.frame_id, doc_id=told[7], coder="ada", kind="skip", reason="blank", time="t")]
    append_labels(run.warehouse, frame, more)
    unsure = anchor_run(run, n_draws=50)
    assert (unsure.unsure, unsure.skipped, unsure.changed) == (6, 1, 7)
    before, after = rows_of(sure, "total")[0], rows_of(unsure, "total")[0]
    assert after["lo"] < before["lo"]
    assert after["hi"] > before["hi"]


def test_coders_who_disagree_are_told_and_bound_the_count(run):
    frame = drawn(run)
    label_all(run, frame, ROWS)
    doc = next(doc for doc in frame.drawn.column("doc_id").to_pylist() if true_codes(by_id(doc)))
    append_labels(run.warehouse, frame, [
        Label(frame_id=frame.frame_id, doc_id=doc, coder="bob", answer="none", time="t")
    ])  # fmt: skip
    assert anchor_run(run, n_draws=20).disputed == 1


def by_id(doc_id):
    return next(row for row in ROWS if row["doc_id"] == doc_id)


def test_a_label_may_name_what_neither_model_nor_words_suggest(run):
    frame = drawn(run)
    label_all(run, frame, ROWS)
    doc = frame.drawn.column("doc_id").to_pylist()[0]
    append_labels(run.warehouse, frame, [
        Label(frame_id=frame.frame_id, doc_id=doc, coder="ada", answer="FRA", time="t")
    ])  # fmt: skip
    countries = {row["country"]: row for row in rows_of(anchor_run(run, n_draws=20), "country")}
    assert countries["FRA"]["lo"] >= 1
    assert countries["FRA"]["raw_mean"] == 0


def test_the_same_labels_give_the_same_bytes(run):
    label_all(run, drawn(run), ROWS)
    contents = []
    for _ in range(2):
        anchor_run(run, n_draws=50)
        contents.append([run.warehouse.read_bytes(name) for name in (run.folder.anchored, run.folder.anchored_draws)])
    assert contents[0] == contents[1]


def test_joint_draws_add_up(run):
    label_all(run, drawn(run), ROWS)
    report = anchor_run(run, n_draws=400)
    table = run.warehouse.read_table(run.folder.anchored_draws, ANCHORED_DRAWS).to_pylist()
    total = np.array(next(row["draws"] for row in table if row["level"] == "total"))
    countries = np.sum([row["draws"] for row in table if row["level"] == "country"], axis=0)
    assert total.mean() == pytest.approx(rows_of(report, "total")[0]["estimate"], rel=0.15)
    assert np.corrcoef(total, countries)[0, 1] > 0.95


def test_a_warehouse_without_labels_says_what_to_do(run):
    with pytest.raises(FrameError, match="has no sample yet: run `credence sample` first"):
        anchor_run(run)
    frame = drawn(run)
    with pytest.raises(FrameError, match="has no labels yet: run `credence label` first"):
        anchor_run(run, frame.frame_id)
