"""What to call the entities that a query counts: agents, patients, or both.

Covers: one word for the roles of a query, in everything shown to people.
Not here: what the roles are (`calib_core.events.query`).
"""

from collections.abc import Collection

AGENTS = frozenset({"nsubj", "obl:agent"})


def role_word(roles: Collection[str]) -> str:
    """The word for an entity in one of these roles to a verb.

    >>> role_word({"nsubj"}), role_word({"obj", "nsubj:pass"}), role_word({"nsubj", "obj"})
    ('agent', 'patient', 'agent or patient')
    """
    words = ("agent" * bool(AGENTS.intersection(roles)), "patient" * bool(set(roles) - AGENTS))
    return " or ".join(filter(None, words))


def role_words(roles: Collection[str]) -> str:
    """The same for several entities.

    >>> role_words({"nsubj", "obj"})
    'agents or patients'
    """
    return role_word(roles).replace("agent", "agents").replace("patient", "patients")
