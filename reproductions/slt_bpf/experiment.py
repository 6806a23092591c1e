"""Structured local training and biased potentials, on OntoGUM.

Covers: Tables 1 to 3 of Choi & Cardie (2007) with our figures beside theirs, and the calibration of every variant.
Not here: training and measuring (`pair_variants`), tables (`tables`), claims (`claims`).
"""

from calib_core.coref.model.logits import Weights
from calib_core.coref.pairwise.pairwise_model import intern_examples
from calib_core.document import Document
from flows.charts.reliability import reliability_chart
from reproductions.findings import DataFolder, Findings, Picture, Progress
from reproductions.ontogum import read_ontogum
from reproductions.slt_bpf.claims import claims
from reproductions.slt_bpf.figures import MPQA, MUC6
from reproductions.slt_bpf.outcomes import Outcome
from reproductions.slt_bpf.pair_variants import EM, N_RUNS, SEEDS, Case, cases, measure, train_variants
from reproductions.slt_bpf.tables import SETTINGS, Outcomes, rows, wide_tables


def run(data: DataFolder, progress: Progress, seed: int) -> Findings:
    """Train on a third of train; test on another third and on dev."""
    progress.stage("reading OntoGUM")
    train, dev = read_ontogum(data, "train"), read_ontogum(data, "dev")
    training, testing = train[::3], train[1::3] + dev
    return findings(run_settings(training, testing, progress, seed=seed), len(training), len(testing))


def run_settings(
    training: list[Document], testing: list[Document], progress: Progress, *, seed: int, n_seeds: int = SEEDS
) -> Outcomes:
    """Every variant with mentions found and with mentions given, from `n_seeds` seeds."""
    outcomes: Outcomes = {}
    for theirs, ours in SETTINGS.items():
        progress.stage(f"looking up mentions, {ours}")
        train, test = (cases(part, given=theirs == MPQA) for part in (training, testing))
        variants = train_setting(train, progress, seeds=range(seed, seed + n_seeds), setting=ours)
        progress.stage(f"measuring, {ours}", len(test))
        outcomes[theirs] = measure(variants, test, progress)
    return outcomes


def train_setting(train: list[Case], progress: Progress, *, seeds: range, setting: str) -> dict[str, list[Weights]]:
    """Every variant of a setting, from every seed."""
    prepared = intern_examples([case.example for case in train], EM)
    progress.stage(f"training, {setting}", N_RUNS * len(seeds))
    by_seed = [train_variants(prepared, progress, seed=seed) for seed in seeds]
    return {name: [one[name] for one in by_seed] for name in by_seed[0]}


def findings(outcomes: Outcomes, n_training: int, n_testing: int) -> Findings:
    """The page."""
    found, base, slt = outcomes[MUC6], outcomes[MUC6]["BASE"], outcomes[MUC6]["SLT"]
    shown = {name: found[name].curve() for name in ("BASE", "SLT", "BASIC-Pa 3.0")}
    return Findings(
        they=THEY,
        we=WE.format(train=n_training, test=n_testing),
        data=DATA,
        rows=tuple(rows(outcomes)),
        wide=wide_tables(outcomes),
        pictures=(
            Picture("", CAPTION, reliability_chart(shown, title="Calibration of pair classifiers", subtitle=SUBTITLE)),
        ),
        claims=tuple(claims(outcomes)),
        verdict=f"With as many passes, clustering changes the pair error of local training from "
        f"{_error(base, 'before'):.2f} to {_error(base, 'after'):.2f} %, that of structured training from "
        f"{_error(slt, 'before'):.2f} to {_error(slt, 'after'):.2f} %; MUC F1 "
        f"{base.figure('MUC F1').value:.1f} and {slt.figure('MUC F1').value:.1f}; CalibErr without noise "
        f"{base.error.value:.3f} and {slt.error.value:.3f}.",
    )


def _error(outcome: Outcome, when: str) -> float:
    return outcome.figure(f"error {when}").value


THEY = (
    "A log-linear classifier of all pairs of mentions, clustered by single link. BASE is trained on the pairs alone. "
    "Structured local training (SLT) runs EM for up to five iterations: the E-step replaces the labels by ones that "
    "clustering will put right (ALGORITHM-1 or -2), so the classifier may deny a pair that other links join. Biased "
    "potentials weight the coreferent pairs, the closest ones (P1) or all (Pa), by β = 1.5 or 3. MUC6 has mentions "
    "found by a tool, MPQA mentions that are given."
)
WE = (
    "The same with `calib_core.coref.pairwise`: {train} documents to train on, {test} to test on, two passes of "
    "AdaGrad per M-step (theirs: up to 200 iterations of Mallet), the best of iterations 2 to 5 by training error. "
    "BASE and BASIC make as many passes as SLT had made, with the same bias and seed, by the iteration that is chosen: "
    "in version 0.1 they stopped after two. Every variant is trained from five seeds. Intervals draw whole documents, "
    "the same for all variants, and seeds. Compare mentions found with MUC6, and mentions given with MPQA.\n\n"
    "A factor on both potentials of a pair cancels in the likelihood, so β weights the pair's log-likelihood. The "
    "other reading that does not cancel, exp(β Σ λ f), has a table of its own. Pairs whose share of the gradient is "
    "below 0.0005 move no weight; `BASE, no cut` is trained without that. New: CalibErr of each variant's pair "
    "probabilities, bins of 5,000."
)
DATA = (
    "MUC6 and MPQA are not free; ours is OntoGUM, with a third of train to learn from, and another third and dev to "
    "test on. It has many genres, and our features are those of the antecedent model, not Ng & Cardie's. Given "
    "mentions are those in an entity of at least two, because OntoGUM marks no others."
)
SUBTITLE = "OntoGUM, mentions found; pairs of mentions, bins of 5,000"
CAPTION = (
    "Observed frequency against predicted probability of a pair, mentions found: local training, structured local "
    "training, and bias on all coreferent pairs with β = 3."
)
