"""What the text says about an event's truth: denied, possible, or told of inside another statement.

The first three flags are those of version 0.1, in every query. `UNREAL` and the negation of whom it was done to
("nobody was arrested") are read only for queries that go beyond it, whose answers nobody has stored.

Covers: the flags of a verb with its agent, and of a noun.
Not here: who the agent is (`arguments`, `nouns`), what a query does with flags (`evidence`).
"""

from calib_core.events.inflection import inflect
from calib_core.events.tree import TO, Tree

NEGATED, MODAL, EMBEDDED, IMPLIED, UNREAL = 1, 2, 4, 8, 16
FLAGS = {"negated": NEGATED, "modal": MODAL, "embedded": EMBEDDED, "unreal": UNREAL}
"""Flags by the names that a query's `exclude` has for them. `IMPLIED` marks an agent that the text does not name."""

_NEGATIONS = frozenset({"not", "n't", "n’t", "never", "nor", "neither"})
_MODALS = frozenset({"will", "would", "may", "might", "can", "could", "shall", "should", "must", "wo", "ca"})
_CONDITIONS = frozenset({"if", "unless", "whether", TO, "of", "for", "from", "against"})
_CORE = ("obj", "nsubj", "nsubj:pass", "obl")

_WANTING = """
want demand urge call appeal ask request order direct instruct command authorise authorize plan intend hope expect wish
threaten vow promise propose recommend suggest advocate prepare try attempt refuse decline fail warn fear
"""
_IRREGULAR_WANTING = "seek seeks sought seeking swear swears swore sworn swearing"
WANTING = frozenset(_IRREGULAR_WANTING.split()).union(*map(inflect, _WANTING.split()))
"""Verbs that tell what somebody wants, orders, expects or does not do: the event below them need not have happened."""

DENYING = frozenset().union(*map(inflect, ("deny", "avoid", "consider", "contemplate", "oppose")))
"""Before an -ing form they say that it did not happen, or not yet: "denied attacking"."""

_UNREAL_WORDS = """
likely unlikely set due ready poised prepared able unable reluctant threat threats fear fears danger risk possibility
prospect plan plans attempt attempts bid demand demands call calls order orders warning warnings refusal failure warrant
"""
UNREAL_WORDS = frozenset(_UNREAL_WORDS.split())
"""Adjectives and nouns that do the same: "likely to be arrested", "the threat of an attack"."""

_COMPLETING = frozenset({"of", "for", "on", "to"})
_NOBODY = frozenset({"nobody", "none", "nothing"})


def event_flags(tree: Tree, verb: int, agent: int) -> int:
    """What the verb, the verbs it is a complement of, and the agent's own words say."""
    flags = NEGATED if is_denied(tree, agent) else 0
    for _ in range(len(tree.document)):
        flags |= own_flags(tree, verb)
        if tree.relation(verb) != "xcomp" or tree.head(verb) < 0:
            break
        flags |= EMBEDDED
        verb = tree.head(verb)
    return flags


def verb_flags(tree: Tree, verb: int, agent: int) -> int:
    """As `event_flags`, with what queries beyond version 0.1 ask too: whom it was done to, what governs the verb."""
    flags = event_flags(tree, verb, agent) | _governed(tree, verb)
    patients = tree.related(verb, "obj", "nsubj:pass")
    denied = any(tree.word(patient) in _NOBODY or _has_no(tree, patient) for patient in patients)
    return flags | (NEGATED if denied else 0)


def noun_flags(tree: Tree, noun: int) -> int:
    """What stands beside the noun of an event, and beside the verb or noun that governs it.

    "No attack", "any attack", "an attack might follow", "demanded the arrest", "the threat of an attack".
    """
    flags = NEGATED if is_denied(tree, noun) else 0
    if any(tree.relation(child) == "det" for child in tree.worded(noun, ("any",))):
        flags |= UNREAL
    first, governor = _outermost(tree, noun)
    if governor < 0:
        return flags
    if tree.word(governor) in WANTING | UNREAL_WORDS and tree.relation(first) != "nsubj":  # what failed was made
        flags |= UNREAL
    return flags | (event_flags(tree, governor, noun) if tree.relation(first) in _CORE else 0)


def _outermost(tree: Tree, noun: int) -> tuple[int, int]:
    """Up from a noun over conjuncts and nouns it completes, to the first word that wants it, or that is no noun.

    "Demanded a ban on the party and the arrest of its leaders" demands an arrest.
    """
    for _ in range(len(tree.document)):
        governor, relation = tree.head(noun), tree.relation(noun)
        completes = relation == "conj" or (relation == "nmod" and tree.marks(noun) & _COMPLETING)
        if governor < 0 or not completes or tree.word(governor) in UNREAL_WORDS:
            break
        noun = governor
    return noun, tree.head(noun)


def _governed(tree: Tree, verb: int) -> int:
    """Whether the verb is a complement, or a purpose, of a word that does not say that it happened."""
    for _ in range(len(tree.document)):
        governor = tree.head(verb)
        if governor < 0 or tree.relation(verb) not in ("xcomp", "acl", "ccomp", "conj", "advcl"):
            return 0
        infinitive = TO in tree.marks(verb)
        if infinitive and tree.word(governor) in WANTING | UNREAL_WORDS:
            return UNREAL
        if tree.is_ing(verb) and tree.relation(verb) == "xcomp" and tree.word(governor) in DENYING:
            return UNREAL
        if tree.relation(verb) == "ccomp" or (tree.relation(verb) == "advcl" and not infinitive):
            return 0
        verb = governor
    return 0


def _has_no(tree: Tree, token: int) -> bool:
    """Whether it is "no one", or "no" and a noun."""
    return any(tree.relation(child) == "det" for child in tree.worded(token, ("no",)))


def own_flags(tree: Tree, verb: int) -> int:
    """What stands beside one verb."""
    flags = 0
    if any(tree.relation(child) != "conj" for child in tree.worded(verb, _NEGATIONS)):
        flags |= NEGATED
    if any(tree.word(child) in _MODALS for child in tree.related(verb, "aux")):
        flags |= MODAL
    if tree.relation(verb) == "advcl" and tree.marks(verb) & _CONDITIONS:
        flags |= EMBEDDED
    return flags


def is_denied(tree: Tree, agent: int) -> bool:
    """Whether it is said of this agent that it did not: "no soldier", "Iran, not Iraq,", "neither Iran nor Iraq"."""
    return any(tree.relation(child) == "det" for child in tree.worded(agent, ("no",))) or any(
        not _only_follows(tree, child) for child in tree.worded(agent, _NEGATIONS)
    )


def _only_follows(tree: Tree, token: int) -> bool:
    """Whether the next word is "only": "not only Iran" did it."""
    return token + 1 < len(tree.document) and tree.word(token + 1) in ("only", "just", "merely")
