"""Which tokens of a text name a country."""

import re

import numpy as np
import pytest

from calib_core.document import Document
from calib_core.events import Query
from calib_core.events.naming import token_countries
from calib_core.events.tree import Tree

ATTACK = Query.from_yaml("attack")


def document(text: str, flat: bool = False) -> Document:
    """Words and marks as tokens, no tree; with `flat`, capitalised neighbours are one name."""
    found = list(re.finditer(r"(?:[A-Z]\.)+|[A-Z][a-z]{1,3}\.|[^\W_]+(?:['’]s)?|[^\w\s]", text))
    words, n = tuple(match.group() for match in found), len(found)
    named = [flat and t > 0 and words[t][:1].isupper() and words[t - 1][:1].isupper() for t in range(n)]
    first = [t if not named[t] else max(k for k in range(t) if not named[k]) for t in range(n)]
    return Document(
        doc_id="d", words=words, lemmas=("_",) * n, upos=("PROPN",) * n, xpos=("_",) * n, feats=("_",) * n,
        heads=np.array([first[t] if named[t] else -1 for t in range(n)], dtype=np.int64),
        deprels=tuple("flat" if part else "root" for part in named), sentences=np.zeros(n, dtype=np.int64),
        starts=np.array([match.start() for match in found]), ends=np.array([match.end() for match in found]),
        speakers=("",) * n,
    )  # fmt: skip


def named(text: str, year: int, *, flat: bool = False) -> str:
    """Codes named in a text, one after another, each once."""
    countries = token_countries(Tree.of(document(text, flat)), ATTACK, year)
    return " ".join(dict.fromkeys(ATTACK.codes[country] for country in countries if country >= 0))


@pytest.mark.parametrize(
    ("text", "year", "codes"),
    [
        ("South Vietnamese troops", 1990, "XSV"),
        ("the Democratic Republic of Congo", 1985, "COD"),
        ("French Sudan", 1970, "MLI"),
        ("the Belgian Congo", 1990, "COD"),
        ("the Dutch East Indies", 1960, "IDN"),
        ("Soviet troops", 2005, "SUN"),
        ("East German guards", 2005, "DDR"),
    ],
)
def test_a_state_that_is_gone_keeps_its_forms(text: str, year: int, codes: str) -> None:
    assert named(text, year) == codes


def test_a_form_outside_its_years_hides_the_shorter_forms_inside() -> None:
    assert named("the Organization of American States", 1930) == ""
    assert named("the Organization of American States", 1960) == "OAS"


def test_a_form_with_and_falls_apart_outside_its_years() -> None:
    assert named("Serbia and Montenegro", 1912) == "SRB MNE"
    assert named("Serbia and Montenegro", 2004) == "SCG"


@pytest.mark.parametrize(
    "text",
    ["Atlanta, Georgia", "Peru, Indiana,", "Lebanon, Pa., police", "Cuba, N.Y.", "Mexico, New York", "Norway, Me."],
)
def test_a_town_of_the_united_states_is_no_country(text: str) -> None:
    assert named(text, 2000) == ""


def test_a_comma_between_two_countries_joins_nothing() -> None:
    assert named("In Russia, Georgia and South, Africa", 2000) == "RUS GEO"
    assert named("In Lebanon, Washington said", 2000) == "LBN"
    assert named("In Chad, Miss Universe said", 2000) == "TCD"


@pytest.mark.parametrize("text", ["drummer Chad Smith attacked", "Michael Jordan", "Jordan Baker", "Ireland Baldwin"])
def test_part_of_a_longer_name_is_no_country(text: str) -> None:
    assert named(text, 2000, flat=True) == ""


def test_a_form_that_covers_the_name_is_a_country() -> None:
    assert named("the South Africa of today", 2000, flat=True) == "ZAF"


@pytest.mark.parametrize("text", ["Mr. Jordan", "Mrs. French", "Dr Israel", "Sen. Jordan", "Ms. Ireland"])
def test_a_word_after_a_title_is_a_surname(text: str) -> None:
    assert named(text, 2000) == ""


@pytest.mark.parametrize(
    "text", ["Georgia Senator Sam Nunn", "Georgia Republicans", "the Governor of Georgia", "Georgia legislature"]
)
def test_the_american_state_of_georgia_is_no_country_where_its_offices_say_so(text: str) -> None:
    assert named(text, 2000) == ""


@pytest.mark.parametrize("text", ["anti-Iraq fighters", "non - American", "ex-Soviet officers", "pro–Iranian militias"])
def test_a_prefix_turns_a_country_round(text: str) -> None:
    assert named(text, 1990) == ""


@pytest.mark.parametrize("descent", ["Arab", "Chinese", "Greek", "Irish", "Korean", "Mexican", "Native", "Polish"])
@pytest.mark.parametrize("form", ["{}-American", "{} American", "{}-Americans", "{} Americans"])
def test_americans_of_some_descent_act_for_no_country(descent: str, form: str) -> None:
    assert named(form.format(descent), 2000) == ""


@pytest.mark.parametrize(
    "text",
    [
        "New Mexicans", "the Cleveland Indians", "Pennsylvania Dutch", "the Turks and Caicos", "USA Today",
        "US Airways", "U.S. Steel", "American Airlines", "American Express", "St. Vincent Hospital",
    ],
)  # fmt: skip
def test_names_that_contain_a_country_are_none(text: str) -> None:
    assert named(text, 2000) == ""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("in Gaza", "PSE"),
        ("Falklanders", "FLK"),
        ("in the Emirates", "ARE"),
        ("the Republic of South Africa", "ZAF"),
        ("the Republic of South Sudan", "SSD"),
        ("the United Republic of Tanzania", "TZA"),
        ("the Kingdom of Jordan", "JOR"),
        ("Urundi", "BDI"),
        ("Ni-Vanuatu", "VUT"),
        ("Chechen rebels", "XCH"),
        ("the Khmer Rouge", "XKR"),
        ("the Viet Cong", "XVC"),
        ("the Viet Minh", "XVM"),
        ("the Taliban", "XTL"),
        ("Hezbollah", "XHZ"),
        ("Hamas", "XHM"),
        ("the P.L.O.", "XPL"),
        ("Kurdish fighters", "XKU"),
        ("Iraqi Kurds", "XKU"),
    ],
)
def test_these_are_named_too(text: str, code: str) -> None:
    assert named(text, 1990) == code
