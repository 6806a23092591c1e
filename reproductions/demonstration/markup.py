"""Text with its mentions marked, as the prose files have it, to plain text with character spans.

A mention is written `[entity|words]`, and mentions may lie inside one another. `[!entity|words]` is the agent of a form
of "attack"; `[entity:A|words]` is described as country A by its head word or a modifier of it, `[entity:A+B|words]` as
two. Whoever writes the sentence decides what to mark, by the rules in docs/events.md; no parser is involved.

Covers: reading that notation.
Not here: choosing among alternatives and filling in names (`sentences`).
"""

import re
from collections.abc import Mapping

from flows.demonstration import Mention

_MARK = re.compile(r"\[(!?)([\w.]+)(?::([A-Z](?:\+[A-Z])*))?\||\]")


def read_markup(marked: str, codes: Mapping[str, str]) -> tuple[str, tuple[Mention, ...]]:
    """The plain text, and its mentions by start, longer ones first.

    Parameters
    ----------
    marked : str
    codes : mapping
        Country of each letter that stands after a colon.

    Examples
    --------
    >>> read_markup("[!f:A|Iraqi forces] attacked.", {"A": "IRQ"})
    ('Iraqi forces attacked.', (Mention(start=0, end=12, entity='f', countries=('IRQ',), agent=True),))
    """
    text, done = "", 0
    opened: list[tuple[int, re.Match[str]]] = []
    found: list[Mention] = []
    for mark in _MARK.finditer(marked):
        text, done = text + marked[done : mark.start()], mark.end()
        if mark[0] != "]":
            opened.append((len(text), mark))
            continue
        if not opened:
            raise ValueError(f"a bracket closes that was never opened, after {text[-40:]!r}")
        start, begin = opened.pop()
        named = tuple(codes[letter] for letter in begin[3].split("+")) if begin[3] else ()
        found.append(Mention(start, len(text), begin[2], named, bool(begin[1])))
    if opened:
        raise ValueError(f"the mention {opened[-1][1][0]!r} is never closed in {marked!r}")
    ordered = sorted(found, key=lambda mention: (mention.start, -mention.end))
    return text + marked[done:], tuple(ordered)


def attackers(mentions: tuple[Mention, ...]) -> tuple[str, ...]:
    """Countries of the entities that are an agent and are described as one country only, in order of code.

    This is the predicate of Nguyen & O'Connor (2015), section 6, applied to marks instead of trees.
    """
    named: dict[str, set[str]] = {}
    for mention in mentions:
        named.setdefault(mention.entity, set()).update(mention.countries)
    agents = {mention.entity for mention in mentions if mention.agent}
    return tuple(sorted({next(iter(named[entity])) for entity in agents if len(named[entity]) == 1}))
