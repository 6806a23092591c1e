"""From entity clusterings to posterior event counts.

A query (`Query`) with its lexicon (`Lexicon`) gates raw texts (`gate`), reads countries and agents off the mentions of
a parsed document (`mention_evidence`), answers on sampled clusterings (`document_bits`, `batch_bits`), and the answers
add up (`tally`) to counts with intervals (`posterior_counts`) that can be compared (`compare`); `explain` says why a
document counts as often as it does. Section 6 of Nguyen & O'Connor (2015) is the specification; each module says where
it goes beyond.
"""

from calib_core.events.batching import Batch
from calib_core.events.comparison import Comparison, compare, compare_countries
from calib_core.events.evidence import Evidence, fulfilling_entities, mention_evidence
from calib_core.events.examples import Example, ParserReport, parser_report, predicate_examples
from calib_core.events.explanation import Chain, Decision, Doubt, Explanation, Option, explain
from calib_core.events.gating import Gate, gate
from calib_core.events.lexicon import Entry, Lexicon, bundled_lexicons
from calib_core.events.poisson import PoissonBinomial, poisson_binomial
from calib_core.events.posterior import Counts, posterior_counts
from calib_core.events.query import Query, bundled_queries
from calib_core.events.querying import QueriedDocument, query_document
from calib_core.events.readings import SampledEvidence
from calib_core.events.sampled_evidence import TreeSamples
from calib_core.events.sampling import (
    EventSamples,
    batch_bits,
    clustering_answers,
    document_bits,
    ragged_bits,
    unpack_bits,
)
from calib_core.events.tallying import Tally, empty_tally, tally

__all__ = [
    "Batch",
    "Chain",
    "Comparison",
    "Counts",
    "Decision",
    "Doubt",
    "Entry",
    "EventSamples",
    "Evidence",
    "Example",
    "Explanation",
    "Gate",
    "Lexicon",
    "Option",
    "ParserReport",
    "PoissonBinomial",
    "QueriedDocument",
    "Query",
    "SampledEvidence",
    "Tally",
    "TreeSamples",
    "batch_bits",
    "bundled_lexicons",
    "bundled_queries",
    "clustering_answers",
    "compare",
    "compare_countries",
    "document_bits",
    "empty_tally",
    "explain",
    "fulfilling_entities",
    "gate",
    "mention_evidence",
    "parser_report",
    "poisson_binomial",
    "posterior_counts",
    "predicate_examples",
    "query_document",
    "ragged_bits",
    "tally",
    "unpack_bits",
]
