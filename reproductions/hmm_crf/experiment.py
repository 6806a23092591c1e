"""Experiment `hmm-crf`: a hidden Markov model against a conditional random field on Penn tags.

Covers: choosing hyperparameters on development text, training both to similar accuracy, the ablation of features.
Not here: measures (`reproductions.tagging.tagger_measures`), the page (`page`).
"""

from collections.abc import Sequence

import numpy as np

from reproductions.findings import DataFolder, Findings, Progress
from reproductions.hmm_crf.measures import Results, crf_name
from reproductions.hmm_crf.page import page
from reproductions.tagging import ADVANCED, BASIC
from reproductions.tagging.tagged_text import read_treebank
from reproductions.tagging.tagger_measures import Tagged, tag
from reproductions.tagging.tagger_training import CRITERIA, PENALTIES, UNSMOOTHED, Splits, Trainer

SIZES = (1000, 1250, 1500, 3000, 4500)
"""Numbers of training sentences to try for a CRF as accurate as an HMM."""
ABLATION = 3000
"""Training sentences of the ablation: as many as their CRF had."""


def run(data: DataFolder, progress: Progress, seed: int) -> Findings:
    """Everything on EWT with its Penn tags."""
    progress.stage("reading the treebank")
    train, dev, test = (read_treebank(data.file(f"treebank/en_ewt-{part}.conllu")) for part in ("train", "dev", "test"))
    order = np.random.default_rng(seed).permutation(len(train.words))
    text = Splits(train.part(order), dev, test)
    return page(experiment(text, progress, sizes=SIZES, ablation=ABLATION, seed=seed), seed)


def experiment(text: Splits, progress: Progress, *, sizes: Sequence[int], ablation: int, seed: int) -> Results:
    """Train and tag: HMMs, CRFs as accurate as they are, and CRFs with more and more features."""
    trainer = Trainer(text, progress)
    progress.stage("hidden Markov models")
    pseudocounts = {"printed": 1.0, "tuned": trainer.best_pseudocount(), "unsmoothed": UNSMOOTHED}
    tagged, matched, sweep = {}, {}, {}
    for name, pseudocount in pseudocounts.items():
        hmm = trainer.hmm(pseudocount)
        tagged[f"HMM {name}"] = tag(hmm, text.test)
        wanted = trainer.on_dev(hmm)
        for by in CRITERIA:
            matched[name, by] = match(trainer, sizes, wanted, by)
            tagged[crf_name(name, by)] = tag(trainer.crf(matched[name, by][0], BASIC, matched[name, by][1]), text.test)
        for l2 in PENALTIES:
            n = nearest(trainer, dict.fromkeys(sizes, l2), wanted)
            sweep[name, l2] = (n, tag(trainer.crf(n, BASIC, l2), text.test))
    tagged["CRF AdaGrad"] = tag(trainer.adagrad_crf(*matched["printed", "accuracy"][:1], BASIC,
                                                    matched["printed", "accuracy"][1], seed), text.test)  # fmt: skip
    ladder, penalties = climb_ladder(trainer, ablation)
    return Results(text.test, tagged, matched, sweep, ladder, penalties, pseudocounts, ablation)


def match(trainer: Trainer, sizes: Sequence[int], wanted: float, by: str) -> tuple[int, float]:
    """How many sentences, and which penalty for so many, make a CRF as accurate on dev as is wanted."""
    penalties = {size: trainer.best_penalty(size, BASIC, by) for size in sizes}
    n = nearest(trainer, penalties, wanted)
    return n, penalties[n]


def nearest(trainer: Trainer, penalties: dict[int, float], wanted: float) -> int:
    """The size whose CRF comes nearest to an accuracy on dev."""
    return min(penalties, key=lambda n: abs(trainer.on_dev(trainer.crf(n, BASIC, penalties[n])) - wanted))


def climb_ladder(trainer: Trainer, n_sentences: int) -> tuple[dict[str, Tagged], dict[str, float]]:
    """CRFs with one group of features more each, each with the penalty that is best for it by likelihood on dev."""
    ladder, penalties, start = {}, {}, PENALTIES[len(PENALTIES) // 2]
    for size, group in enumerate(ADVANCED, 1):
        name = group if size == 1 else f"+ {group}"
        start = penalties[name] = trainer.climbed_penalty(n_sentences, ADVANCED[:size], "likelihood", start)
        ladder[name] = tag(trainer.crf(n_sentences, ADVANCED[:size], start), trainer.text.test)
    return ladder, penalties
