"""Experiment `hmm-crf`: a hidden Markov model against a conditional random field on Penn tags.

Covers: choosing hyperparameters on development text, training both to similar accuracy, the ablation of features.
Not here: measures (`reproductions.tagging.tagger_measures`), the page (`page`).
"""

from collections.abc import Sequence

import numpy as np

from reproductions.findings import DataFolder, Findings, Progress
from reproductions.hmm_crf.measures import Results
from reproductions.hmm_crf.page import page
from reproductions.tagging import ADVANCED, BASIC
from reproductions.tagging.tagged_text import read_treebank
from reproductions.tagging.tagger_measures import tag
from reproductions.tagging.tagger_training import Splits, Trainer

PENALTIES = (0.03, 0.1, 0.3)
"""L2, for the word alone."""
RICH_PENALTIES = (0.3, 1.0)
"""L2, for all features; the choice serves every step of the ablation."""
SIZES = (1000, 1250, 1500, 3000, 4500)
"""Numbers of training sentences to try for a CRF as accurate as an HMM."""
ABLATION = 3000
"""Training sentences of the ablation: as many as their CRF had."""


def run(data: DataFolder, progress: Progress, seed: int) -> Findings:
    """Everything on EWT with its Penn tags."""
    progress.stage("reading the treebank")
    train, dev, test = (read_treebank(data.file(f"treebank/en_ewt-{part}.conllu")) for part in ("train", "dev", "test"))
    order = np.random.default_rng(seed).permutation(len(train.words))
    return page(experiment(Splits(train.part(order), dev, test), progress, sizes=SIZES, ablation=ABLATION), seed)


def experiment(text: Splits, progress: Progress, *, sizes: Sequence[int], ablation: int) -> Results:
    """Train and tag: HMMs, CRFs as accurate as they are, and CRFs with more and more features."""
    trainer = Trainer(text, progress)
    progress.stage("hidden Markov models")
    pseudocount = trainer.best_pseudocount()
    penalty = trainer.best_penalty(ablation, BASIC, PENALTIES)
    by_size = {n: trainer.on_dev(trainer.crf(n, BASIC, penalty)) for n in sizes}
    tagged, matched = {}, {}
    for name, value in (("printed", 1.0), ("tuned", pseudocount)):
        hmm = trainer.hmm(value)
        wanted = trainer.on_dev(hmm)
        matched[name] = min(by_size, key=lambda n: abs(by_size[n] - wanted))
        tagged[f"HMM {name}"] = tag(hmm, text.test)
        tagged[f"CRF {name}"] = tag(trainer.crf(matched[name], BASIC, penalty), text.test)
    rich = trainer.best_penalty(ablation, ADVANCED, RICH_PENALTIES)
    ladder = {}
    for size, name in enumerate(ADVANCED, 1):
        ladder[name if size == 1 else f"+ {name}"] = tag(trainer.crf(ablation, ADVANCED[:size], rich), text.test)
    basic = tag(trainer.crf(ablation, BASIC, penalty), text.test)
    full = tag(trainer.crf(len(text.train.words), ADVANCED, rich), text.test)
    chosen = {"pseudocount": pseudocount, "l2": penalty, "advanced l2": rich}
    return Results(text.test, tagged, matched, ladder, basic, full, ablation, chosen)
