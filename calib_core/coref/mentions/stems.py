"""Reduce English words to stems by rule, so that "armies" and "army", "attacked" and "attacks" match.

Covers: plural nouns and inflected verbs, by tag, ending and a list of irregular forms.
Not here: lemmas. A stem only has to be equal for the forms of one word ("attack", but also "mak" for "make"). The model
reads stems and never a corpus's own lemmas: a parser need not give any, and training must see what use will see.
"""

from functools import lru_cache

from calib_core.document import Document

_NOUNS = (
    "men man,women woman,children child,people person,feet foot,teeth tooth,mice mouse,geese goose,lives life,"
    "wives wife,knives knife,leaves leaf,wolves wolf,halves half,selves self,thieves thief,loaves loaf,"
    "shelves shelf,criteria criterion,phenomena phenomenon,analyses analysis,crises crisis,theses thesis,"
    "hypotheses hypothesis,bases basis,species species,series series,news news,politics politics,movies movie,"
    "cookies cookie,ties tie,lies lie,shoes shoe,gentlemen gentleman"
)
_VERBS = (
    "am is are was were been being be,has had having have,does did done doing do,said say,went gone goes go,"
    "got gotten get,made make,knew known know,thought think,took taken take,saw seen see,came come,"
    "gave given give,found find,told tell,felt feel,left leave,kept keep,began begun begin,showed shown show,"
    "heard hear,ran run,brought bring,wrote written write,sat sit,stood stand,lost lose,paid pay,met meet,"
    "led lead,understood understand,spoke spoken speak,grew grown grow,won win,taught teach,bought buy,"
    "sent send,built build,fell fallen fall,drew drawn draw,broke broken break,spent spend,rose risen rise,"
    "drove driven drive,wore worn wear,chose chosen choose,ate eaten eat,held hold,caught catch,fought fight,"
    "threw thrown throw,sold sell,flew flown fly,slept sleep,became become,meant mean,died dying die,"
    "lay lain lie,shot shoot,struck strike,fled flee,swore sworn swear,shook shaken shake,hid hidden hide,"
    "sang sung sing,drank drunk drink"
)
_IRREGULAR_NOUNS = {form: pair.split()[-1] for pair in _NOUNS.split(",") for form in pair.split()[:-1]}
_IRREGULAR_VERBS = {form: pair.split()[-1] for pair in _VERBS.split(",") for form in pair.split()[:-1]}


def stems(document: Document) -> tuple[str, ...]:
    """The stem of every token."""
    return tuple(
        stem(word.lower(), part, tag)
        for word, part, tag in zip(document.words, document.upos, document.xpos, strict=True)
    )


@lru_cache(maxsize=100_000)
def stem(word: str, part: str, tag: str) -> str:
    """The stem of a lower-case word with its universal and Penn tag.

    >>> stem("armies", "NOUN", "NNS"), stem("attacked", "VERB", "VBD"), stem("running", "VERB", "VBG")
    ('army', 'attack', 'run')
    """
    if part == "NOUN" and tag in ("NNS", "_"):
        return _IRREGULAR_NOUNS.get(word) or _singular(word)
    if part in ("VERB", "AUX"):
        return _verb_stem(_IRREGULAR_VERBS.get(word, word))
    return word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _verb_stem(word: str) -> str:
    """Strip -s, -ed or -ing, undo a doubled consonant, and drop a final e from all forms alike."""
    if word.endswith(("ied", "ies")) and len(word) > 4:
        return word[:-3] + "y"
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2 and not word.endswith(("ss", "eed")):
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] in "bdgmnprt":
        return word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 3 else word
