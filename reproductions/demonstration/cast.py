"""Who and where: the countries of an article, and the invented people and towns that it names.

Covers: the slots of the prose files, such as `{A.lead}`, and what fills them in one article.
Not here: the sentences (`sentences`), who fights whom and when (`plans`).
"""

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from reproductions.demonstration.chance import Chance
from reproductions.demonstration.plots import rows

YEARS_IN_OFFICE = 5
FIRST_YEAR = 1987


@dataclass(frozen=True, slots=True)
class Country:
    """A row of `countries.tsv`."""

    code: str
    name: str
    adjective: str
    people: str
    capital: str
    head: str
    men: tuple[str, ...]
    women: tuple[str, ...]
    surnames: tuple[str, ...]
    towns: tuple[str, ...]

    def leader(self, year: int) -> tuple[str, str, bool]:
        """First name and surname of whoever governs in that year, and whether it is a woman."""
        term = (year - FIRST_YEAR) // YEARS_IN_OFFICE
        woman = (sum(map(ord, self.code)) + term) % YEARS_IN_OFFICE == 0
        first = self.women[0] if woman else self.men[term]
        return first, self.surnames[term], woman


@cache
def countries() -> dict[str, Country]:
    """All countries of the demonstration, by code."""
    found = {}
    for row in rows("countries.tsv"):
        code, name, adjective, people, capital, head, *lists = row
        men, women, surnames, towns = (tuple(cell.split(",")) for cell in lists)
        found[code] = Country(code, name, adjective, people, capital, head, men, women, surnames, towns)
    return found


def cast(sides: dict[str, str], published: date, chance: Chance) -> dict[str, str]:
    """What fills each slot: `{A}`, `{A.adj}`, `{A.lead}`, ..., `{day}`, `{pick}`.

    Parameters
    ----------
    sides : dict
        Code of the country for each letter.
    published : date
    chance : Chance
    """
    slots = {} if not sides else {"pick": chance.pick("pppqq"), **_dates(published, chance)}
    for letter, code in sides.items():
        slots |= _side(letter, countries()[code], published.year, chance)
    return slots


def _dates(published: date, chance: Chance) -> dict[str, str]:
    yesterday, before = (published - timedelta(days=days) for days in (1, 2 + chance.below(4)))
    return {
        "day": f"{yesterday:%A}", "earlier": f"{before:%A}", "today": f"{published:%A}",
        "month": f"{published - timedelta(days=40):%B}", "next": f"{published + timedelta(days=50):%B}",
        "date": f"{published:%B} {published.day}",
        "year": str(published.year), "lastyear": str(published.year - 1),
    }  # fmt: skip


def _side(letter: str, country: Country, year: int, chance: Chance) -> dict[str, str]:
    """Slots of one country. Its name and its towns are mentions wherever they occur."""
    name, capital = country.name, country.capital
    an = "an" if country.adjective[0] in "AEIOU" and country.adjective != "Ugandan" else "a"
    towns = chance.shuffled(country.towns)
    slots = {
        "": f"[{letter}:{letter}|{name}]", "!": f"[!{letter}:{letter}|{name}]",
        "'s": f"[{letter}:{letter}|{name}'s]", ".adj": country.adjective, ".an": f"{an} {country.adjective}",
        ".An": f"{an.title()} {country.adjective}", ".people": country.people, ".name": name,
        ".cap": f"[{letter}.cap|{capital}]", ".CAP": f"[{letter}.cap|{capital.upper()}]",
        ".town": f"[{letter}.town|{towns[0]}]", ".town2": f"[{letter}.town2|{towns[1]}]",
        ".TOWN": f"[{letter}.town|{towns[0].upper()}]", ".place": towns[0],
    } | _persons(country, year, chance)  # fmt: skip
    return {letter + key: value for key, value in slots.items()}


def _persons(country: Country, year: int, chance: Chance) -> dict[str, str]:
    """The leader of the year, and a general, a man and a woman of other names."""
    first, surname, woman = country.leader(year)
    title = {"president": "President", "prime minister": "Prime Minister", "chancellor": "Chancellor"}[country.head]
    he, his, him = ("she", "her", "her") if woman else ("he", "his", "him")
    others = chance.shuffled(country.surnames[YEARS_IN_OFFICE:])
    men = chance.shuffled(country.men)
    return {
        ".lead": f"{title} {first} {surname}", ".leadname": f"{first} {surname}", ".title": country.head,
        ".mr": f"{'Mrs.' if woman else 'Mr.'} {surname}", ".he": he, ".He": he.title(), ".his": his,
        ".His": his.title(), ".him": him, ".leadlast": surname,
        ".gen": f"{chance.pick(['Gen.', 'General'])} {men[0]} {others[0]}", ".genlast": f"General {others[0]}",
        ".man": f"{men[1]} {others[1]}", ".manlast": others[1],
        ".woman": f"{chance.pick(country.women)} {others[2]}", ".womanlast": others[2],
    }  # fmt: skip
