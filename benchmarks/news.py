"""What each part of the query language adds and leaves out on a news archive, where nobody knows the truth.

    python -m benchmarks.news reuters.jsonl.gz --query violence-dyads --articles 300 --cache FOLDER
    python -m benchmarks.news reuters.jsonl.gz --query attack-dyads --pair IRQ IRN --cache FOLDER

Expected numbers of articles, summed over agents with a code. Of the articles past the gate it takes those whose ids
have the smallest hashes. Not part of `make bench`, because the archives are nobody's to ship.
"""

import argparse
import gzip
import json
import pickle
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from hashlib import blake2b
from pathlib import Path

from benchmarks.police import Step, without
from calib_core.events import Gate, Query, batch_bits
from calib_core.events.dyads import ANY_TARGET, DYAD, dyad
from calib_core.events.language import Unless
from calib_core.events.query import NOBODY
from calib_core.randomness import document_key
from workers.annotate import Annotator, AnnotatorConfig
from workers.annotation_table import Annotation
from workers.propagation.asking import ask

SAMPLES = 100

STEPS: tuple[tuple[str, Step], ...] = (
    ("all of it", lambda query: query),
    ("other senses too (no `unless`)", without(unless=Unless())),
    ("no possessors", without(through=frozenset())),
    ("no nouns", without(nouns=())),
    (
        "no causes and effects",
        without(causes=(), effects=frozenset(), causing_forms=frozenset(), causing_phrases=()),
    ),
    ("no mutual events", without(mutual=frozenset())),
    ("`attack-paper` instead", lambda _: Query.from_yaml("attack-paper")),
)
"""Each is a change of the whole query."""


def chosen(source: Path, query: Query, n: int | None) -> list[dict[str, str]]:
    """Articles past the gate, in order of the hashes of their ids."""
    passes = Gate.of(query)
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        found = [record for record in map(json.loads, lines) if passes(record["text"])]
    return sorted(found, key=lambda record: blake2b(record["doc_id"].encode()).digest())[:n]


def annotated(articles: list[dict[str, str]], cache: Path) -> Iterator[Annotation]:
    """Annotations of the articles, from the cache where they are."""
    annotator: Annotator | None = None
    cache.mkdir(parents=True, exist_ok=True)
    for article in articles:
        file = cache / f"{article['doc_id']}.pickle"
        if not file.exists():
            annotator = annotator or Annotator(AnnotatorConfig())
            day = date.fromisoformat(article["published"])
            file.write_bytes(pickle.dumps(annotator.annotate(article["doc_id"], day, "", article["text"])))
        yield pickle.loads(file.read_bytes())  # noqa: S301  # written by this script


def expected(annotations: list[Annotation], query: Query) -> dict[str, float]:
    """Expected number of articles for each agent, and for each agent and target."""
    found: dict[str, float] = {}
    for annotation in annotations:
        asked = ask(annotation, query, None, syntax="samples", n_samples=SAMPLES, seed=0)
        samples = batch_bits([asked.evidence], [asked.antecedents], SAMPLES, keys=[document_key(0, annotation.doc_id)])
        targets = [ANY_TARGET] * len(samples.country) if samples.target is None else samples.target
        for agent, target, p in zip(samples.country, targets, samples.p.tolist(), strict=True):
            if agent != NOBODY:
                found[dyad(agent, target)] = found.get(dyad(agent, target), 0.0) + p
    return found


def main() -> None:
    """Print the table, as Markdown."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("source", type=Path)
    reader.add_argument("--query", default="violence-dyads")
    reader.add_argument("--articles", type=int)
    reader.add_argument("--pair", nargs=2, default=())
    reader.add_argument("--cache", type=Path, required=True)
    options = reader.parse_args()
    query = Query.from_yaml(options.query)
    query = replace(query, language=replace(query.language, unattributed=False))
    annotations = list(annotated(chosen(options.source, query, options.articles), options.cache))
    one, other = options.pair or ("", "")
    words = [one, other, dyad(one, other), dyad(other, one)] if options.pair else []
    print(f"{len(annotations)} articles past the gate\n")
    print(" | ".join(["| part", "expected", *words]) + " |\n" + "|---" * (2 + len(words)) + "|")
    for part, change in STEPS:
        sums = expected(annotations, change(query))
        total = sum(value for word, value in sums.items() if DYAD not in word)
        figures = [f"{value:.1f}" for value in (total, *(sums.get(word, 0.0) for word in words))]
        print(" | ".join([f"| {part}", *figures]) + " |", flush=True)


if __name__ == "__main__":
    main()
