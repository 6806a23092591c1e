"""Experiment `tweets`: the HMM and the CRF on tweets, and what features do for the CRF.

Covers: choosing hyperparameters on development tweets and tagging the test tweets.
Not here: training and measures (`reproductions.tagging`), the page (`page`).
"""

from reproductions.findings import DataFolder, Findings, Progress
from reproductions.tagging import ADVANCED, BASIC
from reproductions.tagging.tagged_text import read_tweets
from reproductions.tagging.tagger_measures import Tagged, tag
from reproductions.tagging.tagger_training import CRITERIA, UNSMOOTHED, Splits, Trainer
from reproductions.tweets.page import page


def run(data: DataFolder, progress: Progress, seed: int) -> Findings:
    """Everything on the ARK tweets."""
    train, dev, test = (read_tweets(data.file(f"tagging/ark-tweets-{part}.tsv")) for part in ("train", "dev", "test"))
    return page(*experiment(Splits(train, dev, test), progress, seed), seed)


def experiment(text: Splits, progress: Progress, seed: int) -> tuple[dict[str, Tagged], dict[str, float]]:
    """The four tagged test texts, and the hyperparameters."""
    trainer, n = Trainer(text, progress), len(text.train.words)
    progress.stage("hidden Markov models")
    pseudocount = trainer.best_pseudocount()
    hmms = {"HMM": UNSMOOTHED, "HMM, pseudocount 1": 1.0, "HMM, tuned": pseudocount}
    tagged = {name: tag(trainer.hmm(value), text.test) for name, value in hmms.items()}
    chosen = {"pseudocount": pseudocount}
    for name, groups in (("CRF-Basic", BASIC), ("CRF-Advanced", ADVANCED)):
        for by in CRITERIA:
            l2 = chosen[f"{name}, {by}"] = trainer.best_penalty(n, groups, by)
            if by == "accuracy":
                tagged[name] = tag(trainer.adagrad_crf(n, groups, l2, seed), text.test)
            tagged[f"{name}, L-BFGS, by {by}"] = tag(trainer.crf(n, groups, l2), text.test)
    return tagged, chosen
