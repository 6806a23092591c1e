"""Which claims of the papers hold in experiment `hmm-crf`.

Covers: when a claim counts as holding, and what is said of it.
Not here: the rest of the page (`page`).
"""

from collections.abc import Iterator

from reproductions.findings import Claim
from reproductions.hmm_crf.measures import MODELS, Measured, Results, Versus
from reproductions.tagging.tagger_measures import Calibration

_SIGNS = """
We think smoothing decides on which side a model errs. A pseudocount of one for each of some 20,000 words spreads a
tag's emissions so thin that the HMM doubts what it should know; with almost none, its independence assumptions count
the same evidence twice. The CRF is underconfident with little training text, where the penalty weighs more, and
overconfident with more."""
_FEW_BINS = """
Each single question has five bins, so that small differences between small errors decide many of the cases."""


def claims(results: Results, found: dict[str, Measured], ladder: dict[str, Calibration]) -> Iterator[Claim]:
    """Each claim, with what was seen."""
    printed, tuned = found["printed"], found["tuned"]
    yield _overall(printed, tuned)
    yield _direction(results)
    yield _most("single tags", "39 of 47", printed.tags, tuned.tags)
    yield _most("pairs of neighbouring tags", "71 of 100", printed.pairs, tuned.pairs)
    yield _features(results, ladder)


def _overall(printed: Measured, tuned: Measured) -> Claim:
    errors = [[one.overall[model].clean for model in MODELS] for one in (printed, tuned)]
    apart = [crf.hi < hmm.lo for hmm, crf in errors]
    words = [
        f"{crf.value:.4f} against {hmm.value:.4f} without noise ({'intervals apart' if clear else 'intervals overlap'})"
        for (hmm, crf), clear in zip(errors, apart, strict=True)
    ]
    return Claim(
        "The CRF has the lower calibration error over all tags, about half the HMM's.",
        "yes" if all(apart) else "partly" if any(apart) else "no",
        f"As printed {words[0]}; tuned {words[1]}.",
    )


def _direction(results: Results) -> Claim:
    over = {name: tagged.overconfidence for name, tagged in results.tagged.items()}
    return Claim(
        "The HMM is underconfident, the CRF overconfident.",
        "yes" if over["HMM printed"] < 0 < over["CRF printed"] else "partly" if over["HMM printed"] < 0 else "no",
        "The likeliest tag's probability minus its share right: "
        f"HMM {over['HMM printed']:+.3f} as printed, {over['HMM tuned']:+.3f} tuned; "
        f"CRF {over['CRF printed']:+.3f} and {over['CRF tuned']:+.3f}. {_SIGNS}",
    )


def _most(what: str, theirs: str, printed: Versus, tuned: Versus) -> Claim:
    shares = [one.wins / len(one.names) for one in (printed, tuned)]
    return Claim(
        f"The CRF is better calibrated on most {what} ({theirs}), not on all.",
        "yes" if min(shares) > 0.5 else "partly" if max(shares) > 0.5 else "no",
        f"As printed on {printed.wins} of {len(printed.names)}, tuned on {tuned.wins} of {len(tuned.names)}; "
        f"without noise on {printed.clean_wins} and {tuned.clean_wins} (worse on {printed.clean_losses} and "
        f"{tuned.clean_losses}). {_FEW_BINS}",
    )


def _features(results: Results, ladder: dict[str, Calibration]) -> Claim:
    own, first, *_, last, full = (one.clean.value for one in ladder.values())
    basic, *_, advanced = (tagged.accuracy for tagged in results.ladder.values())
    return Claim(
        "With more features the CRF's predictions become more refined and better calibrated.",
        "yes" if max(last, full) < min(own, first) else "partly" if last < first else "no",
        f"With one penalty and {results.ablation:,} training sentences, from the word alone to all features: accuracy "
        f"{basic:.3f} to {advanced:.3f}, error without noise {first:.4f} to {last:.4f}. But the penalty does as much: "
        f"with its own best one the word alone has {own:.4f}. And with all training text all features have {full:.4f} "
        f"at {results.full.accuracy:.3f} right ({results.full.overconfidence:+.3f} overconfident): the penalty was "
        "chosen on fewer sentences, and by accuracy.",
    )
