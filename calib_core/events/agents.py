"""Who does it: tokens that stand in a query's roles to its verbs, with what the text says about the event's truth.

The paper (section 6.1) takes an `nsubj` or agent argument of the verb. Beyond it, and each by itself switchable in the
query, we read subjects that grammar leaves out (`subjects`), pass a relative pronoun's role on to its noun ("rebels
who attacked"), and give every conjunct the role of the first ("Iran and Iraq attacked"). A verb is a token whose form
is the query's and whose tag is VERB: "this was an attack" has a subject, but no verb of ours.

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
    found = tree.related(verb, *(query.roles - {"nsubj"}))
    if "nsubj" in query.roles:
        inherited = subject(tree, verb, query.subjects)
        found += [] if inherited is None else [inherited]
    for argument in found:
        yield argument
        noun = _antecedent(tree, argument) if "relative" in query.subjects else None
        if noun is not None:
            yield noun


def _antecedent(tree: Tree, pronoun: int) -> int | None:
    """The noun that a relative pronoun stands for: the governor of the relative clause around it."""
    if tree.word(pronoun) not in _RELATIVES or tree.document.upos[pronoun] not in ("PRON", "DET", "SCONJ", "_"):
        return None
    token = tree.head(pronoun)
    for _ in range(len(tree.document)):
        if token < 0 or tree.relation(token) not in ("acl:relcl", "acl", "conj", "xcomp", "advcl", "ccomp"):
            return None
        if tree.relation(token) in ("acl:relcl", "acl"):
            return tree.head(token) if tree.head(token) >= 0 else None
        token = tree.head(token)
    return None


def _conjuncts(tree: Tree, argument: int, query: Query) -> Iterator[int]:
    """The argument and, if it stands in the role itself, what is coordinated with it."""
    if "coordination" not in query.subjects or tree.relation(argument) not in query.roles | {"nsubj:pass", "obj"}:
        yield argument
        return
    for token in tree.subtree_by(argument, "conj"):
        if tree.document.upos[token] not in ("VERB", "AUX"):
            yield token


def _flags(tree: Tree, verb: int, agent: int) -> int:
    """What the verb, the verbs it is a complement of, and the agent's determiner say."""
    flags = NEGATED if any(tree.word(child) == "no" for child in tree.related(agent, "det")) else 0
    for _ in range(len(tree.document)):
        children = tree.children[verb]
        if any(tree.word(child) in _NEGATIONS and tree.relation(child) != "conj" for child in children):
            flags |= NEGATED
        if any(tree.word(child) in _MODALS for child in tree.related(verb, "aux")):
            flags |= MODAL
        if tree.relation(verb) == "advcl" and tree.marks(verb) & _CONDITIONS:
            flags |= EMBEDDED
        if tree.relation(verb) != "xcomp" or tree.head(verb) < 0:
            break
        flags |= EMBEDDED
        verb = tree.head(verb)
    return flags
