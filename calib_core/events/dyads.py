"""One word for an agent and its target: `RUS>UKR`.

Covers: writing and reading such words, and the codes that stand for any target and for none.
Not here: the rows that have them (`linked_batching`).
"""

DYAD = ">"
ANY_TARGET = "*"
"""Code of the row of a dyadic query that asks for any target, or none."""


def dyad(country: str, target: str) -> str:
    """One word for agent and target; an agent of any target is the agent alone.

    >>> dyad("RUS", "UKR"), dyad("RUS", "*")
    ('RUS>UKR', 'RUS')
    """
    return country if target == ANY_TARGET else f"{country}{DYAD}{target}"


def parted(word: str) -> tuple[str, str]:
    """Agent and target of the word that `dyad` made.

    >>> parted("RUS>UKR"), parted("RUS")
    (('RUS', 'UKR'), ('RUS', '*'))
    """
    country, found, target = word.partition(DYAD)
    return country, target if found else ANY_TARGET
