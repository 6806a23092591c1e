"""The two taggers: counts by hand, gradients by differences, and what both must have in common."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad

from reproductions.tagging import (
    ADVANCED,
    ConditionalRandomField,
    HiddenMarkovModel,
    extract,
    joined,
    log_partition,
    path_scores,
    tag_marginals,
    viterbi,
)
from reproductions.tagging.crf import Likelihood, batch_ends
from reproductions.tagging.emissions import EmissionMap
from reproductions.tagging.vocabulary import Vocabulary, sentence_starts
from tests.reproductions.made_up_text import made_up

WORDS = [["the", "dog", "barks"], ["a", "dog", "saw", "the", "saw"], ["dogs", "bark"]]
TAGS = [["D", "N", "V"], ["D", "N", "V", "D", "N"], ["N", "V"]]


def likelihood(l2: float, groups: tuple[str, ...] = ADVANCED) -> Likelihood:
    features, tags = extract(WORDS, groups), Vocabulary.of(joined(TAGS)).numbers(joined(TAGS))
    emissions = EmissionMap.observed(features, tags, 3, min_count=1)
    return Likelihood.of(emissions, emissions.encode(features), sentence_starts(WORDS), tags, n_tags=3, l2=l2)


def test_hmm_counts_with_one_pseudocount() -> None:
    model = HiddenMarkovModel(pseudocount=1.0).fit(WORDS, TAGS)
    assert model.tags_.names == ("D", "N", "V")
    # D occurs 3 times, always before N; three next tags and the end get a pseudocount each
    np.testing.assert_allclose(np.exp(model.transition_[0]), np.array([1, 4, 1]) / 7)
    assert np.exp(model.end_[0]) == pytest.approx(1 / 7)
    np.testing.assert_allclose(np.exp(model.start_), np.array([3, 2, 1]) / 6)
    # 7 known words and the unknown one
    the, unknown = model.words_.index["the"], len(model.words_)
    assert np.exp(model.emission_[the, 0]) == pytest.approx(3 / 11)
    assert np.exp(model.emission_[unknown, 0]) == pytest.approx(1 / 11)


def test_hmm_shares_sum_to_one() -> None:
    model = HiddenMarkovModel(pseudocount=0.3).fit(WORDS, TAGS)
    np.testing.assert_allclose(np.exp(model.transition_).sum(axis=1) + np.exp(model.end_), 1.0)
    np.testing.assert_allclose(np.exp(model.emission_).sum(axis=0), 1.0)


def test_hmm_posterior_is_its_joint_over_the_probability_of_the_words() -> None:
    scores = HiddenMarkovModel().fit(WORDS, TAGS).scores([["the", "cat"]])
    joint = [[path_scores(scores, [i, j])[0] for j in range(3)] for i in range(3)]
    total = np.exp(joint).sum()
    assert np.exp(log_partition(scores)[0]) == pytest.approx(total)
    np.testing.assert_allclose(tag_marginals(scores)[1], np.exp(joint).sum(axis=0) / total)


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.5]))
def test_gradient_agrees_with_finite_differences(seed: int, l2: float) -> None:
    objective = likelihood(l2)
    weights = np.random.default_rng(seed).normal(0, 1, len(objective.observed))
    difference = check_grad(lambda w: objective(w)[0], lambda w: objective(w)[1], weights)
    assert difference < 1e-4


def test_objective_is_the_negative_log_probability_of_the_right_tags() -> None:
    model = ConditionalRandomField(l2=0.5, templates=ADVANCED, max_iterations=5).fit(WORDS, TAGS)
    scores = model.scores(WORDS)
    right = path_scores(scores, model.tags_.numbers(joined(TAGS)))
    expected = (log_partition(scores) - right).sum() + 0.25 * (model.weights_**2).sum()
    assert likelihood(0.5)(model.weights_)[0] == pytest.approx(expected)


def test_at_the_optimum_expected_tags_match_the_seen_ones() -> None:
    """Without a penalty on them, moments match: the defining property of maximum likelihood."""
    words = [["x"], ["x"], ["x"], ["y"]]
    tags = [["A"], ["A"], ["B"], ["B"]]
    model = ConditionalRandomField(l2=0.0, tolerance=1e-12).fit(words, tags)
    assert tag_marginals(model.scores([["x"]]))[0] == pytest.approx([2 / 3, 1 / 3], abs=1e-3)


def test_crf_learns_what_it_was_shown() -> None:
    model = ConditionalRandomField(l2=0.01).fit(WORDS, TAGS)
    assert viterbi(model.scores(WORDS)).tags.tolist() == model.tags_.numbers(joined(TAGS)).tolist()


def test_stronger_penalty_gives_flatter_probabilities() -> None:
    sure, unsure = (
        tag_marginals(ConditionalRandomField(l2=l2).fit(WORDS, TAGS).scores(WORDS)).max(axis=1).mean()
        for l2 in (0.01, 10.0)
    )
    assert sure > unsure


def test_same_data_give_the_same_weights() -> None:
    first, second = (ConditionalRandomField(templates=ADVANCED).fit(WORDS, TAGS).weights_ for _ in range(2))
    assert first.tobytes() == second.tobytes()


def test_unknown_words_leave_the_tag_to_the_neighbours() -> None:
    model = ConditionalRandomField(l2=0.1).fit(WORDS, TAGS)
    assert not model.scores([["zebra"]]).unary.any()
    assert model.tags_.names[viterbi(model.scores([["the", "zebra"]])).tags[1]] == "N"


def test_progress_is_told_each_iteration() -> None:
    seen: list[tuple[int, float]] = []
    ConditionalRandomField(max_iterations=3).fit(WORDS, TAGS, progress=lambda *told: seen.append(told))
    assert [number for number, _ in seen] == [1, 2, 3]
    assert seen[0][1] > seen[-1][1]


def test_features_seen_too_rarely_are_left_out() -> None:
    model = ConditionalRandomField(min_count=2).fit(WORDS, TAGS)
    assert model.emissions_.vocabulary.names == ("w=dog", "w=saw", "w=the")


@pytest.mark.parametrize("model", [HiddenMarkovModel(), ConditionalRandomField()])
def test_tags_that_do_not_fit_the_words_are_refused(model: HiddenMarkovModel | ConditionalRandomField) -> None:
    with pytest.raises(ValueError, match="sentence 1 has 2 words but 1 tags"):
        model.fit([["a"], ["b", "c"]], [["X"], ["Y"]])
    with pytest.raises(ValueError, match="sentence 0 is empty"):
        model.fit([[]], [[]])


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="pseudocount must be positive"):
        HiddenMarkovModel(pseudocount=0.0)
    with pytest.raises(ValueError, match="l2 must be at least 0"):
        ConditionalRandomField(l2=-1.0)
    with pytest.raises(ValueError, match=r"feature groups must be some of word, .*; got colour"):
        extract(WORDS, ["colour"])
    with pytest.raises(ValueError, match="min_count = 9"):
        ConditionalRandomField(min_count=9).fit(WORDS, TAGS)


def test_adagrad_and_l_bfgs_agree_on_the_tags() -> None:
    text = made_up(30, 5)
    exact = ConditionalRandomField(l2=1.0, max_iterations=500, tolerance=1e-10).fit(text.words, text.tags)
    close = ConditionalRandomField(l2=1.0, batch_size=10, max_iterations=100).fit(text.words, text.tags)
    one, other = (tag_marginals(model.scores(text.words)) for model in (exact, close))
    assert np.abs(other - one).mean() < 0.02


def test_batches_add_up_to_the_objective() -> None:
    text = made_up(25, 5)
    sentences, tags = sentence_starts(text.words), Vocabulary.of(joined(text.tags)).numbers(joined(text.tags))
    features, n_tags = extract(text.words, ADVANCED), int(tags.max()) + 1
    emissions = EmissionMap.observed(features, tags, n_tags, min_count=1)
    whole = Likelihood.of(emissions, emissions.encode(features), sentences, tags, n_tags=n_tags, l2=0.7)
    weights = np.random.default_rng(0).normal(0, 0.3, len(whole.observed))
    parts = [whole.of_sentences(tags, *ends)(weights) for ends in batch_ends(25, 10)]
    value, gradient = whole(weights)
    assert sum(part[0] for part in parts) == pytest.approx(value)
    assert sum(part[1] for part in parts) == pytest.approx(gradient)
