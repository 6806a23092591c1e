"""Evidence by sampled trees: against the plain rules on each sample's own document."""

from dataclasses import replace

import numpy as np
import pytest

from calib_core.coref.mentions.detection import Mentions
from calib_core.document import Document
from calib_core.events import Evidence, Query, SampledEvidence, TreeSamples, document_bits, mention_evidence
from calib_core.events.examples import Example, language_examples, predicate_examples, span_head
from calib_core.events.readings import AnyEvidence, aligned
from calib_core.events.sampled_evidence import sampled_evidence
from calib_core.syntax import Arcs, DocumentTrees, Relations, sampled_documents
from tests.calib_core.events.documents import random_antecedents

EXAMPLES = [*predicate_examples(), *language_examples()]
RELATIONS = ("nsubj", "obj", "obl", "nmod", "nmod:poss", "conj", "amod", "compound", "acl", "xcomp", "case", "flat")
N = 12


def mentions_of(example: Example) -> Mentions:
    heads = np.array([span_head(example.document, span) for span in example.spans], dtype=np.int64)
    starts, ends = np.array(example.spans, dtype=np.int64).reshape(-1, 2).T
    return Mentions(starts, ends, heads)


def spans_of(document: Document) -> list[tuple[int, int]]:
    starts = np.flatnonzero(np.diff(document.sentences, prepend=-1)).tolist()
    return list(zip(starts, [*starts[1:], len(document)], strict=True))


def trees_around(document: Document, rng: np.random.Generator, *, doubt: float) -> DocumentTrees:
    """The document's own arcs, some of them with rivals; without doubt they are the only ones."""
    names = tuple(sorted({*document.deprels, *RELATIONS}))
    sentences = []
    for first, last in spans_of(document):
        n = last - first
        scores = np.full((n + 1, n + 1), -np.inf)
        own = np.where(document.heads[first:last] < 0, 0, document.heads[first:last] - first + 1)
        rivals = rng.random((n + 1, n + 1)) < doubt
        rivals[:, 0] = False
        scores[rivals] = rng.normal(-1, 1, rivals.sum())
        scores[np.arange(1, n + 1), own] = 0.0
        arcs = Arcs.of_matrix(scores)
        labels, sizes = [], []
        for word, head in zip(arcs.words.tolist(), arcs.heads.tolist(), strict=True):
            known: set[int] = set()
            if head == own[word - 1]:
                known.add(names.index(document.deprels[first + word - 1]))
            if rng.random() < doubt or not known:
                known.add(int(rng.integers(len(names))))
            labels += sorted(known)
            sizes.append(len(known))
        offsets = np.cumsum([0, *sizes]).astype(np.int64)
        sentences.append((arcs, Relations(offsets, np.array(labels, dtype=np.int64), rng.normal(0, 1, len(labels)))))
    return DocumentTrees.of(sentences, names)


def drawn_documents(example: Example, samples: TreeSamples, query: Query) -> list[Document]:
    """The document of each sample, spelled out: sentences that matter have the drawn tree."""
    document, lexicon = example.document, mention_words(example, query)
    drawn = list(sampled_documents(document, samples.trees, samples.n_samples, seed=samples.seed))
    for first, last in spans_of(document):
        told = any(word.casefold() in query.telling for word in document.words[first:last])
        if not told and lexicon.isdisjoint(range(first, last)):
            drawn = [with_own_tree(one, document, first, last) for one in drawn]
    return drawn


def with_own_tree(drawn: Document, document: Document, first: int, last: int) -> Document:
    heads = drawn.heads.copy()
    heads[first:last] = document.heads[first:last]
    return replace(
        drawn, heads=heads, deprels=(*drawn.deprels[:first], *document.deprels[first:last], *drawn.deprels[last:])
    )


def mention_words(example: Example, query: Query) -> set[int]:
    from calib_core.events.naming import lexicon_words
    from calib_core.events.pieces import free_standing

    return lexicon_words(example.document, free_standing(example.document), query, example.year).tokens


def answers(evidence: AnyEvidence, example: Example, n_samples: int) -> dict[str, list[int]]:
    n = len(example.spans)
    found = document_bits(evidence, random_antecedents(n, np.random.default_rng(n)), n_samples, key=7)
    return {word: row.tolist() for word, row in zip(found.words, found.entities, strict=True) if row.any()}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_trees_without_doubt_are_the_best_tree(example: Example) -> None:
    query, mentions = Query.from_yaml(example.query), mentions_of(example)
    trees = trees_around(example.document, np.random.default_rng(0), doubt=0.0)
    found = sampled_evidence(example.document, mentions, query, year=example.year, samples=TreeSamples(trees, N, 0))
    best = mention_evidence(example.document, mentions, query, year=example.year)
    assert isinstance(found, Evidence)
    assert answers(found, example, N) == answers(best, example, N)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_sample_reads_its_own_tree_as_if_it_were_the_only_one(example: Example) -> None:
    query, mentions = Query.from_yaml(example.query), mentions_of(example)
    seed = len(example.document)
    trees = trees_around(example.document, np.random.default_rng(seed), doubt=0.15)
    samples = TreeSamples(trees, N, seed)
    found = sampled_evidence(example.document, mentions, query, year=example.year, samples=samples)
    plain = [
        mention_evidence(document, mentions, query, year=example.year)
        for document in drawn_documents(example, samples, query)
    ]
    best = mention_evidence(example.document, mentions, query, year=example.year)
    slow = SampledEvidence((best, *plain), np.arange(1, N + 1))
    assert answers(found, example, N) == answers(slow, example, N)


def test_samples_do_not_depend_on_how_many_are_drawn() -> None:
    example = next(example for example in EXAMPLES if len(example.spans) > 2)
    query, mentions = Query.from_yaml(example.query), mentions_of(example)
    trees = trees_around(example.document, np.random.default_rng(3), doubt=0.3)
    few, many = (
        sampled_evidence(example.document, mentions, query, year=example.year, samples=TreeSamples(trees, n, 0))
        for n in (20, 200)
    )
    assert isinstance(few, SampledEvidence)
    assert isinstance(many, SampledEvidence)
    for s in range(20):
        one, other = few.readings[few.which[s]], many.readings[many.which[s]]
        assert one.country.tolist() == other.country.tolist()
        assert one.agent.tolist() == other.agent.tolist()


def test_trees_of_another_document_are_refused() -> None:
    first, second = (example for example in EXAMPLES[:40:20])
    trees = trees_around(second.document, np.random.default_rng(0), doubt=0.0)
    with pytest.raises(ValueError, match=r"has \d+ tokens but trees for \d+ of them"):
        sampled_evidence(
            first.document, mentions_of(first), Query.from_yaml("attack"), year=1990, samples=TreeSamples(trees, 5, 0)
        )


def test_readings_with_different_words_are_given_the_same_ones() -> None:
    codes, none = ("AAA", "BBB"), np.zeros(0, dtype=np.int64)
    reported = np.ones(2, dtype=np.bool_)

    def reading(*words: tuple[int, int]) -> Evidence:
        country = np.array([code for _, code in words], dtype=np.int64)
        agent = np.ones(len(words), dtype=np.bool_)
        return Evidence(country, agent, country * 0, codes, reported, tuple(token for token, _ in words))

    found = aligned(SampledEvidence((reading((4, 0)), reading((9, 1), (4, 0)), reading()), none))
    assert [one.word_tokens for one in found] == [(4, 9)] * 3
    assert [one.country.tolist() for one in found] == [[0, -1], [0, 1], [-1, -1]]
    assert [one.agent.tolist() for one in found] == [[True, False], [True, True], [False, False]]
