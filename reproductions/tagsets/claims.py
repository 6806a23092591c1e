"""What Kranzlein et al. claim, as tests decided before the run, and their verdicts.

Covers: the figure and the region of each claim.
Not here: the errors and their draws (`measures`), the page (`page`).
"""

from collections.abc import Iterable, Iterator

import numpy as np

from calib_core.arrays import Floats
from reproductions.findings import Claim
from reproductions.resampling import Drawn, combined, difference, largest, ratio, root_mean, smallest
from reproductions.tagsets.measures import METHODS, NONE, Errors, Study
from reproductions.verdicts import Test

SHARINGS = ("SCW", "TFG")

LOWER = Test(
    "Every technique, shared or grouped, lowers the overall error.",
    "Largest of the 12 ratios of SMCE after to before",
    high=1.0,
)
SUBSTANTIALLY = Test(
    "It does so substantially: by 52 to 89 %.",
    "Root mean square of SMCE after all 12 recalibrations, over that before",
    high=0.48,
)
RARE = Test(
    "Grouping (TFG) is better than sharing (SCW) on the rarest tags.",
    "GMCE of group 5, TFG over SCW; root mean squares over techniques and treebanks",
    high=1.0,
)
DRASTICALLY = Test("It is drastically better there.", "The same ratio; theirs is 0.41", high=0.5)
SIMILAR = Test(
    "Overall, grouping is similar to sharing or better.",
    "SMCE, TFG minus SCW; root mean squares. 0.0025 is the largest excess that they call similar",
    high=0.0025,
)
RAREST_WORST = Test(
    "Before recalibration the rarest group has the largest error.",
    "GMCE of group 5 minus the largest of the others; the smaller of the two treebanks",
    low=0.0,
)
SECOND_BEST = Test(
    "Before recalibration group 2 has the smallest error.",
    "GMCE of group 2 minus the smallest of the others; the larger of the two treebanks",
    high=0.0,
)
FREQUENT_HURT = Test(
    "Shared recalibration makes the most frequent group of the better calibrated tagger worse (theirs: CCG).",
    "GMCE of group 1, SCW minus before; root mean squares over techniques, treebank with the smaller SMCE",
    low=0.0,
)
ISOTONIC = Test(
    "Isotonic regression makes a group worse least often.",
    "Groups made worse, of 20: isotonic regression minus the better of the other two",
    high=-1.0,
)


def claims(studies: dict[str, Study]) -> Iterator[Claim]:
    """All of them; every figure is without noise, and its interval draws documents."""
    after = [one for study in studies.values() for one in recalibrated(study)]
    before = [study.errors[NONE] for study in studies.values()]
    ratios = [
        ratio(root_mean([one.shared]), root_mean([study.errors[NONE].shared]))
        for study in studies.values()
        for one in recalibrated(study)
    ]
    yield LOWER.judged(largest(*ratios).estimate())
    all_after, all_before = (root_mean([one.shared for one in errors]) for errors in (after, before))
    yield SUBSTANTIALLY.judged(ratio(all_after, all_before).estimate(), _changes(studies))
    rare = ratio(*(_over_methods(studies.values(), sharing, -1) for sharing in ("TFG", "SCW")))
    yield RARE.judged(rare.estimate())
    yield DRASTICALLY.judged(rare.estimate())
    shared = [root_mean([one.errors[method, sharing].shared for one in studies.values() for method in METHODS])
              for sharing in ("TFG", "SCW")]  # fmt: skip
    yield SIMILAR.judged(difference(*shared).estimate())
    yield from _by_group(studies)


def recalibrated(study: Study) -> list[Errors]:
    """The errors of all techniques, shared and grouped."""
    return [errors for key, errors in study.errors.items() if key != NONE]


def _by_group(studies: dict[str, Study]) -> Iterator[Claim]:
    roots = {name: [root_mean([one]) for one in study.errors[NONE].grouped] for name, study in studies.items()}
    last = [difference(one[-1], largest(*one[:-1])) for one in roots.values()]
    yield RAREST_WORST.judged(smallest(*last).estimate(), _raw(studies))
    second = [difference(one[1], smallest(one[0], *one[2:])) for one in roots.values()]
    yield SECOND_BEST.judged(largest(*second).estimate())
    name = min(studies, key=lambda one: studies[one].errors[NONE].smce)
    hurt = difference(_over_methods([studies[name]], "SCW", 0), root_mean([studies[name].errors[NONE].grouped[0]]))
    yield FREQUENT_HURT.judged(hurt.estimate(), f"That treebank is {name}.")
    worse = {method: combined(_count_positive, *_moves(studies, method)) for method in METHODS}
    others = smallest(worse["SB"], worse["HB"])
    counted = ", ".join(f"{method} {drawn.value:.0f}" for method, drawn in worse.items())
    yield ISOTONIC.judged(difference(worse["IR"], others).estimate(), f"Groups made worse: {counted}.")


def _over_methods(studies: Iterable[Study], sharing: str, group: int) -> Drawn:
    found = [one.errors[method, sharing].grouped[group] for one in studies for method in METHODS]
    return root_mean(found)


def _moves(studies: dict[str, Study], method: str) -> list[Drawn]:
    """By how much a technique raises each group's squared error."""
    return [
        difference(changed, untouched)
        for study in studies.values()
        for sharing in SHARINGS
        for changed, untouched in zip(study.errors[method, sharing].grouped, study.errors[NONE].grouped, strict=True)
    ]


def _changes(studies: dict[str, Study]) -> str:
    changed = [(study.errors[NONE], one) for study in studies.values() for one in recalibrated(study)]
    changes = [after.smce / before.smce - 1 for before, after in changed]
    ranks = [after.smce_by_rank / before.smce_by_rank - 1 for before, after in changed]
    return (
        f"SMCE as printed, with its noise, changes by {min(changes):+.0%} to {max(changes):+.0%}; with bins by rank, "
        f"which split runs of equal scores, it would be {min(ranks):+.0%} to {max(ranks):+.0%}."
    )


def _raw(studies: dict[str, Study]) -> str:
    largest = {name: int(study.errors[NONE].gmce.argmax()) + 1 for name, study in studies.items()}
    return "Largest as printed, with noise: " + ", ".join(f"group {at} ({name})" for name, at in largest.items()) + "."


def _count_positive(*parts: Floats) -> Floats:
    return np.asarray(np.sum(np.array(parts) > 0, axis=0, dtype=np.float64))
