"""Features of a mention and one candidate antecedent, in numba kernels over integer arrays.

Covers: the values of each pair template, hashed to 64-bit codes. A template without a value for a pair gets code 0.
Not here: what the codes weigh (`model.logits`), what the columns mean (`properties`).

Templates follow Durrett & Klein (2013, table 1) and add syntax, agreement, recency among compatible candidates and
the speaker. Each is conjoined, when scored, with nothing, with the mention's type and with both mentions' types.
"""

import numba as nb
import numpy as np

from calib_core.arrays import Ints
from calib_core.coref.features import columns as c
from calib_core.coref.features.mention_features import Codes
from calib_core.coref.features.properties import MentionArrays  # fmt: skip
from calib_core.coref.mentions.lexicon import FIRST_PRONOUN, PROPER
from calib_core.kernels import kernel

N_TEMPLATES = 40
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


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
        head_match = a[c.LEMMA] == b[c.LEMMA]
        near = min(b[c.SENTENCE] - a[c.SENTENCE], 3)
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
        (a[c.NUMBER] * b[c.NUMBER] == 2)
        | (a[c.GENDER] > 0) & (b[c.GENDER] > 0) & (a[c.GENDER] != b[c.GENDER])
        | (a[c.ANIMATE] * b[c.ANIMATE] == 2)
    )
    return 0 if clash else 1


@nb.njit()
def _distance(a: Ints, b: Ints, i: int, j: int, near: int, row: Codes) -> None:
    sentences = _bucket(b[c.SENTENCE] - a[c.SENTENCE])
    mentions = _bucket(j - i - 1)
    row[0] = _code(0, 1)
    row[1] = _code(1, sentences)
    row[2] = _code(2, mentions)
    row[3] = _code(3, near * 16 + mentions)
    row[4] = _code(4, _bucket(max(b[c.START] - a[c.END], -1) + 1)) if near == 0 else np.uint64(0)


@nb.njit()
def _matches(a: Ints, b: Ints, head_match: bool, near: int, row: Codes) -> None:
    """Strings against strings; nothing for pairs of unlike pronouns, which their types already tell."""
    word = a[c.WORD] == b[c.WORD]
    string = a[c.STRING] == b[c.STRING]
    level = 3 * string + 2 * (word and not string) + (head_match and not word and not string)
    row[5] = _code(5, level)
    row[6] = _code(6, level * 16 + near) if level else np.uint64(0)
    names = (a[c.TYPE] == PROPER) & (b[c.TYPE] == PROPER)
    parts = (a[c.FIRST] == b[c.FIRST]) + 2 * (a[c.LAST] == b[c.LAST])
    row[7] = _code(7, parts) if names else np.uint64(0)
    acronym = (a[c.ACRONYM] != 0) & (a[c.ACRONYM] == b[c.INITIALS]) | (b[c.ACRONYM] != 0) & (
        b[c.ACRONYM] == a[c.INITIALS]
    )
    row[8] = _code(8, 1) if acronym else np.uint64(0)
    nominal = (a[c.TYPE] < FIRST_PRONOUN) & (b[c.TYPE] < FIRST_PRONOUN)
    row[9] = _code(9, a[c.LEMMA] * 31 + b[c.LEMMA]) if nominal else np.uint64(0)
    row[10] = _code(10, b[c.LEMMA]) if nominal & head_match else np.uint64(0)
    said = (a[c.APPOSITION] == b[c.LEMMA]) + 2 * (b[c.APPOSITION] == a[c.LEMMA])
    row[38] = _code(38, said) if nominal and said else np.uint64(0)


@nb.njit()
def _common(offsets: Ints, words: Ints, a: Ints, b: Ints, i: int, j: int) -> tuple[int, int, int]:
    """Shared content words, whether i's head is among j's words, and j's among i's; most pairs share no word bit."""
    shared = 0
    inside = 0
    outside = 0
    if a[c.SIGNATURE] & b[c.SIGNATURE] == 0:
        return 0, 0, 0
    for m in range(offsets[j], offsets[j + 1]):
        for k in range(offsets[i], offsets[i + 1]):
            shared += words[m] == words[k]
            outside += (words[k] == b[c.WORD]) & (m == offsets[j])
            inside += (words[m] == a[c.WORD]) & (k == offsets[i])
    return shared, inside, outside


@nb.njit()
def _overlap(offsets: Ints, words: Ints, a: Ints, b: Ints, i: int, j: int, head_match: bool, row: Codes) -> None:
    """Content words that the two share, and which of them stand on one side only."""
    row[11] = row[12] = row[13] = np.uint64(0)
    if a[c.TYPE] >= FIRST_PRONOUN or b[c.TYPE] >= FIRST_PRONOUN:
        return
    shared, inside, outside = _common(offsets, words, a, b, i, j)
    left = min(offsets[j + 1] - offsets[j] - shared, 3)
    right = min(offsets[i + 1] - offsets[i] - shared, 3)
    row[11] = _code(11, (min(shared, 3) * 4 + left) * 4 + right)
    row[12] = _code(12, min(outside, 1) * 4 + min(inside, 1) * 2 + head_match)
    row[13] = _code(13, min(shared, 3) * 8 + left * 2 + head_match)


@nb.njit()
def _agreement(a: Ints, b: Ints, row: Codes) -> None:
    row[14] = _code(14, a[c.GENDER] * 4 + b[c.GENDER])
    row[15] = _code(15, a[c.NUMBER] * 4 + b[c.NUMBER])
    row[16] = _code(16, a[c.ANIMATE] * 4 + b[c.ANIMATE])
    known = (a[c.SPEAKER] > 0) & (b[c.SPEAKER] > 0)
    voice = (1 + (a[c.SPEAKER] == b[c.SPEAKER])) if known else 0
    row[17] = _code(17, (a[c.PERSON] * 4 + b[c.PERSON]) * 4 + voice)
    known_of_a = (a[c.GENDER] * 4 + a[c.NUMBER]) * 4 + a[c.ANIMATE]
    known_of_b = (b[c.GENDER] * 4 + b[c.NUMBER]) * 4 + b[c.ANIMATE]
    row[18] = _code(18, known_of_a * 64 + known_of_b)


@nb.njit()
def _syntax(a: Ints, b: Ints, near: int, row: Codes) -> None:
    row[19] = _code(19, a[c.RELATION] * 31 + b[c.RELATION])
    row[20] = _code(20, (a[c.SUBJECT] * 4 + b[c.SUBJECT]) * 4 + near)
    same = (a[c.GOVERNOR] == b[c.GOVERNOR]) & (a[c.GOVERNOR] >= 0)
    row[21] = _code(21, a[c.SUBJECT] * 4 + b[c.SUBJECT]) if same else np.uint64(0)
    alike = (a[c.GOVERNOR_LEMMA] == b[c.GOVERNOR_LEMMA]) & (not same) & (a[c.GOVERNOR_LEMMA] != 0)
    row[22] = _code(22, a[c.RELATION] == b[c.RELATION]) if alike else np.uint64(0)
    row[23] = _code(23, (min(a[c.ORDER], 4) * 4 + near) * 8 + min(b[c.ORDER], 4))
    pronoun = b[c.TYPE] >= FIRST_PRONOUN
    row[24] = _code(24, (a[c.LEMMA] * 31 + b[c.GOVERNOR_LEMMA]) * 31 + b[c.RELATION]) if pronoun else np.uint64(0)
    row[25] = _code(25, a[c.GOVERNOR_LEMMA] * 31 + b[c.GOVERNOR_LEMMA]) if pronoun else np.uint64(0)
    row[39] = _code(39, a[c.PREPOSITION]) if pronoun and a[c.PREPOSITION] else np.uint64(0)


@nb.njit()
def _tree(heads: Ints, a: Ints, b: Ints, row: Codes) -> None:
    """Nesting and dominance: whether one mention stands inside the other or below the other's head."""
    row[26] = row[27] = np.uint64(0)
    if a[c.SENTENCE] != b[c.SENTENCE]:
        return
    nested = 1 if b[c.END] <= a[c.END] else 0
    nested = 2 if (a[c.START] >= b[c.START]) & (a[c.END] <= b[c.END]) else nested
    row[26] = _code(26, nested * 2 + (a[c.HEAD] == b[c.HEAD]))
    steps = 0
    walk = b[c.HEAD]
    above = heads[a[c.HEAD]]
    while walk >= 0 and walk != a[c.HEAD] and walk != above and steps < 6:
        walk = heads[walk]
        steps += 1
    kind = 0 if walk < 0 else (1 if walk == a[c.HEAD] else (2 if walk == above else 0))
    row[27] = _code(27, (kind * 8 + min(steps, 6)) * 4 + a[c.SUBJECT])


@nb.njit()
def _classes(a: Ints, b: Ints, head_match: bool, row: Codes) -> None:
    """Word classes of the two heads, or of the candidate and of the verb that the pronoun depends on."""
    row[32] = row[33] = row[34] = row[35] = np.uint64(0)
    if a[c.TYPE] < FIRST_PRONOUN and b[c.TYPE] < FIRST_PRONOUN:
        if not head_match:
            row[32] = _code(32, a[c.COARSE] * 256 + b[c.COARSE])
            row[33] = _code(33, (a[c.FINE] == b[c.FINE]) + 2 * (a[c.COARSE] == b[c.COARSE])) if a[c.COARSE] else row[33]
    elif b[c.TYPE] >= FIRST_PRONOUN:
        row[34] = _code(34, (a[c.COARSE] * 256 + b[c.GOVERNOR_COARSE]) * 4 + b[c.SUBJECT])
    if a[c.SPEAKER] == 0 or b[c.SPEAKER] == 0:
        row[35] = _code(35, ((a[c.QUOTED] * 2 + b[c.QUOTED]) * 4 + a[c.PERSON]) * 4 + b[c.PERSON])


@nb.njit()
def _turns(a: Ints, b: Ints, row: Codes) -> None:
    """Who speaks: a name against the speaker of "I" or the neighbours of "you", and whose turn the candidate is in."""
    row[36] = row[37] = np.uint64(0)
    if a[c.SPEAKER] == 0 and b[c.SPEAKER] == 0:
        return
    name, other = (a[c.SPEAKS], b) if a[c.TYPE] == PROPER else (b[c.SPEAKS], a)
    if (a[c.TYPE] == PROPER) ^ (b[c.TYPE] == PROPER) and (other[c.PERSON] == 1 or other[c.PERSON] == 2):
        spoken = (name >> other[c.SPEAKER]) & 1
        beside = ((name >> other[c.PREVIOUS]) | (name >> other[c.NEXT])) & 1
        row[36] = _code(36, (spoken * 2 + beside) * 2 + (name != 0))
    if a[c.PERSON] > 0 and b[c.PERSON] > 0:
        turn = (a[c.SPEAKER] == b[c.SPEAKER]) + 2 * (a[c.SPEAKER] == b[c.PREVIOUS]) + 4 * (a[c.SPEAKER] == b[c.NEXT])
        row[37] = _code(37, (turn * 4 + a[c.PERSON]) * 4 + b[c.PERSON])


@nb.njit()
def _history(a: Ints, b: Ints, compatible: int, same_head: int, head_match: bool, near: int, row: Codes) -> None:
    """How many rivals stand between the two, and how often the candidate's head has been named."""
    agree = _agree(a, b)
    row[28] = _code(28, (_bucket(compatible) * 4 + near) * 2 + agree)
    row[29] = _code(29, _bucket(same_head) * 2 + 1) if head_match else np.uint64(0)
    row[30] = _code(30, (_bucket(a[c.FREQUENCY]) * 4 + near) * 2 + agree)
    row[31] = _code(31, (min(a[c.RANK], 3) * 4 + min(a[c.DEPTH], 3)) * 4 + near)
