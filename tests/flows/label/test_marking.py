"""Words that are marked in an article: found by spelling, losing nothing of the text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib_core.events import Query
from flows.label.marking import EVENT, NAME, marked
from tests.labelling_warehouse import HOSTILE

QUERY = Query.from_yaml("attack")
WORDS = st.sampled_from(
    ["Iraq", "U.S.", "attacked", "the", "South Korea's", "\n\n", "US", "us", "Guinea-Bissau", ",", "é"]
)


def marks(text: str, year: int = 1987) -> list[tuple[str, str]]:
    found = [stretch for part in marked(text, QUERY, year).paragraphs for stretch in part if stretch.kind]
    return [(stretch.text, stretch.code if stretch.kind == NAME else stretch.kind) for stretch in found]


@pytest.mark.parametrize(("text", "expected"), [
    ("Iraqi jets ATTACKED Iran.", [("Iraqi", "IRQ"), ("ATTACKED", EVENT), ("Iran", "IRN")]),
    ("U.S. forces let us in.", [("U.S.", "USA")]),
    ("South Korea's president", [("South Korea", "KOR")]),
    ("Latin American visitors", []),
    ("In Paris, Chad slept", [("Chad", "TCD")]),
    ("the attackers counter-attacked", [("attacked", EVENT)]),
])  # fmt: skip
def test_names_and_verbs_are_marked(text: str, expected: list[tuple[str, str]]) -> None:
    assert marks(text) == expected


def test_a_name_means_what_it_meant_in_that_year() -> None:
    assert marks("Congo protested", 1990) == [("Congo", "COG")]
    assert marks("Congo protested", 2005) == [("Congo", "COD")]


def test_codes_come_in_order_of_first_appearance() -> None:
    assert marked("Iran, Iraq and Iran again; Chad", QUERY, 1987).codes == ("IRN", "IRQ", "TCD")


def test_lines_cut_for_a_screen_are_joined_and_paragraphs_kept() -> None:
    text = "Iraqi jets attacked\nan oil terminal.\n\n   Officials said\nso."
    shown = ["".join(stretch.text for stretch in part) for part in marked(text, QUERY, 1987).paragraphs]
    assert shown == ["Iraqi jets attacked an oil terminal.", "Officials said so."]


@given(st.lists(WORDS | st.text(max_size=5), max_size=30).map(" ".join) | st.just(HOSTILE))
def test_the_whole_text_is_shown_and_nothing_else(text: str) -> None:
    from unicodedata import normalize

    shown = " ".join("".join(stretch.text for stretch in part) for part in marked(text, QUERY, 1987).paragraphs)
    assert re.sub(r"\s+", "", shown) == re.sub(r"\s+", "", normalize("NFC", text))
