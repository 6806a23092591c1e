"""The variants of the pair classifier, on small documents."""

import numpy as np
import pytest

from calib_core.document import Document
from reproductions.slt_bpf.claims import TESTS
from reproductions.slt_bpf.experiment import findings, run_settings
from reproductions.slt_bpf.figures import MPQA, MUC6, TABLE_1, TABLE_2, TABLE_3
from reproductions.slt_bpf.pair_variants import cases, gold_mentions, measure
from reproductions.stages import Stages


def test_given_mentions_are_the_annotated_ones_with_their_heads(stories: list[Document]) -> None:
    mentions = gold_mentions(stories[0])
    words = [stories[0].words[head] for head in mentions.heads]
    assert words == ["Mary", "John", "city", "She", "him", "Mary", "city", "John"]
    assert mentions.spans()[2] == (4, 6)


def test_measures_by_hand(stories: list[Document]) -> None:
    """With all weights zero no pair is linked, and every probability is one half."""
    given = cases(stories[:2], given=True)
    outcome = measure({"zero": [np.zeros(2**20, dtype=np.float32)] * 2}, given, Stages())["zero"]
    rate = (3 + 3 + 1) / 28
    for when in ("before", "after"):
        assert outcome.figure(f"error {when}").value == pytest.approx(100 * rate)
    assert outcome.figure("recall after").value == outcome.figure("MUC F1").value == 0.0
    assert outcome.rate == pytest.approx(rate)
    assert outcome.printed_error == pytest.approx(0.5 - rate)
    assert outcome.error.value == pytest.approx(0.5 - rate)  # both documents are the same: no noise
    assert outcome.mean_drawn.value == outcome.of_seed("MUC recall", 1) + 0.5 == 0.5


def test_the_papers_tables_agree_with_each_other() -> None:
    for (data, name), (after, before) in TABLE_1.items():
        assert TABLE_3[data, name][:4] == after[:4]
        assert (data, name) not in TABLE_2 or TABLE_2[data, name][:4] == before[:4]
    for _, recall, precision, f1, muc in (*TABLE_2.values(), *TABLE_3.values()):
        for r, p, f in ((recall, precision, f1), muc):
            assert f == pytest.approx(2 * r * p / (r + p), abs=0.06)  # all three are rounded


def test_page_holds_every_variant_of_both_settings(stories: list[Document]) -> None:
    progress = Stages()
    outcomes = run_settings(stories[:3], stories[3:], progress, seed=0, n_seeds=2)
    found = findings(outcomes, 3, 3)
    assert set(outcomes) == {MUC6, MPQA}
    assert len(outcomes[MUC6]) == len(outcomes[MPQA]) == 17
    assert outcomes[MPQA]["BASE"].figure("recall before").value > 50
    assert "| SLT-Pa 3.0 | theirs, MPQA | 14.71 |" in found.wide
    assert len(found.claims) == 2 * len(TESTS)
    theirs = {row.figure: row.theirs for row in found.rows if row.table.endswith(f"{MUC6})")}
    assert theirs["BASE, error, after clustering, %"] == 1.50
    assert theirs["SLT-Pa 3.0, MUC F1, %"] == 69.9
