"""Experiment `dose`: the same coreference model, its logits scaled by 0.5 to 2.

Covers: which documents train and which are measured.
Not here: the measures (`responses`), the page (`page`).
"""

from calib_core.coref import TrainConfig
from calib_core.coref.model.training import examples, train_examples
from reproductions.dose.page import page
from reproductions.dose.responses import respond
from reproductions.findings import DataFolder, Findings, Progress
from reproductions.ontogum import read_ontogum


def run(data: DataFolder, progress: Progress, seed: int) -> Findings:
    """Train on two thirds of OntoGUM train; measure on the other third and on dev."""
    train, dev = read_ontogum(data, "train"), read_ontogum(data, "dev")
    config = TrainConfig(members=1, seed=seed)
    progress.stage("training an antecedent model", config.epochs)
    learned = examples(document for number, document in enumerate(train) if number % 3)
    model = train_examples(learned, config, progress=lambda *_: progress.advance())
    unseen = train[::3] + dev
    return page(respond(model, unseen, progress, seed=seed), len(unseen))
