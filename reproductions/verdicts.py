"""One rule for all verdicts: a claim is a region in which a figure must lie, and the figure's interval decides.

Covers: stating a claim as a test before the run, and judging it by an interval afterwards.
Not here: the intervals (`resampling`), the claims of each experiment (in its folder).
"""

from dataclasses import dataclass
from math import inf, isfinite

from calib_core.calibration import Estimate
from reproductions.findings import Claim, Holds


@dataclass(frozen=True, slots=True)
class Test:
    """A claim of a paper as a test, written down before the figures were seen.

    It holds if the whole 95 % interval of the figure lies in the region, and does not hold if the whole interval lies
    outside. Otherwise these data do not decide.
    """

    __test__ = False  # for pytest: this is no test of the code

    claim: str
    """What the paper says."""
    figure: str
    """What is measured."""
    low: float = -inf
    high: float = inf
    """The region in which the claim says the figure lies."""

    @property
    def region(self) -> str:
        """The region in words, such as `below 0.5`."""
        if isfinite(self.low) and isfinite(self.high):
            return f"{self.low:g} to {self.high:g}"
        return f"above {self.low:g}" if isfinite(self.low) else f"below {self.high:g}"

    def judged(self, estimate: Estimate, comment: str = "") -> Claim:
        """The claim with its verdict."""
        return Claim(self.claim, self._verdict(estimate), comment, f"{self.figure}: {self.region}", estimate)

    def untestable(self, why: str) -> Claim:
        """The claim, where these data have nothing to say about it."""
        return Claim(self.claim, "untestable", why, f"{self.figure}: {self.region}")

    def _verdict(self, estimate: Estimate) -> Holds:
        if not estimate.lo <= estimate.hi:
            raise ValueError(f"the interval of {self.figure!r} is {estimate.lo} to {estimate.hi}")
        if self.low <= estimate.lo and estimate.hi <= self.high:
            return "yes"
        return "no" if estimate.hi < self.low or estimate.lo > self.high else "open"
