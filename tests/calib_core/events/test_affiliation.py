"""Which tokens of a text name a country."""

import re

import numpy as np
import pytest

from calib_core.document import Document
from calib_core.events import Query
from calib_core.events.affiliation import token_countries

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
    countries = token_countries(document(text, flat), ATTACK, year)
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
