"""Tokens that stand in a query's roles to a verb.

The paper (section 6.1) takes an `nsubj` or agent argument of the verb. Beyond it, and each by itself switchable in the
query, we read subjects that grammar leaves out (`subjects`), pass a relative pronoun's role on to its noun ("rebels
who attacked"), and give every conjunct the role of the first ("Iran and Iraq attacked"). A plain `obl` with "by" is an
agent of a passive verb too, since parsers often miss the subtype.

Covers: arguments, relative pronouns, conjuncts.
Not here: which verbs (`agents`), subjects that are not attached to their verb (`subjects`).
"""

from collections.abc import Iterator

from calib_core.events.query import Query
from calib_core.events.subjects import subject
from calib_core.events.tree import Tree

_RELATIVE_CLAUSES = ("acl:relcl", "acl", "advcl:relcl")
"""The last is a cleft: "it was Iraq that attacked"."""

_RELATIVES = frozenset({"who", "whom", "which", "that"})


def actors_of(tree: Tree, verb: int, query: Query) -> list[int]:
    """Arguments of a verb with all their conjuncts, without repetition."""
    found = [actor for argument in arguments(tree, verb, query) for actor in conjuncts(tree, argument, query)]
    return list(dict.fromkeys(found))


def arguments(tree: Tree, verb: int, query: Query) -> Iterator[int]:
    """Tokens in the query's roles, relative pronouns replaced by their nouns."""
    found = tree.related(verb, *(query.roles - {"nsubj", "obl:agent"}))
    if "obl:agent" in query.roles:
        found += by_agents(tree, verb, query)
    if "nsubj" in query.roles:
        inherited = subject(tree, verb, query.subjects)
        found += [] if inherited is None else [inherited]
    for argument in found:
        yield argument
        noun = antecedent(tree, argument) if "relative" in query.subjects else None
        if noun is not None:
            yield noun


def by_agents(tree: Tree, verb: int, query: Query) -> list[int]:
    """By-phrases of a verb, or those of the passive verb that it is coordinated with, if they follow both."""
    own = _by_phrases(tree, verb)
    if own or "coordination" not in query.subjects or tree.relation(verb) != "conj" or tree.head(verb) < 0:
        return own
    if tree.has(verb, "nsubj", "obj"):
        return []
    first = tree.head(verb)
    return [agent for agent in _by_phrases(tree, first) if tree.is_passive(first) and agent > verb]


def _by_phrases(tree: Tree, verb: int) -> list[int]:
    """Children that are agents by their relation, or by the preposition of a passive verb."""
    found = tree.related(verb, "obl:agent")
    if found or not tree.is_passive(verb):
        return found
    return [child for child in tree.related(verb, "obl") if "by" in tree.marks(child)]


def antecedent(tree: Tree, pronoun: int) -> int | None:
    """The noun that a relative pronoun stands for: the governor of the relative clause around it."""
    if tree.word(pronoun) not in _RELATIVES or tree.document.upos[pronoun] not in ("PRON", "DET", "SCONJ", "_"):
        return None
    token = tree.head(pronoun)
    for _ in range(len(tree.document)):
        if token < 0 or tree.relation(token) not in (*_RELATIVE_CLAUSES, "conj", "xcomp", "advcl", "ccomp"):
            return None
        if tree.relation(token) in _RELATIVE_CLAUSES:
            return tree.head(token) if tree.head(token) >= 0 else None
        token = tree.head(token)
    return None


def conjuncts(tree: Tree, argument: int, query: Query) -> Iterator[int]:
    """The argument and, if it stands in the role itself, what is coordinated with it."""
    if "coordination" not in query.subjects or tree.relation(argument) not in query.roles | {
        "nsubj:pass",
        "obj",
        "obl",
    }:
        yield argument
        return
    for token in tree.subtree_by(argument, "conj"):
        if tree.document.upos[token] not in ("VERB", "AUX"):
            yield token
