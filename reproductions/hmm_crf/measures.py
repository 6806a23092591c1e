"""What experiment `hmm-crf` measures: calibration over all tags, of NN, by tag and by pair of tags.

Covers: the tagged texts that training hands over, and the comparison of the two models on many questions.
Not here: training (`hmm_crf`), the page (`page`).
"""

from dataclasses import dataclass

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.calibration import calibration_error, debiased_calibration_error
from reproductions.resampling import Drawn, combined, difference, draw_times, squared_error
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
    """`HMM printed`, `HMM tuned`, `HMM unsmoothed`; the CRFs by `crf_name`; `CRF AdaGrad`."""
    matched: dict[tuple[str, str], tuple[int, float]]
    """By HMM and criterion: training sentences and L2 of the CRF."""
    sweep: dict[tuple[str, float], tuple[int, Tagged]]
    """By HMM and L2: the training sentences that make the CRF as accurate, and what it says."""
    ladder: dict[str, Tagged]
    """CRFs with one group of features more each."""
    penalties: dict[str, float]
    """L2 of each step of the ladder."""
    pseudocounts: dict[str, float]
    ablation: int


def crf_name(hmm: str, by: str) -> str:
    """The CRF as accurate as an HMM, its L2 chosen by accuracy (as in the paper) or by likelihood."""
    return f"CRF {hmm}" if by == "accuracy" else f"CRF {hmm}, by {by}"


@dataclass(frozen=True, slots=True)
class Versus:
    """CalibErr of both models on many questions, most frequent first; arrays have shape (n_questions,)."""

    names: list[str]
    hmm: Floats
    crf: Floats
    hmm_clean: Floats
    crf_clean: Floats
    won: Drawn
    """Questions on which the CRF has the lower error without noise, which may be below 0; draws are of documents."""

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
    plain, clean = (
        [np.array([error(one.pred, one.label, bin_size=BIN_SIZE) for one in questions]) for questions in (hmm, crf)]
        for error in (calibration_error, debiased_calibration_error)
    )
    groups = numbered(hmm[0].document)
    times = draw_times(int(groups.max()) + 1)
    squares = [
        [squared_error(one.pred, one.label, groups, times, bin_size=BIN_SIZE) for one in questions]
        for questions in (hmm, crf)
    ]
    won = [difference(second, first) for first, second in zip(*squares, strict=True)]
    return Versus(names, plain[0], plain[1], clean[0], clean[1], combined(_count_negative, *won))


def _count_negative(*gaps: Floats) -> Floats:
    return np.asarray(np.sum(np.array(gaps) < 0, axis=0, dtype=np.float64))


def numbered(document: Ints) -> Ints:
    """Documents as numbers from 0."""
    return np.unique(document, return_inverse=True)[1]


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
    """One comparison: `printed`, `tuned` or `unsmoothed`."""

    overall: dict[str, Calibration]
    nn: dict[str, Calibration]
    tags: Versus
    pairs: Versus


def measure(results: Results, which: str, seed: int) -> Measured:
    """Measure one comparison."""
    both = {model: results.tagged[f"{model} {which}"] for model in MODELS}
    overall = {model: calibration(one.all_tags(), bin_size=BIN_SIZE, seed=seed) for model, one in both.items()}
    nn = {model: calibration(one.one_tag("NN"), bin_size=BIN_SIZE, seed=seed) for model, one in both.items()}
    return Measured(overall, nn, by_tag(results, which), by_pair(results, which))
