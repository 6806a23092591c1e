"""Quarters, as the tables name them: 1987Q1."""

from datetime import date


def quarter_of(day: date) -> str:
    """Quarter of a day.

    Examples
    --------
    >>> quarter_of(date(1987, 3, 31)), quarter_of(date(1987, 4, 1))
    ('1987Q1', '1987Q2')
    """
    return f"{day.year:04d}Q{(day.month + 2) // 3}"


def quarter_days(quarter: str) -> tuple[date, date]:
    """First and last day of a quarter.

    Examples
    --------
    >>> [str(day) for day in quarter_days("1987Q4")]
    ['1987-10-01', '1987-12-31']
    """
    year, number = int(quarter[:4]), int(quarter[5])
    last_month = 3 * number
    return date(year, last_month - 2, 1), date(year, last_month, 31 if last_month in (3, 12) else 30)
