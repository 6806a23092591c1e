"""Progress of jobs: speed, words, and how often a line is due."""

import pytest

from flows.jobs import progress_lines
from flows.jobs.progress import Progress, Speed
from flows.jobs.propagate import run_figures
from workers.propagation.drive import RunProgress


def test_what_an_earlier_call_had_finished_does_not_count_as_speed() -> None:
    speed = Speed(100.0)
    assert speed.per_second(500, 100.0) == 0.0
    assert speed.per_second(600, 110.0) == 10.0
    assert speed.seconds_left(600, 1000, 110.0) == 40.0


def test_time_left_is_not_told_where_it_is_not_known() -> None:
    assert Speed(0.0).seconds_left(5, None, 1.0) is None
    assert Speed(0.0).seconds_left(5, 10, 1.0) is None


def test_a_line_has_stage_figures_and_time_left() -> None:
    wording = progress_lines.Wording()
    assert wording.text(Progress("parsing", 0, 30), 0.0) == "parsing: 0 of 30"
    assert wording.text(Progress("parsing", 10, 30), 60.0) == "parsing: 10 of 30, 2 min 0 s left"
    assert wording.text(Progress("reading", detail="7 records"), 61.0) == "reading: 7 records"
    assert wording.text(Progress("waiting"), 62.0) == "waiting"


def test_lines_come_every_ten_seconds_and_the_first_ten_are_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    times = iter([0.0, 1.0, 10.0, 11.0, 19.0, 20.0])
    monkeypatch.setattr(progress_lines.time, "monotonic", lambda: next(times))
    show = progress_lines.progress_lines(said.append)
    for done in range(1, 6):
        show(Progress("parsing", done))
    assert said == ["parsing: 2", "parsing: 5"]


def test_a_run_says_what_became_of_its_documents() -> None:
    run = RunProgress(1000, 600, gated_out=50, annotated=9, quarantined=1)
    figures = "600 of 1,000 documents done, 50 gated out, 9 annotated, 1 quarantined, 10 per second"
    assert run_figures(run, 10.0) == figures
