"""How far the parser's probabilities of arcs can be trusted.

Covers: arcs and labelled arcs of annotated sentences, as stated and as the annotators have them, and their rows.
Not here: the probabilities (`calib_core.syntax`), the temperatures (`workers.parsing.fit_temperatures`).

The parser is given the annotators' words and sentences, so that every arc can be compared; errors of the tokenizer are
not part of these figures.

| slice | arcs |
|---|---|
| all | every possible arc of every word that is not left out, and the gold ones that are, stated as 0 |
| q > 0.01 | those with more than 1 % |
| chosen | one per word: the arc of the tree that `credence parse` prints |
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.document import Document
from calib_core.syntax import arc_marginals, gold_arcs
from workers.calibration.inputs import genre_of
from workers.calibration.metrics import LIKELY, LIKELY_BIN
from workers.calibration.rows import Place, Row, Stated, Tables, calibration_tables, metric_row
from workers.parser import process_parser
from workers.parsing.choice import ParserConfig
from workers.parsing.fit_temperatures import LONGEST, JudgedSentence, judged

GOLD_WORDS = "gold_words"
_FLOOR = 1e-6


@dataclass(frozen=True, slots=True)
class StatedArcs:
    """Stated probabilities and 0/1 answers of some arcs, and which of them are in the tree that the parser chose."""

    pred: Floats
    label: Floats
    chosen: Floats

    @classmethod
    def joined(cls, parts: Sequence["StatedArcs"]) -> "StatedArcs":
        """Many as one."""
        nothing = np.zeros(0)
        columns = ([nothing, *(getattr(part, name) for part in parts)] for name in ("pred", "label", "chosen"))
        return cls(*(np.concatenate(column) for column in columns))


@dataclass(frozen=True, slots=True)
class DocumentArcs:
    """Arcs and labelled arcs of one document.

    Attributes
    ----------
    genre : str
    stated : dict of StatedArcs
        By query: `arcs` and `labelled_arcs`.
    gold : dict of arrays
        By query: the probability of each word's gold arc, 0 where it is left out.
    """

    genre: str
    stated: dict[str, StatedArcs]
    gold: dict[str, Floats]


def judge_arcs(document: Document, config: ParserConfig) -> DocumentArcs:
    """Parse the document's own words and compare; runs on a worker."""
    places = np.flatnonzero(np.diff(document.sentences, prepend=-1))
    ends = [*places[1:].tolist(), len(document)]
    spans = [(start, end) for start, end in zip(places.tolist(), ends, strict=True) if end - start <= LONGEST]
    parsed = process_parser(config).parse_words([list(document.words[start:end]) for start, end in spans])
    sentences = []
    for one, (start, end) in zip(parsed, spans, strict=True):
        heads = np.where(document.heads[start:end] < 0, 0, document.heads[start:end] - start + 1)
        sentences.append(judged(one, heads.tolist(), document.deprels[start:end]))
    return document_arcs(sentences, genre_of(document.doc_id))


def document_arcs(sentences: Sequence[JudgedSentence], genre: str) -> DocumentArcs:
    """What some sentences say."""
    arcs, labelled = zip(*map(_stated, sentences), strict=True) if sentences else ((), ())
    stated = {"arcs": arcs, "labelled_arcs": labelled}
    return DocumentArcs(
        genre,
        {query: StatedArcs.joined([part for part, _ in parts]) for query, parts in stated.items()},
        {query: np.concatenate([np.zeros(0), *(gold for _, gold in parts)]) for query, parts in stated.items()},
    )


def _stated(sentence: JudgedSentence) -> tuple[tuple[StatedArcs, Floats], tuple[StatedArcs, Floats]]:
    """Arcs, then labelled arcs, each with the probabilities of the gold ones."""
    arcs, relations = sentence.trees.arcs, sentence.trees.relations
    p, gold = arc_marginals(arcs), gold_arcs(arcs, sentence.heads)
    right = np.zeros(len(p))
    right[gold[gold >= 0]] = 1.0
    chosen = (arcs.heads == sentence.best[arcs.words - 1]).astype(np.float64)
    q = p[relations.arcs] * np.exp(relations.log_probabilities())
    right_relation = right[relations.arcs] * (relations.labels == sentence.labels[arcs.words - 1][relations.arcs])
    top = np.zeros(len(q))
    top[_best_relations(relations.offsets, q)] = 1.0
    gold_p = np.where(gold >= 0, p[gold], 0.0)
    gold_q = np.zeros(len(arcs))
    np.add.at(gold_q, arcs.words[relations.arcs] - 1, q * right_relation)
    return (
        (_with_missed(p, right, chosen, gold_p), gold_p),
        (_with_missed(q, right_relation, top * chosen[relations.arcs], gold_q), gold_q),
    )


def _best_relations(offsets: Ints, q: Floats) -> list[int]:
    """Position of the most probable relation of each arc."""
    return [int(start + q[start:end].argmax()) for start, end in pairwise(offsets.tolist())]


def _with_missed(pred: Floats, label: Floats, chosen: Floats, gold: Floats) -> StatedArcs:
    """The stated arcs, and the gold ones that are not among them with probability 0."""
    missed = np.zeros(np.count_nonzero(gold == 0))
    return StatedArcs(np.append(pred, missed), np.append(label, missed + 1), np.append(chosen, missed))


def arc_tables(documents: Sequence[DocumentArcs]) -> Tables:
    """Calibration of arcs and labelled arcs: all, likely ones, those of the chosen trees, and by genre."""
    tables = Tables()
    for query in ("arcs", "labelled_arcs"):
        place = Place(GOLD_WORDS, "none", query)
        parts = [one.stated[query] for one in documents]
        stated = Stated.joined((part.pred, part.label) for part in parts)
        chosen = StatedArcs.joined(parts).chosen > 0
        slices = {"all": stated, f"q > {LIKELY}": stated.where(stated.pred > LIKELY), "chosen": stated.where(chosen)}
        for name, rows in slices.items():
            tables.add(calibration_tables(replace(place, slice=name), rows, bin_size=LIKELY_BIN, detail=True))
        for genre in sorted({one.genre for one in documents}):
            inside = np.array([one.genre == genre for one in documents])[stated.groups]
            likely = stated.where(inside & (stated.pred > LIKELY))
            tables.add(calibration_tables(replace(place, slice=f"q > {LIKELY}", genre=genre), likely))
        tables.metrics.append(_loss_row(place, [one.gold[query] for one in documents]))
    return tables


def _loss_row(place: Place, gold: Sequence[Floats]) -> Row:
    """Mean of -log P(gold arc) per word."""
    joined = np.concatenate([np.zeros(0), *gold])
    value = float(-np.log(np.maximum(joined, _FLOOR)).mean()) if len(joined) else 0.0
    return metric_row(place, "gold_arc_log_loss", value, len(joined), len(gold))
