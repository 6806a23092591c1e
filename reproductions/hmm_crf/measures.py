"""What experiment `hmm-crf` measures: calibration over all tags, of NN, by tag and by pair of tags.

Covers: the tagged texts that training hands over, and the comparison of the two models on many questions.
Not here: training (`hmm_crf`), the page (`page`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Floats
from calib_core.calibration import calibration_error, debiased_calibration_error
from reproductions.tagging import joined
from reproductions.tagging.tagged_text import TaggedText
from reproductions.tagging.tagger_measures import Calibration, Question, Tagged, calibration, frequent_pairs

MODELS = ("HMM", "CRF")
BIN_SIZE = 5000
N_PAIRS = 100


@dataclass(frozen=True, slots=True)
class Results:
    """All tagged test texts."""

    test: TaggedText
    tagged: dict[str, Tagged]
    """`HMM printed`, `CRF printed`, `HMM tuned`, `CRF tuned`."""
    matched: dict[str, int]
    """Training sentences of the CRF, `printed` and `tuned`."""
    ladder: dict[str, Tagged]
    """CRFs with one group of features more each, all with the penalty chosen for the last."""
    basic: Tagged
    """The word alone, with the penalty chosen for it; as much training text as the ablation's."""
    full: Tagged
    """All features, all training text."""
    ablation: int
    chosen: dict[str, float]


@dataclass(frozen=True, slots=True)
class Versus:
    """CalibErr of both models on many questions, most frequent first; arrays have shape (n_questions,)."""

    names: list[str]
    hmm: Floats
    crf: Floats
    hmm_clean: Floats
    crf_clean: Floats

    @property
    def wins(self) -> int:
        """Questions on which the CRF has the lower error, as the paper measures."""
        return int((self.crf < self.hmm).sum())

    @property
    def clean_wins(self) -> int:
        """The same for debiased errors; if neither shows any, it counts for neither."""
        return int((self.crf_clean < self.hmm_clean).sum())

    @property
    def clean_losses(self) -> int:
        """Questions on which the HMM has the lower debiased error."""
        return int((self.crf_clean > self.hmm_clean).sum())


def versus(names: list[str], hmm: list[Question], crf: list[Question]) -> Versus:
    """Measure every question for both models."""
    columns = [
        np.array([error(question.pred, question.label, bin_size=BIN_SIZE) for question in questions])
        for error in (calibration_error, debiased_calibration_error)
        for questions in (hmm, crf)
    ]
    return Versus(names, *columns)


def by_tag(results: Results, which: str) -> Versus:
    """Every tag of the tagset, in order of frequency in the test text."""
    hmm, crf = results.tagged[f"HMM {which}"], results.tagged[f"CRF {which}"]
    count = dict.fromkeys(hmm.names, 0)
    for name in joined(results.test.tags):
        count[name] = count.get(name, 0) + 1
    names = sorted((name for name in hmm.names if name in crf.names and count[name]), key=lambda name: -count[name])
    return versus(names, [hmm.one_tag(name) for name in names], [crf.one_tag(name) for name in names])


def by_pair(results: Results, which: str) -> Versus:
    """The most frequent pairs of tags in the test text."""
    hmm, crf = results.tagged[f"HMM {which}"], results.tagged[f"CRF {which}"]
    shared = tuple(name for name in hmm.names if name in crf.names)
    pairs = frequent_pairs(results.test, shared, N_PAIRS)
    names = [f"{shared[first]}-{shared[second]}" for first, second in pairs]
    own = [np.array([[one.names.index(shared[tag]) for tag in pair] for pair in pairs]) for one in (hmm, crf)]
    return versus(names, hmm.tag_pair(own[0]), crf.tag_pair(own[1]))


@dataclass(frozen=True, slots=True)
class Measured:
    """One comparison, `printed` or `tuned`."""

    overall: dict[str, Calibration]
    nn: dict[str, Calibration]
    tags: Versus
    pairs: Versus


def measure(results: Results, which: str, seed: int) -> Measured:
    """Measure one comparison."""
    both = {model: results.tagged[f"{model} {which}"] for model in ("HMM", "CRF")}
    overall = {model: calibration(one.all_tags(), bin_size=BIN_SIZE, seed=seed) for model, one in both.items()}
    nn = {model: calibration(one.one_tag("NN"), bin_size=BIN_SIZE, seed=seed) for model, one in both.items()}
    return Measured(overall, nn, by_tag(results, which), by_pair(results, which))
