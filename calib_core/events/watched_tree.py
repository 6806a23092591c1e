"""A sampled tree that remembers what was asked of it, so that trees that would answer alike need not be asked.

Most trees that are sampled for a sentence differ in arcs that no rule looks at. A rule that got the same answers from
two trees comes to the same result, whatever the rule is. So one tree is asked, and every other that agrees with it in
all that was asked shares its result.

Covers: watching the questions, and finding the trees that agree.
Not here: the rules (`evidence` and what it calls), drawing trees (`calib_core.syntax`).
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from calib_core.arrays import Bools, Ints
from calib_core.events.tree import Tree

Answer = TypeVar("Answer", bound=Hashable)

_EVERY = -1
_MOST = 62
"""Relations that have a bit of their own; further ones share the last, so that they count as asked for more often."""


class Watch:
    """What was asked of one tree: which relations of a token's children, its own arc, or its relation alone."""

    def __init__(self, names: Sequence[str]) -> None:
        self.children: dict[int, int] = {}
        self.own: dict[int, int] = {}
        self.relations: set[int] = set()
        self._names = names
        self._bits: dict[tuple[bool, tuple[str, ...]], int] = {}

    def exact(self, relations: tuple[str, ...]) -> int:
        """Bits of these relations."""
        key = (True, relations)
        if key not in self._bits:
            self._bits[key] = self._chosen(lambda name: name in relations)
        return self._bits[key]

    def broad(self, relations: tuple[str, ...]) -> int:
        """Bits of these relations with their subtypes."""
        key = (False, relations)
        if key not in self._bits:
            self._bits[key] = self._chosen(lambda name: name.split(":")[0] in relations)
        return self._bits[key]

    def _chosen(self, wanted: Callable[[str], bool]) -> int:
        return sum({1 << min(number, _MOST) for number, name in enumerate(self._names) if wanted(name)})

    def clear(self) -> None:
        """Forget what was asked."""
        self.children.clear()
        self.own.clear()
        self.relations.clear()

    def ask_children(self, token: int, bits: int) -> None:
        """Children of a token that stand in some of these relations."""
        self.children[token] = self.children.get(token, 0) | bits

    def ask_own(self, token: int, bits: int) -> None:
        """A token's own arc, if its relation is one of these."""
        self.own[token] = self.own.get(token, 0) | bits


class _Children(Sequence[Sequence[int]]):
    """Children by token; reading them asks for all relations."""

    def __init__(self, children: Sequence[Sequence[int]], watch: Watch) -> None:
        self._children, self._watch = children, watch

    def __getitem__(self, token):  # type: ignore[no-untyped-def]
        self._watch.ask_children(token, _EVERY)
        return self._children[token]

    def __len__(self) -> int:
        return len(self._children)


@dataclass(frozen=True, slots=True)
class WatchedTree(Tree):
    """A tree that answers as any other, and notes the question."""

    watch: Watch = field(kw_only=True)
    plain: Tree = field(kw_only=True)

    @classmethod
    def watching(cls, tree: Tree, watch: Watch) -> "WatchedTree":
        """Watch a tree."""
        return cls(
            tree.document, tree.heads, tree.deprels, _Children(tree.children, watch), tree.words, tree.places,
            tree.free, tree.tokens, watch=watch, plain=tree,
        )  # fmt: skip

    def related(self, token: int, *relations: str) -> list[int]:
        """As of any tree."""
        self.watch.ask_children(token, self.watch.exact(relations))
        return self.plain.related(token, *relations)

    def below(self, token: int, *relations: str) -> list[int]:
        """As of any tree."""
        self.watch.ask_children(token, self.watch.broad(relations))
        return self.plain.below(token, *relations)

    def has(self, token: int, *relations: str) -> bool:
        """As of any tree."""
        self.watch.ask_children(token, self.watch.broad(relations))
        return self.plain.has(token, *relations)

    def worded(self, token: int, words: Iterable[str]) -> list[int]:
        """As of any tree."""
        words = tuple(words)
        for word in words:
            for place in self.places.get(word, ()):
                self.watch.ask_own(place, _EVERY)
        return self.plain.worded(token, words)

    def standing_as(self, *relations: str) -> list[int]:
        """As of any tree."""
        bits = self.watch.exact(relations)
        for token in self.tokens:
            self.watch.ask_own(token, bits)
        return self.plain.standing_as(*relations)

    def head(self, token: int) -> int:
        """As of any tree."""
        self.watch.ask_own(token, _EVERY)
        return self.plain.heads[token]

    def relation(self, token: int) -> str:
        """As of any tree."""
        self.watch.relations.add(token)
        return self.plain.deprels[token]

    def subtree_by(self, token: int, relation: str) -> Iterator[int]:
        """As of any tree."""
        bits = self.watch.broad((relation,))
        for reached in self.plain.subtree_by(token, relation):
            self.watch.ask_children(reached, bits)
            yield reached

    def top(self, token: int, relation: str) -> int:
        """As of any tree."""
        bits = self.watch.broad((relation,))
        self.watch.ask_own(token, bits)
        reached = self.plain.top(token, relation)
        while token != reached:
            token = self.plain.heads[token]
            self.watch.ask_own(token, bits)
        return reached


class SentenceTrees:
    """Trees of one sentence of n tokens, the best one first.

    Parameters
    ----------
    best : Tree
        Of the whole document.
    first : int
        The sentence's first token.
    heads : shape (n_trees, n)
        Places in the sentence from 1; 0 for the root.
    labels : shape (n_trees, n)
        Positions in `names`.
    names : sequence of str
        The relations.
    """

    def __init__(self, best: Tree, first: int, heads: Ints, labels: Ints, names: Sequence[str]) -> None:
        self.best, self.first, self.heads, self.labels, self.names = best, first, heads, labels, names
        self._arcs = heads * len(names) + labels
        self._bits = np.int64(1) << np.minimum(labels, _MOST)
        self._bases = [name.split(":")[0] for name in names]
        self._trees: dict[int, Tree] = {}
        self._watch = Watch(names)

    def __len__(self) -> int:
        """Number of trees."""
        return len(self.heads)

    @property
    def tokens(self) -> range:
        """The sentence's, as positions in the document."""
        return range(self.first, self.first + self.heads.shape[1])

    def exactly(self, *relations: str) -> Bools:
        """Which arcs have one of these relations, shape (n_trees, n)."""
        return np.array([name in relations for name in self.names])[self.labels]

    def broadly(self, *bases: str) -> Bools:
        """Which arcs have one of these relations or a subtype, shape (n_trees, n)."""
        return np.array([base in bases for base in self._bases])[self.labels]

    def alike(self, bearing: Bools, given: Ints | None = None) -> Ints:
        """Number the trees so that equal ones share a number, by the arcs that bear on a question.

        Parameters
        ----------
        bearing : shape (n_trees, n)
            Those arcs, tree by tree.
        given : shape (n_trees,), optional
            Whatever else the answer depends on.
        """
        arcs = np.where(bearing, self._arcs, -1)
        if given is not None:
            arcs = np.column_stack([arcs, given])
        if (arcs == arcs[0]).all():
            return np.zeros(len(arcs), dtype=np.int64)
        number: dict[bytes, int] = {}
        return np.array([number.setdefault(row.tobytes(), len(number)) for row in arcs], dtype=np.int64)

    def answers(self, ask: Callable[[Tree, int], Answer], alike: Ints) -> tuple[list[Answer], Ints]:
        """What each tree answers; trees that are alike are asked once.

        Parameters
        ----------
        ask : callable
            Of a tree and its row.
        alike : shape (n_trees,)
            From the method of that name, for all arcs that bear on the answer.

        Returns
        -------
        answers, which : list, shape (n_trees,)
            Different answers, and the position of each tree's.
        """
        number: dict[Answer, int] = {}
        _, first = np.unique(alike, return_index=True)
        places = [number.setdefault(ask(self.tree(row), row), len(number)) for row in first.tolist()]
        return list(number), np.array(places, dtype=np.int64)[alike]

    def watched_answers(
        self, ask: Callable[[Tree, int], Answer], tokens: Sequence[int], given: Ints
    ) -> tuple[list[Answer], Ints]:
        """What each tree answers; trees that agree in everything that was asked of one are not asked.

        Parameters
        ----------
        ask : callable
            Of a tree and its row; it must use nothing of the sentence's arcs but what the tree tells it.
        tokens : sequence of int
            The `tokens` of the tree that is asked.
        given : shape (n_trees,)
            Whatever else the answer depends on.
        """
        left, which = np.arange(len(self)), np.empty(len(self), dtype=np.int64)
        number: dict[Answer, int] = {}
        while len(left):
            self._watch.clear()
            tree = replace(self.tree(int(left[0])), tokens=tokens)
            answer = ask(WatchedTree.watching(tree, self._watch), int(left[0]))
            alike = self._agreeing(left) & (given[left] == given[left[0]])
            which[left[alike]] = number.setdefault(answer, len(number))
            left = left[~alike]
        return list(number), which

    def _agreeing(self, rows: Ints) -> Bools:
        """Which rows agree with the first in everything that the watch saw."""
        n = self.heads.shape[1]
        below, own = np.zeros(n + 1, np.int64), np.zeros(n, np.int64)
        for token, bits in self._watch.children.items():
            if 0 <= token - self.first < n:
                below[token - self.first + 1] = bits
        for token, bits in self._watch.own.items():
            if 0 <= token - self.first < n:
                own[token - self.first] = bits
        seen = (self._bits[rows] & (below[self.heads[rows]] | own)) != 0
        arcs = np.where(seen, self._arcs[rows], -1)
        inside = [token - self.first for token in self._watch.relations if token in self.tokens]
        related = self.labels[rows[:, np.newaxis], inside]
        return np.asarray((arcs == arcs[0]).all(axis=1) & (related == related[0]).all(axis=1))

    def tree(self, row: int) -> Tree:
        """One of the trees; the rest of the document is as in the best one."""
        if row not in self._trees:
            best, first, last = self.best, self.first, self.tokens.stop
            local, labels = self.heads[row].tolist(), self.labels[row].tolist()
            children: list[list[int]] = [[] for _ in local]
            for token, head in enumerate(local):
                if head:
                    children[head - 1].append(token + first)
            self._trees[row] = replace(
                best,
                heads=[*best.heads[:first], *(head - 1 + first if head else -1 for head in local), *best.heads[last:]],
                deprels=[*best.deprels[:first], *map(self.names.__getitem__, labels), *best.deprels[last:]],
                children=[*best.children[:first], *children, *best.children[last:]], tokens=self.tokens,
            )  # fmt: skip
        return self._trees[row]
