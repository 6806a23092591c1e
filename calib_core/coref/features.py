"""Features of a mention and one candidate antecedent, in numba kernels over integer arrays.

Covers: the values of each pair template, hashed to 64-bit codes. A template without a value for a pair gets code 0.
Not here: what the codes weigh (`scoring`), what the columns mean (`properties`).

Templates follow Durrett & Klein (2013, table 1) and add syntax, agreement, recency among compatible candidates and
the speaker. Each is conjoined, when scored, with nothing, with the mention's type and with both mentions' types.
"""

import numba as nb
import numpy as np

from calib_core.arrays import Ints
from calib_core.coref.lexicon import FIRST_PRONOUN, PROPER
from calib_core.coref.properties import (
    ACRONYM,
    ANIMATE,
    COARSE,
    DEPTH,
    END,
    FINE,
    FIRST,
    FREQUENCY,
    GENDER,
    GOVERNOR,
    GOVERNOR_COARSE,
    GOVERNOR_LEMMA,
    HEAD,
    INITIALS,
    LAST,
    LEMMA,
    NEXT,
    NUMBER,
    ORDER,
    PERSON,
    PREVIOUS,
    QUOTED,
    RANK,
    RELATION,
    SENTENCE,
    SIGNATURE,
    SPEAKER,
    SPEAKS,
    START,
    STRING,
    SUBJECT,
    TYPE,
    WORD,
    Codes,
    MentionArrays,
)  # fmt: skip
from calib_core.kernels import kernel

N_TEMPLATES = 38
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_NONE = np.int64(-1)


@nb.njit()
def _code(template: int, value: int) -> np.uint64:
    """A nonzero 64-bit code for a value of a template."""
    h = (np.uint64(value + 1) * np.uint64(1000003) + np.uint64(template + 1)) * _SPREAD
    return (h ^ (h >> _HALF)) * _SPREAD | np.uint64(1)


@nb.njit()
def _bucket(value: int) -> int:
    """0, 1, 2, 3, 4, then powers of two."""
    if value < 5:
        return value
    if value < 8:
        return 5
    if value < 16:
        return 6
    if value < 32:
        return 7
    return 8 if value < 64 else 9


@kernel
def mention_codes(arrays: MentionArrays, j: int, first: int, codes: Codes) -> None:
    """Fill `codes[i - first]` with the template codes of mention j and each candidate i, `first` ≤ i < j.

    Parameters
    ----------
    arrays : MentionArrays
    j, first : int
        The mention and its earliest candidate.
    codes : shape (at least j - first, N_TEMPLATES)
        Overwritten.
    """
    props, heads, offsets, words = arrays.props, arrays.heads, arrays.word_offsets, arrays.words
    compatible = 0
    same_head = 0
    b = props[j]
    for i in range(j - 1, first - 1, -1):
        row = codes[i - first]
        a = props[i]
        head_match = a[LEMMA] == b[LEMMA]
        near = min(b[SENTENCE] - a[SENTENCE], 3)
        _distance(a, b, i, j, near, row)
        _matches(a, b, head_match, near, row)
        _overlap(offsets, words, a, b, i, j, head_match, row)
        _agreement(a, b, row)
        _syntax(a, b, near, row)
        _tree(heads, a, b, row)
        _classes(a, b, head_match, row)
        _turns(a, b, row)
        _history(a, b, compatible, same_head, head_match, near, row)
        compatible += _agree(a, b)
        same_head += head_match


@nb.njit()
def _agree(a: Ints, b: Ints) -> int:
    """Whether nothing known about the two contradicts their being one."""
    clash = (
        (a[NUMBER] * b[NUMBER] == 2)
        | (a[GENDER] > 0) & (b[GENDER] > 0) & (a[GENDER] != b[GENDER])
        | (a[ANIMATE] * b[ANIMATE] == 2)
    )
    return 0 if clash else 1


@nb.njit()
def _distance(a: Ints, b: Ints, i: int, j: int, near: int, row: Codes) -> None:
    sentences = _bucket(b[SENTENCE] - a[SENTENCE])
    mentions = _bucket(j - i - 1)
    row[0] = _code(0, 1)
    row[1] = _code(1, sentences)
    row[2] = _code(2, mentions)
    row[3] = _code(3, near * 16 + mentions)
    row[4] = _code(4, _bucket(max(b[START] - a[END], -1) + 1)) if near == 0 else np.uint64(0)


@nb.njit()
def _matches(a: Ints, b: Ints, head_match: bool, near: int, row: Codes) -> None:
    """Strings against strings; nothing for pairs of unlike pronouns, which their types already tell."""
    word = a[WORD] == b[WORD]
    string = a[STRING] == b[STRING]
    level = 3 * string + 2 * (word and not string) + (head_match and not word and not string)
    row[5] = _code(5, level)
    row[6] = _code(6, level * 16 + near) if level else np.uint64(0)
    names = (a[TYPE] == PROPER) & (b[TYPE] == PROPER)
    parts = (a[FIRST] == b[FIRST]) + 2 * (a[LAST] == b[LAST])
    row[7] = _code(7, parts) if names else np.uint64(0)
    acronym = (a[ACRONYM] != 0) & (a[ACRONYM] == b[INITIALS]) | (b[ACRONYM] != 0) & (b[ACRONYM] == a[INITIALS])
    row[8] = _code(8, 1) if acronym else np.uint64(0)
    nominal = (a[TYPE] < FIRST_PRONOUN) & (b[TYPE] < FIRST_PRONOUN)
    row[9] = _code(9, a[LEMMA] * 31 + b[LEMMA]) if nominal else np.uint64(0)
    row[10] = _code(10, b[LEMMA]) if nominal & head_match else np.uint64(0)


@nb.njit()
def _common(offsets: Ints, words: Ints, a: Ints, b: Ints, i: int, j: int) -> tuple[int, int, int]:
    """Shared content words, whether i's head is among j's words, and j's among i's; most pairs share no word bit."""
    shared = 0
    inside = 0
    outside = 0
    if a[SIGNATURE] & b[SIGNATURE] == 0:
        return 0, 0, 0
    for m in range(offsets[j], offsets[j + 1]):
        for k in range(offsets[i], offsets[i + 1]):
            shared += words[m] == words[k]
            outside += (words[k] == b[WORD]) & (m == offsets[j])
            inside += (words[m] == a[WORD]) & (k == offsets[i])
    return shared, inside, outside


@nb.njit()
def _overlap(offsets: Ints, words: Ints, a: Ints, b: Ints, i: int, j: int, head_match: bool, row: Codes) -> None:
    """Content words that the two share, and which of them stand on one side only."""
    row[11] = row[12] = row[13] = np.uint64(0)
    if a[TYPE] >= FIRST_PRONOUN or b[TYPE] >= FIRST_PRONOUN:
        return
    shared, inside, outside = _common(offsets, words, a, b, i, j)
    left = min(offsets[j + 1] - offsets[j] - shared, 3)
    right = min(offsets[i + 1] - offsets[i] - shared, 3)
    row[11] = _code(11, (min(shared, 3) * 4 + left) * 4 + right)
    row[12] = _code(12, min(outside, 1) * 4 + min(inside, 1) * 2 + head_match)
    row[13] = _code(13, min(shared, 3) * 8 + left * 2 + head_match)


@nb.njit()
def _agreement(a: Ints, b: Ints, row: Codes) -> None:
    row[14] = _code(14, a[GENDER] * 4 + b[GENDER])
    row[15] = _code(15, a[NUMBER] * 4 + b[NUMBER])
    row[16] = _code(16, a[ANIMATE] * 4 + b[ANIMATE])
    known = (a[SPEAKER] > 0) & (b[SPEAKER] > 0)
    voice = (1 + (a[SPEAKER] == b[SPEAKER])) if known else 0
    row[17] = _code(17, (a[PERSON] * 4 + b[PERSON]) * 4 + voice)
    row[18] = _code(
        18, ((a[GENDER] * 4 + b[GENDER]) * 4 + a[NUMBER]) * 64 + b[NUMBER] * 16 + a[ANIMATE] * 4 + b[ANIMATE]
    )


@nb.njit()
def _syntax(a: Ints, b: Ints, near: int, row: Codes) -> None:
    row[19] = _code(19, a[RELATION] * 31 + b[RELATION])
    row[20] = _code(20, (a[SUBJECT] * 4 + b[SUBJECT]) * 4 + near)
    same = (a[GOVERNOR] == b[GOVERNOR]) & (a[GOVERNOR] >= 0)
    row[21] = _code(21, a[SUBJECT] * 4 + b[SUBJECT]) if same else np.uint64(0)
    alike = (a[GOVERNOR_LEMMA] == b[GOVERNOR_LEMMA]) & (not same) & (a[GOVERNOR_LEMMA] != 0)
    row[22] = _code(22, a[RELATION] == b[RELATION]) if alike else np.uint64(0)
    row[23] = _code(23, (min(a[ORDER], 4) * 4 + near) * 8 + min(b[ORDER], 4))
    pronoun = b[TYPE] >= FIRST_PRONOUN
    row[24] = _code(24, (a[LEMMA] * 31 + b[GOVERNOR_LEMMA]) * 31 + b[RELATION]) if pronoun else np.uint64(0)
    row[25] = _code(25, a[GOVERNOR_LEMMA] * 31 + b[GOVERNOR_LEMMA]) if pronoun else np.uint64(0)


@nb.njit()
def _tree(heads: Ints, a: Ints, b: Ints, row: Codes) -> None:
    """Nesting and dominance: whether one mention stands inside the other or below the other's head."""
    row[26] = row[27] = np.uint64(0)
    if a[SENTENCE] != b[SENTENCE]:
        return
    nested = 1 if b[END] <= a[END] else 0
    nested = 2 if (a[START] >= b[START]) & (a[END] <= b[END]) else nested
    row[26] = _code(26, nested * 2 + (a[HEAD] == b[HEAD]))
    steps = 0
    walk = b[HEAD]
    above = heads[a[HEAD]]
    while walk >= 0 and walk != a[HEAD] and walk != above and steps < 6:
        walk = heads[walk]
        steps += 1
    kind = 0 if walk < 0 else (1 if walk == a[HEAD] else (2 if walk == above else 0))
    row[27] = _code(27, (kind * 8 + min(steps, 6)) * 4 + a[SUBJECT])


@nb.njit()
def _classes(a: Ints, b: Ints, head_match: bool, row: Codes) -> None:
    """Word classes of the two heads, or of the candidate and of the verb that the pronoun depends on."""
    row[32] = row[33] = row[34] = row[35] = np.uint64(0)
    if a[TYPE] < FIRST_PRONOUN and b[TYPE] < FIRST_PRONOUN:
        if not head_match:
            row[32] = _code(32, a[COARSE] * 256 + b[COARSE])
            row[33] = _code(33, (a[FINE] == b[FINE]) + 2 * (a[COARSE] == b[COARSE])) if a[COARSE] else row[33]
    elif b[TYPE] >= FIRST_PRONOUN:
        row[34] = _code(34, (a[COARSE] * 256 + b[GOVERNOR_COARSE]) * 4 + b[SUBJECT])
    if a[SPEAKER] == 0 or b[SPEAKER] == 0:
        row[35] = _code(35, ((a[QUOTED] * 2 + b[QUOTED]) * 4 + a[PERSON]) * 4 + b[PERSON])


@nb.njit()
def _turns(a: Ints, b: Ints, row: Codes) -> None:
    """Who speaks: a name against the speaker of "I" or the neighbours of "you", and whose turn the candidate is in."""
    row[36] = row[37] = np.uint64(0)
    if a[SPEAKER] == 0 and b[SPEAKER] == 0:
        return
    name, other = (a[SPEAKS], b) if a[TYPE] == PROPER else (b[SPEAKS], a)
    if (a[TYPE] == PROPER) ^ (b[TYPE] == PROPER) and (other[PERSON] == 1 or other[PERSON] == 2):
        spoken = (name >> other[SPEAKER]) & 1
        beside = ((name >> other[PREVIOUS]) | (name >> other[NEXT])) & 1
        row[36] = _code(36, (spoken * 2 + beside) * 2 + (name != 0))
    if a[PERSON] > 0 and b[PERSON] > 0:
        turn = (a[SPEAKER] == b[SPEAKER]) + 2 * (a[SPEAKER] == b[PREVIOUS]) + 4 * (a[SPEAKER] == b[NEXT])
        row[37] = _code(37, (turn * 4 + a[PERSON]) * 4 + b[PERSON])


@nb.njit()
def _history(a: Ints, b: Ints, compatible: int, same_head: int, head_match: bool, near: int, row: Codes) -> None:
    """How many rivals stand between the two, and how often the candidate's head has been named."""
    agree = _agree(a, b)
    row[28] = _code(28, (_bucket(compatible) * 4 + near) * 2 + agree)
    row[29] = _code(29, _bucket(same_head) * 2 + 1) if head_match else np.uint64(0)
    row[30] = _code(30, (_bucket(a[FREQUENCY]) * 4 + near) * 2 + agree)
    row[31] = _code(31, (min(a[RANK], 3) * 4 + min(a[DEPTH], 3)) * 4 + near)
