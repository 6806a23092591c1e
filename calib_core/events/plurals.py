"""Plurals of English nouns, by rule.

Covers: regular plurals and those in -men.
Not here: irregular ones, which a query or lexicon lists itself.
"""

import re


def plural(noun: str) -> str:
    """The plural of a noun, or of the last word of several.

    >>> plural("attack"), plural("security force"), plural("policeman"), plural("party")
    ('attacks', 'security forces', 'policemen', 'parties')
    """
    if noun.endswith("man"):
        return noun[:-2] + "en"
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if re.search(r"(?:s|x|z|ch|sh)$", noun) else "s")
