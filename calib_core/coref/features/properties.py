"""Turn the mentions of a document into the integer arrays that the feature kernels read.

Covers: filling the table of mention properties and the lists of their words.
Not here: what each answer is (`mentions.attributes`, `discourse`), the features (`mention_features`, `pair_features`).
"""

from collections import Counter
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from calib_core.arrays import Ints
from calib_core.coref.features import columns as c
from calib_core.coref.features.columns import checksum
from calib_core.coref.features.discourse import appositions, prepositions, quoted_tokens, speaker_bits, turns
from calib_core.coref.features.mention_features import Codes, mention_features
from calib_core.coref.features.word_classes import WordClasses, load_word_classes
from calib_core.coref.mentions import lexicon as lx
from calib_core.coref.mentions.attributes import animacy, gender, mention_type, number
from calib_core.coref.mentions.detection import Mentions
from calib_core.coref.mentions.stems import stems
from calib_core.coref.mentions.trees import depths
from calib_core.document import Document


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


def mention_arrays(document: Document, mentions: Mentions) -> MentionArrays:
    """Look up every mention once; linear in the number of mentions."""
    document = replace(document, lemmas=stems(document))
    lowered = [word.lower() for word in document.words]
    spans = list(zip(mentions.starts.tolist(), mentions.ends.tolist(), mentions.heads.tolist(), strict=True))
    rows = [_properties(document, lowered, *span) for span in spans]
    props = np.array(rows, dtype=np.int64).reshape(len(spans), c.N_PROPS)
    _add_context(document, lowered, spans, props)
    _add_counts(props)
    _share_gender(props)
    words: list[int] = []
    offsets = np.zeros(len(spans) + 1, dtype=np.int64)
    for m, (start, end, head) in enumerate(spans):
        content = _content_words(lowered, start, _name_run(document, start, end, head)[1])
        props[m, c.SIGNATURE] = _signature([*content, int(props[m, c.WORD])])
        words.extend(content)
        offsets[m + 1] = len(words)
    codes = mention_features(document, lowered, mentions, props)
    return MentionArrays(props, offsets, np.array(words, dtype=np.int64), codes, document.heads)


def _add_context(document: Document, lowered: list[str], spans: list[tuple[int, int, int]], props: Ints) -> None:
    """Fill the columns that depend on the document around a mention."""
    depth, quoted = depths(document.heads), quoted_tokens(document.words)
    said, led_by, classes = appositions(document), prepositions(document), load_word_classes()
    names = list(dict.fromkeys(["", *document.speakers]))
    around = turns([names.index(speaker) for speaker in document.speakers])
    for m, (start, _, head) in enumerate(spans):
        row = props[m]
        row[[c.SPEAKER, c.PREVIOUS, c.NEXT]] = around[head]
        row[c.SPEAKS] = speaker_bits(lowered, start, head, int(row[c.TYPE]), names)
        row[c.DEPTH], row[c.QUOTED] = depth[head], quoted[head]
        row[c.APPOSITION], row[c.PREPOSITION] = said.get(head, 0), led_by.get(head, 0)
        row[c.COARSE], row[c.FINE] = _word_class(document, lowered, head, classes)
        row[c.GOVERNOR_COARSE] = _word_class(document, lowered, int(document.heads[head]), classes)[0]


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
    row = [0] * c.N_PROPS
    row[c.TYPE], row[c.SENTENCE] = kind, int(document.sentences[head])
    row[c.START], row[c.END], row[c.HEAD] = start, end, head
    row[c.WORD], row[c.LEMMA] = checksum(lowered[head]), checksum(document.lemmas[head].lower())
    row[c.STRING] = checksum(" ".join(lowered[core:end]).removesuffix(" 's").removesuffix(" ’s"))
    row[c.GENDER] = gender(lowered, start, head, kind, bool(name))
    row[c.NUMBER] = number(document, head, kind)
    row[c.PERSON] = lx.PERSON_OF_TYPE.get(kind, 0)
    row[c.ANIMATE] = animacy(document, lowered, start, head, kind, row[c.GENDER])
    row[c.RELATION] = checksum(relation)
    row[c.SUBJECT] = (
        1 if relation.startswith("nsubj") else 2 if relation in ("obj", "iobj") else 3 if relation == "nmod:poss" else 0
    )
    row[c.GOVERNOR] = governor
    row[c.GOVERNOR_LEMMA] = checksum(document.lemmas[governor].lower()) if governor >= 0 else 0
    row[c.FIRST], row[c.LAST] = checksum(lowered[first]), checksum(lowered[last - 1])
    row[c.ACRONYM] = checksum(document.words[head]) if document.words[head].isupper() and len(name) == 1 else 0
    row[c.INITIALS] = checksum("".join(word[0] for word in name)) if len(name) > 1 else 0
    return row


def _share_gender(props: Ints) -> None:
    """Give every name what another mention of the same last name tells of gender and animacy."""
    known: dict[int, tuple[int, int]] = {}
    names = [row for row in props if row[c.TYPE] == lx.PROPER]
    for row in names:
        if row[c.GENDER] in (lx.MASCULINE, lx.FEMININE):
            known.setdefault(int(row[c.LAST]), (int(row[c.GENDER]), 1))
    for row in names:
        if row[c.GENDER] == lx.UNKNOWN and int(row[c.LAST]) in known:
            row[c.GENDER], row[c.ANIMATE] = known[int(row[c.LAST])]


def _add_counts(props: Ints) -> None:
    """How often each head occurs in the document, and how many of these came before."""
    total = Counter(props[:, c.LEMMA].tolist())
    seen: Counter[int] = Counter()
    previous, order = -1, 0
    for row in props:
        lemma = int(row[c.LEMMA])
        row[c.FREQUENCY], row[c.RANK] = total[lemma], seen[lemma]
        seen[lemma] += 1
        order = order + 1 if row[c.SENTENCE] == previous else 0
        row[c.ORDER], previous = order, row[c.SENTENCE]
