"""One annotated document as a run saw it: the numbers that the run counted, with their reasons.

Covers: combining the annotation, query, recalibration and random numbers of a run again.
Not here: the reasons themselves (`calib_core.events.explanation`), their words (`flows.report`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from calib_core.coref import Antecedents
from calib_core.coref.recalibration.forms import Recalibration
from calib_core.events import Evidence, Explanation, Query, explain
from calib_core.events.agents import Event
from calib_core.events.batching import with_words
from calib_core.events.evidence import agent_events
from calib_core.events.explanation import MORE_SAMPLES
from calib_core.events.readings import aligned
from calib_core.randomness import document_key
from workers.annotation_table import Annotation
from workers.propagation.asking import ask
from workers.runs import Run


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What a run applies to every document; read it once for many documents."""

    query: Query
    recalibration: Recalibration | None
    samples: int
    seed: int
    syntax: str = "best"

    @classmethod
    def of(cls, run: Run) -> "RunSettings":
        """Those of a published run."""
        numbers = int(run.manifest["samples"]), int(run.manifest["seed"])
        return cls(run.query(), run.recalibration(), *numbers, run.manifest.get("syntax", "best"))


@dataclass(frozen=True, slots=True)
class ExplainedDocument:
    """A document with the reasons of its numbers.

    Attributes
    ----------
    annotation : Annotation
    evidence : Evidence
        Country and agent flag of each mention, by the best tree.
    events : mapping of int to list of Event
        For each mention that is an agent, what makes it one.
    antecedents : Antecedents
        After recalibration; words that stand for themselves at the end.
    countries : tuple of Explanation
        One per country that the document may count for, most probable first.
    samples : int
        How many clusterings the run sampled.
    roles : frozenset of str
        Those that the query asks for; "agent" above stands for any of them.
    """

    annotation: Annotation
    evidence: Evidence
    events: Mapping[int, list[Event]]
    antecedents: Antecedents
    countries: tuple[Explanation, ...]
    samples: int
    roles: frozenset[str]


def explain_document(annotation: Annotation, settings: RunSettings, *, n_more: int = MORE_SAMPLES) -> ExplainedDocument:
    """Reasons for what a run says of one document; its probabilities are those of the run's table, to the last bit."""
    query = settings.query
    n_drawn = max(settings.samples, n_more)
    asked = ask(
        annotation, query, settings.recalibration, syntax=settings.syntax, n_samples=n_drawn, seed=settings.seed
    )
    best = aligned(asked.evidence)[0]
    key = document_key(settings.seed, annotation.doc_id)
    return ExplainedDocument(
        annotation=annotation,
        evidence=best,
        events=agent_events(annotation.document, annotation.mentions, query),
        antecedents=with_words(asked.antecedents, best.n_words),
        countries=explain(asked.evidence, asked.antecedents, settings.samples, key=key, n_more=n_more),
        samples=settings.samples,
        roles=query.roles,
    )
