"""What Choi & Cardie claim, and whether it holds here: in both settings, in one or in none."""

from collections.abc import Callable
from itertools import pairwise

from reproductions.findings import Claim, Holds
from reproductions.slt_bpf.pair_variants import BIASES, Outcome
from reproductions.slt_bpf.tables import SETTINGS, Outcomes

LABELS = [label for label, _ in BIASES if label]
Test = Callable[[dict[str, Outcome]], bool]


def claims(outcomes: Outcomes) -> tuple[Claim, ...]:
    """All of them, and one of our own."""
    return (*_claims_training(outcomes), *_claims_bias(outcomes), *_claims_both(outcomes), *_claims_new(outcomes))


def _verdict(outcomes: Outcomes, test: Test) -> Holds:
    """Whether something holds in both settings, in one or in none."""
    held = sum(test(found) for found in outcomes.values())
    return "yes" if held == len(outcomes) else ("partly" if held else "no")


def _share(held: int, of: int) -> Holds:
    return "yes" if held == of else ("partly" if 2 * held >= of else "no")


def _each(outcomes: Outcomes, text: Callable[[dict[str, Outcome]], str]) -> str:
    """What a text says of each setting, as a sentence that can also stand after a colon."""
    return "; ".join(f"with {SETTINGS[name]} {text(found)}" for name, found in outcomes.items()) + "."


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _claims_training(outcomes: Outcomes) -> list[Claim]:
    def error(name: str) -> Callable[[dict[str, Outcome]], str]:
        return lambda f: f"{100 * f[name].before.error:.2f} to {100 * f[name].after.error:.2f} %"

    return [
        Claim(
            "Clustering raises the error rate of local training (BASE).",
            _verdict(outcomes, lambda f: f["BASE"].after.error > f["BASE"].before.error),
            f"Before to after clustering: {_each(outcomes, error('BASE'))}",
        ),
        Claim(
            "Clustering lowers the error rate of structured local training (SLT).",
            _verdict(outcomes, lambda f: f["SLT"].after.error < f["SLT"].before.error),
            f"Before to after clustering: {_each(outcomes, error('SLT'))} With ALGORITHM-1 it nearly does: "
            f"{_each(outcomes, error('SLT, ALGORITHM-1'))} Before clustering SLT finds more of the coreferent pairs "
            f"here than it did there ({_each(outcomes, _recall_before)[:-1]}; theirs 26.4 and 43.7 %), so there is "
            "less left for clustering to restore, and as much for it to spoil.",
        ),
        Claim(
            "After clustering SLT makes considerably fewer errors than BASE.",
            _verdict(outcomes, lambda f: f["SLT"].after.error < f["BASE"].after.error),
            _sentence(
                _each(
                    outcomes, lambda f: f"{100 * f['SLT'].after.error:.2f} against {100 * f['BASE'].after.error:.2f} %"
                )
            ),
        ),
        Claim(
            "After clustering SLT has higher precision and lower recall than BASE.",
            _verdict(
                outcomes,
                lambda f: (
                    f["SLT"].after.links.precision > f["BASE"].after.links.precision
                    and f["SLT"].after.links.recall < f["BASE"].after.links.recall
                ),
            ),
            "After clustering, "
            + _each(
                outcomes,
                lambda f: (
                    f"precision {_percent(f['BASE'].after.links.precision)} to "
                    f"{_percent(f['SLT'].after.links.precision)}, recall {_percent(f['BASE'].after.links.recall)} to "
                    f"{_percent(f['SLT'].after.links.recall)}"
                ),
            ),
        ),
        Claim(
            "ALGORITHM-2 does slightly better than ALGORITHM-1 (footnote 6).",
            _share(
                sum(f["SLT"].after.error < f["SLT, ALGORITHM-1"].after.error for f in outcomes.values())
                + sum(f["SLT"].muc.f1 > f["SLT, ALGORITHM-1"].muc.f1 for f in outcomes.values()),
                2 * len(outcomes),
            ),
            "ALGORITHM-2 against ALGORITHM-1: error after clustering, "
            + _each(
                outcomes,
                lambda f: (
                    f"{100 * f['SLT'].after.error:.2f} against "
                    f"{100 * f['SLT, ALGORITHM-1'].after.error:.2f} %, MUC F1 {_percent(f['SLT'].muc.f1)} against "
                    f"{_percent(f['SLT, ALGORITHM-1'].muc.f1)}"
                ),
            ),
        ),
    ]


def _recall_before(found: dict[str, Outcome]) -> str:
    return f"{_percent(found['SLT'].before.links.recall)} %"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


def _claims_bias(outcomes: Outcomes) -> list[Claim]:
    raised = [
        f[f"BASIC-{label}"].before.links.recall > f["BASE"].before.links.recall
        and f[f"BASIC-{label}"].before.links.precision < f["BASE"].before.links.precision
        for f in outcomes.values()
        for label in LABELS
    ]
    closest = [
        f[f"BASIC-P1 {beta}"].muc.f1 > f[f"BASIC-Pa {beta}"].muc.f1
        for f in outcomes.values()
        for beta in ("1.5", "3.0")
    ]
    every = [
        f[f"BASIC-Pa {beta}"].before.links.f1 > f[f"BASIC-P1 {beta}"].before.links.f1
        for f in outcomes.values()
        for beta in ("1.5", "3.0")
    ]
    return [
        Claim(
            "Biased potentials raise recall at the cost of precision.",
            _share(sum(raised), len(raised)),
            f"In {sum(raised)} of {len(raised)} cases.",
        ),
        Claim(
            "For the same β, bias on the closest pairs (P1) gives the better MUC F1.",
            _share(sum(closest), len(closest)),
            f"In {sum(closest)} of {len(closest)} cases: {_each(outcomes, _muc_of('BASIC'))}",
        ),
        Claim(
            "For the same β, bias on all pairs (Pa) gives the better pairwise F1 before clustering.",
            _share(sum(every), len(every)),
            f"In {sum(every)} of {len(every)} cases.",
        ),
    ]


def _muc_of(kind: str) -> Callable[[dict[str, Outcome]], str]:
    return lambda f: "MUC F1 " + ", ".join(f"{label}: {_percent(f[f'{kind}-{label}'].muc.f1)}" for label in LABELS)


def _claims_both(outcomes: Outcomes) -> list[Claim]:
    pairs = [
        f[f"SLT-P1 {beta}"].after.links.f1 > f[f"SLT-Pa {beta}"].after.links.f1
        for f in outcomes.values()
        for beta in ("1.5", "3.0")
    ]
    joined = [
        f[f"SLT-Pa {beta}"].muc.f1 > f[f"SLT-P1 {beta}"].muc.f1 for f in outcomes.values() for beta in ("1.5", "3.0")
    ]
    better = [
        measure(f[name]) > measure(f["BASE"])
        for f in outcomes.values()
        for name in ("SLT-P1 3.0", "SLT-Pa 1.5")
        for measure in (lambda outcome: outcome.after.links.f1, lambda outcome: outcome.muc.f1)
    ]
    return [
        Claim(
            "With SLT it is the other way round: P1 is better for pairwise F1, Pa for MUC F1.",
            _share(sum(pairs) + sum(joined), len(pairs) + len(joined)),
            f"Pairs: in {sum(pairs)} of {len(pairs)} cases. MUC: in {sum(joined)} of {len(joined)}: "
            f"{_each(outcomes, _muc_of('SLT'))}",
        ),
        Claim(
            "SLT-P1 3.0 and SLT-Pa 1.5 improve on BASE in both F1 measures on both data sets.",
            _share(sum(better), len(better)),
            f"In {sum(better)} of {len(better)} comparisons.",
        ),
    ]


def _claims_new(outcomes: Outcomes) -> list[Claim]:
    """What the paper does not ask."""
    worse = [f["SLT"].error.value > f["BASE"].error.value for f in outcomes.values()]
    climbs = [
        b > a
        for f in outcomes.values()
        for bias in ("P1", "Pa")
        for a, b in pairwise([f[name].error.value for name in ("BASE", f"BASIC-{bias} 1.5", f"BASIC-{bias} 3.0")])
    ]
    return [
        Claim(
            "New, not in the paper: what improves the clusters harms the probabilities.",
            _share(sum(worse) + sum(climbs), len(worse) + len(climbs)),
            f"SLT is worse calibrated than BASE in {sum(worse)} of {len(worse)} settings (it learns to deny pairs that "
            f"clustering will restore, so it is underconfident), and each step of β raises CalibErr in {sum(climbs)} "
            f"of {len(climbs)} cases (bias makes it overconfident). In SLT-Pa the two pull against each other. Mean "
            "probability: "
            + _each(
                outcomes,
                lambda f: (
                    f"{f['BASE'].mean_pred:.4f} (BASE), {f['SLT'].mean_pred:.4f} (SLT), "
                    f"{f['BASIC-Pa 3.0'].mean_pred:.4f} (BASIC-Pa 3.0), where {f['BASE'].rate:.4f} of the pairs corefer"
                ),
            ),
        )
    ]
