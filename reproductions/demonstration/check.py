"""How the shipped models read the demonstration archive, compared with its truth.

Covers: every article past the gate through the parser, the coreference model and the query; tables of the outcome.
Not here: the batch service, which runs the same steps on any archive.
"""

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from rich.table import Table

from calib_core.coref import AntecedentModel
from calib_core.events import Query, document_bits, gate, query_document
from calib_core.randomness import document_key
from flows.demonstration.truth import ARCHIVE, Truth, gold_answer, read_truth
from workers.parser import Parser

EDGES = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One article past the gate.

    Attributes
    ----------
    truth : Truth
    p : dict
        Posterior probability of each country that has any.
    best : tuple of str
        Countries under the single most probable clustering.
    gold : tuple of str
        Countries under the gold clustering, on the parser's tree.
    """

    truth: Truth
    p: dict[str, float]
    best: tuple[str, ...]
    gold: tuple[str, ...]

    @property
    def rows(self) -> dict[str, tuple[float, bool]]:
        """Probability and truth of each country that has a probability or is true."""
        codes = sorted({*self.p, *self.truth.countries})
        return {code: (self.p.get(code, 0.0), code in self.truth.countries) for code in codes}


def texts() -> dict[str, str]:
    """Text of each article, by id."""
    lines = gzip.decompress(ARCHIVE.read_bytes()).decode().splitlines()
    return {row["doc_id"]: row["text"] for row in map(json.loads, lines)}


def outcomes(*, n_samples: int, seed: int, tick: Callable[[], None]) -> Iterator[Outcome]:
    """Answer for each article past the gate."""
    query, parser, model, articles = Query.from_yaml("attack"), Parser(), AntecedentModel.load(), texts()
    for truth in read_truth():
        tick()
        if not gate(articles[truth.doc_id], query):
            continue
        document = parser.parse(truth.doc_id, articles[truth.doc_id])
        asked = query_document(document, model.link(document), query, year=truth.year)
        key = document_key(seed, truth.doc_id)
        found = document_bits(asked.evidence, asked.antecedents, n_samples, key=key).positive()
        best = tuple(code for code, n in zip(found.country, found.best.tolist(), strict=True) if n)
        p = dict(zip(found.country, found.p.tolist(), strict=True))
        yield Outcome(truth, p, best, gold_answer(document, truth, query))


def by_kind(found: list[Outcome]) -> Table:
    """One row for each kind of article."""
    table = Table(
        "kind", "articles", "true rows", "mean P of true rows", "false mass per article", "1-best right",
        "right under gold clusters", title="By kind, of the articles past the gate", title_justify="left",
    )  # fmt: skip
    kinds = dict.fromkeys(sorted({outcome.truth.kind for outcome in found}))
    for name in [*kinds, "all"]:
        part = [outcome for outcome in found if name in ("all", outcome.truth.kind)]
        rows = [row for outcome in part for row in outcome.rows.values()]
        true = [p for p, label in rows if label]
        false = sum(p for p, label in rows if not label)
        best = sum(sorted(outcome.best) == sorted(outcome.truth.countries) for outcome in part)
        gold = sum(outcome.gold == outcome.truth.countries for outcome in part)
        mean = f"{np.mean(true):.2f}" if true else "-"
        table.add_row(
            name, str(len(part)), str(len(true)), mean, f"{false / len(part):.2f}", f"{best / len(part):.2f}",
            f"{gold}/{len(part)}",
        )  # fmt: skip
    return table


def by_probability(found: list[Outcome]) -> Table:
    """How often rows of a given probability are true."""
    rows = [row for outcome in found for row in outcome.rows.values()]
    pred, label = (np.array(column, dtype=np.float64) for column in zip(*rows, strict=True))
    table = Table("P", "rows", "mean P", "share true", title="Are the probabilities right?", title_justify="left")
    for low, high in pairwise(EDGES):
        # the last bin holds its upper edge
        inside = (pred >= low) & ((pred < high) | (high == EDGES[-1]))
        if inside.any():
            means = f"{pred[inside].mean():.2f}", f"{label[inside].mean():.2f}"
            table.add_row(f"{low:.2f} - {high:.2f}", str(int(inside.sum())), *means)
    best = sum(len(outcome.best) for outcome in found)
    table.caption = f"expected count {pred.sum():.1f}, true count {label.sum():.0f}, 1-best count {best}"
    return table
