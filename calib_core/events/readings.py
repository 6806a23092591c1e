"""Evidence that differs from sample to sample, as it does where the tree is sampled too.

Covers: several readings of one document, and which of them each sample takes.
Not here: making readings, sampling from them (`sampling`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calib_core.arrays import Ints
from calib_core.events.agents import UNNAMED
from calib_core.events.evidence import Evidence
from calib_core.events.naming import NONE


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
    """The readings of one document, all with as many words as the one that has most; words that say nothing fill up."""
    if isinstance(evidence, Evidence):
        return (evidence,)
    most = max(reading.n_words for reading in evidence.readings)
    return tuple(_filled(reading, most - reading.n_words) for reading in evidence.readings)


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


def _filled(reading: Evidence, n_more: int) -> Evidence:
    """The reading with further words that say nothing."""
    if not n_more:
        return reading
    nothing, zeros = np.full(n_more, NONE, dtype=np.int64), np.zeros(n_more, dtype=np.int64)
    links = reading.links
    if links is not None:
        links = replace(links, actor=np.append(links.actor, nothing), target=np.append(links.target, nothing))
    return replace(
        reading,
        country=np.append(reading.country, nothing),
        agent=np.append(reading.agent, zeros.astype(np.bool_)),
        flags=np.append(reading.flags, zeros),
        word_tokens=reading.word_tokens + (UNNAMED,) * n_more,
        links=links,
    )
