"""Which article appears when: the story that the archive tells over 84 quarters.

Covers: the calendar, the wars of `wars.tsv`, how often each kind of article occurs.
Not here: the words (`sentences`), the people (`cast`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from reproductions.demonstration.cast import countries
from reproductions.demonstration.chance import Chance
from reproductions.demonstration.plots import Plot, prose, rows

FIRST, LAST = "1987Q1", "2007Q4"
BY_ATTACKER = {
    "named": 4, "pronoun": 4, "title": 4, "group": 3, "ambiguous": 4, "passive": 3, "relative": 3, "several": 2,
    "unreal": 3,
}  # fmt: skip
BESIDE_WAR = {"victim": 6, "noun": 4, "stateless": 1, "war-without-attack": 4}
IN_PEACE = {"words": 6, "noun": 3, "stateless": 3, "twocountries": 5}
UNRELATED = {"gated": 9, "attack-without-country": 1}
UNRELATED_A_QUARTER = 4
"""One less where there is war."""
PEACE_THIRDS = 2
"""In how many of three quarters a peaceful article passes the gate."""
ODD_EVERY = 14
"""Quarters between two records of strange content."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One article before it is written: its kind, its day, the country of each letter, and whether A and B fight."""

    kind: str
    published: date
    sides: dict[str, str]
    war: bool


def quarters(first: str = FIRST, last: str = LAST) -> list[str]:
    """All quarters from the first to the last, such as 1987Q1."""
    numbers = [int(quarter[:4]) * 4 + int(quarter[5]) - 1 for quarter in (first, last)]
    return [f"{number // 4}Q{number % 4 + 1}" for number in range(numbers[0], numbers[1] + 1)]


def plans(seed: int) -> list[Plan]:
    """The whole archive in order of date."""
    found: list[Plan] = []
    for number, quarter in enumerate(quarters()):
        chance = Chance(f"{seed}/{quarter}")
        war = _war_articles(quarter, chance)
        found += [Plan(kind, _day(quarter, chance), sides, war=True) for kind, sides in war]
        for kind in _peace_kinds(chance, UNRELATED_A_QUARTER - bool(war)):
            found.append(Plan(kind, _day(quarter, chance), _bystanders({}, chance), war=False))
        if number % ODD_EVERY == ODD_EVERY // 2:
            found.append(Plan("odd", _day(quarter, chance), _bystanders({}, chance), war=False))
    return sorted(found, key=lambda plan: plan.published)


def _war_articles(quarter: str, chance: Chance) -> list[tuple[str, dict[str, str]]]:
    """Kinds and countries of a quarter's war articles; the attacker is A."""
    found: list[tuple[str, dict[str, str]]] = []
    for first, a, b, *counts in rows("wars.tsv"):
        by_a, by_b = ([int(n) for n in cell.split()] for cell in counts)
        at = quarters().index(quarter) - quarters().index(first)
        if not 0 <= at < len(by_a):
            continue
        attackers = [(a, b)] * by_a[at] + [(b, a)] * by_b[at]
        for us, them in attackers:
            found.append((chance.weighted(BY_ATTACKER), _bystanders({"A": us, "B": them}, chance)))
        for us, them in chance.shuffled([(a, b), (b, a)]):
            found.append((chance.weighted(BESIDE_WAR), _bystanders({"A": us, "B": them}, chance)))
    return found


def _peace_kinds(chance: Chance, n_unrelated: int) -> list[str]:
    """Kinds of the articles that are not about wars."""
    kinds = [chance.weighted(UNRELATED) for _ in range(n_unrelated)]
    return [*kinds, chance.weighted(IN_PEACE)] if chance.below(3) < PEACE_THIRDS else kinds


def _bystanders(sides: dict[str, str], chance: Chance) -> dict[str, str]:
    """The sides with other countries, that are in no war, for the letters up to E that are still free."""
    at_war = {code for row in rows("wars.tsv") for code in row[1:3]}
    peaceful = chance.shuffled([code for code in countries() if code not in at_war])
    return {letter: sides.get(letter) or peaceful.pop() for letter in "ABCDE"}


def _day(quarter: str, chance: Chance) -> date:
    first = date(int(quarter[:4]), 3 * int(quarter[5]) - 2, 1)
    return first + timedelta(days=chance.below(89))


def plot_of(plan: Plan, used: Mapping[str, int], chance: Chance) -> Plot:
    """A plot of the plan's kind, one of those used least so far."""
    fitting = [plot for plot in prose().plots[plan.kind] if plan.war or not plot.war]
    fewest = min(used.get(f"{plot.kind}/{plot.name}", 0) for plot in fitting)
    return chance.pick([plot for plot in fitting if used.get(f"{plot.kind}/{plot.name}", 0) == fewest])
