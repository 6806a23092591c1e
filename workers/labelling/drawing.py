"""Draw a sample of the articles of a run and freeze it.

Covers: strata, scores, named codes and stories of every article; extending an earlier frame of the same query.
Not here: probabilities (`calib_core.anchoring.design`), the frozen file (`frame`), what labels then say.
"""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from calib_core.anchoring import COLD, GATE, WARM, Design, Earlier, draw, entry_budgets, permanent_numbers, score_spread
from calib_core.anchoring import stories as same_story
from calib_core.events import Query
from calib_core.events.closeness import Closeness, named_codes
from workers.labelling.articles import Article, run_articles
from workers.labelling.frame import Frame, FrameError, FrameSettings, freeze, read_frame
from workers.labelling.frames import frame_ids
from workers.labelling.scores import read_scores
from workers.runs import Run
from workers.schemas import FRAME

STRATA = {GATE: "gate", WARM: "warm", COLD: "cold"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawSettings:
    """What a user chooses.

    Attributes
    ----------
    budget : int
        Articles to label, about.
    seed : int
    field_words : tuple of str
        Stems that make a gated-out article warm, beside those of the query's field.
    design : Design
    """

    budget: int
    seed: int
    field_words: tuple[str, ...] = ()
    design: Design = field(default_factory=Design)


@dataclass(frozen=True, slots=True)
class Population:
    """Every article of a run, one entry each."""

    articles: tuple[tuple[str, Any, str], ...]
    """Id, day and quarter."""
    stratum: np.ndarray
    named: tuple[tuple[str, ...], ...]
    story: np.ndarray
    scores: tuple[dict[str, float], ...]

    @property
    def doc_ids(self) -> list[str]:
        """Ids."""
        return [doc_id for doc_id, _, _ in self.articles]


def draw_frame(
    run: Run, wanted: DrawSettings, *, created: str, on_article: Callable[[int], None] = lambda _: None
) -> Frame:
    """The frame of this draw: the one that is there already, or a new one, which extends the newest it can extend.

    Raises
    ------
    FrameError
        When the query counts entities, or the archive has fewer articles than labels are asked for.
    """
    query, warehouse = run.query(), run.warehouse
    if query.unit != "documents":
        raise FrameError(f"labels are of articles, but the query {query.name!r} counts {query.unit}; change its unit")
    known = [read_frame(warehouse, name) for name in frame_ids(warehouse, query.fingerprint)]
    for frame in known:
        if _same_draw(frame.settings, run, wanted):
            return frame
    population = read_population(run, query, wanted.field_words, on_article)
    if wanted.budget > len(population.articles):
        raise FrameError(
            f"the run has {len(population.articles):,} articles, fewer than the {wanted.budget:,} labels asked for"
        )
    earlier = next((frame for frame in reversed(known) if _extensible(frame.settings, run, wanted)), None)
    settings = FrameSettings(
        run_id=run.run_id, query=query.name, fingerprint=query.fingerprint, seed=wanted.seed, budget=wanted.budget,
        design=_plain(wanted.design), with_titles=with_titles(run), field_words=wanted.field_words,
        extends=earlier.frame_id if earlier else None, earlier_cold=_largest_cold(earlier),
    )  # fmt: skip
    return freeze(warehouse, drawn_table(population, settings, earlier), settings, query, created=created)


def with_titles(run: Run) -> bool:
    """Whether a run reads headlines."""
    return bool(run.manifest["annotator"]["titles"])


def read_population(
    run: Run, query: Query, field_words: Iterable[str], on_article: Callable[[int], None] = lambda _: None
) -> Population:
    """Read every article once: its stratum, what it names, its story, and the scores of the run."""
    close, titles = Closeness.of(query, field_words), with_titles(run)
    rows: list[tuple[Article, int, frozenset[str]]] = []
    texts: list[str] = []
    for number, article in enumerate(run_articles(run), start=1):
        text, year = article.read_text(with_titles=titles), article.published.year
        stratum = GATE if close.gate(text) else WARM if close(text, year) else COLD
        rows.append((article, stratum, named_codes(text, query, year) if stratum != COLD else frozenset()))
        texts.append(text if stratum != COLD else "")
        on_article(number)
    scores = read_scores(run)
    order = sorted(range(len(rows)), key=lambda n: (rows[n][0].quarter, rows[n][0].doc_id))
    return Population(
        articles=tuple((rows[n][0].doc_id, rows[n][0].published, rows[n][0].quarter) for n in order),
        stratum=np.array([rows[n][1] for n in order], dtype=np.int64),
        named=tuple(tuple(sorted(rows[n][2])) for n in order),
        story=same_story([texts[n] for n in order]),
        scores=tuple(scores.get(rows[n][0].doc_id, {}) for n in order),
    )


def drawn_table(population: Population, settings: FrameSettings, earlier: Frame | None) -> pa.Table:
    """Draw, and put every article with its chance into the table of a frame."""
    number = permanent_numbers(settings.seed, population.doc_ids)
    spread, before = population_spread(population), earlier_draw(population, earlier)
    how: dict[str, Any] = {"budget": settings.budget, "design": read_design(settings), "earlier": before}
    drawn = draw(population.stratum, spread, number, **how)
    entry = entry_budgets(population.stratum, spread, number, **how)
    chosen = np.flatnonzero(drawn.drawn)
    turn = np.full(len(number), -1)
    turn[chosen[np.lexsort((number[chosen], entry[chosen]))]] = np.arange(len(chosen))
    columns: dict[str, Any] = {
        "doc_id": population.doc_ids,
        "published": [day for _, day, _ in population.articles],
        "quarter": [quarter for _, _, quarter in population.articles],
        "stratum": [STRATA[code] for code in population.stratum.tolist()],
        "pi": drawn.pi,
        "number": number,
        "drawn": drawn.drawn,
        "turn": [place if place >= 0 else None for place in turn.tolist()],
        "entry": [budget if budget > 0 else None for budget in entry.tolist()],
        "earlier_pi": before.pi if before else np.zeros(len(number)),
        "codes": [sorted(scores) for scores in population.scores],
        "scores": [[scores[code] for code in sorted(scores)] for scores in population.scores],
        "named": population.named,
        "story": population.story,
    }
    return pa.table([pa.array(columns[field.name], field.type) for field in FRAME], schema=FRAME)


def population_spread(population: Population) -> np.ndarray:
    """Doubt of the model about each article."""
    document = [number for number, scores in enumerate(population.scores) for _ in scores]
    p = [score for scores in population.scores for score in scores.values()]
    return score_spread(np.array(document, dtype=np.int64), np.array(p), len(population.scores))


def earlier_draw(population: Population, earlier: Frame | None) -> Earlier | None:
    """What an earlier frame drew, for the articles of this one that are in the same stratum still."""
    if earlier is None:
        return None
    columns = [earlier.table.column(name).to_pylist() for name in ("doc_id", "stratum", "pi")]
    known = {doc_id: (stratum, pi) for doc_id, stratum, pi in zip(*columns, strict=True)}
    pi = [
        before[1] if (before := known.get(doc_id)) and before[0] == STRATA[code] and code != COLD else 0.0
        for doc_id, code in zip(population.doc_ids, population.stratum.tolist(), strict=True)
    ]
    return Earlier(np.array(pi), _largest_cold(earlier))


def read_design(settings: FrameSettings) -> Design:
    """The design that a frame was drawn by."""
    stored = dict(settings.design)
    return Design(**stored | {"shares": tuple(stored["shares"])}) if stored else Design()


def _largest_cold(frame: Frame | None) -> float:
    if frame is None:
        return -1.0
    columns = [frame.drawn.column(name).to_pylist() for name in ("number", "stratum")]
    return max((number for number, stratum in zip(*columns, strict=True) if stratum == STRATA[COLD]), default=-1.0)


def _plain(design: Design) -> dict[str, Any]:
    return asdict(design) | {"shares": list(design.shares)}


def _same_draw(settings: FrameSettings, run: Run, wanted: DrawSettings) -> bool:
    same = (settings.run_id, settings.budget) == (run.run_id, wanted.budget)
    return same and _same_question(settings, wanted)


def _extensible(settings: FrameSettings, run: Run, wanted: DrawSettings) -> bool:
    return (
        settings.budget <= wanted.budget
        and settings.with_titles == with_titles(run)
        and _same_question(settings, wanted)
    )


def _same_question(settings: FrameSettings, wanted: DrawSettings) -> bool:
    mine = (settings.seed, settings.field_words, dict(settings.design))
    return mine == (wanted.seed, wanted.field_words, _plain(wanted.design))
