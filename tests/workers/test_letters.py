"""Articles in capitals are read in small letters, with nothing moved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.parsing.letters import as_read_by_parser


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("IRAQI FORCES ATTACKED KUWAIT. THEY LEFT.", "Iraqi forces attacked kuwait. They left."),
        ("U.S. PLANES AND US SHIPS", "U.S. planes and US ships"),
        ("Iraqi forces attacked Kuwait.", "Iraqi forces attacked Kuwait."),
        ("iraqi forces attacked kuwait.", "iraqi forces attacked kuwait."),
        ("", ""),
    ],
)
def test_only_an_article_in_capitals_is_changed(written: str, read: str) -> None:
    assert as_read_by_parser(written) == read


@given(st.text())
def test_every_character_keeps_its_place(text: str) -> None:
    read = as_read_by_parser(text)
    assert len(read) == len(text)
    assert read.casefold() == text.casefold()
