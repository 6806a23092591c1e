"""Who did it, where a noun tells the event: "Iraq's attack", "a U.S. raid", "launched an attack", "a raid by Iraq".

An adjective or compound names its agent by itself, if a lexicon knows it; a bare country's name before the noun does
not, because it is as often the target ("the Libya raid"). A possessor is the agent, unless a by-phrase says who else
("Kuwait's invasion by Iraq"). A light verb gives its subject, or the by-phrase of its passive, to the noun.

Covers: nouns of events and the tokens that name their agents.
Not here: targets (`targets`), which codes the tokens have (`naming`).
"""

from collections.abc import Iterable, Iterator

from calib_core.events.arguments import actors_of
from calib_core.events.language import Noun
from calib_core.events.naming import TokenNames
from calib_core.events.phrases import phrase_at
from calib_core.events.query import Query
from calib_core.events.tree import Tree

_NOMINAL = frozenset({"NOUN", "PROPN", "_"})
_NOT_NOMINAL = frozenset({"aux", "obj", "iobj", "nsubj", "mark", "xcomp", "ccomp"})
_BEFORE = ("compound", "amod", "nmod:poss", "det", "nmod:desc")


def noun_tokens(tree: Tree, nouns: Iterable[Noun]) -> Iterator[tuple[int, Noun]]:
    """Tokens that are one of the nouns, by themselves and not as part of another ("attack helicopters")."""
    known = list(nouns)
    forms = frozenset().union(*(noun.forms for noun in known))
    candidates = [token for token in tree.tokens if tree.word(token) in forms]
    for token in candidates:
        if not tree.free[token] or not _is_nominal(tree, token):
            continue
        noun = noun_at(tree, token, known)
        if noun is not None and tree.relation(token) != "compound":
            yield token, noun


def noun_at(tree: Tree, token: int, nouns: Iterable[Noun]) -> Noun | None:
    """Which of the nouns a token is, the words before it included."""
    word = tree.word(token)
    before = {tree.word(child) for child in tree.related(token, "compound", "amod")}
    return next(
        (noun for noun in nouns if word in noun.forms and all(spelled & before for spelled in noun.words)), None
    )


def _is_nominal(tree: Tree, token: int) -> bool:
    """Whether the token is a noun; parsers call many an -ing form a verb that has a noun's modifiers."""
    if tree.document.upos[token] in _NOMINAL:
        return True
    relations = {tree.relation(child) for child in tree.children[token]}
    return tree.is_ing(token) and bool(relations & set(_BEFORE)) and not relations & _NOT_NOMINAL


def noun_agents(tree: Tree, token: int, noun: Noun, query: Query, names: TokenNames) -> tuple[list[int], str]:
    """Agents of the noun, and by which way: its own words ("noun"), or else its verb ("light")."""
    own = own_agents(tree, token, noun, names)
    verbs = list(_light_verbs(tree, token, query))
    if own or not verbs:
        return own, "noun"
    found = [agent for verb in verbs for agent in actors_of(tree, verb, query) if agent != token]
    return list(dict.fromkeys(found)), "light"


def own_agents(tree: Tree, token: int, noun: Noun, names: TokenNames) -> list[int]:
    """Tokens in the noun's own phrase that name its agent, with their conjuncts.

    Parsers hang the by-phrase of "the killing of two men by rebels" on the men.
    """
    found: list[int] = []
    victims = [child for child in tree.related(token, "nmod") if "of" in tree.marks(child)]
    misplaced = [part for victim in victims for part in tree.related(victim, "nmod") if "by" in tree.marks(part)]
    own = tree.related(token, "nmod", "obl", "obl:agent", "nmod:poss", "amod", "compound")
    for child in [*own, *misplaced]:
        if _is_agent(tree, child, noun, names):
            found += [
                part for part in tree.subtree_by(child, "conj") if part == child or _alike(tree, part, child, names)
            ]
    return found


def _is_agent(tree: Tree, child: int, noun: Noun, names: TokenNames) -> bool:
    """Whether a child of the noun stands in one of its places for agents."""
    relation, marks = tree.relation(child), tree.marks(child)
    if relation in ("nmod", "obl", "obl:agent"):
        return bool(marks & noun.agents & {"by", "from", "with"})
    if relation == "nmod:poss":
        return "possessive" in noun.agents and not has_by_phrase(tree, tree.head(child))
    if relation == "amod":
        return "adjective" in noun.agents and bool(names.coded[child])
    return relation == "compound" and "compound" in noun.agents and bool(names.coded[child] and not names.bare[child])


def has_by_phrase(tree: Tree, noun: int) -> bool:
    """Whether somebody else is named by "by"."""
    return any("by" in tree.marks(child) for child in tree.related(noun, "nmod", "obl", "obl:agent"))


def _alike(tree: Tree, part: int, first: int, names: TokenNames) -> bool:
    """Whether a conjunct names an agent as the first part does: an adjective must be in a lexicon too."""
    return bool(names.coded[part]) or tree.relation(first) not in ("amod", "compound")


def _light_verbs(tree: Tree, token: int, query: Query) -> Iterator[int]:
    """Light verbs that have the noun as object or passive subject, or modify it: an attack launched by."""
    light = query.language.light
    noun = tree.top(token, "conj")
    governor, relation = tree.head(noun), tree.relation(noun)
    phrase = phrase_at(tree, governor, light) if governor >= 0 else None
    if phrase is not None:
        words = frozenset().union(*phrase.words)
        if relation in ("obj", "nsubj:pass") or (relation == "obl" and tree.marks(noun) & words):
            yield governor
    for child in tree.related(noun, "acl", "acl:relcl"):
        if phrase_at(tree, child, light) and _has_as_object(tree, child):
            yield child


def _has_as_object(tree: Tree, verb: int) -> bool:
    """Whether a clause on the noun has it as object: passive, or active with another subject."""
    if tree.is_passive(verb):
        return True
    subjects = tree.related(verb, "nsubj")
    return bool(subjects) and tree.word(subjects[0]) not in ("that", "which", "who")
