"""One annotated document seen through a run: the numbers that the run counted, with their reasons.

Covers: putting annotation, query, recalibration and random numbers of a run together again.
Not here: the reasons themselves (`calib_core.events.explanation`), their words (`flows.report`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calib_core.coref import Antecedents
from calib_core.coref.recalibration import Recalibration, read_recalibration
from calib_core.events import Evidence, Explanation, Lexicon, Query, bundled_queries, explain, mention_evidence
from calib_core.events.agents import Event
from calib_core.events.evidence import agent_events
from calib_core.events.explanation import MORE_SAMPLES
from calib_core.randomness import document_key
from workers.annotations import Annotation
from workers.runs import Run
from workers.storage import StorageError


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What a run applies to every document; read it once for many documents."""

    query: Query
    recalibration: Recalibration | None
    samples: int
    seed: int

    @classmethod
    def of(cls, run: Run, query_file: str | None = None) -> "RunSettings":
        """As the run's manifest has them."""
        manifest, recalibration = run.manifest, run.manifest.get("recalibration")
        repair = read_recalibration(recalibration) if recalibration else None
        return cls(query_of(run, query_file), repair, int(manifest["samples"]), int(manifest["seed"]))


@dataclass(frozen=True, slots=True)
class ExplainedDocument:
    """A document with the reasons of its numbers.

    Attributes
    ----------
    annotation : Annotation
    evidence : Evidence
        Country and agent flag of each mention.
    events : mapping of int to list of Event
        Of each mention that is an agent, what makes it one.
    antecedents : Antecedents
        After recalibration.
    countries : tuple of Explanation
        One for each country that the document may count for, the most probable first.
    samples : int
        How many clusterings the run sampled.
    """

    annotation: Annotation
    evidence: Evidence
    events: Mapping[int, list[Event]]
    antecedents: Antecedents
    countries: tuple[Explanation, ...]
    samples: int


def query_of(run: Run, query_file: str | None = None) -> Query:
    """The query of a run, checked by its fingerprint.

    Parameters
    ----------
    run : Run
    query_file : str, optional
        Where the query stands that the run was made with; needed only if it has a lexicon of its own, which the
        manifest does not hold.
    """
    said = run.manifest["query"]
    candidates = [query_file] if query_file else [said["name"]] if said["name"] in bundled_queries() else []
    queries = [Query.from_yaml(name) for name in candidates]
    if not query_file and "forms" in said:
        queries.append(_rebuilt(said))
    for query in queries:
        if query.fingerprint == said["fingerprint"]:
            return query
    raise StorageError(
        run.warehouse.path(f"{run.folder}/manifest.json"),
        f"the run's query {said['name']!r} is not {query_file or 'one that this installation can rebuild'}",
        "give the file of the query it was made with by --query",
    )


def _rebuilt(said: Mapping[str, Any]) -> Query:
    """From the manifest, on the bundled lexicon."""
    sets = {name: frozenset(said[name]) for name in ("forms", "roles", "modifiers", "subjects", "exclude", "countries")}
    merge = tuple((code, target) for code, target in said["merge"])
    return Query(name=said["name"], lexicon=Lexicon.bundled(), merge=merge, unit=said["unit"], **sets)


def explain_document(annotation: Annotation, settings: RunSettings, *, n_more: int = MORE_SAMPLES) -> ExplainedDocument:
    """Reasons for what a run says of one document; its probabilities are those of the run's table, to the last bit."""
    document, mentions, query = annotation.document, annotation.mentions, settings.query
    evidence = mention_evidence(
        document, mentions.heads, mentions.starts, mentions.ends, query, year=annotation.published.year
    )
    antecedents = annotation.antecedents
    if settings.recalibration is not None:
        antecedents = settings.recalibration.apply(antecedents, annotation.kinds)
    key = document_key(settings.seed, annotation.doc_id)
    return ExplainedDocument(
        annotation=annotation,
        evidence=evidence,
        events=agent_events(document, mentions.heads, query),
        antecedents=antecedents,
        countries=explain(evidence, antecedents, settings.samples, key=key, n_more=n_more),
        samples=settings.samples,
    )
