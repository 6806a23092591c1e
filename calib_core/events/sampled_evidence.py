"""Evidence that is read off a tree of its own in every sample, where the parser doubts.

Covers: which sentences matter, their sampled trees, and one reading of the document for each combination that is drawn.
Not here: the rules (`evidence`), how trees are drawn (`calib_core.syntax`), clusterings (`sampling`).

A sentence matters if it has a word that tells an event or a word of a lexicon. The others keep the best tree. Mentions
and their antecedents are those of the best tree in every sample. A sentence is asked small questions, one after the
other (what names a country, as what is a mention described, what does a verb tell), and each question is put to as few
trees as possible (`watched_tree`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from calib_core.arrays import Ints
from calib_core.coref.mentions.detection import Mentions
from calib_core.document import Document
from calib_core.events.affiliation import may_be_described
from calib_core.events.evidence import (
    Evidence,
    Facts,
    check_mentions,
    described,
    evidence_of,
    told_events,
    tree_evidence,
)
from calib_core.events.links import Told, follows_possessors, possessors
from calib_core.events.naming import NONE, LexiconWords, TokenNames, lexicon_words, names_by
from calib_core.events.query import Query
from calib_core.events.readings import AnyEvidence, SampledEvidence
from calib_core.events.tree import Tree
from calib_core.events.watched_tree import SentenceTrees
from calib_core.syntax import DocumentTrees, sample_relations, sample_trees, sentence_key


@dataclass(frozen=True, slots=True)
class TreeSamples:
    """Trees to draw for one document.

    Attributes
    ----------
    trees : DocumentTrees
    n_samples : int
    seed : int
        Sample s of a sentence depends on the seed, the document's id, the sentence and s, and on nothing else.
    """

    trees: DocumentTrees
    n_samples: int
    seed: int


@dataclass(frozen=True, slots=True)
class Question:
    """One small question to a sentence, and the answers of the best tree (entry 0 of `which`) and of each sample."""

    answers: Sequence[Any]
    which: Ints

    @property
    def is_open(self) -> bool:
        """Whether some sample has another answer than the best tree."""
        return bool((self.which != self.which[0]).any())

    def answer(self, row: int) -> Any:
        """The answer of the best tree (row 0) or of a sample; an only one serves all."""
        return self.answers[self.which[row if len(self.which) > 1 else 0]]


def sampled_evidence(
    document: Document, mentions: Mentions, query: Query, *, year: int | None, samples: TreeSamples
) -> AnyEvidence:
    """As `mention_evidence`, with trees of their own for every sample.

    Returns
    -------
    Evidence or SampledEvidence
        The former if no tree that was drawn says anything else than the best one.
    """
    check_mentions(document, mentions)
    if len(samples.trees) != len(document):
        raise ValueError(
            f"document {document.doc_id!r} has {len(document)} tokens but trees for {len(samples.trees)} of them"
        )
    best = Tree.of(document)
    words = lexicon_words(document, best.free, query, year)
    asked = _Asked(best, mentions, query, words)
    spans = _spans(document.sentences)
    drawn = {}
    for number, first, last in spans:
        if not query.telling.isdisjoint(best.words[first:last]):
            drawn[number] = _drawn(best, samples, number, first, last)
            asked.events(drawn[number])
    if not asked.some_event:
        names = names_by(len(document), words.kept(best), query)
        return tree_evidence(best, names, mentions, query)
    for number, first, last in spans:
        if number in drawn or not words.tokens.isdisjoint(range(first, last)):
            asked.mentions(drawn.get(number) or _drawn(best, samples, number, first, last))
        elif follows_possessors(query):
            asked.mentions(_drawn(best, None, number, first, last))
    return asked.evidence(samples.n_samples)


def _spans(sentences: Ints) -> list[tuple[int, int, int]]:
    """Number, first token and end of each sentence."""
    starts = np.flatnonzero(np.diff(sentences, prepend=-1)).tolist()
    ends = [*starts[1:], len(sentences)]
    return [(int(sentences[first]), first, last) for first, last in zip(starts, ends, strict=True)]


def _drawn(best: Tree, samples: TreeSamples | None, number: int, first: int, last: int) -> SentenceTrees:
    """The best tree of a sentence, then the sampled ones."""
    names = {name: place for place, name in enumerate(samples.trees.names)} if samples else {}
    heads = np.array([max(0, head - first + 1) for head in best.heads[first:last]], dtype=np.int64)[np.newaxis]
    labels = [names.setdefault(name, len(names)) for name in best.deprels[first:last]]
    known = np.array(labels, dtype=np.int64)[np.newaxis]
    if samples is None:
        return SentenceTrees(best, first, heads, known, tuple(names))
    arcs, relations = samples.trees.sentence(first, last)
    key = sentence_key(samples.seed, best.document.doc_id, number)
    drawn = sample_trees(arcs, samples.n_samples, key=key)
    told = relations.labels[sample_relations(relations, drawn, key=key)]
    return SentenceTrees(
        best, first, np.concatenate([heads, arcs.heads[drawn]]), np.concatenate([known, told]), tuple(names)
    )


class _Asked:
    """A document's sentences, asked one by one; then put together."""

    def __init__(self, best: Tree, mentions: Mentions, query: Query, words: LexiconWords) -> None:
        self.best, self.query, self.words = best, query, words
        heads = mentions.heads.tolist()
        self.spans = list(zip(heads, mentions.starts.tolist(), mentions.ends.tolist(), strict=True))
        self.by_sentence: dict[int, list[int]] = {}
        for mention, head in enumerate(heads):
            self.by_sentence.setdefault(int(best.document.sentences[head]), []).append(mention)
        targets = query.language.targets
        self._aimed = targets.modifiers if targets else frozenset()
        self.tops: list[tuple[list[int], Question]] = []
        self.described: list[tuple[list[int], Question]] = []
        self.told: list[Question] = []
        self._named: dict[int, tuple[list[TokenNames], Ints]] = {}
        self.possessors: list[Question] = []

    @property
    def some_event(self) -> bool:
        """Whether some tree tells an event."""
        return any(told for question in self.told for told in question.answers)

    def events(self, trees: SentenceTrees) -> None:
        """What each word that may tell an event tells."""
        names, given = self._names(trees)
        for token in trees.tokens:
            if self.best.words[token] in self.query.telling:

                def ask(tree: Tree, row: int) -> tuple[Told, ...]:
                    return told_events(tree, self.query, names[given[row]])

                self.told.append(Question(*trees.watched_answers(ask, (token,), given)))

    def mentions(self, trees: SentenceTrees) -> None:
        """The names that mentions are part of, as what they are described, whose they are."""
        mine = self.by_sentence.get(int(self.best.document.sentences[trees.first]), [])
        heads = [self.spans[mention][0] for mention in mine]
        flat = trees.broadly("flat")
        if flat.any():
            found = trees.answers(lambda tree, _: tuple(tree.top(head, "flat") for head in heads), trees.alike(flat))
            self.tops.append((mine, Question(*found)))
        if follows_possessors(self.query):
            alike = trees.alike(flat | trees.exactly("nmod:poss"))
            if not self._tells_agents(trees.tokens):  # or targets would change who is an agent
                alike = np.zeros(len(trees), dtype=np.int64)
            self.possessors.append(Question(*trees.answers(lambda tree, _: possessors(tree), alike)))
        if mine and not self.words.tokens.isdisjoint(trees.tokens):
            self._describe(trees, mine)

    def _tells_agents(self, tokens: range) -> bool:
        """Whether a sentence would matter to the query without its targets."""
        named = {token for part in (self.words.countries, self.words.actors) for said in part for token in said.tokens}
        return not named.isdisjoint(tokens) or any(self.best.words[token] in self.query.telling for token in tokens)

    def _names(self, trees: SentenceTrees) -> tuple[list[TokenNames], Ints]:
        """What the sentence's tokens name, and by which tree."""
        if trees.first in self._named:
            return self._named[trees.first]
        kept, which = trees.answers(lambda tree, _: self.words.kept(tree), trees.alike(trees.broadly("flat")))
        names = [names_by(len(self.best.document), words, self.query) for words in kept]
        self._named[trees.first] = names, which
        return names, which

    def _describe(self, trees: SentenceTrees, mine: list[int]) -> None:
        """As what each mention is described that a word of a lexicon may reach."""
        names, given = self._names(trees)
        named = np.isin(trees.tokens, list(self.words.tokens))
        reached, bearing = may_be_described(trees, named, self.query.modifiers | self._aimed)
        heads = [self.spans[mention][0] - trees.first for mention in mine]
        asked = [mine[place] for place in np.flatnonzero(reached[:, heads].any(axis=0))]

        def ask(tree: Tree, row: int) -> tuple[tuple[int, int, int], ...]:
            return tuple(
                described(tree, names[given[row]], self.query, self.spans[mention])
                if reached[row, self.spans[mention][0] - trees.first]
                else (NONE, NONE, NONE)
                for mention in asked
            )

        if asked:
            self.described.append((asked, Question(*trees.answers(ask, trees.alike(bearing, given)))))

    def evidence(self, n_samples: int) -> AnyEvidence:
        """One reading for each combination of answers that some sample has, the best tree's first."""
        questions = [*(q for _, q in self.tops), *(q for _, q in self.described), *self.told, *self.possessors]
        columns = [question.which for question in questions if question.is_open]
        drawn = np.stack(columns, axis=1) if columns else np.zeros((n_samples + 1, 0), np.int64)
        _, first, which = np.unique(drawn, axis=0, return_index=True, return_inverse=True)
        order = np.argsort(first, kind="stable")  # the best tree's reading comes first, the others as they are drawn
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        readings = self._readings(np.sort(first).tolist())
        return readings[0] if len(readings) == 1 else SampledEvidence(readings, place[which.ravel()][1:])

    def _readings(self, rows: list[int]) -> tuple[Evidence, ...]:
        """The evidence of the best trees (row 0) and of some samples."""
        tops = [self.best.top(head, "flat") for head, _, _ in self.spans]
        say = np.full((len(self.spans), 3), NONE, dtype=np.int64)
        for mentions, question in self.described:
            say[mentions] = question.answer(0)
        changing = [(mentions, question) for mentions, question in self.described if question.is_open]
        found = []
        for row in rows:
            for mentions, question in self.tops:
                for mention, top in zip(mentions, question.answer(row), strict=True):
                    tops[mention] = top
            for mentions, question in changing:
                say[mentions] = question.answer(row)
            told = tuple(chain.from_iterable(question.answer(row) for question in self.told))
            owned = tuple(chain.from_iterable(question.answer(row) for question in self.possessors))
            found.append(evidence_of(Facts(tuple(tops), say.copy(), told, owned), self.query))
        return tuple(found)
