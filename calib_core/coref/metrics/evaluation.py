"""Measure an antecedent model on annotated documents: accuracy of the 1-best, and calibration of the pairs.

Covers: CoNLL scores with document-bootstrap intervals, links by mention type, pair probabilities with their labels.
Not here: the metrics (`scores`), the calibration error (`calib_core.calibration`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from calib_core.arrays import Bools, Floats, Ints
from calib_core.calibration import Estimate, calibration_error, cluster_bootstrap
from calib_core.coref.mentions.detection import Mentions
from calib_core.coref.mentions.lexicon import TYPE_NAMES
from calib_core.coref.metrics.posterior_rows import pair_rows
from calib_core.coref.metrics.scores import Ratio, Scores, score
from calib_core.coref.model.held_out import HeldOut
from calib_core.coref.model.training import gold_entities
from calib_core.coref.posterior.decoding import clusters_of, map_clustering
from calib_core.coref.protocol import CoreferenceModel
from calib_core.document import Document


@dataclass(frozen=True, slots=True)
class DocumentReport:
    """What one document adds to an evaluation.

    Attributes
    ----------
    scores : Scores
        Of the summed decoding, against the gold clusters.
    argmax : Scores
        Of the argmax decoding.
    links : dict
        By mention type: of the mentions that have an antecedent, whether the nearest one found is right.
    pred, label : shape (n_pairs,)
        Exact probability that two detected mentions corefer, and whether they do.
    kinds : shape (n_pairs,)
        Type of the later mention of each pair.
    detected, heads : Ratio
        Gold mentions among the detected ones, by exact span and by head token.
    """

    doc_id: str
    scores: Scores
    argmax: Scores
    links: dict[str, Ratio]
    pred: Floats = field(repr=False)
    label: Floats = field(repr=False)
    kinds: Ints = field(repr=False)
    detected: Ratio
    heads: Ratio


def evaluate_document(model: CoreferenceModel, document: Document) -> DocumentReport:
    """Score one annotated, parsed document."""
    linked = model.link(document)
    mentions, gold = linked.mentions, gold_entities(document, linked.mentions)
    entities = map_clustering(linked.antecedents)
    pairs = pair_rows(HeldOut(linked.antecedents, linked.kinds, gold))
    return DocumentReport(
        doc_id=document.doc_id,
        scores=_scores(document, entities, mentions),
        argmax=_scores(document, map_clustering(linked.antecedents, method="argmax"), mentions),
        links=_links(entities, gold, linked.kinds),
        pred=pairs.pred,
        label=pairs.label,
        kinds=linked.kinds[pairs.later],
        detected=_detected(document, mentions),
        heads=_head_recall(document, mentions),
    )


def _scores(document: Document, entities: Ints, mentions: Mentions) -> Scores:
    return score(document.clusters or (), clusters_of(entities, mentions))


def _detected(document: Document, mentions: Mentions) -> Ratio:
    found, gold = set(mentions.spans()), {span for cluster in document.clusters or () for span in cluster}
    return Ratio(len(found & gold), len(gold), len(found & gold), len(found))


def _head_recall(document: Document, mentions: Mentions) -> Ratio:
    """Gold mentions whose head, the first token that depends on one outside, heads a detected mention."""
    gold = []
    for start, end in (span for cluster in document.clusters or () for span in cluster):
        above = document.heads[start:end]
        gold.append(start + int(np.argmax((above < start) | (above >= end))))
    found = set(mentions.heads.tolist())
    right = sum(head in found for head in gold)
    return Ratio(right, len(gold), len(found & set(gold)), len(found))


def _links(entities: Ints, gold: Ints, kinds: Ints) -> dict[str, Ratio]:
    """Recall and precision of the nearest antecedent, by mention type."""
    links: dict[str, Ratio] = {}
    for j in range(len(entities)):
        found = np.flatnonzero(entities[:j] == entities[j])
        true = gold[j] >= 0 and bool((gold[:j] == gold[j]).any())
        right = float(len(found) and true and gold[found[-1]] == gold[j])
        name = TYPE_NAMES[kinds[j]]
        links[name] = links.get(name, Ratio()) + Ratio(right, float(true), right, float(len(found) > 0))
    return links


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The reports of a corpus, and what they sum to."""

    reports: Sequence[DocumentReport]

    def scores(self) -> Scores:
        """Micro-averaged scores of all documents."""
        return sum((report.scores for report in self.reports), start=Scores())

    def conll(self, *, n_samples: int = 1000, seed: int = 0) -> Estimate:
        """CoNLL F1 with a bootstrap interval over documents."""
        rng = np.random.default_rng(seed)
        parts = [report.scores for report in self.reports]
        drawn = [
            sum((parts[d] for d in rng.integers(0, len(parts), len(parts))), start=Scores()).conll.f1
            for _ in range(n_samples)
        ]
        lo, hi = np.quantile(drawn, [0.025, 0.975])
        return Estimate(self.scores().conll.f1, float(lo), float(hi))

    def calibration(self, *, bin_size: int = 5000, where: Callable[[DocumentReport], Bools] | None = None) -> Estimate:
        """CalibErr of the pairs, as in the paper; the interval draws whole documents and is free of sampling noise."""
        keep = [np.ones(len(r.pred), dtype=np.bool_) if where is None else where(r) for r in self.reports]
        pred = np.concatenate([r.pred[k] for r, k in zip(self.reports, keep, strict=True)])
        label = np.concatenate([r.label[k] for r, k in zip(self.reports, keep, strict=True)])
        groups = np.repeat(np.arange(len(keep)), [int(k.sum()) for k in keep])
        estimate = cluster_bootstrap(pred, label, groups, bin_size=bin_size)
        return Estimate(calibration_error(pred, label, bin_size=bin_size), estimate.lo, estimate.hi)

    def links(self) -> dict[str, Ratio]:
        """Recall and precision of links by mention type, most frequent first."""
        totals: dict[str, Ratio] = {}
        for report in self.reports:
            for name, ratio in report.links.items():
                totals[name] = totals.get(name, Ratio()) + ratio
        return dict(sorted(totals.items(), key=lambda item: -item[1].recall_den))

    def by(self, group: Callable[[str], str]) -> "dict[str, Evaluation]":
        """Split by a property of the document id, such as its genre."""
        names = sorted({group(report.doc_id) for report in self.reports})
        return {name: Evaluation([r for r in self.reports if group(r.doc_id) == name]) for name in names}


def evaluate(model: CoreferenceModel, documents: Iterable[Document]) -> Evaluation:
    """Measure a model on annotated, parsed documents."""
    return Evaluation([evaluate_document(model, document) for document in documents])
