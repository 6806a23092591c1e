"""Figures must not depend on how many cores a machine has."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from workers.one_thread import one_thread


def threads_of_blas() -> set[int]:
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def test_linear_algebra_has_one_thread_inside_and_what_it_had_before_outside() -> None:
    with threadpool_limits(limits=2):
        with one_thread():
            assert threads_of_blas() == {1}
        assert threads_of_blas() == {2}


def test_threads_come_back_after_an_error() -> None:
    with threadpool_limits(limits=2):
        with pytest.raises(ValueError, match="inside"), one_thread():
            raise ValueError("inside")
        assert threads_of_blas() == {2}


@pytest.mark.parametrize("n_threads", [1, 2, 3])
def test_a_long_sum_rounds_alike_whatever_the_number_of_threads(n_threads: int) -> None:
    numbers = np.random.default_rng(0).random(200_001)

    @one_thread()
    def squares() -> float:
        return float(numbers @ numbers)

    with threadpool_limits(limits=1):
        alone = float(numbers @ numbers)
    with threadpool_limits(limits=n_threads):
        assert squares() == alone
