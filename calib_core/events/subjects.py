"""Find the subject of a verb that has none attached to it.

A basic dependency tree attaches a subject once. News leaves it out wherever grammar lets the reader supply it:

- coordination: "Iran *crossed* the border and *attacked* the town", unless the second verb is passive;
- control and raising: "Iraq vowed to attack", "Iraq ordered its army to attack" (the army), "Iraq promised Iran to
  attack" (Iraq), "troops were told to attack" (the troops), "Iraq is ready to attack", "after attacking Kuwait, Iraq
  ...", "accused Iraq of attacking" (the accused), "won praise for attacking" (the winner);
- participles: "planes attacking the city" (the planes); a passive one has its patient there, so not its agent.

Covers: the token that fills the subject's place, going beyond the paper, which asks for an attached nsubj.
Not here: relative pronouns and coordinated subjects (`agents`).
"""

from collections.abc import Callable, Set

from calib_core.events.inflection import inflect
from calib_core.events.tree import TO, Tree

_BLAME = """
accuse acquit absolve arrest ban bar blame censure charge commend condemn congratulate convict criticise criticize
denounce deter discourage dissuade excuse fault indict praise prevent prohibit punish reprimand reproach restrain scold
stop suspect thank warn caution
"""
_BLAME_IRREGULAR = "keep keeps kept keeping forgive forgives forgave forgiven forgiving"
OBJECT_CONTROL = frozenset(_BLAME_IRREGULAR.split()).union(*map(inflect, _BLAME.split()))
"""Before of, for, from or against and an -ing form they hand over their object: "accused Iraq of attacking"."""

_PREPOSITIONS = frozenset({"of", "for", "from", "against"})

_SWEAR = "swear swears swore sworn swearing"
SUBJECT_CONTROL = frozenset(_SWEAR.split()).union(*map(inflect, ("promise", "threaten", "vow", "use")))
"""Before an infinitive they keep their subject, whatever their object: "Iraq promised Iran to attack"."""

TOUGH = frozenset({"hard", "difficult", "easy", "impossible", "tough", "simple", "dangerous", "costly", "risky"})
"""Adjectives whose subject is what is attacked: "the fort is hard to attack"."""

_MAX_CLIMB = 50


def subject(tree: Tree, verb: int, ways: Set[str], *, climbed: int = 0) -> int | None:
    """Position of the token that is the active subject of a predicate, or None.

    Parameters
    ----------
    tree : Tree
    verb : int
        A verb, or any other predicate that a verb depends on ("ready to attack").
    ways : set of str
        Which of "coordination", "control" and "participle" may be used; none means attached subjects only.
    """
    attached = tree.related(verb, "nsubj")
    if attached:
        return attached[0]
    if climbed > _MAX_CLIMB or tree.head(verb) < 0 or tree.has(verb, "nsubj", "csubj", "expl"):
        return None
    way, find = _INHERITED.get(tree.relation(verb), ("", None))
    if find is None or way not in ways or tree.is_passive(verb):
        return None
    return find(tree, verb, ways, climbed + 1)


def _of_conjunct(tree: Tree, verb: int, ways: Set[str], climbed: int) -> int | None:
    """The first conjunct's subject, when both are active or the second shows by its object that it is."""
    first = tree.head(verb)
    if not tree.is_passive(first):
        return subject(tree, first, ways, climbed=climbed)
    patients = tree.related(first, "nsubj:pass")
    return patients[0] if patients and tree.has(verb, "obj") else None


def _of_complement(tree: Tree, verb: int, ways: Set[str], climbed: int) -> int | None:
    """The governor's object if it has one, else its subject; always the subject of one that promises or threatens."""
    governor = tree.head(verb)
    if tree.word(governor) in TOUGH and TO in tree.marks(verb):
        return None
    if tree.word(governor) in SUBJECT_CONTROL:
        return None if tree.is_passive(governor) else subject(tree, governor, ways, climbed=climbed)
    objects = tree.related(governor, "obj", "iobj")
    if objects:
        return objects[0]
    patients = tree.related(governor, "nsubj:pass")
    return patients[0] if patients else subject(tree, governor, ways, climbed=climbed)


def _of_adverbial(tree: Tree, verb: int, ways: Set[str], climbed: int) -> int | None:
    """The main clause's subject; its object if it blames or prevents; nobody's for a purpose in a passive clause."""
    main, marks = tree.head(verb), tree.marks(verb)
    if not tree.is_ing(verb) and TO not in marks:
        return None
    objects, patients = tree.related(main, "obj"), tree.related(main, "nsubj:pass")
    if objects and marks & _PREPOSITIONS and tree.word(main) in OBJECT_CONTROL:
        return objects[0]
    if patients:
        return None if TO in marks else patients[0]
    return subject(tree, main, ways, climbed=climbed)


def _of_participle(tree: Tree, verb: int, ways: Set[str], climbed: int) -> int | None:  # noqa: ARG001
    """The noun that an -ing form modifies; not in "the idea of attacking" or "the plan to attack"."""
    return tree.head(verb) if tree.is_ing(verb) and not tree.marks(verb) else None


_Finder = Callable[[Tree, int, Set[str], int], int | None]
_INHERITED: dict[str, tuple[str, _Finder | None]] = {
    "conj": ("coordination", _of_conjunct),
    "xcomp": ("control", _of_complement),
    "advcl": ("control", _of_adverbial),
    "acl": ("participle", _of_participle),
}
"""How a verb in this relation may come by a subject, and the way's name in a query."""
