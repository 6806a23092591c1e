import pyarrow as pa

from workers.run_changes import Change, changed_counts


def counts(**means: float) -> pa.Table:
    names = [name.split("_") for name in means]
    size = len(means)
    return pa.table({
        "quarter": [quarter for quarter, _ in names], "country": [country for _, country in names],
        "mean": list(means.values()), "q025": [0] * size, "q975": [9] * size, "n_docs": [10] * size,
        "n_possible": [1] * size,
    })  # fmt: skip


def test_rows_that_moved_appeared_or_vanished_largest_first() -> None:
    before = counts(**{"1987Q1_IRQ": 1.0, "1987Q1_USA": 2.0, "1987Q2_FRA": 0.5})
    after = counts(**{"1987Q1_IRQ": 1.25, "1987Q1_USA": 2.0, "1987Q3_IRN": 3.0})
    changes = changed_counts(before, after)
    assert changes == [
        Change("1987Q3", "IRN", None, 3.0),
        Change("1987Q2", "FRA", 0.5, None),
        Change("1987Q1", "IRQ", 1.0, 1.25),
    ]
    assert [change.difference for change in changes] == [3.0, -0.5, 0.25]


def test_everything_is_new_in_the_first_run() -> None:
    assert [change.before for change in changed_counts(None, counts(**{"1987Q1_IRQ": 1.0}))] == [None]


def test_same_counts_change_nothing() -> None:
    table = counts(**{"1987Q1_IRQ": 1.0})
    assert changed_counts(table, table) == []


def test_other_number_of_articles_is_a_change_though_the_mean_stays() -> None:
    before = counts(**{"1987Q1_IRQ": 1.0})
    after = before.set_column(5, "n_docs", pa.array([11]))
    assert [change.difference for change in changed_counts(before, after)] == [0.0]
