"""Who does it: tokens that stand in a query's roles to its verbs, with what the text says about the event's truth.

The paper (section 6.1) takes an `nsubj` or agent argument of the verb. Beyond it, and each by itself switchable in the
query, we read subjects that grammar leaves out (`subjects`), pass a relative pronoun's role on to its noun ("rebels
who attacked"), and give every conjunct the role of the first ("Iran and Iraq attacked"). A plain `obl` with "by" is an
agent of a passive verb too, since parsers often miss the subtype. A verb is a token whose form is the query's and whose
tag is VERB: "this was an attack" has a subject, but no verb of ours.

Negated, possible and embedded events count, as in the paper, and are flagged.

Covers: (verb, agent, flags) triples of one document.
Not here: which mention or country the agent is (`affiliation`, `evidence`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from calib_core.events.pieces import free_standing
from calib_core.events.query import Query
from calib_core.events.subjects import subject
from calib_core.events.tree import TO, Tree

NEGATED, MODAL, EMBEDDED = 1, 2, 4
FLAGS = {"negated": NEGATED, "modal": MODAL, "embedded": EMBEDDED}

_RELATIVE_CLAUSES = ("acl:relcl", "acl", "advcl:relcl")
"""The last is a cleft: "it was Iraq that attacked"."""

_RELATIVES = frozenset({"who", "whom", "which", "that"})
_NEGATIONS = frozenset({"not", "n't", "n’t", "never", "nor", "neither"})
_MODALS = frozenset({"will", "would", "may", "might", "can", "could", "shall", "should", "must", "wo", "ca"})
_CONDITIONS = frozenset({"if", "unless", "whether", TO, "of", "for", "from", "against"})


@dataclass(frozen=True, slots=True)
class Event:
    """One query verb with one token in a role: both are positions in the document.

    `flags` adds up `NEGATED` ("did not attack"), `MODAL` ("might attack") and `EMBEDDED` ("vowed to attack", "if Iraq
    attacks").
    """

    verb: int
    agent: int
    flags: int


def events(tree: Tree, query: Query) -> list[Event]:
    """Every event of the query in a document, in order of verb and agent."""
    found = {
        (verb, agent): Event(verb, agent, _flags(tree, verb, agent))
        for verb in _verbs(tree, query)
        for argument in _arguments(tree, verb, query)
        for agent in _conjuncts(tree, argument, query)
    }
    return [found[key] for key in sorted(found)]


def _verbs(tree: Tree, query: Query) -> Iterator[int]:
    """Tokens that are a query verb."""
    document = tree.document
    candidates = [token for token in range(len(document)) if tree.word(token) in query.forms]
    free = free_standing(document) if candidates else None
    for token in candidates:
        verbal = document.upos[token] == "VERB" or (document.upos[token] == "_" and not tree.has(token, "cop"))
        if free is not None and free[token] and verbal:
            yield token


def _arguments(tree: Tree, verb: int, query: Query) -> Iterator[int]:
    """Tokens in the query's roles, relative pronouns replaced by their nouns."""
    found = tree.related(verb, *(query.roles - {"nsubj", "obl:agent"}))
    if "obl:agent" in query.roles:
        found += _by_agents(tree, verb, query)
    if "nsubj" in query.roles:
        inherited = subject(tree, verb, query.subjects)
        found += [] if inherited is None else [inherited]
    for argument in found:
        yield argument
        noun = _antecedent(tree, argument) if "relative" in query.subjects else None
        if noun is not None:
            yield noun


def _by_agents(tree: Tree, verb: int, query: Query) -> list[int]:
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


def _antecedent(tree: Tree, pronoun: int) -> int | None:
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


def _conjuncts(tree: Tree, argument: int, query: Query) -> Iterator[int]:
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


def _flags(tree: Tree, verb: int, agent: int) -> int:
    """What the verb, the verbs it is a complement of, and the agent's own words say."""
    flags = NEGATED if _is_denied(tree, agent) else 0
    for _ in range(len(tree.document)):
        flags |= _own_flags(tree, verb)
        if tree.relation(verb) != "xcomp" or tree.head(verb) < 0:
            break
        flags |= EMBEDDED
        verb = tree.head(verb)
    return flags


def _own_flags(tree: Tree, verb: int) -> int:
    """What stands beside one verb."""
    flags = 0
    if any(tree.word(child) in _NEGATIONS and tree.relation(child) != "conj" for child in tree.children[verb]):
        flags |= NEGATED
    if any(tree.word(child) in _MODALS for child in tree.related(verb, "aux")):
        flags |= MODAL
    if tree.relation(verb) == "advcl" and tree.marks(verb) & _CONDITIONS:
        flags |= EMBEDDED
    return flags


def _is_denied(tree: Tree, agent: int) -> bool:
    """Whether it is said of this agent that it did not: "no soldier", "Iran, not Iraq,", "neither Iran nor Iraq"."""
    return any(
        (tree.word(child) == "no" and tree.relation(child) == "det")
        or (tree.word(child) in _NEGATIONS and not _only_follows(tree, child))
        for child in tree.children[agent]
    )


def _only_follows(tree: Tree, token: int) -> bool:
    """Whether the next word is "only": "not only Iran" did it."""
    return token + 1 < len(tree.document) and tree.word(token + 1) in ("only", "just", "merely")
