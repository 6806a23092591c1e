"""Forward and backward messages of a chain, scaled to sum to one at every word.

Covers: kernels in probability space, several times faster than logarithms; exact where potentials span less than
`WIDEST` in logarithm, which `chain` checks.
Not here: potentials of any span, zero included (`log_kernels`).
"""

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.kernels import kernel

WIDEST = 600.0
"""With a smaller span no message can fall below e⁻⁶⁰⁰ of its largest entry, so none is lost to underflow."""


@kernel
def shifted_exp(row: Floats, out: Floats) -> float:
    """Write exp(row - max) to `out`; return the maximum."""
    highest = row[0]
    for tag in range(1, len(row)):
        highest = max(highest, row[tag])
    for tag in range(len(row)):
        out[tag] = np.exp(row[tag] - highest)
    return highest


@kernel
def add_product(row: Floats, matrix: Floats, out: Floats) -> None:
    """Add row @ matrix to `out`; row by row of the matrix, so that the inner loop runs over neighbouring numbers."""
    for before in range(len(row)):
        share = row[before]
        for after in range(len(out)):
            out[after] += share * matrix[before, after]


@kernel
def forward(emission: Floats, start: Floats, transition: Floats, end: Floats, left: Floats, scale: Floats) -> float:
    """Messages of one sentence from its left end.

    Parameters
    ----------
    emission : shape (n, n_tags)
        Potentials of the words, each row scaled to a maximum of 1.
    start, transition, end
        Potentials of shape (n_tags,), (n_tags, n_tags) and (n_tags,), each scaled to a maximum of 1.
    left : shape (n, n_tags)
        Filled: probability of each tag given the words up to this one.
    scale : shape (n + 1,)
        Filled: what each message, and the end, was divided by.

    Returns
    -------
    float
        The sum of the logarithms of `scale`.
    """
    n, n_tags = emission.shape
    total = 0.0
    for word in range(n):
        for tag in range(n_tags):
            left[word, tag] = 0.0 if word else start[tag]
        if word:
            add_product(left[word - 1], transition, left[word])
        mass = 0.0
        for tag in range(n_tags):
            left[word, tag] *= emission[word, tag]
            mass += left[word, tag]
        for tag in range(n_tags):
            left[word, tag] /= mass
        scale[word] = mass
        total += np.log(mass)
    scale[n] = 0.0
    for tag in range(n_tags):
        scale[n] += left[n - 1, tag] * end[tag]
    return float(total + np.log(scale[n]))


@kernel
def backward(emission: Floats, transposed: Floats, end: Floats, scale: Floats, left: Floats, right: Floats) -> None:
    """Messages of one sentence from its right end; `left` turns into the marginals.

    Parameters
    ----------
    emission, end, scale
        As in `forward`, which filled `scale`.
    transposed : shape (n_tags, n_tags)
        The transition potentials, a row for each later tag.
    left : shape (n, n_tags)
        As `forward` filled it; becomes the marginal probability of each tag.
    right : shape (n, n_tags)
        Filled so that left[t - 1, i] · transition[i, j] · right[t, j] is the marginal of the pair i, j.
    """
    n, n_tags = emission.shape
    after = np.empty(n_tags)
    for tag in range(n_tags):
        after[tag] = end[tag] / scale[n]
    for word in range(n - 1, -1, -1):
        for tag in range(n_tags):
            right[word, tag] = emission[word, tag] * after[tag] / scale[word]
            left[word, tag] *= after[tag]
            after[tag] = 0.0
        if word:
            add_product(right[word], transposed, after)


@kernel
def sentence_messages(
    unary: Floats,
    start: Floats,
    transition: Floats,
    transposed: Floats,
    end: Floats,
    left: Floats,
    right: Floats,
    marginal: Floats,
) -> float:
    """Fill the messages and marginals of one sentence; return its log partition function.

    `unary` are logarithms, shape (n, n_tags); the other potentials are exponentials with a maximum of 1.
    """
    emission, scale = np.empty(unary.shape), np.empty(len(unary) + 1)
    shift = 0.0
    for word in range(len(unary)):
        shift += shifted_exp(unary[word], emission[word])
    log_z = shift + forward(emission, start, transition, end, left, scale)
    for word in range(len(unary)):
        for tag in range(unary.shape[1]):
            marginal[word, tag] = left[word, tag]
    backward(emission, transposed, end, scale, marginal, right)
    return log_z


@kernel
def scaled_messages(
    unary: Floats,
    sentences: Ints,
    start: Floats,
    transition: Floats,
    end: Floats,
    left: Floats,
    right: Floats,
    marginal: Floats,
    log_z: Floats,
) -> None:
    """As `sentence_messages`, for all sentences; `sentences` holds the first word of each and the number of words."""
    transposed = transition.T.copy()
    for number in range(len(sentences) - 1):
        words = slice(sentences[number], sentences[number + 1])
        log_z[number] = sentence_messages(
            unary[words], start, transition, transposed, end, left[words], right[words], marginal[words]
        )
