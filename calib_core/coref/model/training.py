"""Train the antecedent model: documents in a seeded order, AdaGrad, averaged weights.

Covers: preparing documents, epochs, averaging over epochs and seeds; the same seed gives the same weights, bit by bit.
Not here: the gradient (`gradient`), using a trained model (`antecedent_model`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b

import numpy as np

from calib_core.arrays import Ints
from calib_core.coref.features.properties import MentionArrays, mention_arrays
from calib_core.coref.mentions.detection import Mentions, detect_mentions
from calib_core.coref.model.antecedent_model import AntecedentModel
from calib_core.coref.model.gradient import adagrad_step, document_slope, empty_slope, settle
from calib_core.coref.model.logits import Weights
from calib_core.coref.model.sharpening import fit_sharpness
from calib_core.document import Document

OnEpoch = Callable[[int, int, float], None]
"""Called after each epoch with (epochs done, epochs in all, log-likelihood per mention)."""


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """Everything that the weights depend on besides the documents.

    Attributes
    ----------
    bits : int
        The table has 2**bits weights.
    epochs, rate, penalty
        Passes over the documents; AdaGrad's rate; L1 strength per document.
    members : int
        Models trained from different orders and averaged: for a linear model the mean of the logits is the logit of the
        mean weights, so an ensemble costs nothing later.
    folds : int
        Parts for cross-fitting the sharpness (`sharpening`): each part is scored by weights trained on the others. 0
        or 1 leaves the logits as they are.
    costs : three floats
        Softmax-margin costs of (link although new, new although linked, wrong link); zeros mean plain likelihood, which
        is what keeps the probabilities calibrated.
    window : int
        Most antecedent candidates of a mention.
    seed : int
    """

    bits: int = 20
    epochs: int = 5
    rate: float = 0.06
    penalty: float = 0.0025
    members: int = 4
    folds: int = 0
    costs: tuple[float, float, float] = (0.0, 0.0, 0.0)
    window: int = 500
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Example:
    """One training document, looked up, with the hash of its text."""

    arrays: MentionArrays
    entities: Ints
    text: str = ""


def gold_entities(document: Document, mentions: Mentions) -> Ints:
    """The gold entity of each mention, by exact span; -1 for none.

    Raises
    ------
    ValueError
        If the document is not annotated.
    """
    if document.clusters is None:
        raise ValueError(f"document {document.doc_id!r} has no gold clusters")
    owner = {span: number for number, spans in enumerate(document.clusters) for span in spans}
    return np.array([owner.get(span, -1) for span in mentions.spans()], dtype=np.int64)


def text_hash(document: Document) -> str:
    """A hash of the document's letters, however they are split into words: recognises training documents."""
    return blake2b("".join(document.words).casefold().encode(), digest_size=8).hexdigest()


def examples(documents: Iterable[Document]) -> list[Example]:
    """Detect and look up the mentions of every document."""
    prepared = []
    for document in documents:
        mentions = detect_mentions(document)
        arrays, entities = mention_arrays(document, mentions), gold_entities(document, mentions)
        prepared.append(Example(arrays, entities, text_hash(document)))
    return prepared


def train_antecedent_model(
    documents: Iterable[Document], config: TrainConfig | None = None, *, progress: OnEpoch | None = None
) -> AntecedentModel:
    """Fit an antecedent model to annotated, parsed documents."""
    return train_examples(examples(documents), config or TrainConfig(), progress=progress)


def train_examples(
    prepared: Sequence[Example], config: TrainConfig, *, progress: OnEpoch | None = None
) -> AntecedentModel:
    """Fit an antecedent model to documents that have been looked up already."""
    if not any(len(example.entities) for example in prepared):
        raise ValueError("no training document has a mention")
    mean = np.zeros(2**config.bits, dtype=np.float64)
    for member in range(config.members):
        mean += _train_member(prepared, config, member, progress) / config.members
    rounded = mean.astype(np.float16).astype(np.float32)  # as `save` stores them
    scale, shift = _cross_fit(prepared, config) if config.folds > 1 else (1.0, 0.0)
    trained_on = sorted({example.text for example in prepared if example.text})
    about = {"config": asdict(config), "documents": len(prepared), "trained_on": trained_on}
    return AntecedentModel(rounded, config.window, scale, shift, about)


def _cross_fit(prepared: Sequence[Example], config: TrainConfig) -> tuple[float, float]:
    """Sharpness fitted to documents that the weights, trained on the other folds, have not seen."""
    fold = np.random.default_rng([config.seed, config.folds, 1]).permutation(len(prepared)) % config.folds
    held_out = []
    for k in range(config.folds):
        rest = [prepared[d] for d in np.flatnonzero(fold != k).tolist()]
        if rest:
            model = AntecedentModel(_train_member(rest, config, 0, None), config.window)
            held_out += [
                (model.score(prepared[d].arrays), prepared[d].entities) for d in np.flatnonzero(fold == k).tolist()
            ]
    return fit_sharpness(held_out)


def _train_member(prepared: Sequence[Example], config: TrainConfig, member: int, progress: OnEpoch | None) -> Weights:
    """One run of AdaGrad over shuffled documents."""
    n_weights = 2**config.bits
    weights = np.zeros(n_weights, dtype=np.float32)
    squares = np.zeros(n_weights)
    last = np.zeros(n_weights, dtype=np.int64)
    slope = empty_slope(n_weights)
    shift, costs = np.uint64(64 - config.bits), np.array(config.costs)
    order = np.random.default_rng([config.seed, member])
    mentions = max(1, sum(len(example.entities) for example in prepared))
    step = 0
    for epoch in range(config.epochs):
        total = 0.0
        for d in order.permutation(len(prepared)):
            example = prepared[d]
            step += 1
            total += document_slope(example.arrays, example.entities, weights, shift, config.window, costs, slope)
            adagrad_step(weights, squares, last, slope, step, config.rate, config.penalty)
        if progress is not None:
            progress(member * config.epochs + epoch + 1, config.members * config.epochs, total / mentions)
    return settle(weights, squares, last, step, config.rate, config.penalty)
