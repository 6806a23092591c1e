"""Where a run's figures come from, in words: models, seed, balance, quarantine, query.

Covers: reading the manifest for people.
Not here: writing it (`workers.propagate`).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from calib_core.events import Query
from calib_core.events.query import EXCLUDABLE, MODIFIERS, ROLES, SUBJECTS
from workers.runs import Run

MAX_FAILED = 50


def facts(run: Run) -> list[tuple[str, str]]:
    """Name and value of what a reader needs to judge or repeat the run."""
    manifest = run.manifest
    balance = manifest["balance"]
    found = [
        ("run", f"{manifest['run_id']}, made {manifest['created']} by credence {manifest['credence']}"),
        ("query", f"{manifest['query']['name']} (fingerprint {manifest['query']['fingerprint']})"),
        ("samples and seed", f"{manifest['samples']:,} posterior samples of every article, seed {manifest['seed']}"),
        ("syntax", _syntax(manifest)),
        ("days", f"{manifest['since'] or 'the first'} to {manifest['until'] or 'the last'} of the archive"),
        (
            "balance",
            f"{balance['documents']:,} articles = {balance['counted']:,} sampled + {balance['gated_out']:,} that "
            f"cannot count (no such verb or no country) + {balance['quarantined']:,} failed",
        ),
        ("recalibration", _recalibration(manifest)),
        ("annotator", str(manifest["annotator_id"])),
    ]
    return found + [(f"annotator: {name}", value) for name, value in _flat(manifest["annotator"])]


def query_text(query: Query) -> str:
    """The query with every default written out, one line per key, in the order of a query file."""
    lexicon = query.lexicon
    lines = {
        "name": query.name,
        "verbs": _listed(query.forms),
        "roles": _listed(query.roles, ROLES),
        "modifiers": _listed(query.modifiers, MODIFIERS),
        "subjects": _listed(query.subjects, SUBJECTS) or "none: only arguments attached to the verb itself",
        "exclude": _listed(query.exclude, EXCLUDABLE) or "nothing",
        "lexicon": f"{len(lexicon.entries):,} names of {len(lexicon.codes):,} countries and groups",
        "countries": _listed(query.countries) or "all of the lexicon",
        "merge": ", ".join(f"{code} as {target}" for code, target in query.merge) or "nothing",
        "unit": query.unit,
        "fingerprint": query.fingerprint,
    }
    return "\n".join(f"{key}: {value}" for key, value in lines.items())


def _listed(values: Collection[str], order: Sequence[str] = ()) -> str:
    """The values in the order in which the query's module names them, else by the alphabet."""
    return ", ".join([value for value in order if value in values] or sorted(values))


def quarantine_data(run: Run) -> dict[str, Any]:
    """The first articles that failed, and how many there are."""
    table = run.quarantine().select(["doc_id", "stage", "error"])
    rows = [[row["doc_id"] or "", row["stage"], row["error"]] for row in table.slice(0, MAX_FAILED).to_pylist()]
    return {"rows": rows, "total": table.num_rows}


def _recalibration(manifest: Mapping[str, Any]) -> str:
    recalibration = manifest["recalibration"]
    if recalibration is None:
        return "none: probabilities are the model's own"
    return f"{recalibration['kind']}, from calibration {manifest['calibration']}"


def _syntax(manifest: Mapping[str, Any]) -> str:
    if manifest.get("syntax", "best") == "best":
        return "the parser's best tree in every sample"
    return "every sample reads a tree of its own in the sentences that matter"


def _flat(content: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in sorted(content.items()):
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", str(value)
