"""One article's text from a plot: alternatives chosen, slots filled, mentions located.

In a line, `(this~that)` is a choice, `{slot}` is filled from the cast, `{12-40}` is a number from that range, and
`{1946-1972}` a year.

Covers: turning a plot and a cast into a headline, a text and its mentions.
Not here: the notation of mentions (`markup`), what the slots mean (`cast`).
"""

import re
from collections.abc import Mapping

from flows.demonstration import Mention
from reproductions.demonstration.chance import Chance
from reproductions.demonstration.markup import read_markup
from reproductions.demonstration.plots import Plot, prose

_CHOICE = re.compile(r"\(([^()~]*(?:~[^()~]*)+)\)")
_SLOT = re.compile(r"\{([^{}]+)\}")
_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_UNIT = re.compile(r",000|\.\{|-| percent| million| billion| [ap]\.m\.")
_YEARS = range(1800, 2100)
DATELINES = ("", "{PLACE}, {date}\n\n", "{PLACE}, {date} - ")
"""Archives keep them outside the text, in a line of their own, or before the first sentence, where parsers stumble."""
_RANGE = re.compile(r"(\d+)-(\d+)")


def compose(
    plot: Plot, slots: Mapping[str, str], codes: Mapping[str, str], chance: Chance
) -> tuple[str, str, tuple[Mention, ...]]:
    """Headline, text and mentions."""
    title, _ = read_markup(filled(chance.pick(plot.titles), slots, chance), codes)
    used: set[str] = set()
    marked = ""
    for block in plot.blocks:
        line = _drawn(chance.pick(block), used, chance)
        if line == "-":
            continue
        joined = line.startswith("+ ") and bool(marked)
        marked += (" " if joined else "\n\n" if marked else "") + filled(line.removeprefix("+ "), slots, chance)
    if plot.place:
        marked = filled(chance.pick(DATELINES).replace("PLACE", plot.place), slots, chance) + marked
    text, mentions = read_markup(marked, codes)
    return title, text, mentions


def filled(line: str, slots: Mapping[str, str], chance: Chance) -> str:
    """A line with its choices made and its slots filled."""
    while found := _CHOICE.search(line):
        line = line[: found.start()] + chance.pick(found[1].split("~")) + line[found.end() :]
    return _SLOT.sub(lambda slot: _value(slot, slots, chance), line)


def _value(slot: re.Match[str], slots: Mapping[str, str], chance: Chance) -> str:
    if span := _RANGE.fullmatch(slot[1]):
        low, high = int(span[1]), int(span[2])
        number = low + chance.below(high - low + 1)
        return str(number) if low in _YEARS else _number(number, slot.string[: slot.start()], slot.string[slot.end() :])
    if slot[1] not in slots:
        raise ValueError(f"there is no slot {slot[0]}; the article has {', '.join(sorted(slots))}")
    return slots[slot[1]]


def _number(number: int, before: str, after: str) -> str:
    """A number as newspapers write it: in words below ten, unless it is an amount, a rate, a score or a time."""
    if number >= len(_WORDS) or before.endswith(("$", ".", "-")) or _UNIT.match(after):
        return f"{number:,}"
    begins = not before or before.endswith((". ", "+ "))
    return _WORDS[number].capitalize() if begins else _WORDS[number]


def _drawn(line: str, used: set[str], chance: Chance) -> str:
    """The line itself, or an unused sentence of the pool that it names."""
    prefix = "+ " if line.startswith("+ ") else ""
    if not line.removeprefix("+ ").startswith("@"):
        return line
    pool = prose().pools[line.removeprefix("+ ").removeprefix("@")]
    sentence = chance.pick([sentence for sentence in pool if sentence not in used])
    used.add(sentence)
    return prefix + sentence
