import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calib_core.anchoring import COLD, GATE, WARM, Design, allocate, draw, inclusion, permanent_numbers, score_spread

FRAMES = st.builds(
    lambda seed, n: (np.random.default_rng(seed).integers(0, 3, n), np.random.default_rng(seed).random(n)),
    st.integers(0, 2**32),
    st.integers(1, 60),
)


def test_a_small_stratum_passes_its_labels_on():
    # 10 labels at 5 : 3 : 2, but only two warm documents: the other 8 go 5 : 2, and cold ones are whole
    labels = allocate(10, np.array([100, 2, 100]), (0.5, 0.3, 0.2))
    assert labels == pytest.approx([8 * 5 / 7, 2, 2])


def test_spread_by_hand():
    spread = score_spread(np.array([0, 0, 2]), np.array([0.5, 0.5, 1.0]), 3)
    assert spread == pytest.approx([np.sqrt(0.5), 0, 0])


def test_inclusion_by_hand():
    # doubt of 0.1 (the floor), 0.1, 0.4 and 0.2 has mean 0.2; half uniform gives sizes 3/4, 3/4, 3/2 and 1; 2 labels
    design = Design(shares=(1, 0, 0), uniform=0.5, floor=0.1, weight_cap=10)
    pi = inclusion(np.full(4, GATE), np.array([0.0, 0.1, 0.4, 0.2]), 2, design)
    assert pi == pytest.approx([0.375, 0.375, 0.75, 0.5])


@given(FRAMES, st.integers(1, 70))
def test_probabilities_sum_to_the_budget(frame, budget):
    stratum, spread = frame
    pi = inclusion(stratum, spread, budget, Design())
    assert (pi >= 0).all()
    assert (pi <= 1).all()
    assert (pi[stratum != COLD] > 0).all()
    assert min(budget, len(stratum)) - 1 < pi.sum() <= min(budget, len(stratum)) + 1e-9


@given(FRAMES, st.integers(0, 70), st.integers(0, 20), st.integers(0, 99))
def test_a_larger_budget_only_adds_documents(frame, budget, more, seed):
    stratum, spread = frame
    number = permanent_numbers(seed, [str(i) for i in range(len(stratum))])
    small = draw(stratum, spread, number, budget=budget)
    large = draw(stratum, spread, number, budget=budget + more)
    assert (large.pi >= small.pi - 1e-12).all()
    assert large.drawn[small.drawn].all()


@given(FRAMES)
def test_a_budget_for_everything_draws_everything(frame):
    stratum, spread = frame
    drawn = draw(stratum, spread, np.full(len(stratum), 0.999), budget=len(stratum))
    assert drawn.drawn.all()
    assert (drawn.pi == 1).all()


@given(st.lists(st.floats(0, 3), min_size=5, max_size=50), st.integers(1, 5))
def test_no_weight_past_the_gate_exceeds_the_cap(spread, budget):
    design = Design(shares=(1, 0, 0), uniform=0.0, weight_cap=3)
    pi = inclusion(np.full(len(spread), GATE), np.array(spread), budget, design)
    assert (1 / pi <= 3 * len(spread) / budget + 1e-9).all()


def test_the_cold_stratum_gives_the_smallest_numbers():
    drawn = draw(np.full(4, COLD), np.zeros(4), np.array([0.4, 0.1, 0.9, 0.2]), budget=2)
    assert drawn.drawn.tolist() == [False, True, False, True]


def test_permanent_numbers_are_spread_evenly_and_change_with_the_seed():
    ids = [f"doc{i}" for i in range(4000)]
    numbers, others = permanent_numbers(1, ids), permanent_numbers(2, ids)
    assert np.abs(np.histogram(numbers, 10, (0, 1))[0] - 400).max() < 100
    assert abs(np.corrcoef(numbers, others)[0, 1]) < 0.06


@pytest.mark.parametrize("wrong", [{"uniform": 2.0}, {"floor": 0.0}, {"weight_cap": 0.5}, {"shares": (0, 0, 0)}])
def test_a_design_that_makes_no_sense_is_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Design(**wrong)


def test_arrays_of_other_lengths_are_refused():
    with pytest.raises(ValueError, match="same length"):
        inclusion(np.array([GATE, WARM]), np.zeros(3), 1, Design())
