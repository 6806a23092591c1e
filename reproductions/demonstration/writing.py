"""Write the demonstration archive and its truth.

Covers: articles from plans, ids, the two files.
Not here: what is in an article (`sentences`), when it appears (`plans`).
"""

import gzip
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from flows.demonstration.truth import ARCHIVE, TRUTH, Truth, truth_line
from reproductions.demonstration.cast import cast
from reproductions.demonstration.chance import Chance
from reproductions.demonstration.markup import attackers
from reproductions.demonstration.plans import Plan, plans, plot_of
from reproductions.demonstration.plots import Plot
from reproductions.demonstration.sentences import compose

SEED = 1987
SOURCE = "Credence demonstration, fictitious"


@dataclass(frozen=True, slots=True)
class Article:
    """A record of the archive; the fields are those of `credence ingest`."""

    doc_id: str
    published: str
    title: str
    text: str
    source: str = SOURCE


def articles(seed: int = SEED) -> list[tuple[Article, Truth]]:
    """Every article with its truth, in order of date."""
    used: Counter[str] = Counter()
    found = []
    for number, plan in enumerate(plans(seed)):
        chance = Chance(f"{seed}/article/{number}")
        plot = plot_of(plan, used, chance)
        used[f"{plot.kind}/{plot.name}"] += 1
        found.append(_article(f"demo-{number + 1:04d}", plan, plot, chance))
    return found


def _article(doc_id: str, plan: Plan, plot: Plot, chance: Chance) -> tuple[Article, Truth]:
    slots = cast(plan.sides, plan.published, chance)
    title, text, mentions = compose(plot, slots, plan.sides, chance)
    article = Article(doc_id, plan.published.isoformat(), title[0].upper() + title[1:], text)
    return article, Truth(doc_id, plan.published.year, plan.kind, plot.name, attackers(mentions), mentions)


def write(folder: Path, seed: int = SEED) -> None:
    """Write both files under their shipped names; the same seed gives the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    both = articles(seed)
    records = [
        {name: getattr(article, name) for name in ("doc_id", "published", "title", "text", "source")}
        for article, _ in both
    ]
    (folder / ARCHIVE.name).write_bytes(_packed(json.dumps(row, ensure_ascii=False) for row in records))
    (folder / TRUTH.name).write_bytes(_packed(truth_line(truth) for _, truth in both))


def _packed(lines: Iterable[str]) -> bytes:
    # without the time of writing, so that the bytes depend on the content only
    return gzip.compress("".join(line + "\n" for line in lines).encode(), compresslevel=9, mtime=0)
