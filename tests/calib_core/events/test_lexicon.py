"""Words to codes: the bundled lexicon's hard cases, and what a bad file is told."""

import re
from pathlib import Path

import pycountry
import pytest

from calib_core.events import Lexicon
from calib_core.events.lexicon import MASK

HEADER = "code\tkind\tform\ttype\tfrom\tto\n"


def written(folder: Path, *lines: str) -> Path:
    path = folder / "words.tsv"
    path.write_text(HEADER + "".join(line.replace("|", "\t") + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("form", "year", "code"),
    [
        ("Georgia", 1985, None),
        ("Georgia", 2008, "GEO"),
        ("South Georgia", 2008, None),
        ("Jordan", 1990, "JOR"),
        ("Jordan", 1930, None),
        ("jordan", 1990, None),
        ("Michael Jordan", 1990, None),
        ("Chad", 1987, "TCD"),
        ("CHAD", 1987, "TCD"),
        ("chad", 2000, None),
        ("Turkey", 1987, "TUR"),
        ("turkey", 1987, None),
        ("Niger", 1990, "NER"),
        ("Nigeria", 1990, "NGA"),
        ("Nigerien", 1990, "NER"),
        ("Nigerian", 1990, "NGA"),
        ("Guinea", 1990, "GIN"),
        ("Guinea-Bissau", 1990, "GNB"),
        ("Guinea Bissau", 1990, "GNB"),
        ("Equatorial Guinea", 1990, "GNQ"),
        ("Papua New Guinea", 1990, "PNG"),
        ("New Guinea", 1990, None),
        ("Congo", 1965, "COD"),
        ("Congo", 1985, "COG"),
        ("Congo", 2005, "COD"),
        ("Republic of the Congo", 2005, "COG"),
        ("Zaire", 1985, "ZAR"),
        ("Zaire", 2005, "ZAR"),
        ("Korea", 1990, "KOR"),
        ("North Korea", 1990, "PRK"),
        ("South Koreans", 1990, "KOR"),
        ("Korean War", 1990, None),
        ("Indian", 1990, "IND"),
        ("American Indian", 1990, None),
        ("Indian Ocean", 1990, None),
        ("American", 1990, "USA"),
        ("Latin American", 1990, None),
        ("South American", 1990, None),
        ("South African", 1990, "ZAF"),
        ("Central African Republic", 1990, "CAF"),
        ("U.S.", 1990, "USA"),
        ("US", 1990, "USA"),
        ("us", 1990, None),
        ("Us", 1990, None),
        ("USA", 1990, "USA"),
        ("U.S.A.", 1990, "USA"),
        ("U.S.S.R.", 1985, "SUN"),
        ("Britain", 1990, "GBR"),
        ("U.K.", 1990, "GBR"),
        ("Russian", 1910, "RUS"),
        ("Russian", 1985, "SUN"),
        ("Russian", 1999, "RUS"),
        ("Soviet", 1985, "SUN"),
        ("Soviet", 2001, "SUN"),
        ("East German", 1980, "DDR"),
        ("West German", 1980, "DEU"),
        ("Czech", 1980, "CSK"),
        ("Czech", 2000, "CZE"),
        ("Yugoslav", 1999, "YUG"),
        ("Rhodesia", 1975, "RHO"),
        ("Rhodesian", 1995, "RHO"),
        ("Kampuchean", 1999, "KHM"),
        ("Georgian", 1985, "GEO"),
        ("Moldovan", 1985, "MDA"),
        ("Palestinian", 1936, "XPM"),
        ("Samoan", 1980, "WSM"),
        ("Tibetan", 1989, "XTB"),
        ("Republic of China", 1930, "CHN"),
        ("Chinese Nationalists", 1948, "TWN"),
        ("Nationalist Chinese", 1990, "TWN"),
        ("Nationalist China", 1990, "TWN"),
        ("Burma", 1985, "MMR"),
        ("Palestinian", 1990, "PSE"),
        ("Kosovo", 1999, "XKX"),
        ("Hong Kong", 1990, "HKG"),
        ("Taiwan", 1990, "TWN"),
        ("Republic of China", 1990, "TWN"),
        ("People's Republic of China", 1990, "CHN"),
        ("NATO", 1999, "NATO"),
        ("NATO", 1930, None),
        ("Irish", 1990, "IRL"),
        ("Northern Irish", 1990, "GBR"),
        ("Bosnian Serb", 1994, "XBS"),
        ("Persian Gulf", 1987, None),
        ("Cote d'Ivoire", 1990, "CIV"),
        ("Côte d’Ivoire", 1990, "CIV"),
    ],
)
def test_a_form_means_this_in_that_year(form: str, year: int, code: str | None) -> None:
    assert Lexicon.bundled().code(form, year=year) == code


def test_without_a_year_only_lasting_meanings_answer() -> None:
    assert Lexicon.bundled().code("France") == "FRA"
    assert Lexicon.bundled().code("Congo") is None


def test_every_state_of_iso_3166_has_a_name_in_the_lexicon() -> None:
    small = (
        "ABW AIA ALA ASM ATA ATF BES BLM BVT CCK CUW CXR CYM FRO GGY GLP GUM HMD IMN IOT JEY MAF MNP MSR MTQ MYT NFK"
    )
    small += " NIU PCN REU SGS SHN SJM SPM SXM TCA TKL UMI VGB VIR WLF"
    named = {entry.code for entry in Lexicon.bundled().entries if entry.type == "name"}
    assert {country.alpha_3 for country in pycountry.countries} - set(small.split()) <= named


def test_every_code_is_iso_or_marked_as_our_own() -> None:
    iso = {country.alpha_3 for country in [*pycountry.countries, *pycountry.historic_countries]}
    own = {entry.code: entry.kind for entry in Lexicon.bundled().entries if entry.code not in iso}
    assert all(re.fullmatch("X[A-Z]{2}", code) or kind in ("organisation", "none") for code, kind in own.items())


def test_every_plural_demonym_has_its_singular() -> None:
    """A misspelt plural ("Czeches") has none."""
    entries = Lexicon.bundled().entries
    forms = {(entry.code, entry.form) for entry in entries}
    plurals = [entry for entry in entries if entry.type == "demonym" and re.search("s$|men$", entry.form)]
    singular = {entry: re.sub("men$", "man", entry.form.removesuffix("s")) for entry in plurals}
    assert not [entry.form for entry in plurals if (entry.code, singular[entry]) not in forms]


def test_users_can_add_words_of_their_own(tmp_path: Path) -> None:
    path = written(tmp_path, "QUEBEC|actor|Quebecker|demonym||")
    lexicon = Lexicon.bundled().extended(Lexicon.from_tsv(path))
    assert lexicon.code("Quebecker", year=1990) == "QUEBEC"
    assert lexicon.code("France", year=1990) == "FRA"


def test_a_form_is_found_as_it_is_indexed(tmp_path: Path) -> None:
    lexicon = Lexicon.from_tsv(written(tmp_path, "IST|actor|İstanbul|name||"))
    assert lexicon.code("İstanbul") == lexicon.code("I\u0307stanbul") == "IST"


def test_one_word_for_two_codes_in_the_same_year_is_an_error(tmp_path: Path) -> None:
    path = written(tmp_path, "AAA|state|Atlantis|name|1900|1950", "BBB|state|atlantis|name|1950|")
    with pytest.raises(ValueError, match=r"words.tsv:3: 'atlantis' means BBB, but .*words.tsv:2 says AAA"):
        Lexicon.from_tsv(path)


def test_one_word_for_two_codes_in_different_years_is_fine(tmp_path: Path) -> None:
    path = written(tmp_path, "AAA|state|Atlantis|name|1900|1950", "BBB|state|Atlantis|name|1951|")
    assert [Lexicon.from_tsv(path).code("Atlantis", year=year) for year in (1950, 1951)] == ["AAA", "BBB"]


def test_own_words_may_not_contradict_the_bundled_ones(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"'France' means XXX, but .*countries.tsv:\d+ says FRA"):
        Lexicon.bundled().extended(Lexicon.from_tsv(written(tmp_path, "XXX|state|France|name||")))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("AAA|state|Atlantis|name|1900", "6 tab-separated fields expected; got 5"),
        ("AAA|planet|Atlantis|name||", "kind must be one of .*; got 'planet'"),
        ("AAA|state|Atlantis|verb||", "type must be one of .*; got 'verb'"),
        ("AAA|state|...|name||", r"form must contain a letter or digit; got '\.\.\.'"),
        ("|state|Atlantis|name||", "code is empty"),
        ("AAA|state|Atlantis|name|12|", "a year must have four digits; got '12'"),
        ("AAA|state|Atlantis|name|1950|1900", "from must not be after to; got 1950 and 1900"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    with pytest.raises(ValueError, match="words.tsv:2: " + complaint):
        Lexicon.from_tsv(written(tmp_path, line))


def test_a_file_without_the_header_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "words.tsv"
    path.write_text("FRA,France\n")
    with pytest.raises(ValueError, match="columns must be code, kind, form, type, from, to; got FRA,France"):
        Lexicon.from_tsv(path)


def test_masks_have_no_code() -> None:
    assert MASK not in Lexicon.bundled().codes


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "words.tsv"
    path.write_bytes((HEADER + "CIV\tstate\tCôte\tname\t\t\n").encode("latin-1"))
    with pytest.raises(ValueError, match=r"words\.tsv: not UTF-8: byte 0xf4"):
        Lexicon.from_tsv(path)


def test_a_byte_order_mark_is_no_part_of_the_header(tmp_path: Path) -> None:
    path = tmp_path / "words.tsv"
    path.write_text(HEADER + "FRA\tstate\tFrance\tname\t\t\n", encoding="utf-8-sig")
    assert Lexicon.from_tsv(path).code("France") == "FRA"


def test_a_lexicon_without_entries_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"words\.tsv: a lexicon needs at least one entry"):
        Lexicon.from_tsv(written(tmp_path))
