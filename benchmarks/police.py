"""How much of what people read in real news the police queries find, part by part of the query language.

    python -m benchmarks.police india-police.jsonl.gz --cache FOLDER

The file holds articles with `doc_id`, `published`, `text` and the `labels` that readers gave each (ARREST, KILL,
FORCE). Annotating those that can count (565 of 667) takes five minutes on one core; the cache keeps them. Not part of
`make bench`, because the corpus is nobody's to ship.
"""

import argparse
import gzip
import json
import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from calib_core.events import Gate, Query, batch_bits
from calib_core.randomness import document_key
from workers.annotate import Annotator, AnnotatorConfig
from workers.annotation_table import Annotation
from workers.propagation.asking import SYNTAX, ask

LABELS = {"police-arrest": "ARREST", "police-kill": "KILL", "police-force": "FORCE"}
SAMPLES = 100

Step = Callable[[Query], Query]


def without(**parts: object) -> Step:
    """A query with these parts of its language put back to nothing."""
    return lambda query: replace(query, language=replace(query.language, **parts))  # type: ignore[arg-type]


STEPS: tuple[tuple[str, Step], ...] = (
    ("all of it", lambda query: query),
    ("without implied agents", without(implied=())),
    (
        "and without causes and effects",
        without(causes=(), effects=frozenset(), causing_forms=frozenset(), causing_phrases=()),
    ),
    ("and without nouns", without(nouns=())),
    ("and without phrases: verbs and lexicon alone", without(phrases=())),
    ("and without the flag unreal", lambda query: replace(query, exclude=query.exclude - {"unreal"})),
    ("the paper's roles alone", lambda query: replace(query, subjects=frozenset(), exclude=frozenset())),
)
"""What is taken away, each from the one before."""


def annotated(source: Path, cache: Path | None, gates: Sequence[Gate] = ()) -> Iterator[Annotation]:
    """Annotations of the articles, or of those that some gate lets through, from the cache where they are."""
    annotator: Annotator | None = None
    for record in records(source):
        if gates and not any(passes(record["text"]) for passes in gates):
            continue
        file = None if cache is None else cache / f"{record['doc_id']}.pickle"
        if file is not None and file.exists():
            yield pickle.loads(file.read_bytes())  # noqa: S301  # written by this script
            continue
        annotator = annotator or Annotator(AnnotatorConfig())
        annotation = annotator.annotate(record["doc_id"], date.fromisoformat(record["published"]), "", record["text"])
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(pickle.dumps(annotation))
        yield annotation


def records(source: Path) -> list[dict[str, str]]:
    """The articles."""
    with gzip.open(source, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def probabilities(annotations: list[Annotation], query: Query, syntax: str = "best") -> dict[str, float]:
    """Posterior probability of each document in which the police may be the agent."""
    found: dict[str, float] = {}
    for annotation in annotations:
        asked = ask(annotation, query, None, syntax=syntax, n_samples=SAMPLES, seed=0)
        samples = batch_bits([asked.evidence], [asked.antecedents], SAMPLES, keys=[document_key(0, annotation.doc_id)])
        answers = dict(zip(samples.country, samples.p.tolist(), strict=True))
        found[annotation.doc_id] = answers.get("POLICE", 0.0)
    return found


def main() -> None:
    """Print the table, as Markdown."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("source", type=Path)
    reader.add_argument("--cache", type=Path)
    reader.add_argument("--syntax", choices=SYNTAX, default=SYNTAX[0])
    options = reader.parse_args()
    gates = [Gate.of(Query.from_yaml(name)) for name in LABELS]
    annotations = list(annotated(options.source, options.cache, gates))
    labels = {record["doc_id"]: record["labels"] for record in records(options.source)}
    print("| query | part | expected | true | ratio | precision | recall |\n|---|---|---|---|---|---|---|")
    for name, label in LABELS.items():
        truth = {doc_id for doc_id, given in labels.items() if label in given}
        query = Query.from_yaml(name)
        for part, change in STEPS:
            query = change(query)
            p = probabilities(annotations, query, options.syntax)
            expected, right = sum(p.values()), sum(value for doc_id, value in p.items() if doc_id in truth)
            figures = (expected / len(truth), right / max(expected, 1e-9), right / len(truth))
            shown = " | ".join(f"{figure:.2f}" for figure in figures)
            print(f"| {name} | {part} | {expected:.1f} | {len(truth)} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
