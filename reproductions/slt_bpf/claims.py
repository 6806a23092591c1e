"""What Choi & Cardie claim, as tests decided before the run, each judged in both settings.

Covers: the figure and the region of each claim.
Not here: the figures (`outcomes`).
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from reproductions.findings import Claim
from reproductions.resampling import Drawn, difference, largest, ratio, smallest
from reproductions.slt_bpf.outcomes import Outcome
from reproductions.slt_bpf.tables import SETTINGS, Outcomes
from reproductions.verdicts import Test

Found = dict[str, Outcome]
BETAS = ("1.5", "3.0")
LABELS = tuple(f"{kind} {beta}" for kind in ("P1", "Pa") for beta in BETAS)


def _gap(figure: str, one: str, other: str) -> Callable[[Found], Drawn]:
    """A figure of one variant minus that of another, in percentage points."""
    return lambda found: difference(found[one].figure(figure), found[other].figure(figure))


def _change(name: str) -> Callable[[Found], Drawn]:
    return lambda found: difference(found[name].figure("error after"), found[name].figure("error before"))


def _smallest(*gaps: Callable[[Found], Drawn]) -> Callable[[Found], Drawn]:
    return lambda found: smallest(*(gap(found) for gap in gaps))


def _largest(*gaps: Callable[[Found], Drawn]) -> Callable[[Found], Drawn]:
    return lambda found: largest(*(gap(found) for gap in gaps))


def _over_betas(figure: str, kind: str, one: str, other: str) -> Callable[[Found], Drawn]:
    return _smallest(*(_gap(figure, f"{kind}-{one} {beta}", f"{kind}-{other} {beta}") for beta in BETAS))


TESTS: tuple[tuple[Test, Callable[[Found], Drawn]], ...] = (
    (Test("Clustering raises the error rate of local training (BASE).",
          "Pair error after minus before clustering, BASE", low=0.0), _change("BASE")),
    (Test("Clustering lowers the error rate of structured local training (SLT).",
          "Pair error after minus before clustering, SLT", high=0.0), _change("SLT")),
    (Test("After clustering SLT makes considerably fewer errors than BASE.",
          "Pair error after clustering, SLT over BASE; theirs 0.85 and 0.65", high=0.85),
     lambda found: ratio(found["SLT"].figure("error after"), found["BASE"].figure("error after"))),
    (Test("After clustering SLT has the higher precision.", "Precision, SLT minus BASE", low=0.0),
     _gap("precision after", "SLT", "BASE")),
    (Test("After clustering SLT has the lower recall.", "Recall, SLT minus BASE", high=0.0),
     _gap("recall after", "SLT", "BASE")),
    (Test("SLT alone loses MUC F1 (theirs: 1.1 and 0.9).", "MUC F1, SLT minus BASE", high=0.0),
     _gap("MUC F1", "SLT", "BASE")),
    (Test("ALGORITHM-2 does slightly better than ALGORITHM-1 (footnote 6).",
          "Pair error after clustering, ALGORITHM-2 minus ALGORITHM-1", high=0.0),
     _gap("error after", "SLT", "SLT, ALGORITHM-1")),
    (Test("Biased potentials raise recall.", "Recall before clustering, BASIC minus BASE; smallest of four", low=0.0),
     _smallest(*(_gap("recall before", f"BASIC-{label}", "BASE") for label in LABELS))),
    (Test("They do so at the cost of precision.",
          "Precision before clustering, BASIC minus BASE; largest of four", high=0.0),
     _largest(*(_gap("precision before", f"BASIC-{label}", "BASE") for label in LABELS))),
    (Test("For the same β, bias on the closest pairs (P1) gives the better MUC F1.",
          "MUC F1, P1 minus Pa; smaller of both β", low=0.0), _over_betas("MUC F1", "BASIC", "P1", "Pa")),
    (Test("For the same β, bias on all pairs (Pa) gives the better pairwise F1.",
          "F1 before clustering, Pa minus P1; smaller of both β", low=0.0),
     _over_betas("F1 before", "BASIC", "Pa", "P1")),
    (Test("With SLT, P1 gives the better pairwise F1.", "F1 after clustering, P1 minus Pa; smaller of both β", low=0.0),
     _over_betas("F1 after", "SLT", "P1", "Pa")),
    (Test("With SLT, Pa gives the better MUC F1.", "MUC F1, Pa minus P1; smaller of both β", low=0.0),
     _over_betas("MUC F1", "SLT", "Pa", "P1")),
    (Test("SLT-P1 3.0 and SLT-Pa 1.5 improve on BASE in both F1 measures.",
          "F1 after clustering and MUC F1, minus BASE; smallest of four", low=0.0),
     _smallest(*(_gap(figure, name, "BASE") for figure in ("F1 after", "MUC F1")
                 for name in ("SLT-P1 3.0", "SLT-Pa 1.5")))),
    (Test("Ours: a factor on the score, exp(β Σ λ f), raises recall too.",
          "Recall before clustering, bias on the score minus BASE; smallest of four", low=0.0),
     _smallest(*(_gap("recall before", f"BASIC-{label}, on the score", "BASE") for label in LABELS))),
    (Test("Ours: SLT harms the probabilities.", "CalibErr without noise, SLT over BASE", low=1.0),
     lambda found: ratio(found["SLT"].error, found["BASE"].error)),
    (Test("Ours: strong bias harms the probabilities.", "CalibErr without noise, BASIC-Pa 3.0 over BASE", low=1.0),
     lambda found: ratio(found["BASIC-Pa 3.0"].error, found["BASE"].error)),
    (Test("Ours: leaving out pairs with less than 0.0005 of the gradient does not bias the probabilities.",
          "Mean probability with the cut over that without it", 0.95, 1.05),
     lambda found: ratio(found["BASE"].mean_drawn, found["BASE, no cut"].mean_drawn)),
)  # fmt: skip
"""Each claim with the figure that decides it; differences are in percentage points."""


def claims(outcomes: Outcomes) -> Iterator[Claim]:
    """Every claim in every setting."""
    for test, figure in TESTS:
        for name, found in outcomes.items():
            asked = replace(test, claim=f"{test.claim} ({SETTINGS[name].capitalize()})")
            yield asked.judged(figure(found).estimate())
