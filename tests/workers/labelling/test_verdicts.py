from workers.labelling import Label, verdicts


def line(answer="", coder="ada", kind="label", doc_id="d"):
    return Label(frame_id="f", doc_id=doc_id, coder=coder, kind=kind, answer=answer, time="t")


def test_the_latest_answer_of_a_coder_counts_and_the_change_is_told():
    verdict = verdicts([line("USA"), line("IRQ")])["d"]
    assert verdict.certain == verdict.possible == {"IRQ"}
    assert verdict.changed == {"ada"}
    assert not verdict.disputed


def test_the_same_answer_twice_is_no_change():
    assert verdicts([line("USA;IRQ"), line("IRQ; USA")])["d"].changed == frozenset()


def test_coders_who_disagree_bound_the_answer():
    verdict = verdicts([line("USA"), line("IRQ;USA", coder="bob")])["d"]
    assert verdict.certain == {"USA"}
    assert verdict.possible == {"USA", "IRQ"}
    assert verdict.disputed


def test_adjudication_settles():
    lines = [line("USA"), line("none", coder="bob"), line("none", coder="chief", kind="adjudication")]
    verdict = verdicts(lines)["d"]
    assert verdict.certain == verdict.possible == frozenset()
    assert not verdict.disputed
    assert verdict.adjudicated


def test_unsure_leaves_everything_open():
    verdict = verdicts([line("unsure")])["d"]
    assert verdict.open
    assert not verdict.skipped


def test_a_skipped_article_is_open_unless_another_coder_answers():
    assert verdicts([line(kind="skip")])["d"].skipped
    assert not verdicts([line(kind="skip"), line("none", coder="bob")])["d"].open


def test_undo_takes_back_one_coders_answer_only():
    assert verdicts([line("USA"), line(kind="undo")]) == {}
    assert verdicts([line("USA"), line("IRQ", coder="bob"), line(kind="undo")])["d"].certain == {"IRQ"}


def test_an_answer_after_a_skip_counts():
    assert verdicts([line(kind="skip"), line("USA")])["d"].certain == {"USA"}
