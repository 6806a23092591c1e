"""Windows keep every piece once and show each its neighbours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.context.windows import Window, windows


def test_short_text_is_one_window() -> None:
    assert windows(7, size=10, overlap=4) == [Window(0, 7, 0, 7)]


def test_no_text_is_no_window() -> None:
    assert windows(0) == []


def test_long_text_is_cut_in_the_middle_of_overlaps() -> None:
    # two windows of 10 over 14 pieces share pieces 4 to 9; the cut lies at 7
    assert windows(14, size=10, overlap=4) == [Window(0, 10, 0, 7), Window(4, 14, 7, 14)]


@given(n=st.integers(1, 3000), size=st.integers(2, 60), share=st.floats(0, 0.9))
def test_every_piece_is_kept_once_with_context_on_both_sides(n: int, size: int, share: float) -> None:
    overlap = int(size * share)
    found = windows(n, size=size, overlap=overlap)
    assert [piece for w in found for piece in range(w.first, w.last)] == list(range(n))
    for w in found:
        assert 0 <= w.start <= w.first
        assert w.last <= w.end <= n
        assert w.end - w.start <= size
        assert w.start == 0 or w.first - w.start >= overlap // 2
        assert w.end == n or w.end - w.last >= overlap // 2


def test_overlap_as_wide_as_the_window_is_refused() -> None:
    with pytest.raises(ValueError, match=r"overlap must lie in \[0, size\); got 10 of 10"):
        windows(30, size=10, overlap=10)
