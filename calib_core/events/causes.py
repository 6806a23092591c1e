"""Who did it, where the text tells an effect and its cause: "killed in police firing", "died when police opened fire".

Covers: tokens that name the agent of a cause.
Not here: the nouns' own agents (`nouns`).
"""

from calib_core.events.arguments import actors_of, antecedent
from calib_core.events.naming import TokenNames
from calib_core.events.nouns import noun_agents, noun_at
from calib_core.events.phrases import phrase_at
from calib_core.events.query import Query
from calib_core.events.tree import Tree

_PREPOSITIONS = frozenset({"in", "by", "from", "during", "after", "of", "to", "with", "under", "due"})
_CLAUSES = frozenset({"when", "as", "after"})


def caused_agents(tree: Tree, verb: int, query: Query, names: TokenNames) -> list[int]:
    """Agents of what caused the effect that a verb tells, without repetition.

    Coordinated verbs share a cause ("one was killed and six injured when police opened fire"), and a cause may hang on
    a part of those who suffered ("including 90 in police firing").
    """
    found: list[int] = []
    for child in _around(tree, verb):
        relation = tree.relation(child).split(":")[0]
        if relation == "advcl" and _introduced(tree, child) and _is_cause(tree, child, query):
            found += actors_of(tree, child, query)
        elif tree.marks(child) & _PREPOSITIONS:
            for part in tree.subtree_by(_noun_meant(tree, child), "conj"):
                found += _agents_of_cause(tree, part, query, names)
    return list(dict.fromkeys(found))


def _agents_of_cause(tree: Tree, token: int, query: Query, names: TokenNames) -> list[int]:
    """Agents of a noun that is a cause; of an -ing form also its subject, as parsers may read "police firing"."""
    noun = noun_at(tree, token, query.language.causes)
    if noun is None:
        return []
    found = noun_agents(tree, token, noun, query, names)[0]
    return found or (tree.related(token, "nsubj") if tree.is_ing(token) else [])


def _around(tree: Tree, verb: int) -> list[int]:
    """What may tell a cause: on the verb or one coordinated with it, on those who suffered, and after "including"."""
    verbs = [verb, *tree.related(verb, "conj")]
    if tree.relation(verb) == "conj" and tree.head(verb) >= 0:
        verbs.append(tree.head(verb))
    found = [child for verb in verbs for child in tree.below(verb, "obl", "nmod", "advcl")]
    found += [child for one in verbs for victim in _victims(tree, one) for child in tree.related(victim, "nmod")]
    for place in tree.places.get("including", ()):
        part = tree.head(place) if tree.relation(place) in ("mark", "case") else -1
        if part >= 0 and tree.head(part) in verbs:
            found += tree.children[part]
    return found


def _victims(tree: Tree, verb: int) -> list[int]:
    """Those who suffered; parsers hang "in police firing" on them as often as on the verb."""
    victims = tree.related(verb, "nsubj:pass", "obj")
    return [*victims, tree.head(verb)] if tree.relation(verb) == "acl" and tree.head(verb) >= 0 else victims


def _noun_meant(tree: Tree, token: int) -> int:
    """The noun that "which" stands for in "firing in which two were killed", else the token itself."""
    noun = antecedent(tree, token)
    return token if noun is None else noun


def _introduced(tree: Tree, verb: int) -> bool:
    """Whether the clause begins with a word that may tell a cause; "when" is an adverb of its clause."""
    words = tree.marks(verb) | {tree.word(child) for child in tree.related(verb, "advmod")}
    return bool(words & _CLAUSES)


def _is_cause(tree: Tree, verb: int, query: Query) -> bool:
    """Whether the verb of the clause is one of the query's causes."""
    language = query.language
    return tree.word(verb) in language.causing_forms or phrase_at(tree, verb, language.causing_phrases) is not None
