"""Inflected forms of English verbs, by rule; irregular forms are given by the query.

Covers: third person, past, participles of regular verbs.
Not here: irregular verbs, except for knowing which they are, so that a query that forgets their forms is refused.
"""

import re

_IRREGULAR_VERBS = """
arise awake be bear beat become begin bend bet bid bind bite bleed blow break breed bring build burn burst buy catch
choose cling come cost creep cut deal dig do draw dream drink drive eat fall feed feel fight find flee fling fly
forbid forecast forget forgive freeze get give go grind grow hang have hear hide hit hold hurt keep kneel know lay
lead leave lend let lie light lose make mean meet mislead outdo overcome overrun overtake overthrow pay put quit
read rid ride ring rise run say see seek sell send set shake shed shine shoot show shut sing sink sit slay sleep
slide speak spend spin split spread spring stand steal stick sting strike strive swear sweep swim swing take teach
tear tell think throw uphold wake wear weave weep win wind withdraw withhold withstand write
beset cast shrink smite spit thrust tread
"""
IRREGULAR = frozenset(_IRREGULAR_VERBS.split())
_PREFIX = re.compile("re|over|out|under|mis|fore|be|un|inter")
_REGULAR = frozenset({"behave", "belay", "belie", "relay"})  # by their letters prefixed irregular verbs
_CONSONANT_VOWEL_CONSONANT = re.compile(r"(?:^|[^aeiou])[aeiouy][bcdfgklmnprstvz]$|qu[aeiou][bdgklmnprtz]$")
_SYLLABLE = re.compile(r"[aeiouy]+")


def inflect(verb: str) -> tuple[str, ...]:
    """The forms of a regular verb: base, -s, -ed, -ing.

    A final consonant that may or may not double ("visit", "rebel": it depends on the stress) gives both spellings; the
    wrong one does no harm, since nobody writes it.

    >>> inflect("attack"), inflect("raid"), inflect("bury")
    (('attack', 'attacked', 'attacking', 'attacks'), ('raid', 'raided', 'raiding', 'raids'), \
('buried', 'buries', 'bury', 'burying'))
    """
    if not re.fullmatch(r"[a-z]{2,}", verb) or not _SYLLABLE.search(verb):
        raise ValueError(f"forms of {verb!r} cannot be derived: a verb is one word of small letters a to z")
    if is_irregular(verb):
        raise ValueError(f"forms of {verb!r} cannot be derived: it is irregular, so give them")
    stems = _stems(verb)
    ing = {verb[:-2] + "ying"} if verb.endswith("ie") else {stem + "ing" for stem in stems}
    return tuple(sorted({verb, _third_person(verb)} | {_past(stem, verb) for stem in stems} | ing))


def is_irregular(verb: str) -> bool:
    """Whether the verb, or what is left of it without a prefix ("retake", "overfly"), is a known irregular one."""
    prefix = _PREFIX.match(verb)
    return verb in IRREGULAR or (prefix is not None and verb not in _REGULAR and verb[prefix.end() :] in IRREGULAR)


def _third_person(verb: str) -> str:
    """With -s, -es or -ies."""
    if verb.endswith("iz"):
        return verb + "zes"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|x|z|ch|sh|[^aeiou]o)$", verb) else "s")


def _past(stem: str, verb: str) -> str:
    """With -ed, -d or -ied."""
    if verb.endswith("e"):
        return verb + "d"
    return stem[:-1] + "ied" if re.search(r"[^aeiou]y$", stem) else stem + "ed"


def _stems(verb: str) -> set[str]:
    """What -ing is put after: without a silent e, with a doubled consonant, or the verb itself."""
    if verb.endswith("e"):
        # "singing" is another verb's
        return {verb} if re.search(r"(?:ee|oe|ye|^singe|^swinge)$", verb) else {verb[:-1]}
    if verb.endswith("c"):
        return {verb + "k"}
    if _CONSONANT_VOWEL_CONSONANT.search(verb):
        doubled = verb + verb[-1]
        return {doubled} if len(_SYLLABLE.findall(verb)) == 1 else {verb, doubled}
    return {verb}
