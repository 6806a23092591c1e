"""Shortlists for training documents, drawn up by log-linear models that have not seen the document.

Covers: looking documents up, folds that keep variants of one text together, one log-linear model per fold.
Not here: one log-linear training (`calib_core.coref.model.training`), what the shortlists are for (`train`).

In-sample logits are too good to be true. With few folds, whose models are worse than the final one, scorers learn to
distrust them: hence eight.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calib_core.arrays import Ints
from calib_core.coref.features.properties import MentionArrays, mention_arrays
from calib_core.coref.mentions.detection import Mentions, detect_mentions
from calib_core.coref.model.antecedent_model import AntecedentModel
from calib_core.coref.model.shortlist import Shortlist, shortlist
from calib_core.coref.model.training import Example, TrainConfig, gold_entities, text_hash, train_examples
from calib_core.document import Document
from workers.one_thread import one_thread


@dataclass(frozen=True, slots=True)
class Prepared:
    """A training document looked up; `text` tells its variants (gold trees, own parse) from other documents."""

    document: Document
    mentions: Mentions
    arrays: MentionArrays
    entities: Ints
    text: str


def prepare(document: Document) -> Prepared:
    """Detect and look up the mentions of an annotated document."""
    mentions = detect_mentions(document)
    arrays, entities = mention_arrays(document, mentions), gold_entities(document, mentions)
    return Prepared(document, mentions, arrays, entities, text_hash(document))


def folds_of(prepared: Sequence[Prepared], folds: int) -> Ints:
    """A fold for each document; variants of one text share it."""
    texts = list(dict.fromkeys(p.text for p in prepared))
    if not 2 <= folds <= len(texts):
        raise ValueError(f"folds must number at least 2 and at most the documents, {len(texts)}; got {folds}")
    number = np.random.default_rng([11, folds]).permutation(len(texts)) % folds  # 11: any number, but always it
    by_text = dict(zip(texts, number.tolist(), strict=True))
    return np.array([by_text[p.text] for p in prepared], dtype=np.int64)


def cross_fitted(
    annotated: Sequence[Prepared], everything: Sequence[Prepared], fold: Ints, folder: Path,
    config: TrainConfig, keep: int, *, fold_done: Callable[[int], None],
) -> list[Shortlist]:  # fmt: skip
    """The shortlist of each document by a model trained on the annotated documents of the other folds.

    Parameters
    ----------
    annotated : sequence of Prepared
        What the models learn from.
    everything : sequence of Prepared
        What is scored: the same and their variants.
    fold : shape (len(everything),)
        From `folds_of`.
    folder : Path
        Keeps one model per fold.
    config, keep
        Of the log-linear training, and of the shortlists.
    fold_done : callable
        Told the number of folds done.
    """
    shorts: dict[int, Shortlist] = {}
    for k in range(int(fold.max()) + 1):
        inside = np.flatnonzero(fold == k).tolist()
        held_out = {everything[d].text for d in inside}
        model = loglinear_model([p for p in annotated if p.text not in held_out], folder / str(k), config)
        shorts |= {d: shortlist(model.score(everything[d].arrays), keep) for d in inside}
        fold_done(k + 1)
    return [shorts[d] for d in range(len(everything))]


def loglinear_model(prepared: Sequence[Prepared], folder: Path, config: TrainConfig) -> AntecedentModel:
    """Train a log-linear model into a folder, or take the one that lies there."""
    if not (folder / "model.json").exists():
        with one_thread():
            train_examples([Example(p.arrays, p.entities, p.text) for p in prepared], config).save(folder)
    return AntecedentModel.load(folder)
