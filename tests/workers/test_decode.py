"""Scores to trees, against Stanza's own search and repair."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from stanza.models.common.chuliu_edmonds import chuliu_edmonds_one_root
from stanza.models.depparse.head_constraints import resolve_head_constraint_violations
from stanza.models.pos.vocab import WordVocab

from workers.parsing.decode import LONGEST_REPAIRED, best_tree, is_tree, repaired

RELATIONS = ["nsubj", "obj", "obl", "det", "root"]


def random_scores(seed: int, n: int, *last: int) -> np.ndarray:
    scores = np.random.default_rng(seed).normal(size=(n, n, *last)).astype(np.float32)
    return scores - np.log(np.exp(scores).sum(1 if not last else 2, keepdims=True))


def test_a_tree_worked_by_hand() -> None:
    # troops ← attacked, attacked ← root: each word's best head, no search needed
    scores = np.log(np.array([[1.0, 1, 1], [0.1, 0, 0.9], [0.8, 0.2, 0]]) + 1e-9)
    assert best_tree(scores).tolist() == [0, 2, 0]


def test_a_cycle_is_broken_where_it_costs_least() -> None:
    # 1 and 2 prefer each other; hanging 2 on the root loses 0.1, hanging 1 there loses 0.5
    scores = np.array([[0.0, 0, 0], [-0.6, -9, -0.1], [-0.2, -0.1, -9]])
    assert best_tree(scores).tolist() == [0, 2, 0]


@given(st.integers(0, 10**6), st.integers(2, 12))
def test_trees_equal_those_of_stanza(seed: int, n: int) -> None:
    scores = random_scores(seed, n)
    np.fill_diagonal(scores, -np.inf)
    tree = best_tree(scores)
    assert is_tree(tree)
    assert tree[1:].tolist() == chuliu_edmonds_one_root(scores)[1:].tolist()


@given(st.integers(0, 10**6), st.integers(2, 9))
def test_repairs_equal_those_of_stanza(seed: int, n: int) -> None:
    vocab = WordVocab([[(relation,) for relation in RELATIONS]])
    scores = random_scores(seed, n)
    np.fill_diagonal(scores, -np.inf)
    labels = random_scores(seed + 1, n, len(RELATIONS))
    tree = best_tree(scores)
    ours, names = repaired(scores, tree, labels[np.arange(1, n), tree[1:]], vocab, lambda word: labels[word])
    theirs, ids = resolve_head_constraint_violations(scores, labels, tree, vocab)
    assert ours.tolist() == np.asarray(theirs).tolist()
    assert names == [vocab.id2unit(i + 4) for i in ids]


def test_a_list_of_hundreds_of_words_keeps_its_first_tree() -> None:
    n = LONGEST_REPAIRED + 1
    tree = np.concatenate([[0], np.ones(n, dtype=np.int64)])
    tree[1] = 0
    labels = np.full((n, len(RELATIONS)), -9.0, dtype=np.float32)
    labels[:, 0] = 0.0  # every word is a subject of the first
    vocab = WordVocab([[[relation] for relation in RELATIONS]])
    kept, names = repaired(np.zeros((n + 1, n + 1), dtype=np.float32), tree, labels, vocab, lambda _: labels)
    assert kept.tolist() == tree.tolist()
    assert len(set(names)) == 1
