"""Whom it was done to: the tokens that stand in a query's target roles to a verb or noun.

Beside objects, passive subjects and phrases with on, against or at, these are what grammar leaves out: the noun that a
passive participle or a relative clause modifies ("ships attacked by Iran", "the town that Iraq attacked"), and the
object or passive subject that coordinated verbs share.

Covers: target tokens of verbs, light verbs and nouns.
Not here: their codes (`affiliation`), the sampled answer (`sampling`).
"""

from collections.abc import Iterable

from calib_core.events.arguments import antecedent
from calib_core.events.language import Noun, Targets
from calib_core.events.nouns import has_by_phrase
from calib_core.events.phrases import nouns_of_phrase, phrase_at
from calib_core.events.query import Query
from calib_core.events.tree import Tree


def verb_targets(tree: Tree, verb: int, query: Query, *, effect: bool = False) -> tuple[int, ...]:
    """Targets of a verb, their conjuncts included; of an effect ("died") the subject."""
    targets = query.language.targets
    if targets is None:
        return ()
    phrase = phrase_at(tree, verb, query.language.phrases)
    own = set() if phrase is None else nouns_of_phrase(tree, verb, phrase)
    found = [token for token in _in_roles(tree, verb, targets) if token not in own]
    if effect and not found:
        found = tree.related(verb, "nsubj")
    return _spread(tree, found or _shared(tree, verb, targets))


def noun_targets(tree: Tree, token: int, noun: Noun, query: Query) -> tuple[int, ...]:
    """Targets of a noun: after its prepositions, its possessor where that is one, or after those of its light verb."""
    targets = query.language.targets
    if targets is None:
        return ()
    found = [child for child in tree.related(token, "nmod", "obl") if tree.marks(child) & noun.targets]
    if "possessive" in noun.targets or has_by_phrase(tree, token):
        found += tree.related(token, "nmod:poss")
    governor = tree.head(token)
    if not found and governor >= 0 and phrase_at(tree, governor, query.language.light):
        found = [child for child in tree.related(governor, "obl") if tree.marks(child) & targets.prepositions]
    return _spread(tree, found)


def _in_roles(tree: Tree, verb: int, targets: Targets) -> list[int]:
    """Children in the roles asked for, relative pronouns replaced by their nouns."""
    found = tree.related(verb, *(targets.roles & {"obj", "nsubj:pass"}))
    if "obl" in targets.roles:
        found += [child for child in tree.related(verb, "obl") if tree.marks(child) & targets.prepositions]
    nouns = [antecedent(tree, token) for token in found]
    return [token if noun is None else noun for token, noun in zip(found, nouns, strict=True)]


def _shared(tree: Tree, verb: int, targets: Targets) -> list[int]:
    """What the verb has as target by grammar alone."""
    relation, governor = tree.relation(verb), tree.head(verb)
    if governor < 0:
        return []
    if relation == "acl" and tree.is_passive(verb):
        return [governor]
    if relation == "amod" and tree.is_passive(verb):
        return [governor]
    if relation == "acl:relcl" and tree.has(verb, "nsubj") and not tree.is_passive(verb):
        return [governor] if not _has_relative_subject(tree, verb) else []
    if relation != "conj":
        later = [child for child in tree.related(verb, "conj") if not tree.has(child, "nsubj")]
        return [token for child in later for token in tree.related(child, *(targets.roles & {"obj"}))]
    return [token for token in _in_roles(tree, governor, targets) if tree.is_passive(governor) or token > verb]


def _has_relative_subject(tree: Tree, verb: int) -> bool:
    return any(tree.word(token) in ("who", "which", "that") for token in tree.related(verb, "nsubj"))


def _spread(tree: Tree, tokens: Iterable[int]) -> tuple[int, ...]:
    """Tokens with their conjuncts, in order."""
    return tuple(sorted({part for token in tokens for part in tree.subtree_by(token, "conj")}))
