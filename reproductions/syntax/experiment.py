"""Who does it, by sampled trees: are the probabilities better than the best tree, and are the arcs calibrated?

Covers: agents of verbs on two treebanks; arcs; what it leaves out to keep mentions and antecedents of the best tree.
Not here: the pairs (`agents`), the mentions (`recomputed`).
"""

from calib_core.calibration import Estimate, calibration_error_interval, reliability_curve
from flows.charts.reliability import reliability_chart
from reproductions.findings import DataFolder, Findings, Picture, Progress, Row
from reproductions.syntax.agents import (
    BLOCK,
    N_SAMPLES,
    AgentPairs,
    as_probabilities,
    coverage,
    losses,
    redrawn,
    smoothed,
    treebank_pairs,
)
from reproductions.syntax.recomputed import Recomputed, recomputed_counts
from reproductions.verdicts import Test
from workers.parser import Parser

LIKELY, BIN = 0.01, 1000


def run(data: DataFolder, progress: Progress, seed: int) -> Findings:
    """Measure on EWT test and GUM dev; EWT dev says only what the best tree is worth as a forecast."""
    parser = Parser()
    dev, ewt, gum = (
        treebank_pairs(data.file(f"treebank/{name}.conllu"), parser, progress, seed=seed)
        for name in ("en_ewt-dev", "en_ewt-test", "en_gum-dev")
    )
    articles = recomputed_counts(data.file("news/reuters-1987H1.jsonl.gz"), progress, seed=seed)
    return findings(dev, {"EWT test": ewt, "GUM dev": gum}, articles, seed=seed)


def findings(dev: AgentPairs, judged: dict[str, AgentPairs], articles: Recomputed, *, seed: int) -> Findings:
    """The page."""
    gains = {name: gain(pairs, dev, seed=seed) for name, pairs in judged.items()}
    chart = reliability_chart(
        {name: reliability_curve(*_likely(pairs), bin_size=BIN) for name, pairs in judged.items()},
        title="Is this word the head of that one?",
        subtitle=f"observed frequency against stated probability, arcs above {LIKELY}, bins of {BIN:,}",
    )
    rows = [row for name, pairs in judged.items() for row in _rows(name, pairs, dev, gains[name], seed=seed)]
    found = "; ".join(f"{name}: {one.value:.3f} ({one.lo:.3f} to {one.hi:.3f})" for name, one in gains.items())
    return Findings(
        they=THEY,
        we=WE,
        data=DATA,
        rows=(*rows, *_mention_rows(articles)),
        pictures=(Picture("", CAPTION, chart),),
        claims=tuple(better(name).judged(one) for name, one in gains.items()),
        verdict=f"log-loss of the best tree minus that of samples, per possible pair: {found}.",
    )


def better(name: str) -> Test:
    """The claim, for one treebank."""
    return Test(
        "Samples of trees are better forecasts of who does what than the best tree is.",
        f"Log-loss of the best tree minus that of samples, {name}",
        low=0.0,
    )


def gain(pairs: AgentPairs, dev: AgentPairs, *, seed: int) -> Estimate:
    """Mean log-loss of the best tree less that of the samples; above 0, samples are better."""
    difference = losses(as_probabilities(pairs, dev), pairs.label) - losses(smoothed(pairs), pairs.label)
    return redrawn(difference, difference * 0 + 1, pairs.block, seed=seed)


def _rows(name: str, pairs: AgentPairs, dev: AgentPairs, better: Estimate, *, seed: int) -> list[Row]:
    ones, table = pairs.label * 0 + 1, f"Agents of verbs, {name}"
    figures = {
        "log-loss, samples": (losses(smoothed(pairs), pairs.label), ones),
        "log-loss, best tree": (losses(as_probabilities(pairs, dev), pairs.label), ones),
        "expected over true, samples": (pairs.samples, pairs.label),
        "expected over true, best tree": (pairs.best, pairs.label),
        "found, best tree": (pairs.best * pairs.label, pairs.label),
    }
    found = {figure: redrawn(*sums, pairs.block, seed=seed) for figure, sums in figures.items()}
    found["log-loss, best tree minus samples"] = better
    note = f"{len(ones):,} possible pairs, {int(pairs.label.sum()):,} true"
    rows = [Row(table, figure, one.value, lo=one.lo, hi=one.hi, note=note) for figure, one in found.items()]
    held, width, exact = coverage(pairs)
    counts = f"counts of {pairs.block.max() + 1} blocks of {BLOCK} sentences"
    rows.append(
        Row(table, "95 % intervals that hold the truth, samples", held, note=f"{counts}, mean width {width:.1f}")
    )
    rows.append(Row(table, "counts that are exactly right, best tree", exact, note=counts))
    error = calibration_error_interval(*_likely(pairs), bin_size=BIN)
    rows.append(Row(f"Arcs above {LIKELY}, {name}", "CalibErr", error.value, lo=error.lo, hi=error.hi))
    return rows


def _likely(pairs: AgentPairs):  # type: ignore[no-untyped-def]
    chosen = pairs.arcs > LIKELY
    return pairs.arcs[chosen], pairs.gold[chosen]


def _mention_rows(articles: Recomputed) -> list[Row]:
    table = "Mentions and antecedents recomputed on every sampled tree (Reuters, query attack)"
    note = f"{articles.n} articles and countries, {articles.n_trees} trees each"
    return [
        Row(table, "expected count, those of the best tree", articles.kept, note=note),
        Row(table, "expected count, recomputed", articles.recomputed, note=note),
        Row(table, "expected count, best tree alone", articles.best, note=note),
        Row(table, "mean absolute difference of a probability", articles.difference, note="kept against recomputed"),
        Row(table, "the same between two halves of the kept samples", articles.noise, note="what chance alone shows"),
    ]


THEY = (
    "They drew trees from the posterior of a transition-based parser, and read syntactic events off the samples: the "
    "share of samples with an event is better calibrated than the best tree, which says 0 or 1."
)
WE = (
    f"{N_SAMPLES} trees of each sentence from the shipped graph parser, by an exact sampler, at the temperatures that "
    "the model ships with. An event is a word that is the `nsubj` or `obl:agent` of a verb. Every pair counts that the "
    "parser keeps as possible, or that is true. The best tree's 0 and 1 would have an infinite log-loss, so each is "
    "given the share of true pairs that it had on EWT dev. Intervals redraw blocks of "
    f"{BLOCK} neighbouring sentences. Sampled counts keep mentions and antecedents of the best tree; on some "
    "articles both are computed again on every sampled tree."
)
DATA = (
    "Treebanks of English with gold words and sentences; tags are the parser's own. The parser and its temperatures "
    "never saw EWT test or GUM dev; dev parts have been looked at in development. No genre is held out: GUM and EWT "
    "train have them all."
)
CAPTION = "Reliability of arcs: observed share of gold arcs against their exact probability, with 95 % intervals."
