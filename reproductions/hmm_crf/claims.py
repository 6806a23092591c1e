"""The claims of the papers on HMM and CRF, as tests decided before the run.

Covers: the figure and the region of each claim.
Not here: the rest of the page (`page`).
"""

from collections.abc import Iterator

import numpy as np

from reproductions.findings import Claim
from reproductions.hmm_crf.measures import BIN_SIZE, Measured, Results, crf_name, numbered
from reproductions.resampling import (
    Drawn,
    combined,
    difference,
    draw_times,
    largest,
    mean_of,
    ratio,
    root_mean,
    squared_error,
)
from reproductions.tagging.tagger_measures import Tagged
from reproductions.tagging.tagger_training import CRITERIA
from reproductions.verdicts import Test

LOWER = Test(
    "The CRF has the lower calibration error over all tags.",
    "CalibErr without noise, CRF over HMM; largest of four: HMM as printed and tuned, L2 by accuracy and likelihood",
    high=1.0,
)
HALF = Test(
    "It is about half the HMM's.",
    "The same ratio by the paper's protocol: HMM as printed, L2 by accuracy; theirs is 0.53",
    0.4,
    0.65,
)
SWEEP = Test(
    "Ours: at matched accuracy the CRF has the lower error whatever its penalty.",
    "CalibErr without noise, CRF over HMM as printed; largest over all L2",
    high=1.0,
)
HMM_DOUBTS = Test(
    "The HMM is underconfident.", "Probability of the likeliest tag minus share right, HMM as printed", high=0.0
)
CRF_TRUSTS = Test("The CRF is overconfident.", "The same of the CRF as accurate as that HMM, L2 by accuracy", low=0.0)
TAGS = Test(
    "The CRF is better calibrated on most single tags (39 of 47).",
    "Share of tags on which its error without noise is lower, HMM as printed",
    low=0.5,
)
PAIRS = Test(
    "The CRF is better calibrated on most pairs of neighbouring tags (71 of 100).",
    "The same share of tag pairs",
    low=0.5,
)
REFINED = Test(
    "With more features the CRF is more accurate.", "Share right with all features minus with the word alone", low=0.0
)
CALIBRATED = Test(
    "With more features the CRF is better calibrated.",
    "CalibErr without noise, all features over the word alone, each with its own best L2",
    high=1.0,
)
ESTIMATOR = Test(
    "Ours: AdaGrad with batches of 100, as in the thesis, gives the same CRF as L-BFGS.",
    "Mean squared distance of all probabilities to the truth, AdaGrad over L-BFGS",
    0.98,
    1.02,
)


def claims(results: Results, found: dict[str, Measured]) -> Iterator[Claim]:
    """Every claim; intervals draw documents, the same for all taggers."""
    judge = _Judge(results)
    four = [judge.ratio(crf_name(hmm, by), f"HMM {hmm}") for hmm in ("printed", "tuned") for by in CRITERIA]
    yield LOWER.judged(largest(*four).estimate(), _each(four))
    yield HALF.judged(judge.ratio("CRF printed", "HMM printed").estimate())
    swept = [judge.over(one, "HMM printed") for (hmm, _), (_, one) in results.sweep.items() if hmm == "printed"]
    yield SWEEP.judged(largest(*swept).estimate(), _each(swept))
    yield HMM_DOUBTS.judged(judge.overconfidence(results.tagged["HMM printed"]).estimate(), _signs(results))
    yield CRF_TRUSTS.judged(judge.overconfidence(results.tagged["CRF printed"]).estimate())
    for test, versus in ((TAGS, found["printed"].tags), (PAIRS, found["printed"].pairs)):
        n = len(versus.names)
        yield test.judged(
            combined(lambda won, n=n: won / n, versus.won).estimate(),
            f"With noise, as the paper counts: {versus.wins} of {n}. Each question has five bins.",
        )
    first, *_, last = results.ladder.values()
    yield REFINED.judged(difference(judge.right(last), judge.right(first)).estimate())
    yield CALIBRATED.judged(ratio(judge.error(last), judge.error(first)).estimate())
    yield ESTIMATOR.judged(
        ratio(*(judge.brier(results.tagged[one]) for one in ("CRF AdaGrad", "CRF printed"))).estimate()
    )


class _Judge:
    """Figures of taggers under the same draws of documents."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.document = numbered(next(iter(results.tagged.values())).document)
        self.times = draw_times(int(self.document.max()) + 1)

    def error(self, tagged: Tagged) -> Drawn:
        question = tagged.all_tags()
        groups = np.repeat(self.document, tagged.marginal.shape[1])
        return root_mean([squared_error(question.pred, question.label, groups, self.times, bin_size=BIN_SIZE)])

    def over(self, tagged: Tagged, hmm: str) -> Drawn:
        return ratio(self.error(tagged), self.error(self.results.tagged[hmm]))

    def ratio(self, crf: str, hmm: str) -> Drawn:
        return self.over(self.results.tagged[crf], hmm)

    def overconfidence(self, tagged: Tagged) -> Drawn:
        return self._mean(tagged.overconfident_words()[0])

    def right(self, tagged: Tagged) -> Drawn:
        return self._mean((tagged.marginal.argmax(axis=1) == tagged.gold).astype(np.float64))

    def brier(self, tagged: Tagged) -> Drawn:
        truth = tagged.gold[:, None] == np.arange(tagged.marginal.shape[1])
        return self._mean(((tagged.marginal - truth) ** 2).sum(axis=1))

    def _mean(self, values: np.ndarray) -> Drawn:
        return mean_of(values, self.document, self.times)


def _each(ratios: list[Drawn]) -> str:
    return "Each: " + ", ".join(f"{one.value:.2f}" for one in ratios) + "."


def _signs(results: Results) -> str:
    names = ("HMM printed", "HMM tuned", "HMM unsmoothed", "CRF printed", "CRF printed, by likelihood", "CRF tuned")
    over = ", ".join(f"{name} {results.tagged[name].overconfidence:+.3f}" for name in names)
    return (
        f"Of each: {over}. Smoothing decides on which side the HMM errs: a pseudocount of one for each of some 20,000 "
        "words spreads a tag's emissions so thin that it doubts what it should know; with almost none, its "
        "independence assumptions count the same evidence twice."
    )
