"""The page of experiment `hmm-crf`.

Covers: texts and tables.
Not here: training (`hmm_crf`), measures (`measures`), charts (`charts`), claims (`claims`).
"""

from collections.abc import Iterator

from calib_core.calibration import Estimate
from reproductions.findings import Findings, Row
from reproductions.hmm_crf.charts import bars, curves, feature_curves
from reproductions.hmm_crf.claims import claims
from reproductions.hmm_crf.measures import BIN_SIZE, MODELS, Measured, Results, Versus, crf_name, measure
from reproductions.structured.tables import markdown
from reproductions.tagging.tagger_measures import calibration
from reproductions.tagging.tagger_training import PENALTIES

THEIRS = {"HMM": (0.0153, 5.1e-4), "CRF": (0.0081, 3.5e-3)}
THEIR_NN = {"HMM": 0.035, "CRF": 0.019}
_NN_NOTE = "theirs: from the thesis, which calls it an MSE; its size is that of a root"
_PAPER_NOTE = "interval by Algorithm 2"
_CLEAN_NOTE = "95 % interval by drawing documents"

_THEY = """
Wall Street Journal articles of OntoNotes, CoNLL-2011 splits: 11,772 training sentences, 33,306 test words, 47 tags. An
HMM with a pseudocount of one for every transition and emission; a CRF (CRFsuite, L-BFGS, L2) with only transition and
emission features, trained on 3,000 sentences so that it is as accurate as the HMM, 88.7 %. Marginals of tags and of
pairs of neighbouring tags by forward-backward; bins of 5,000. The paper chooses hyperparameters by accuracy on the
development set, and gives the pseudocount as one. The thesis repeats it for the question "is it NN?" and adds features
to the CRF until it is 96 % right."""
_WE = """
The same on the Penn tags of EWT, with our own HMM and CRF (`reproductions.tagging`, tested against sums over all
paths). The paper does not say whether its HMM kept the pseudocount of one, so there are three: *as printed*, with
pseudocount 1; *tuned*, with the one that is best on dev ({tuned:g}); and *unsmoothed*, the thesis's maximum likelihood
(with {unsmoothed:g}, for without it an unknown word would have no tag). Each is compared with basic CRFs whose number
of training sentences ({sizes} of 12,544, in random order) makes them as accurate on dev. L2 is chosen on dev from
{penalties}, for each number of sentences anew, by accuracy, as in the paper, and by the likelihood of the right tags.
L-BFGS runs until an iteration gains less than a ten-millionth; the thesis's estimator, AdaGrad with batches of 100,
is there too. In the ablation ({ablation:,} sentences, one group of features more at each step) each step has the L2
that is best for it by likelihood on dev. Intervals of errors without noise come from drawing whole documents."""
_DATA = """
OntoNotes is not free. EWT is web text (weblogs, newsgroups, e-mail, reviews, answers) with {n_tags} Penn tags and
{n_words:,} test words: harder than the Journal, with more words unseen in training, so accuracies are lower
throughout."""


def page(results: Results, seed: int) -> Findings:
    """All of the page."""
    found = {which: measure(results, which, seed) for which in results.pseudocounts}
    hmm, crf = (found["printed"].overall[model].paper.value for model in MODELS)
    tags, pairs = found["printed"].tags, found["printed"].pairs
    return Findings(
        they=_THEY,
        we=_WE.format(
            **{name: results.pseudocounts[name] for name in ("tuned", "unsmoothed")},
            sizes=", ".join(str(n) for n in sorted({n for n, _ in results.sweep.values()})),
            penalties=", ".join(f"{l2:g}" for l2 in PENALTIES),
            ablation=results.ablation,
        ),
        data=_DATA.format(n_tags=len(results.tagged["HMM printed"].names), n_words=results.test.n_words),
        rows=(
            *_rows(results, found),
            *_other_rows(results, seed),
            *_ablation_rows(results, seed),
            *_all_details(found),
        ),
        wide=_sweep_table(results, seed),
        pictures=(curves(results, found["printed"]), bars(found["printed"]), feature_curves(results)),
        claims=tuple(claims(results, found)),
        verdict=f"CalibErr {hmm:.4f} for the HMM as printed, {crf:.4f} for the CRF (theirs 0.0153 and 0.0081); the CRF "
        f"is better in {tags.wins} of {len(tags.names)} tags and {pairs.wins} of {len(pairs.names)} pairs (theirs: 39 "
        "of 47, 71 of 100).",
    )


def _rows(results: Results, found: dict[str, Measured]) -> Iterator[Row]:
    headings = {"printed": "as printed", "tuned": "tuned", "unsmoothed": "by maximum likelihood"}
    for which, heading in headings.items():
        yield from _comparison_rows(results, found, which, f"HMM against CRF, {heading}")


def _other_rows(results: Results, seed: int) -> Iterator[Row]:
    """The CRFs whose penalty was chosen by likelihood, and the thesis's estimator."""
    table = "CRFs chosen or trained in other ways"
    for name, tagged in results.tagged.items():
        if "likelihood" in name or "AdaGrad" in name:
            clean = calibration(tagged.all_tags(), bin_size=BIN_SIZE, seed=seed).clean
            yield Row(table, f"accuracy, {name}", tagged.accuracy)
            yield _row(table, f"CalibErr without noise, all tags, {name}", clean, None, _CLEAN_NOTE)
    for (which, by), (n, l2) in results.matched.items():
        note = f"L2 {l2:g}, which is {'inside' if PENALTIES[0] < l2 < PENALTIES[-1] else 'at the edge of'} the grid"
        yield Row("Chosen on dev", f"training sentences, {crf_name(which, by)}", float(n), note=note)


def _sweep_table(results: Results, seed: int) -> str:
    """CalibErr over L2, each CRF with the training text that makes it as accurate as the HMM."""
    parts = ("sentences", "right", "CalibErr without noise")
    lines = [["L2", *(f"{part}, {which}" for which in results.pseudocounts for part in parts)]]
    for l2 in PENALTIES:
        cells = [f"{l2:g}"]
        for which in results.pseudocounts:
            n, tagged = results.sweep[which, l2]
            clean = calibration(tagged.all_tags(), bin_size=BIN_SIZE, seed=seed).clean
            cells += [f"{n:,}", f"{tagged.accuracy:.3f}", f"{clean.value:.4f} ({clean.lo:.4f} to {clean.hi:.4f})"]
        lines.append(cells)
    return markdown("CalibErr of the CRF over L2, at the accuracy of each HMM", lines)


def _ablation_rows(results: Results, seed: int) -> Iterator[Row]:
    table, last = "Ablation of features", list(results.ladder)[-1]
    for name, tagged in results.ladder.items():
        note = f"L2 {results.penalties[name]:g}"
        yield Row(table, f"accuracy, {name}", tagged.accuracy, 0.96 if name == last else None, note=note)
    for name, tagged in results.ladder.items():
        clean = calibration(tagged.all_tags(), bin_size=BIN_SIZE, seed=seed).clean
        yield _row(table, f"CalibErr without noise, {name}", clean, None, _CLEAN_NOTE)
    for name, tagged in results.ladder.items():
        yield Row(table, f"probability of the likeliest tag minus share right, {name}", tagged.overconfidence)


def _all_details(found: dict[str, Measured]) -> Iterator[Row]:
    for which, one in found.items():
        for kind, many in (("tag", one.tags), ("pair", one.pairs)):
            yield from _detail_rows(f"By {kind}, {which}", many)


def _comparison_rows(results: Results, found: dict[str, Measured], which: str, table: str) -> Iterator[Row]:
    """Theirs stand beside the HMM as printed only."""
    one, first = found[which], which == "printed"
    for model in MODELS:
        yield Row(table, f"accuracy, {model}", results.tagged[f"{model} {which}"].accuracy, 0.887 if first else None)
    for model in MODELS:
        figure, half = THEIRS[model]
        note = _PAPER_NOTE + (f"; theirs ± {half:g}" if first else "")
        yield _row(table, f"CalibErr, all tags, {model}", one.overall[model].paper, figure if first else None, note)
    for model in MODELS:
        yield _row(table, f"CalibErr without noise, all tags, {model}", one.overall[model].clean, None, _CLEAN_NOTE)
    for model in MODELS:
        over = f"probability of the likeliest tag minus share right, {model}"
        yield Row(table, over, results.tagged[f"{model} {which}"].overconfidence, note="positive: overconfident")
    for model in MODELS:
        theirs, note = (THEIR_NN[model], _NN_NOTE) if first else (None, _PAPER_NOTE)
        yield _row(table, f"CalibErr, NN, {model}", one.nn[model].paper, theirs, note)
    yield from _count_rows(table, "tags", one.tags, (39, 47) if first else None)
    yield from _count_rows(table, "tag pairs", one.pairs, (71, 100) if first else None)


def _count_rows(table: str, kind: str, many: Versus, theirs: tuple[int, int] | None) -> Iterator[Row]:
    note = f"of {len(many.names)}" + (f"; theirs of {theirs[1]}" if theirs else "")
    yield Row(table, f"{kind} in which the CRF is better", float(many.wins), theirs and float(theirs[0]), note=note)
    note = f"worse in {many.clean_losses}; in the rest no error is seen in either"
    yield Row(table, f"the same without noise, {kind}", float(many.clean_wins), note=note)
    yield Row(table, f"mean CalibErr over {kind}, HMM", float(many.hmm.mean()))
    yield Row(table, f"mean CalibErr over {kind}, CRF", float(many.crf.mean()))


def _row(table: str, figure: str, found: Estimate, theirs: float | None = None, note: str = "") -> Row:
    return Row(table, figure, found.value, theirs, found.lo, found.hi, note)


def _detail_rows(table: str, many: Versus) -> Iterator[Row]:
    for at, name in enumerate(many.names):
        for model, error, clean in (("HMM", many.hmm, many.hmm_clean), ("CRF", many.crf, many.crf_clean)):
            note = f"without noise {clean[at]:.4f}"
            yield Row(table, f"CalibErr, {name}, {model}", float(error[at]), note=note, detail=True)
