"""Days as people and programs write them.

Covers: ISO dates, dates with the month as an English word, and 31/12/1987 once somebody has said which number is the
month.
Not here: finding the field that holds the date (`field_names`).
"""

import re
from datetime import date, datetime
from typing import Any

from workers.ingest.broken_rule import BrokenRuleError

ISO, DAY_FIRST, MONTH_FIRST = "iso", "day-first", "month-first"
LONGEST = 80
"""Characters of a text that can be a date."""
COMPACT_DATE = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T\d{6}\S*)?")
YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d\d?)\2(\d\d?)(?:[T ]\d\d?:\d\d\S*(?: ?\S+)?)?")
YEAR_LAST = re.compile(r"(\d\d?)([-/.])(\d\d?)\2(\d{4}|\d\d)(?:[T ,]+\d\d?[:.]\d\d\S*(?: ?\S+)?)?")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
DAY_MONTH = re.compile(rf"\b(\d\d?)(?:st|nd|rd|th)?[ .-]+{_MONTH}[ ,-]+(\d{{4}})\b", re.IGNORECASE)
MONTH_DAY = re.compile(rf"\b{_MONTH} +(\d\d?)(?:st|nd|rd|th)?,? +(\d{{4}})\b", re.IGNORECASE)
YEAR_FIRST_IN_A_NAME = re.compile(r"(?<!\d)((?:19|20)\d\d)([-_./ ]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")
YEAR_LAST_IN_A_NAME = re.compile(r"(?<!\d)(\d\d)([-_./ ])(\d\d)\2((?:19|20)\d\d)(?!\d)")


def parse_date(value: Any, order: str = ISO) -> date:
    """The day of a date, of a date and time, or of a text that starts with one.

    Parameters
    ----------
    value : object
    order : str
        What 03/04/1987 means: `day-first`, `month-first`, or nothing (`iso`).

    Examples
    --------
    >>> parse_date("19870226"), parse_date("Tue, 31 Mar 1987 10:00 GMT"), parse_date("03/04/1987", "day-first")
    (datetime.date(1987, 2, 26), datetime.date(1987, 3, 31), datetime.date(1987, 4, 3))
    """
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    text = value.decode(errors="replace") if isinstance(value, bytes) else value
    if isinstance(text, str):
        numbers = _numbers(text.strip()[: LONGEST + 1], order, value)
        if numbers is not None:
            try:
                return date(*numbers)
            except ValueError:
                pass
    raise BrokenRuleError("published must be a date such as 1987-02-26", value)


def date_in_name(name: str, order: str = ISO) -> date | None:
    """The first day that the path of a file names, such as `2003/03/31/a.txt`; None if it names none."""
    for found in YEAR_FIRST_IN_A_NAME.finditer(name):
        day = _day(found[1], found[3], found[4])
        if day is not None:
            return day
    for found in YEAR_LAST_IN_A_NAME.finditer(name):
        first, second = (found[1], found[3]) if order == MONTH_FIRST else (found[3], found[1])
        day = _day(found[4], first, second)
        if day is not None and (order != ISO or int(found[1]) > 12):
            return day
    return None


def numeric_order(value: Any) -> str | None:
    """What a date such as 31/12/1987 shows about the order; an empty text if it may be read both ways, else None."""
    found = YEAR_LAST.fullmatch(value.strip()[:LONGEST]) if isinstance(value, str) else None
    if found is None:
        return None
    return DAY_FIRST if int(found[1]) > 12 else MONTH_FIRST if int(found[3]) > 12 else ""


def _numbers(text: str, order: str, value: Any) -> tuple[int, int, int] | None:
    """Year, month and day, which may not exist."""
    if len(text) > LONGEST:
        return None
    if found := COMPACT_DATE.fullmatch(text):
        return int(found[1]), int(found[2]), int(found[3])
    if found := YEAR_FIRST.fullmatch(text):
        return int(found[1]), int(found[3]), int(found[4])
    if found := YEAR_LAST.fullmatch(text):
        return _year_last(found, order, value)
    if found := DAY_MONTH.search(text):
        return int(found[3]), _month(found[2]), int(found[1])
    found = MONTH_DAY.search(text)
    return (int(found[3]), _month(found[1]), int(found[2])) if found else None


def _year_last(found: re.Match[str], order: str, value: Any) -> tuple[int, int, int]:
    """Numbers whose order somebody has to say."""
    if len(found[4]) == 2:
        raise BrokenRuleError("published must have a year of four digits", value)
    if order == ISO:
        raise BrokenRuleError("published must be read with --dates day-first or --dates month-first", value)
    month, day = (found[1], found[3]) if order == MONTH_FIRST else (found[3], found[1])
    return int(found[4]), int(month), int(day)


def _month(word: str) -> int:
    return MONTHS.index(word[:3].lower()) + 1


def _day(*numbers: str) -> date | None:
    try:
        return date(*map(int, numbers))
    except ValueError:
        return None
