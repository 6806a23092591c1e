"""Turn the mentions of a document into the integer arrays that the feature kernels read.

Covers: type, number, gender and animacy of a mention, its words, and the mention features of Durrett & Klein (2013).
Not here: features of pairs (`features`), which mentions there are (`mentions`).
"""

from collections import Counter
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Ints
from calib_core.coref import lexicon as lx
from calib_core.coref.mentions import Mentions
from calib_core.coref.trees import depths
from calib_core.coref.word_classes import WordClasses, load_word_classes
from calib_core.document import Document

# Columns of `MentionArrays.props`.
(
    TYPE, SENTENCE, START, END, HEAD, WORD, LEMMA, STRING, GENDER, NUMBER, PERSON, ANIMATE, RELATION, SUBJECT,
    GOVERNOR, GOVERNOR_LEMMA, SPEAKER, FIRST, LAST, ACRONYM, FREQUENCY, RANK, DEPTH, ORDER, QUOTED, INITIALS,
    COARSE, FINE, GOVERNOR_COARSE, SPEAKS, PREVIOUS, NEXT, SIGNATURE,
) = range(33)  # fmt: skip
N_PROPS = 33

Codes = NDArray[np.uint64]


class MentionArrays(NamedTuple):
    """All that the kernels know of a document's mentions; a tuple, so that numba takes it as one argument.

    Attributes
    ----------
    props : shape (n_mentions, N_PROPS)
        Integers by column; strings as checksums.
    word_offsets, words : ragged
        Content words of mention m are `words[word_offsets[m]:word_offsets[m + 1]]`, as checksums.
    codes : shape (n_mentions, n_features)
        Hashed mention features; 0 where a feature is absent.
    heads : shape (n_tokens,)
        The tree, for questions of dominance.
    """

    props: Ints
    word_offsets: Ints
    words: Ints
    codes: Codes
    heads: Ints


def checksum(text: str) -> int:
    """The same small integer for the same string on every machine."""
    return crc32(text.encode())


def mention_arrays(document: Document, mentions: Mentions) -> MentionArrays:
    """Look up every mention once; linear in the number of mentions."""
    n = len(mentions)
    lowered = [word.lower() for word in document.words]
    depth = depths(document.heads)
    quoted = _quoted(document.words)
    names = list(dict.fromkeys(["", *document.speakers]))
    turns = _turns([names.index(speaker) for speaker in document.speakers])
    classes = load_word_classes()
    props = np.zeros((n, N_PROPS), dtype=np.int64)
    words: list[int] = []
    offsets = np.zeros(n + 1, dtype=np.int64)
    for m in range(n):
        start, end, head = int(mentions.starts[m]), int(mentions.ends[m]), int(mentions.heads[m])
        props[m] = _properties(document, lowered, start, end, head)
        props[m, [SPEAKER, PREVIOUS, NEXT]] = turns[head]
        props[m, SPEAKS] = _speaker_bits(lowered, start, head, props[m, TYPE], names)
        props[m, DEPTH], props[m, QUOTED] = depth[head], quoted[head]
        props[m, COARSE], props[m, FINE] = _word_class(document, lowered, head, classes)
        props[m, GOVERNOR_COARSE] = _word_class(document, lowered, int(document.heads[head]), classes)[0]
        content = _content_words(lowered, start, _name_run(document, start, end, head)[1])
        props[m, SIGNATURE] = _signature([*content, int(props[m, WORD])])
        words.extend(content)
        offsets[m + 1] = len(words)
    _add_counts(props)
    codes = _mention_features(document, lowered, mentions, props)
    return MentionArrays(props, offsets, np.array(words, dtype=np.int64), codes, document.heads)


def _quoted(words: tuple[str, ...]) -> list[int]:
    """Whether each token stands between quotation marks, by counting them; 0 or 1."""
    inside, states = 0, []
    for word in words:
        inside = 1 if word in ("“", "``") else 0 if word in ("”", "''") else inside ^ (word == '"')
        states.append(inside)
    return states


def _turns(speakers: list[int]) -> Ints:
    """Speaker of each token, of the turn before and of the turn after; shape (n_tokens, 3), 0 for none."""
    rows = np.zeros((len(speakers), 3), dtype=np.int64)
    rows[:, 0] = speakers
    for column, order in ((1, range(1, len(speakers))), (2, range(len(speakers) - 2, -1, -1))):
        step = -1 if column == 1 else 1
        for token in order:
            beside = token + step
            same = speakers[beside] == speakers[token]
            rows[token, column] = rows[beside, column] if same else speakers[beside]
    return rows


def _speaker_bits(lowered: list[str], start: int, head: int, kind: int, names: list[str]) -> int:
    """Bit s is set if a name or title in the mention is part of the name of speaker s (the first 62 speakers)."""
    if kind != lx.PROPER:
        return 0
    words = [word for word in lowered[start : head + 2] if len(word) > 2 and word not in lx.STOP_WORDS]
    return sum(1 << s for s, name in enumerate(names[:62]) if any(word in name.lower() for word in words))


def _word_class(document: Document, lowered: list[str], token: int, classes: WordClasses) -> tuple[int, int]:
    """Coarse and fine class of a token by its form or else its lemma; zeros for an unknown word or no token."""
    if token < 0:
        return 0, 0
    return classes.get(lowered[token]) or classes.get(document.lemmas[token].lower()) or (0, 0)


def _name_run(document: Document, start: int, end: int, head: int) -> tuple[int, int]:
    """The unbroken run of name words around a head that is a name; otherwise the head alone."""
    first, last = head, head + 1
    if document.upos[head] == "PROPN":
        while first > start and document.upos[first - 1] == "PROPN":
            first -= 1
        while last < end and document.upos[last] == "PROPN":
            last += 1
    return first, last


def _content_words(lowered: list[str], start: int, end: int) -> list[int]:
    """Checksums of the words that say what is meant, at most twelve, each once."""
    kept = dict.fromkeys(word for word in lowered[start : min(end, start + 12)] if word not in lx.STOP_WORDS)
    return [checksum(word) for word in kept]


def _signature(words: list[int]) -> int:
    """A set of bits that the mentions of two disjoint sets of words seldom share, for a quick no."""
    bits = 0
    for word in words:
        bits |= 1 << (word % 62)
    return bits


def _properties(document: Document, lowered: list[str], start: int, end: int, head: int) -> list[int]:
    """One row of `props`, but for the columns that need the whole document."""
    kind = mention_type(document, lowered, start, end, head)
    governor = int(document.heads[head])
    relation = document.deprels[head]
    first, last = _name_run(document, start, end, head)
    name = document.words[first:last] if document.upos[head] == "PROPN" else ()
    core = start + 1 if lowered[start] in ("the", "a", "an") and end - start > 1 else start
    row = [0] * N_PROPS
    row[TYPE], row[SENTENCE] = kind, int(document.sentences[head])
    row[START], row[END], row[HEAD] = start, end, head
    row[WORD], row[LEMMA] = checksum(lowered[head]), checksum(document.lemmas[head].lower())
    row[STRING] = checksum(" ".join(lowered[core:end]).removesuffix(" 's").removesuffix(" ’s"))
    row[GENDER] = gender(lowered, start, head, kind, bool(name))
    row[NUMBER] = number(document, head, kind)
    row[PERSON] = lx.PERSON_OF_TYPE.get(kind, 0)
    row[ANIMATE] = animacy(document, lowered, start, head, kind, row[GENDER])
    row[RELATION] = checksum(relation)
    row[SUBJECT] = (
        1 if relation.startswith("nsubj") else 2 if relation in ("obj", "iobj") else 3 if relation == "nmod:poss" else 0
    )
    row[GOVERNOR] = governor
    row[GOVERNOR_LEMMA] = checksum(document.lemmas[governor].lower()) if governor >= 0 else 0
    row[FIRST], row[LAST] = checksum(lowered[first]), checksum(lowered[last - 1])
    row[ACRONYM] = checksum(document.words[head]) if document.words[head].isupper() and len(name) == 1 else 0
    row[INITIALS] = checksum("".join(word[0] for word in name)) if len(name) > 1 else 0
    return row


def mention_type(document: Document, lowered: list[str], start: int, end: int, head: int) -> int:
    """One of the types that stand first in `lexicon`."""
    word, part = lowered[head], document.upos[head]
    if part in ("PRON", "DET") or (part == "ADP" and word in lx.PRONOUNS):
        if " ".join(lowered[start:end]) in lx.RECIPROCALS:
            return lx.REFLEXIVE_OTHER
        return lx.PRONOUNS.get(word, lx.INDEFINITE_PRONOUN)
    if any(document.deprels[t] == "conj" and document.heads[t] == head for t in range(head + 1, end)):
        return lx.COORDINATED
    if part == "PROPN":
        return lx.PROPER
    if part == "NUM":
        return lx.QUANTITY
    return _nominal_type(document, lowered, start, head)


def _nominal_type(document: Document, lowered: list[str], start: int, head: int) -> int:
    """The type of a common noun's mention, by its first word."""
    first = lowered[start]
    if first in lx.DETERMINERS:
        return lx.DETERMINERS[first]
    if first in lx.QUANTIFIERS or document.upos[start] == "NUM":
        return lx.QUANTIFIED
    if any(document.deprels[t] == "nmod:poss" and document.heads[t] == head for t in range(start, head)):
        return lx.POSSESSED
    return lx.BARE


def gender(lowered: list[str], start: int, head: int, kind: int, named: bool) -> int:
    """Gender by pronoun, title, noun or first name; 0 where the words do not tell."""
    if kind in lx.GENDER_OF_TYPE:
        return lx.GENDER_OF_TYPE[kind]
    window = lowered[start : head + 1] if named else lowered[head : head + 1]
    if any(word in lx.MASCULINE_NOUNS for word in window) or (named and lowered[head] in lx.MASCULINE_NAMES):
        return lx.MASCULINE
    if any(word in lx.FEMININE_NOUNS for word in window) or (named and lowered[head] in lx.FEMININE_NAMES):
        return lx.FEMININE
    return lx.UNKNOWN


def number(document: Document, head: int, kind: int) -> int:
    """0 unknown, 1 singular, 2 plural; a coordination is plural."""
    if kind in lx.PLURAL_TYPES:
        return 2
    if kind in lx.SINGULAR_TYPES:
        return 1
    if kind == lx.COORDINATED:
        return 2
    feats = document.feats[head]
    return 1 if "Number=Sing" in feats else 2 if "Number=Plur" in feats or "Number=Ptan" in feats else 0


def animacy(document: Document, lowered: list[str], start: int, head: int, kind: int, sex: int) -> int:
    """0 unknown, 1 animate, 2 inanimate, 3 a group of people."""
    lemma = document.lemmas[head].lower()
    if kind in lx.ANIMATE_TYPES or sex in (lx.MASCULINE, lx.FEMININE):
        return 1
    if kind in (lx.IT, lx.THIS, lx.THAT):
        return 2
    if lemma in lx.PERSON_NOUNS or any(word in lx.PERSON_NOUNS for word in lowered[start:head]):
        return 1
    if lemma in lx.GROUP_NOUNS:
        return 3
    if kind < lx.FIRST_PRONOUN and kind != lx.PROPER:
        return 1 if lemma.endswith(lx.PERSON_SUFFIXES) else 2
    return 0


def _add_counts(props: Ints) -> None:
    """How often each head occurs in the document, and how many of these came before."""
    total = Counter(props[:, LEMMA].tolist())
    seen: Counter[int] = Counter()
    previous, order = -1, 0
    for row in props:
        lemma = int(row[LEMMA])
        row[FREQUENCY], row[RANK] = total[lemma], seen[lemma]
        seen[lemma] += 1
        order = order + 1 if row[SENTENCE] == previous else 0
        row[ORDER], previous = order, row[SENTENCE]


def _mention_features(document: Document, lowered: list[str], mentions: Mentions, props: Ints) -> Codes:
    """Hashed surface features of each mention by itself."""
    rows = []
    strings: set[int] = set()
    heads: set[int] = set()
    for m in range(len(mentions)):
        start, end, head = int(mentions.starts[m]), int(mentions.ends[m]), int(mentions.heads[m])
        row = props[m]
        values = _surface(document, lowered, start, end, head)
        values.append(f"{int(row[STRING]) in strings}{int(row[WORD]) in heads}")
        values.append(f"{min(int(row[RANK]), 4)}{min(int(row[FREQUENCY]) - int(row[RANK]), 4)}")
        values.append(f"{row[GENDER]}{row[NUMBER]}{row[ANIMATE]}")
        values.append(f"{min(int(row[ORDER]), 5)}{min(int(row[SENTENCE]), 5)}{row[SUBJECT]}")
        values.append(f"{min(int(row[DEPTH]), 6)}")
        values.append(f"{row[FINE]}")
        values.append(f"{row[COARSE]}")
        values.append(f"{row[GOVERNOR_COARSE]} {row[RELATION]}")
        strings.add(int(row[STRING]))
        heads.add(int(row[WORD]))
        rows.append([checksum(f"{t}={value}") + 1 for t, value in enumerate(values)])
    return np.array(rows, dtype=np.uint64).reshape(len(rows), N_MENTION_FEATURES)


def _surface(document: Document, lowered: list[str], start: int, end: int, head: int) -> list[str]:
    """Words and tags at, before and after a mention; "^" and "$" at the document's edges."""
    governor = int(document.heads[head])
    above = document.lemmas[governor].lower() if governor >= 0 else "root"
    relation = document.deprels[head]
    length = min(end - start, 8)
    return [
        "1",
        lowered[head],
        document.lemmas[head].lower() + document.upos[head],
        lowered[start],
        lowered[end - 1],
        lowered[start - 1] if start else "^",
        lowered[end] if end < len(lowered) else "$",
        (document.upos[start - 1] if start else "^") + document.upos[start],
        document.upos[end - 1] + (document.upos[end] if end < len(lowered) else "$"),
        str(length),
        relation,
        f"{relation} {above}",
        document.upos[governor] if governor >= 0 else "root",
        document.xpos[head],
        "capital" if document.words[head][:1].isupper() else "small",
        lowered[head][-3:],
        document.feats[head],
    ]


N_MENTION_FEATURES = 25
