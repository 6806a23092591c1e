"""The columns of the integer table that describes a document's mentions.

Covers: their numbers, as constants that numba can compile in, and how a string becomes an integer of the table.
Not here: how they are filled (`properties`), how pairs of rows become features (`pair_features`).
"""

from zlib import crc32

# fmt: off
TYPE = 0  # one of the types of `lexicon`
SENTENCE = 1  # number of the sentence
START = 2  # first token
END = 3  # token after the last
HEAD = 4  # token of the head
WORD = 5  # checksum of the head's form
LEMMA = 6  # checksum of the head's lemma
STRING = 7  # checksum of the words without a leading article
GENDER = 8  # as in `lexicon`; 0 unknown
NUMBER = 9  # 1 singular, 2 plural, 0 unknown
PERSON = 10  # 1, 2, 3 for pronouns, else 0
ANIMATE = 11  # 1 animate, 2 inanimate, 3 group, 0 unknown
RELATION = 12  # checksum of the head's relation
SUBJECT = 13  # 1 subject, 2 object, 3 possessor, 0 other
GOVERNOR = 14  # token of the head's head, -1 at a root
GOVERNOR_LEMMA = 15  # its checksum
SPEAKER = 16  # who says it, 0 unknown
FIRST = 17  # checksum of the first word of a name, else of the head
LAST = 18  # checksum of the last word of a name, else of the head
ACRONYM = 19  # checksum of a head in capitals
FREQUENCY = 20  # mentions of the document with this head lemma
RANK = 21  # how many of them come before
DEPTH = 22  # steps from the head to its root
ORDER = 23  # mentions before it in its sentence
QUOTED = 24  # 1 between quotation marks
INITIALS = 25  # checksum of the initials of a name
COARSE = 26  # coarse word class of the head, 0 unknown
FINE = 27  # fine word class of the head, 0 unknown
GOVERNOR_COARSE = 28  # coarse word class of the governor
SPEAKS = 29  # bit s is set if the name is that of speaker s
PREVIOUS = 30  # speaker of the turn before
NEXT = 31  # speaker of the turn after
SIGNATURE = 32  # bits of the content words, for a quick no
APPOSITION = 33  # checksum of what the head is said to be
PREPOSITION = 34  # checksum of the preposition before it, 0 for none
# fmt: on

N_PROPS = 35
"""Number of columns."""


def checksum(text: str) -> int:
    """The same small integer for the same string, whatever the process or machine."""
    return crc32(text.encode())
