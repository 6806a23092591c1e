"""What a scorer of word vectors is told of a pair besides the vectors: distances, agreement, types.

Covers: integers and flags of every place of a shortlist.
Not here: the log-linear features (`pair_features`), the vectors (`workers.context`).

Nothing here names a word or a genre: words are what the vectors are for, and genres are not known of news.
"""

from typing import NamedTuple

import numpy as np

from calib_core.arrays import Bools, Ints
from calib_core.coref.features import columns as c

SENTENCE_STEPS = np.array([1, 2, 3, 4, 6, 9, 13, 20, 40])
MENTION_STEPS = np.array([2, 3, 4, 5, 7, 10, 15, 25, 40, 70, 120, 250])
AGREEMENTS = (c.WORD, c.STRING, c.SPEAKER, c.LAST, c.NUMBER, c.GENDER, c.SUBJECT)
"""Columns that two mentions may share; 0 stands for unknown and agrees with nothing."""


class PairFeatures(NamedTuple):
    """Features of each place of a shortlist; the first two dimensions are mention and place.

    Attributes
    ----------
    sentences, mentions : shape (n_mentions, keep)
        Distance in sentences and in mentions, as the number of a step.
    agree : shape (n_mentions, keep, len(AGREEMENTS))
    """

    sentences: Ints
    mentions: Ints
    agree: Bools


def pair_features(props: Ints, candidates: Ints, first: int = 0) -> PairFeatures:
    """Look up the pairs of some mentions.

    Parameters
    ----------
    props : shape (n_mentions, N_PROPS)
        Of the whole document.
    candidates : shape (some, keep)
        The rows of a shortlist from mention `first` on.
    first : int
    """
    own = np.arange(first, first + len(candidates))
    earlier = np.maximum(candidates, 0)
    sentences = props[own, c.SENTENCE][:, None] - props[earlier, c.SENTENCE]
    shared = [(props[own, column][:, None] == props[earlier, column]) & (props[earlier, column] != 0)
              for column in AGREEMENTS]  # fmt: skip
    return PairFeatures(
        np.searchsorted(SENTENCE_STEPS, sentences, "right"),
        np.searchsorted(MENTION_STEPS, own[:, None] - earlier, "right"),
        np.stack(shared, axis=-1),
    )
