"""Experiment `tweets`: the HMM and the CRF on tweets, and what features do for the CRF.

Covers: choosing hyperparameters on development tweets and tagging the test tweets.
Not here: training and measures (`reproductions.tagging`), the page (`page`).
"""

from reproductions.findings import DataFolder, Findings, Progress
from reproductions.tagging import ADVANCED, BASIC
from reproductions.tagging.tagged_text import read_tweets
from reproductions.tagging.tagger_measures import Tagged, tag
from reproductions.tagging.tagger_training import Splits, Trainer
from reproductions.tweets.page import page

PENALTIES = (0.03, 0.1, 0.3, 1.0)


def run(data: DataFolder, progress: Progress, seed: int) -> Findings:
    """Everything on the ARK tweets."""
    train, dev, test = (read_tweets(data.file(f"tagging/ark-tweets-{part}.tsv")) for part in ("train", "dev", "test"))
    return page(*experiment(Splits(train, dev, test), progress), seed)


def experiment(text: Splits, progress: Progress) -> tuple[dict[str, Tagged], dict[str, float]]:
    """The four tagged test texts, and the hyperparameters."""
    trainer, n = Trainer(text, progress), len(text.train.words)
    progress.stage("hidden Markov models")
    pseudocount = trainer.best_pseudocount()
    basic, advanced = (trainer.best_penalty(n, groups, PENALTIES) for groups in (BASIC, ADVANCED))
    tagged = {
        "HMM": tag(trainer.hmm(1.0), text.test),
        "HMM, tuned": tag(trainer.hmm(pseudocount), text.test),
        "CRF-Basic": tag(trainer.crf(n, BASIC, basic), text.test),
        "CRF-Advanced": tag(trainer.crf(n, ADVANCED, advanced), text.test),
    }
    return tagged, {"pseudocount": pseudocount, "basic": basic, "advanced": advanced}
