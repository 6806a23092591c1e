from datetime import date

import pytest

from workers.ingest.broken_rule import BrokenRuleError
from workers.ingest.dates import date_in_name, numeric_order, parse_date

MARCH = date(1987, 3, 31)


@pytest.mark.parametrize(
    "written",
    [
        "1987-03-31", "19870331", "1987/3/31", "1987.03.31 08:00", "31 March 1987", "March 31, 1987 Tuesday",
        "March 31, 1987, Tuesday, Late City Final Edition", "Tue, 31 Mar 1987 10:00:00 GMT", "31-Mar-1987",
        "Tuesday, 31st March 1987", "Mar. 31st, 1987", "1987-03-31T10:00:00Z", b"1987-03-31",
    ],
)  # fmt: skip
def test_dates_that_need_no_answer(written: object) -> None:
    assert parse_date(written) == MARCH


def test_the_order_of_day_and_month_is_never_guessed() -> None:
    with pytest.raises(BrokenRuleError, match="--dates day-first or --dates month-first"):
        parse_date("31/03/1987")
    assert parse_date("31/03/1987", "day-first") == parse_date("3/31/1987 8:00 AM", "month-first") == MARCH
    assert parse_date("03/04/1987", "day-first") == date(1987, 4, 3)
    assert parse_date("03.04.1987", "month-first") == date(1987, 3, 4)


@pytest.mark.parametrize("written", ["31/31/1987", "32 March 1987", "0000-00-00", "March", "yesterday", "", None, 1987])
def test_what_is_no_date_is_refused(written: object) -> None:
    with pytest.raises(BrokenRuleError, match="published must be a date"):
        parse_date(written, "day-first")


def test_two_digits_are_no_year() -> None:
    with pytest.raises(BrokenRuleError, match="a year of four digits"):
        parse_date("31/03/87", "day-first")


@pytest.mark.parametrize(
    ("value", "order"),
    [("31/03/1987", "day-first"), ("3/31/1987", "month-first"), ("03/04/1987", ""), ("1987-03-31", None), (7, None)],
)
def test_what_one_date_shows_about_the_order(value: object, order: str | None) -> None:
    assert numeric_order(value) == order


@pytest.mark.parametrize(
    ("name", "order", "day"),
    [
        ("1987-03-31_iraq.txt", "iso", MARCH),
        ("nyt/1987/03/31/0007.html", "iso", MARCH),
        ("story19870331b.txt", "iso", MARCH),
        ("1987-99-31 1987_03_31.txt", "iso", MARCH),
        ("31-03-1987.txt", "iso", MARCH),
        ("03-04-1987.txt", "iso", None),
        ("03-04-1987.txt", "day-first", date(1987, 4, 3)),
        ("03-04-1987.txt", "month-first", date(1987, 3, 4)),
        ("1234567890123.txt", "iso", None),
        ("notes.txt", "iso", None),
    ],
)
def test_dates_in_names_of_files(name: str, order: str, day: date | None) -> None:
    assert date_in_name(name, order) == day
