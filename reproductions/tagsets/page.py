"""The page of experiment `tagsets`.

Covers: texts, and the table beside theirs.
Not here: the measures (`measures`), the claims (`claims`), the charts (`charts`).
"""

from collections.abc import Iterator

import numpy as np

from reproductions.findings import Findings, Row
from reproductions.resampling import N_DRAWS
from reproductions.tagsets.charts import group_picture, overall_picture
from reproductions.tagsets.claims import claims, recalibrated
from reproductions.tagsets.measures import METHODS, NONE, Study

FULL = {"none": "none", "SB": "scaling binning", "IR": "isotonic regression", "HB": "histogram binning"}
THEIRS = {
    ("none", ""): ((0.0167, 0.0183, 0.0396), (0.0330, 0.0356, 0.0553)),
    ("SB", "SCW"): ((0.0065, 0.0225, 0.0390), (0.0144, 0.0105, 0.0534)),
    ("SB", "TFG"): ((0.0019, 0.0049, 0.0114), (0.0159, 0.0269, 0.0153)),
    ("IR", "SCW"): ((0.0024, 0.0226, 0.0276), (0.0130, 0.0161, 0.0374)),
    ("IR", "TFG"): ((0.0032, 0.0230, 0.0228), (0.0124, 0.0132, 0.0142)),
    ("HB", "SCW"): ((0.0047, 0.0286, 0.0422), (0.0086, 0.0298, 0.0409)),
    ("HB", "TFG"): ((0.0028, 0.0254, 0.0218), (0.0110, 0.0222, 0.0145)),
}
"""Their Table 1: for CCG and for LSR, SMCE over all tags, GMCE of group 1 and of group 5."""

_THEY = """
Two taggers with hundreds of tags: CCG supertags (425 tags and UNK, 96.1 % right, softmax over BERT) and lexical
semantic recognition, LSR (598 tags, 81.1 % right, a CRF over BERT with forward-backward marginals). Scores below 0.01
are left out. Scaling binning (SB), isotonic regression (IR) and histogram binning (HB) are fitted on development text,
either one for all tags (SCW) or one for each of five groups of tags of similar frequency (TFG), and SMCE and GMCE
measured on test text in 10 adaptive bins."""
_WE = """
The same measures, recalibration methods and settings (G = 5, t = 0.01, 10 bins), on a tagset of universal part of
speech with all morphological features, in two treebanks: EWT ({EWT.n_tags} tags) and GUM ({GUM.n_tags}). Following
their convention for CCG, tags seen fewer than 10 times in training become one tag, UNK. The tagger is our own CRF with
all features (surrounding words, shape, length, prefixes, suffixes), trained on 6,000 sentences of each treebank. A
CRF, like their LSR tagger, because its marginals are exact: with some 170 tags forward-backward costs 29,000
multiplications a word, which is affordable, so nothing is pruned and no score above the threshold is lost to a beam.
The price is a training text of 100,000 words, 50 iterations of L-BFGS (not to convergence) and one L2 penalty of 1,
which was not tuned. EWT: recalibrated on dev, measured on test. GUM: recalibrated on every other document of dev,
measured on the rest.

Equal scores share a bin, as in the authors' evaluation code. This matters after histogram or scaling binning, whose
scores take ten values; the tables by rank show what bins of equally many rows would say: a run of equal scores is then
spread over the bins that it crosses, and part of the error disappears. Scaling binning learns its isotonic regression
and its bins from the same held-out text, as the authors do; Kumar et al. halve it.

Intervals and claims are about errors without noise. Documents are drawn {n_draws:,} times, the same ones for everything
that is compared; taggers and recalibrations stay as they are."""
_DATA = """
CCGbank is not free, and their models are not available. Our tagset is as sparse; it is easier than LSR, and harder to
get right than CCG with BERT: {EWT.accuracy:.1%} (EWT) and {GUM.accuracy:.1%} (GUM). Our tagger is a penalised
log-linear model, not a neural one, which matters most for the error before recalibration. Test words: {EWT.n_words:,}
and {GUM.n_words:,}; theirs 55,371 and 5,381."""


def page(studies: dict[str, Study]) -> Findings:
    """All of the page; `studies` has `EWT` and `GUM`."""
    before = {name: study.errors[NONE].smce for name, study in studies.items()}
    best = {name: min(recalibrated(study), key=lambda one: one.smce).smce for name, study in studies.items()}
    rare = _mean_ratio(studies, -1)
    return Findings(
        they=_THEY,
        we=_WE.format(**studies, n_draws=N_DRAWS),
        data=_DATA.format(**studies),
        rows=tuple(row for name, study in studies.items() for row in _rows(name, study)),
        pictures=(overall_picture(studies), group_picture(studies)),
        claims=tuple(claims(studies)),
        verdict=f"SMCE falls from {before['EWT']:.4f} to {best['EWT']:.4f} at best on EWT and from "
        f"{before['GUM']:.4f} to {best['GUM']:.4f} on GUM (theirs 0.0167 to 0.0019 and 0.0330 to 0.0086); "
        f"on the rarest tags grouping leaves {rare:.0%} of what sharing leaves (theirs {_their_ratio():.0%}).",
    )


def _mean_ratio(studies: dict[str, Study], group: int) -> float:
    """GMCE of one group after TFG over that after SCW: geometric mean over methods and treebanks."""
    ratios = [
        study.errors[method, "TFG"].gmce[group] / study.errors[method, "SCW"].gmce[group]
        for study in studies.values()
        for method in METHODS
    ]
    return float(np.exp(np.mean(np.log(ratios))))


def _their_ratio() -> float:
    ratios = [THEIRS[method, "TFG"][task][2] / THEIRS[method, "SCW"][task][2] for method in METHODS for task in (0, 1)]
    return float(np.exp(np.mean(np.log(ratios))))


def _rows(name: str, study: Study) -> Iterator[Row]:
    last = len(study.tags_in_group)
    for (method, sharing), one in study.errors.items():
        theirs, label = THEIRS[method, sharing], f"{FULL[method]} {sharing}".strip()
        for column, (figure, value) in enumerate(
            (("SMCE", one.smce), ("GMCE group 1", one.gmce[0]), (f"GMCE group {last}", one.gmce[-1]))
        ):
            note = f"theirs: CCG {theirs[0][column]:.4f}, LSR {theirs[1][column]:.4f}"
            yield Row(f"{name}: {figure}", label, float(value), note=note)
        yield Row(f"{name}: SMCE by rank", label, one.smce_by_rank)
    for key, one in study.errors.items():
        yield Row(
            f"{name}: SMCE without noise", " ".join(key).strip(), one.clean.value, lo=one.clean.lo, hi=one.clean.hi
        )
        for table, values in (("GMCE", one.gmce), ("GMCE by rank", one.gmce_by_rank)):
            for group, value in enumerate(values, 1):
                yield Row(f"{name}: {table}", f"{' '.join(key).strip()}, group {group}", float(value), detail=True)
    yield Row(f"{name}: the tagger", "accuracy", study.accuracy, note="theirs: CCG 0.961, LSR 0.811, on dev")
    yield Row(f"{name}: the tagger", "top-label calibration error", study.top_label)
    yield Row(f"{name}: the tagger", "share of scores that reach the threshold", study.share_above)
    for group, (n_scores, n_tags) in enumerate(
        zip(study.n_scores.tolist(), study.tags_in_group.tolist(), strict=True), 1
    ):
        yield Row(
            f"{name}: the tagger", f"scores above the threshold, group {group}", float(n_scores), note=f"{n_tags} tags"
        )
