"""Counts with intervals and errors, from rows of event samples, in any chunks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calib_core.events import Counts, Tally, compare, empty_tally, poisson_binomial, posterior_counts, tally
from calib_core.events.posterior import FIGURES

UNITS = st.sampled_from(["documents", "entities"])
KEYS, COUNTRIES = ["1990Q1", "1990Q2"], ["IRQ", "USA"]


def rows(n: int, rng: np.random.Generator, n_samples: int = 20) -> tuple[list[str], list[str], np.ndarray, np.ndarray]:
    keys = [KEYS[i] for i in rng.integers(0, 2, n)]
    countries = [COUNTRIES[i] for i in rng.integers(0, 2, n)]
    samples = rng.binomial(2, rng.random((n, 1)), (n, n_samples)).astype(np.uint16)
    return keys, countries, samples, rng.integers(0, 3, n).astype(np.uint16)


def counted(p: np.ndarray, n_samples: int, rng: np.random.Generator, unit: str = "documents") -> Counts:
    """Counts of one cell whose documents have these probabilities."""
    samples = rng.random((len(p), n_samples)) < p[:, np.newaxis]
    return posterior_counts(tally(["t"] * len(p), ["c"] * len(p), samples, samples[:, 0], unit=unit))


HAND = np.array([[1, 0, 1, 1], [0, 0, 2, 1]], dtype=np.uint16)


def test_hand_worked_documents() -> None:
    """Two documents, four samples: counts 1, 0, 2, 2, so mean 1.25 and sd √(11/12)."""
    counts = posterior_counts(tally(["1990Q1"] * 2, ["IRQ"] * 2, HAND, np.array([1, 0])))
    assert counts.cells == (("1990Q1", "IRQ"),)
    assert counts.samples.tolist() == [[1, 0, 2, 2]]
    assert counts.mean.tolist() == [1.25]
    assert counts.sd[0] == pytest.approx(np.sqrt(11 / 12))
    half = 1.96 * np.sqrt(11 / 12)
    assert (counts.lo[0], counts.hi[0]) == pytest.approx((1.25 - half, 1.25 + half))
    assert (counts.q025[0], counts.q500[0], counts.q975[0]) == (0, 1, 2)
    assert counts.map_count.tolist() == [1]


def test_hand_worked_entities() -> None:
    """The same rows by entities: counts 1, 0, 3, 2."""
    counts = posterior_counts(tally(["1990Q1"] * 2, ["IRQ"] * 2, HAND, np.array([1, 2]), unit="entities"))
    assert counts.samples.tolist() == [[1, 0, 3, 2]]
    assert counts.map_count.tolist() == [3]
    assert (counts.q025[0], counts.q500[0], counts.q975[0]) == (0, 1, 3)


def test_hand_worked_monte_carlo_errors() -> None:
    """One document with p = 1/2 over 100 samples: var 1/4, so the mean's error is .5/10, and sd cannot move."""
    samples = np.tile([[True, False]], (1, 50))
    errors = posterior_counts(tally(["t"], ["c"], samples, samples[:, 0])).errors
    assert errors["mean"][0] == pytest.approx(0.05)
    assert errors["sd"][0] == pytest.approx(0.0, abs=1e-12)
    assert errors["q500"][0] == pytest.approx(0.5)  # F(0) = 1/2 exactly: the median is 0 or 1 by the toss of a coin
    assert errors["q975"][0] == pytest.approx(0.0, abs=1e-6)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.lists(st.integers(0, 9), min_size=1, max_size=5), UNITS)
def test_tallies_of_chunks_add_up_to_the_whole(seed: int, sizes: list[int], unit: str) -> None:
    rng = np.random.default_rng(seed)
    chunks = [rows(n, rng) for n in sizes]
    total = sum((tally(*chunk, unit=unit) for chunk in reversed(chunks)), start=empty_tally(20, unit=unit))
    keys, countries = ([name for chunk in chunks for name in chunk[i]] for i in (0, 1))
    samples, best = (np.concatenate([chunk[i] for chunk in chunks]) for i in (2, 3))
    whole = tally(keys, countries, samples, best, unit=unit)
    assert total.cells == whole.cells
    assert all(np.array_equal(getattr(total, name), getattr(whole, name)) for name in ("samples", "best", "shares"))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 12))
def test_quantiles_are_those_of_the_documents_probabilities(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    keys, countries, samples, best = rows(n, rng)
    counts = posterior_counts(tally(keys, countries, samples, best))
    for row, cell in enumerate(counts.cells):
        mine = [i for i in range(n) if (keys[i], countries[i]) == cell]
        exact = poisson_binomial((samples[mine] > 0).mean(axis=1)).quantile(np.array([0.025, 0.5, 0.975]))
        assert [counts.q025[row], counts.q500[row], counts.q975[row]] == exact.tolist()
        assert counts.mean[row] == pytest.approx((samples[mine] > 0).mean(axis=1).sum())


@pytest.mark.slow
def test_monte_carlo_errors_are_how_far_figures_move_with_other_random_numbers() -> None:
    rng = np.random.default_rng(1)
    p = rng.random(2_000) ** 2
    runs = [counted(p, 20, rng) for _ in range(300)]
    for name in FIGURES:
        moved = np.std([getattr(run, name)[0] for run in runs])
        assert moved == pytest.approx(np.mean([run.errors[name][0] for run in runs]), rel=0.15)


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["documents", "entities"])
@pytest.mark.parametrize("n", [1, 60, 300])
def test_errors_of_quantiles_include_rounding(n: int, unit: str) -> None:
    """Where the true position is near a step, as in single runs of few documents, so is the error; hence many cells."""
    rng = np.random.default_rng(n)
    moved, said = [], []
    for _ in range(12):
        p = rng.random(n)
        runs = [counted(p, 100, rng, unit) for _ in range(60)]
        for name in ("q025", "q500", "q975"):
            moved.append(np.var([getattr(run, name)[0] for run in runs], ddof=1))
            said.append(np.mean([run.errors[name][0] ** 2 for run in runs]))
    assert np.sqrt(np.mean(said)) == pytest.approx(np.sqrt(np.mean(moved)), rel=0.2)


def test_samples_that_agree_have_no_error_and_the_comparison_of_differences_says_the_same() -> None:
    samples = np.ones((1, 50), dtype=np.bool_)
    counts = posterior_counts(tally(["t"], ["c"], samples, samples[:, 0]))
    assert all(error[0] == 0 for error in counts.errors.values())
    assert compare(counts, ("t", "c"), ("t", "c")).difference_error == 0


def test_errors_shrink_with_the_square_root_of_the_samples() -> None:
    p = np.full(50, 0.3)
    few, many = (counted(p, n, np.random.default_rng(0)).errors["mean"][0] for n in (100, 10_000))
    assert few / many == pytest.approx(10, rel=0.1)


def test_certain_documents_have_no_spread_and_no_error() -> None:
    counts = posterior_counts(tally(["t"] * 3, ["c"] * 3, np.ones((3, 10), dtype=np.bool_), np.ones(3, dtype=np.bool_)))
    assert (counts.mean[0], counts.sd[0], counts.q025[0], counts.q975[0]) == (3, 0, 3, 3)
    assert all(error[0] == 0 for error in counts.errors.values())


def test_interval_covers_the_true_count_of_a_calibrated_model() -> None:
    rng = np.random.default_rng(2)
    inside = 0
    for _ in range(400):
        p = rng.random(40)
        counts = counted(p, 100, rng)
        truth = (rng.random(40) < p).sum()
        inside += counts.q025[0] <= truth <= counts.q975[0]
    assert inside / 400 > 0.92


def test_numbers_of_documents_are_carried_along() -> None:
    counts = posterior_counts(tally(["a"], ["c"], HAND[:1], np.array([1])), n_docs={"a": 70}, n_possible={"b": 3})
    assert (counts.n_docs.tolist(), counts.n_possible.tolist()) == ([70], [-1])


def test_keys_may_be_anything() -> None:
    counts = posterior_counts(tally(["1990-01", "1990-02"], ["IRQ", "IRQ"], HAND, np.array([1, 0])))
    assert [key for key, _ in counts.cells] == ["1990-01", "1990-02"]


def test_nothing_counted_gives_no_rows() -> None:
    assert len(posterior_counts(empty_tally(10))) == 0


def test_one_sample_has_no_standard_deviation() -> None:
    with pytest.raises(ValueError, match="needs at least 2 samples; got 1"):
        posterior_counts(empty_tally(1))


def test_unequal_tallies_do_not_add() -> None:
    with pytest.raises(ValueError, match="10 samples of documents and of 20 samples of documents"):
        empty_tally(10) + empty_tally(20)


def test_rows_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="1 keys, 2 countries, 2 rows of samples and 2 1-best"):
        tally(["a"], ["c", "c"], HAND, np.array([1, 0]))


def test_an_unknown_unit_is_refused() -> None:
    with pytest.raises(ValueError, match="unit must be one of documents, entities; got 'words'"):
        empty_tally(10, unit="words")


def test_a_tally_is_as_large_as_its_cells_not_its_documents() -> None:
    rng = np.random.default_rng(0)
    sizes = {n: sum(getattr(tally(*rows(n, rng)), name).nbytes for name in Tally.__slots__[2:]) for n in (50, 5_000)}
    assert sizes[50] == sizes[5_000]
