from flows.scheduled.artifacts import label_rows
from tests.anchored_warehouse import articles, label_all, published_run
from workers.labelling.drawing import DrawSettings, draw_frame

ROWS = articles(80)


def test_a_night_says_how_many_labels_each_quarter_still_wants(tmp_path):
    run = published_run(tmp_path / "w", ROWS)
    assert "no sample yet" in label_rows(run)[0]["labels wanted"]
    frame = draw_frame(run, DrawSettings(budget=40, seed=0), created="t")
    label_all(run, frame, ROWS, first=10)
    wanted = [int(row["labels wanted"]) for row in label_rows(run)]
    assert sum(wanted) == frame.drawn.num_rows - 10


def test_a_quarter_that_came_after_the_draw_wants_another_draw(tmp_path):
    run = published_run(tmp_path / "w", ROWS)
    draw_frame(run, DrawSettings(budget=40, seed=0), created="t")
    later = published_run(tmp_path / "w", ROWS + articles(80, first=80, year=1988), run_id="r2")
    assert label_rows(later)[0] == {"quarter": "1988Q4", "labels wanted": "not in the sample: draw again"}
