"""Evidence that differs from sample to sample, as it does where the tree is sampled too.

Covers: several readings of one document, and which of them each sample takes.
Not here: making readings, sampling from them (`sampling`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Ints
from calib_core.events.evidence import Evidence
from calib_core.events.naming import NONE

Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True)
class SampledEvidence:
    """Readings of the same mentions of one document.

    Attributes
    ----------
    readings : tuple of Evidence
        The first is that of the best tree, which the 1-best answer goes by.
    which : shape (n_samples,)
        Position in `readings` for each sample.
    """

    readings: tuple[Evidence, ...]
    which: Ints

    def __post_init__(self) -> None:
        """Refuse readings of different mentions, and samples without a reading."""
        if len({len(reading) - reading.n_words for reading in self.readings}) != 1:
            raise ValueError("readings of one document must have the same mentions; got different numbers of them")
        if len(self.which) and not 0 <= self.which.min() <= self.which.max() < len(self.readings):
            raise ValueError(
                f"which must lie in [0, {len(self.readings)}); got {self.which.min()} to {self.which.max()}"
            )


AnyEvidence = Evidence | SampledEvidence


def aligned(evidence: AnyEvidence) -> tuple[Evidence, ...]:
    """The readings of one document, all with the same words; those that a reading does not have say nothing in it."""
    if isinstance(evidence, Evidence):
        return (evidence,)
    places: dict[tuple[int, int], int] = {}
    for reading in evidence.readings:
        for word in _words(reading):
            places.setdefault(word, len(places))
    tokens = tuple(token for token, _ in places)
    return tuple(_placed(reading, [places[word] for word in _words(reading)], tokens) for reading in evidence.readings)


def _words(reading: Evidence) -> list[tuple[int, int]]:
    """Token and country of each entry that is no mention; no two are alike."""
    first = len(reading) - reading.n_words
    return list(zip(reading.word_tokens, reading.country[first:].tolist(), strict=True))


def chosen(evidence: Sequence[AnyEvidence], n_samples: int) -> Ints:
    """The reading of each document in each sample, shape (n_documents, n_samples)."""
    found = np.zeros((len(evidence), n_samples), dtype=np.int64)
    for number, said in enumerate(evidence):
        if isinstance(said, SampledEvidence):
            if len(said.which) != n_samples:
                raise ValueError(
                    f"document {number} of the batch has readings for {len(said.which)} samples; asked for {n_samples}"
                )
            found[number] = said.which
    return found


def _placed(reading: Evidence, places: list[int], tokens: tuple[int, ...]) -> Evidence:
    """The reading with its words at other places among more of them."""
    if places == list(range(len(tokens))):
        return reading
    first = len(reading) - reading.n_words
    entry = np.concatenate([np.arange(first), first + np.array(places, dtype=np.int64)])

    def spread(values: NDArray[Scalar], nothing: int) -> NDArray[Scalar]:
        found = np.full(first + len(tokens), nothing, dtype=values.dtype)
        found[entry] = values
        return found

    links = reading.links
    if links is not None:
        events = links.events.copy()
        events[:, 1] = entry[events[:, 1]]
        links = replace(
            links, actor=spread(links.actor, NONE), target=spread(links.target, NONE), events=events,
            possessors=entry[links.possessors],
        )  # fmt: skip
    return replace(
        reading, country=spread(reading.country, NONE), agent=spread(reading.agent, 0),
        flags=spread(reading.flags, 0), word_tokens=tokens, links=links,
    )  # fmt: skip
