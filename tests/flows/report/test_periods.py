from datetime import date

from flows.report.periods import axis, first_day, key_of


def test_axis_runs_from_first_to_last_and_marks_gaps() -> None:
    found = axis(["1987-02", "1987-03", "1988-01"], "quarter")
    assert found.keys == ("1987Q1", "1987Q2", "1987Q3", "1987Q4", "1988Q1")
    assert found.covered == (True, False, False, False, True)


def test_months_and_years_too() -> None:
    assert axis(["1987-12", "1988-02"], "month").covered == (True, False, True)
    assert axis(["1987-12", "1988-02"], "year").keys == ("1987", "1988")
    assert axis([], "month").keys == ()


def test_a_period_begins_on_a_day_of_its_own() -> None:
    for day in (date(1987, 1, 1), date(1987, 6, 30), date(2000, 2, 29), date(1999, 12, 31)):
        for span in ("month", "quarter", "year"):
            key = key_of(day, span)
            assert first_day(key) <= day
            assert key_of(first_day(key), span) == key
