"""The public names of `calib_core.events`, and one run through all of them."""

from collections import Counter

import numpy as np

import calib_core.events as events
from calib_core.coref import Mentions
from calib_core.coref.model.antecedents import NEW, Antecedents
from calib_core.events import (
    Query,
    batch_bits,
    compare,
    gate,
    mention_evidence,
    posterior_counts,
    predicate_examples,
    tally,
)
from calib_core.events.examples import span_head
from calib_core.randomness import document_key


def test_names_of_the_contract_are_public() -> None:
    promised = {"Query", "Lexicon", "document_bits", "gate", "poisson_binomial", "posterior_counts", "compare"}
    assert promised <= set(events.__all__)
    assert all(hasattr(events, name) for name in events.__all__)


def certain(entities: tuple[int, ...]) -> Antecedents:
    """Each mention takes the one before it in its entity, or NEW, with certainty."""
    chosen = [max((i for i in range(j) if entities[i] == label), default=NEW) for j, label in enumerate(entities)]
    candidates = [[a, NEW] if a != NEW else [NEW] for a in chosen]
    flat = np.concatenate(candidates)
    return Antecedents(np.cumsum([0] + [len(some) for some in candidates]), flat, np.where(flat == NEW, 0.0, 50.0))


def test_from_text_to_counts_with_and_without_the_gate() -> None:
    """Gold entities as certain antecedents: every count is the number of examples that expect the country."""
    query = Query.from_yaml("attack")
    examples = [example for example in predicate_examples() if example.query == "attack"]
    expected = Counter(code for example in examples for code in {code for code, _ in example.expected})
    for some in (examples, [example for example in examples if gate(example.text, query)]):
        said = []
        for example in some:
            starts, ends = np.array(example.spans).reshape(-1, 2).T
            heads = np.array([span_head(example.document, span) for span in example.spans])
            said.append(mention_evidence(example.document, Mentions(starts, ends, heads), query, year=example.year))
        linked = [certain(example.entities) for example in some]
        rows = batch_bits(said, linked, 10, keys=[document_key(0, example.name) for example in some]).positive()
        counts = posterior_counts(tally(["all"] * len(rows), rows.country, rows.entities, rows.best))
        assert {country: count for (_, country), count in zip(counts.cells, counts.mean, strict=True)} == expected
        assert np.array_equal(counts.map_count, counts.q500)
        assert compare(counts, ("all", "IRQ"), ("all", "IRN")).p_greater == 1.0
