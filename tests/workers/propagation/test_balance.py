"""Input = counted + gated out + quarantined, in every quarter."""

from dataclasses import replace
from datetime import date

import pytest

from calib_core.events import Query, empty_tally
from workers.ingest import Chunk
from workers.propagation.outcome import Outcome, Quarter
from workers.propagation.publishing import check_balance
from workers.propagation.quarantine import FailedDocument
from workers.propagation.settings import PropagationError, Settings

ATTACK = Settings(Query.from_yaml("attack"), n_samples=20)
CHUNKS = [Chunk(f"archive/quarter=1987Q{n}/{name}.parquet", f"1987Q{n}", 10, 99) for n, name in ((1, "a"), (2, "b"))]
FAULT = FailedDocument("x", "sample", "rule", "value", file=CHUNKS[0].path)


def outcome(first: Quarter, second: Quarter, *faults: FailedDocument) -> Outcome:
    return Outcome({"1987Q1": first, "1987Q2": second}, empty_tally(20), faults)


def test_documents_that_went_somewhere_balance() -> None:
    check_balance(ATTACK, CHUNKS, outcome(Quarter(10, 4, 1), Quarter(10), FAULT))


@pytest.mark.parametrize(
    ("first", "second", "faults", "said"),
    [
        (Quarter(11, 4, 0), Quarter(9), (), "of 1987Q1 the archive has 10 documents, but 4 were counted, 7 gated out"),
        (Quarter(10, 4, 0), Quarter(10, 4, 1), (FAULT,), "of 1987Q1 .* and 0 quarantined .1 named.; nothing was pub"),
        (Quarter(10, 4, 1), Quarter(10), (), "of 1987Q1 .* and 1 quarantined .0 named."),
        (Quarter(10, 12, 0), Quarter(10), (), "of 1987Q1 .* 12 were counted, -2 gated out"),
        (Quarter(10), Quarter(10), (replace(FAULT, file="elsewhere"),), "of no quarter .* and 0 quarantined .1 named."),
    ],
    ids=["moved document", "moved fault", "unnamed fault", "more than there are", "fault of no chunk"],
)
def test_quarters_that_balance_only_together_do_not_balance(
    first: Quarter, second: Quarter, faults: tuple[FailedDocument, ...], said: str
) -> None:
    with pytest.raises(PropagationError, match=said):
        check_balance(ATTACK, CHUNKS, outcome(first, second, *faults))


def test_quarter_cut_by_days_counts_what_is_left_of_it() -> None:
    settings = replace(ATTACK, since=date(1987, 2, 1))
    check_balance(settings, CHUNKS, outcome(Quarter(3, 1, 0), Quarter(10)))
    with pytest.raises(PropagationError, match="of 1987Q2 the archive has 10 documents"):
        check_balance(settings, CHUNKS, outcome(Quarter(3, 1, 0), Quarter(9)))
