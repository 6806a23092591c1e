"""The articles that people read, what the models say of each, and counts anchored to some of the labels.

Covers: reading, annotating, asking the three questions, drawing labels over and over.
Not here: what is made of it (`page`).
"""

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from calib_core.anchoring import (
    COLD,
    GATE,
    WARM,
    ColdStratum,
    Design,
    LabelledRows,
    Sampled,
    draw,
    score_spread,
    stories,
)
from calib_core.arrays import Bools, Floats, Ints
from calib_core.events import Query, batch_bits
from calib_core.events.closeness import Closeness, named_codes
from calib_core.randomness import document_key
from reproductions.findings import Progress
from workers.annotate import Annotator, AnnotatorConfig
from workers.annotation_table import Annotation
from workers.propagation.asking import ask

QUESTIONS = {"police-arrest": "ARREST", "police-kill": "KILL", "police-force": "FORCE"}
"""Each bundled query, and the label that readers gave for it."""
ACTOR = "POLICE"
N_SAMPLES = 100
N_GROUPS = 4
"""Total, actor, quarter, cell: with one actor and one quarter all the same."""


@dataclass(frozen=True, slots=True)
class Article:
    """One article, and the labels that its readers gave."""

    doc_id: str
    published: date
    text: str
    labels: frozenset[str]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to every article; arrays have shape (n_articles,)."""

    truth: Bools
    p: Floats
    """Posterior probability that the police did it."""
    best: Bools
    """What the 1-best says."""
    named: Bools
    """Whether the text names the actor, or the model scores it."""
    stratum: Ints
    story: Ints


def read_articles(path: Path) -> list[Article]:
    """The articles of the corpus."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return [
        Article(one["doc_id"], date.fromisoformat(one["published"]), one["text"], frozenset(one["labels"]))
        for one in records
    ]


def annotate(articles: Sequence[Article], progress: Progress) -> list[Annotation]:
    """Parse every article; five minutes on one core."""
    annotator, found = Annotator(AnnotatorConfig()), []
    progress.stage("parsing articles", len(articles))
    for article in articles:
        found.append(annotator.annotate(article.doc_id, article.published, "", article.text))
        progress.advance(article.doc_id)
    return found


def ask_all(articles: Sequence[Article], annotations: Sequence[Annotation], name: str, *, seed: int) -> Asked:
    """Ask one bundled query."""
    query = Query.from_yaml(name)
    answers = [_answer(annotation, query, seed) for annotation in annotations]
    close = Closeness.of(query)
    years = [article.published.year for article in articles]
    stratum = [
        GATE if close.gate(article.text) else WARM if close(article.text, year) else COLD
        for article, year in zip(articles, years, strict=True)
    ]
    p = np.array([answer[0] for answer in answers])
    named = [
        place != COLD and ACTOR in named_codes(article.text, query, year)
        for article, year, place in zip(articles, years, stratum, strict=True)
    ]
    return Asked(
        truth=np.array([QUESTIONS[name] in article.labels for article in articles]),
        p=p,
        best=np.array([answer[1] for answer in answers]),
        named=np.array(named) | (p > 0),
        stratum=np.array(stratum),
        story=stories([article.text for article in articles]),
    )


def _answer(annotation: Annotation, query: Query, seed: int) -> tuple[float, bool]:
    """Share of samples in which the police did it, and whether they did in the 1-best."""
    asked = ask(annotation, query, None, syntax="best", n_samples=N_SAMPLES, seed=seed)
    key = document_key(seed, annotation.doc_id)
    samples = batch_bits([asked.evidence], [asked.antecedents], N_SAMPLES, keys=[key])
    for country, p, best in zip(samples.country, samples.p.tolist(), samples.best.tolist(), strict=True):
        if country == ACTOR:
            return p, best > 0
    return 0.0, False


@dataclass(frozen=True, slots=True)
class Redraws:
    """Intervals of the total from labels drawn again and again; shape (n_redraws,) each."""

    lower: Floats
    upper: Floats
    alone_lower: Floats
    """By the labels of a simple random sample of the same size, without any model."""
    alone_upper: Floats


def redraw(asked: Asked, budget: int, n_redraws: int, *, seed: int) -> Redraws:
    """Draw and label articles over and over, and count."""
    rng, ends = np.random.default_rng([seed, budget]), []
    for _ in range(n_redraws):
        rows, n_labels = labelled(asked, budget, rng.random(len(asked.p)))
        anchored = rows.by_design()
        read = rng.permutation(len(asked.p))[:n_labels]
        ends.append((anchored.lower[0], anchored.upper[0], *_alone(asked.truth, read)))
    return Redraws(*np.array(ends).T)


def _alone(truth: Bools, read: Ints) -> tuple[float, float]:
    size, n, share = len(truth), len(read), truth[read].mean()
    half = 1.96 * size * np.sqrt((1 - n / size) * share * (1 - share) / max(n - 1, 1))
    return size * share - half, size * share + half


def labelled(asked: Asked, budget: int, number: Floats) -> tuple[LabelledRows, int]:
    """Draw articles by their random numbers and label them by the truth."""
    rows = np.flatnonzero(asked.named | asked.truth)  # the others are known to be no event, or from labels only
    spread = score_spread(rows, asked.p[rows], len(asked.p))
    drawn = draw(asked.stratum, spread, number, budget=budget, design=Design())
    cold = asked.stratum == COLD
    place = np.cumsum(~cold) - 1
    warm = rows[~cold[rows]]
    sampled = Sampled(
        stratum=asked.stratum[~cold], pi=drawn.pi[~cold], labelled=drawn.drawn[~cold], document=place[warm],
        score=asked.p[warm], low=asked.truth[warm].astype(np.float64), high=asked.truth[warm].astype(np.float64),
        members=csr_array(np.ones((len(warm), N_GROUPS))),
    )  # fmt: skip
    read = drawn.drawn & cold
    each = np.ones(N_GROUPS, dtype=np.int64)
    events = each * int(asked.truth[read].sum())
    stratum = ColdStratum(
        int(cold.sum()), int(read.sum()), each * int(cold.sum()), each * int(read.sum()), events, events
    )
    zeros = np.zeros(len(warm), dtype=np.int64)
    return LabelledRows(
        sampled=sampled, surprise=~asked.named[warm], code=zeros, quarter=zeros, story=asked.story[~cold], cold=stratum,
        shape=(1, 1),
    ), int(drawn.drawn.sum())  # fmt: skip
