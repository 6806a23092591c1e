"""One document asked one question: what sampling, explaining and measuring start from.

Covers: the way from document, query and recalibration to evidence and antecedents, once.
Not here: reading evidence off the trees (`evidence`, `sampled_evidence`), the answers (`sampling`, `explanation`).

Pass the pair on whole. Whether the evidence is the same in every sample is between `query_document` and the functions
that answer; nothing in between needs to know.
"""

from dataclasses import dataclass, replace

from calib_core.coref.model.antecedents import Antecedents
from calib_core.coref.protocol import LinkedMentions
from calib_core.coref.recalibration.forms import Recalibration
from calib_core.document import Document
from calib_core.events.evidence import mention_evidence
from calib_core.events.query import Query
from calib_core.events.readings import AnyEvidence
from calib_core.events.sampled_evidence import TreeSamples, sampled_evidence


@dataclass(frozen=True, slots=True)
class QueriedDocument:
    """A document seen through a query.

    Attributes
    ----------
    evidence : Evidence or SampledEvidence
        What its mentions say about the query, in each sample if trees are sampled.
    linked : LinkedMentions
        What they may refer back to, recalibrated.
    """

    evidence: AnyEvidence
    linked: LinkedMentions

    @property
    def antecedents(self) -> Antecedents:
        """The recalibrated antecedents."""
        return self.linked.antecedents

    def recalibrated(self, repair: Recalibration | None) -> "QueriedDocument":
        """The same evidence with recalibrated antecedents."""
        if repair is None:
            return self
        antecedents = repair.apply(self.linked.antecedents, self.linked.kinds)
        return replace(self, linked=replace(self.linked, antecedents=antecedents))


def query_document(
    document: Document,
    linked: LinkedMentions,
    query: Query,
    *,
    year: int | None,
    recalibration: Recalibration | None = None,
    trees: TreeSamples | None = None,
) -> QueriedDocument:
    """Ask a document a question.

    Parameters
    ----------
    document : Document
    linked : LinkedMentions
        As the model gave them, or as they are stored.
    query : Query
    year : int or None
        Year of publication: a word's country may depend on it.
    recalibration : Recalibration, optional
        Applied to the antecedents.
    trees : TreeSamples, optional
        To be drawn from; without them the document's own tree is believed in every sample.
    """
    if trees is None:
        evidence: AnyEvidence = mention_evidence(document, linked.mentions, query, year=year)
    else:
        evidence = sampled_evidence(document, linked.mentions, query, year=year, samples=trees)
    return QueriedDocument(evidence, linked).recalibrated(recalibration)
