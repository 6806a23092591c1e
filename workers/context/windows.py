"""Cut a long row of word pieces into windows that an encoder can read.

Covers: where windows begin and end, and which of them speaks for a piece.
Not here: the encoder.
"""

from dataclasses import dataclass

SIZE = 510
"""Pieces of a window, beside the two marks around it: what the encoders were trained on at most."""

OVERLAP = 96
"""Pieces that two neighbours share, so that every piece sees at least half as many to both sides."""


@dataclass(frozen=True, slots=True)
class Window:
    """Pieces `start` to `end` are read; the vectors of `first` to `last` are kept (ends excluded)."""

    start: int
    end: int
    first: int
    last: int


def windows(n_pieces: int, *, size: int = SIZE, overlap: int = OVERLAP) -> list[Window]:
    """Windows of one size, evenly spread, that keep every piece exactly once.

    A cut lies in the middle of an overlap. Text of at most `size` pieces is one window; no text is none.
    """
    if not 0 <= overlap < size:
        raise ValueError(f"overlap must lie in [0, size); got {overlap} of {size}")
    if n_pieces <= size:
        return [Window(0, n_pieces, 0, n_pieces)] if n_pieces else []
    count = -(-(n_pieces - overlap) // (size - overlap))
    starts = [round(i * (n_pieces - size) / (count - 1)) for i in range(count)]
    cuts = [0, *((starts[i] + size + starts[i + 1]) // 2 for i in range(count - 1)), n_pieces]
    return [Window(start, start + size, cuts[i], cuts[i + 1]) for i, start in enumerate(starts)]
