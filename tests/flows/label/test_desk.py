"""The desk: which article comes next, undo, two tabs, two coders, and a log that others write to as well."""

import json
from pathlib import Path

import pytest

from flows.label.articles import drawn_articles
from flows.label.desk import NEW, SECOND, SETTLE, Desk, Submission
from flows.label.view import turn_view
from tests.labelling_warehouse import ARTICLES, frozen, small_desk
from workers.labelling import AnswerError, Label, LabelError, append_labels, read_labels
from workers.labelling.labels import SKIP

IDS = [doc_id for doc_id, _, _ in ARTICLES]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return small_desk(tmp_path)


def next_id(desk: Desk, coder: str = "ada", task: str = NEW, tab: str = "t") -> str | None:
    article = desk.turn(coder, task, tab).article
    return None if article is None else article.doc_id


def answer(
    desk: Desk, doc_id: str, text: str, coder: str = "ada", task: str = NEW, tab: str = "t", **more
) -> Label | None:
    return desk.submit(Submission(doc_id=doc_id, coder=coder, task=task, tab=tab, answer=text, **more))


def test_articles_come_in_the_order_of_the_frame(desk: Desk) -> None:
    seen = []
    while (doc_id := next_id(desk)) is not None:
        seen.append(doc_id)
        answer(desk, doc_id, "none")
    assert seen == IDS
    assert desk.turn("ada", NEW, "t").progress.done == len(IDS)


def test_a_new_desk_goes_on_where_the_old_one_stopped(desk: Desk) -> None:
    answer(desk, "iraq", "IRQ", seconds=12.0)
    again = Desk(desk._warehouse, desk.frame, drawn_articles(desk._warehouse, desk.frame))
    turn = again.turn("ada", NEW, "t")
    assert turn.article is not None
    assert (turn.article.doc_id, turn.progress.done, turn.progress.seconds) == ("none", 1, 12.0)


def test_undo_brings_the_article_back_and_leaves_both_lines_in_the_log(desk: Desk) -> None:
    answer(desk, "iraq", "IRQ")
    taken_back = desk.undo("ada", "t")
    assert taken_back is not None
    assert (taken_back.doc_id, taken_back.answer) == ("iraq", "IRQ")
    assert next_id(desk) == "iraq"
    assert [label.kind for label in desk.log().labels] == ["label", "undo"]


def test_undo_goes_back_answer_by_answer(desk: Desk) -> None:
    answer(desk, "iraq", "IRQ")
    answer(desk, "none", "none")
    taken_back = [label.doc_id if (label := desk.undo("ada", "t")) else None for _ in range(3)]
    assert taken_back == ["none", "iraq", None]


def test_undo_takes_back_nobody_elses_answer_and_none_that_was_imported(desk: Desk) -> None:
    answer(desk, "iraq", "IRQ", coder="ben")
    imported = Label(
        frame_id=desk.frame.frame_id, doc_id="none", coder="ada", answer="none", time="2026", source="f.csv"
    )
    append_labels(desk._warehouse, desk.frame, [imported])
    assert desk.undo("ada", "t") is None


def test_two_tabs_read_different_articles_and_lose_no_answer(desk: Desk) -> None:
    assert [next_id(desk, tab="one"), next_id(desk, tab="two")] == ["iraq", "none"]
    assert next_id(desk, tab="one") == "iraq"  # reloaded
    answer(desk, "none", "none", tab="two")
    answer(desk, "iraq", "IRQ", tab="one")
    assert {label.doc_id for label in desk.log().labels} == {"iraq", "none"}


def test_two_answers_to_one_article_are_both_kept_and_the_second_tab_is_told(desk: Desk) -> None:
    answer(desk, "iraq", "IRQ", tab="one")
    before = answer(desk, "iraq", "IRN", tab="two")
    assert before is not None
    assert before.answer == "IRQ"
    assert [label.answer for label in desk.log().labels] == ["IRQ", "IRN"]
    assert str(desk.verdicts()["iraq"].answers["ada"]) == "IRN"


def test_a_skipped_article_waits_for_another_coder(desk: Desk) -> None:
    desk.submit(Submission(doc_id="iraq", coder="ada", task=NEW, tab="t", kind=SKIP, reason="garbled"))
    assert next_id(desk, "ada") == "none"
    assert next_id(desk, "ben", tab="b") == "iraq"
    assert desk.turn("ada", NEW, "t").progress.skipped == 1


def test_second_reading_shows_no_answer_of_the_first(desk: Desk) -> None:
    answer(desk, "iraq", "IRQ")
    turn = desk.turn("ben", SECOND, "b")
    shown = json.dumps(turn_view(desk, turn, SECOND)["answers"])
    assert (turn.article.doc_id if turn.article else None, shown) == ("iraq", "[]")
    assert next_id(desk, "ada", SECOND) is None


def test_disagreement_is_settled_and_can_be_reopened(desk: Desk) -> None:
    answer(desk, "iraq", "IRQ")
    answer(desk, "iraq", "none", coder="ben", task=SECOND)
    assert next_id(desk, "cyd", SETTLE) == "iraq"
    answer(desk, "iraq", "IRQ", coder="cyd", task=SETTLE)
    assert next_id(desk, "cyd", SETTLE) is None
    assert desk.verdicts()["iraq"].certain == {"IRQ"}
    desk.undo("cyd", "t")
    assert next_id(desk, "cyd", SETTLE) == "iraq"


def test_taking_back_an_adjudication_keeps_the_coders_own_label(desk: Desk) -> None:
    answer(desk, "iraq", "IRQ")
    answer(desk, "iraq", "none", coder="ben", task=SECOND)
    answer(desk, "iraq", "none", task=SETTLE)
    desk.undo("ada", "t")
    verdict = desk.verdicts()["iraq"]
    assert verdict.disputed
    assert str(verdict.answers["ada"]) == "IRQ"


def test_agreement_is_of_articles_that_both_answered(desk: Desk) -> None:
    for doc_id, mine, theirs in [("iraq", "IRQ", "IRQ"), ("none", "none", "none"), ("both", "TCD;LBY", "TCD")]:
        answer(desk, doc_id, mine)
        answer(desk, doc_id, theirs, coder="ben", task=SECOND)
    answer(desk, "hostile", "none")
    found = turn_view(desk, desk.turn("ben", SECOND, "b"), SECOND)
    assert (found["agreement"]["n_units"], found["disputed"]) == (3, 1)
    assert found["agreement"]["share"] == pytest.approx(2 / 3)
    assert found["agreement"]["alpha"] == pytest.approx(1 - 10 / 26)  # n = 6, values 2, 2, 1, 1


def test_what_another_process_adds_is_seen(desk: Desk) -> None:
    assert next_id(desk) == "iraq"
    other = Label(frame_id=desk.frame.frame_id, doc_id="iraq", coder="ben", answer="IRQ", time="2026", source="f.csv")
    append_labels(desk._warehouse, desk.frame, [other])
    assert next_id(desk) == "none"


def test_nothing_that_a_model_answered_is_shown(desk: Desk) -> None:
    """The frame of the fixture gives every article the score 0.97 for the USA."""
    text = json.dumps(turn_view(desk, desk.turn("ada", NEW, "t"), NEW))
    assert "0.97" not in text
    assert "USA" not in text
    assert "gate" not in text


@pytest.mark.parametrize(("doc_id", "text", "error"), [
    ("iraq", "XXX", AnswerError), ("iraq", "", AnswerError), ("nowhere", "none", LabelError),
])  # fmt: skip
def test_a_wrong_answer_leaves_the_log_as_it_was(desk: Desk, doc_id: str, text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        answer(desk, doc_id, text)
    assert desk.log().labels == ()


def test_a_disagreement_cannot_be_skipped(desk: Desk) -> None:
    with pytest.raises(LabelError, match="cannot be skipped"):
        desk.submit(Submission(doc_id="iraq", coder="ada", task=SETTLE, tab="t", kind=SKIP))


def test_what_a_desk_remembers_is_what_the_disk_has(desk: Desk) -> None:
    """Also after a line that another process added, and after one that a crash cut."""
    log = Path(desk._warehouse.path(desk.frame.folder.labels))
    for number, doc_id in enumerate(IDS):
        answer(desk, doc_id, "none")
        if number == 2:
            other = Label(frame_id=desk.frame.frame_id, doc_id="last", coder="ben", answer="USA", time="2026")
            append_labels(desk._warehouse, desk.frame, [other])
        if number == 4:
            with log.open("a") as file:
                file.write('{"frame_id": "cut')
        if number == 5:
            desk.undo("ada", "t")
        assert desk.log() == read_labels(desk._warehouse, desk.frame)
    assert len(desk.log().broken) == 1


def test_labels_of_the_frame_that_this_one_extends_count_and_can_be_taken_back(desk: Desk) -> None:
    answer(desk, "iraq", "IRQ")
    warehouse = desk._warehouse
    frame = frozen(warehouse, IDS, extends=desk.frame.frame_id)
    larger = Desk(warehouse, frame, drawn_articles(warehouse, frame))
    assert next_id(larger) == "none"
    assert larger.undo("ada", "t") is not None
    assert next_id(larger) == "iraq"
    assert str(desk.verdicts()["iraq"].answers["ada"]) == "IRQ"  # the earlier log is as it was
