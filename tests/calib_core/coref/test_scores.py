"""The coreference metrics by hand, by brute force and in the odd cases."""

from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib_core.coref import Scores, score, score_documents

M = [(i, i + 1) for i in range(12)]  # one-token mentions
Entities = list[list[tuple[int, int]]]


def test_luo_example_by_hand() -> None:
    """Key {0}{1 2}{3 4 5}, response {0 1}{2}{3 4 5 6}: each figure follows from the definition."""
    key, response = [[M[0]], [M[1], M[2]], [M[3], M[4], M[5]]], [[M[0], M[1]], [M[2]], [M[3], M[4], M[5], M[6]]]
    scores = score(key, response)
    assert (scores.muc.recall, scores.muc.precision) == (2 / 3, 2 / 4)
    assert scores.b_cubed.recall == pytest.approx((1 + 0.5 + 0.5 + 3) / 6)
    assert scores.b_cubed.precision == pytest.approx((0.5 + 0.5 + 1 + 3 * 0.75) / 7)
    assert scores.ceaf_m.recall == pytest.approx(5 / 6)
    assert scores.ceaf_e.recall == pytest.approx((2 / 3 + 2 / 3 + 6 / 7) / 3)
    assert scores.blanc.together.recall == pytest.approx(3 / 4)
    assert scores.blanc.together.precision == pytest.approx(3 / 7)
    assert scores.lea.recall == pytest.approx(
        3 / 6
    )  # {0} is no singleton in the response, {1 2} is split, {3 4 5} whole
    assert scores.lea.precision == pytest.approx(4 * (3 / 6) / 7)
    assert scores.mentions.precision == pytest.approx(6 / 7)
    assert scores.pair_error == pytest.approx((1 + 4) / 21)


def test_conll_is_the_mean_of_three() -> None:
    scores = score([[M[0], M[1]], [M[2], M[3]]], [[M[0], M[1]], [M[2], M[4]]])
    parts = (scores.muc.f1, scores.b_cubed.f1, scores.ceaf_e.f1)
    assert scores.conll.f1 == pytest.approx(sum(parts) / 3)


def test_a_perfect_response_scores_one() -> None:
    entities = [[M[0], M[1], M[2]], [M[3], M[4]]]
    assert all(part["f1"] == 1.0 for part in score(entities, entities).as_dict().values())


def test_nothing_against_something_scores_zero_and_nothing_against_nothing_too() -> None:
    for key, response in (([], []), ([[M[0], M[1]]], []), ([], [[M[0], M[1]]])):
        assert all(part["f1"] == 0.0 for part in score(key, response).as_dict().values())


def test_blanc_uses_the_only_kind_of_link_that_the_key_has() -> None:
    whole, split = [[M[0], M[1], M[2]]], [[M[0], M[1]], [M[2]]]
    assert score(whole, split).blanc.recall == pytest.approx(1 / 3)
    assert score([[M[0]], [M[1]], [M[2]]], split).blanc.recall == pytest.approx(2 / 3)


def test_a_response_mention_repeated_counts_once_if_the_key_has_it() -> None:
    key = [[M[0], M[1]], [M[2], M[3]]]
    assert score(key, [[M[0], M[1], M[1]], [M[2], M[3], M[0]]]) == score(key, [[M[0], M[1]], [M[2], M[3]]])


def test_a_spurious_mention_repeated_counts_each_time() -> None:
    scores = score([[M[0], M[1]]], [[M[0], M[1], M[5]], [M[5], M[6]]])
    assert scores.b_cubed.precision_den == 5
    assert scores.muc.precision_den == 3
    assert scores.mentions.precision_den == 4


def test_in_a_key_that_repeats_a_mention_the_last_entity_owns_it() -> None:
    scores = score([[M[0], M[1]], [M[1], M[2]]], [[M[1], M[2]], [M[0], M[3]]])
    assert scores.muc.recall_num == 1
    assert scores.mentions.recall_den == 3


def test_overlapping_mentions_are_different_mentions() -> None:
    scores = score([[(0, 3), (5, 6)]], [[(0, 2), (5, 6)]])
    assert scores.mentions.recall == 0.5
    assert scores.muc.recall == 0.0


def test_scores_add_up_over_documents() -> None:
    one = score([[M[0], M[1]]], [[M[0], M[1]]])
    two = score([[M[0], M[1], M[2]]], [[M[0], M[1]]])
    assert (one + two).muc.recall == pytest.approx(2 / 3)
    assert one + Scores() == one


def test_documents_must_be_the_same_on_both_sides() -> None:
    with pytest.raises(ValueError, match=r"the response has no document 'b' \(1 missing"):
        score_documents({"a": [], "b": []}, {"a": []})
    with pytest.raises(ValueError, match="the key has no document 'c'"):
        score_documents({"a": []}, {"a": [], "c": []})


@st.composite
def clusterings(draw: st.DrawFn) -> Entities:
    """A clustering of some of eight mentions, up to five entities."""
    labels = draw(st.lists(st.integers(-1, 4), min_size=8, max_size=8))
    return [entity for e in range(5) if (entity := [M[i] for i in range(8) if labels[i] == e])]


def brute_muc(key: Entities, response: Entities) -> tuple[int, int]:
    """Links needed less links missing: the partition form of Vilain et al."""
    found = total = 0
    for entity in key:
        parts = [set(entity) & set(other) for other in response]
        missing = len(set(entity) - set().union(*map(set, response)) if response else entity)
        found += len(entity) - (sum(map(bool, parts)) + missing)
        total += len(entity) - 1
    return found, total


def brute_b_cubed(key: Entities, response: Entities) -> float:
    entity_of = {m: set(e) for e in response for m in e}
    return sum(len(set(e) & entity_of.get(m, set())) / len(e) for e in key for m in e)


def brute_ceaf(key: Entities, response: Entities, by_entity: bool) -> float:
    def similarity(a: list, b: list) -> float:
        common = len(set(a) & set(b))
        return 2 * common / (len(a) + len(b)) if by_entity else common

    short, long = sorted((key, response), key=len)
    return max(sum(similarity(a, b) for a, b in zip(short, order, strict=False)) for order in permutations(long))


def brute_links(entities: Entities) -> tuple[set, set]:
    together = {frozenset(pair) for e in entities for pair in combinations(e, 2)}
    everything = {frozenset(pair) for pair in combinations([m for e in entities for m in e], 2)}
    return together, everything - together


@settings(max_examples=150, deadline=None)
@given(clusterings(), clusterings())
def test_metrics_equal_brute_force(key: Entities, response: Entities) -> None:
    scores = score(key, response)
    assert (scores.muc.recall_num, scores.muc.recall_den) == brute_muc(key, response)
    assert (scores.muc.precision_num, scores.muc.precision_den) == brute_muc(response, key)
    assert scores.b_cubed.recall_num == pytest.approx(brute_b_cubed(key, response))
    assert scores.b_cubed.precision_num == pytest.approx(brute_b_cubed(response, key))
    assert scores.ceaf_m.recall_num == pytest.approx(brute_ceaf(key, response, False))
    assert scores.ceaf_e.recall_num == pytest.approx(brute_ceaf(key, response, True))
    for ratio, one, two in zip(
        (scores.blanc.together, scores.blanc.apart), brute_links(key), brute_links(response), strict=True
    ):
        assert (ratio.recall_num, ratio.recall_den, ratio.precision_den) == (len(one & two), len(one), len(two))


@settings(max_examples=50, deadline=None)
@given(clusterings(), clusterings())
def test_swapping_key_and_response_swaps_recall_and_precision(key: Entities, response: Entities) -> None:
    there, back = score(key, response).as_dict(), score(response, key).as_dict()
    for name in ("muc", "bcub", "ceafm", "ceafe", "lea", "pairwise", "mentions"):
        assert there[name]["recall"] == pytest.approx(back[name]["precision"])
        assert there[name]["f1"] == pytest.approx(back[name]["f1"])
