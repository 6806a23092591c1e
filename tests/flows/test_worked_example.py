from flows.worked_example import ARTICLES, answers


def test_sure_unsure_and_none() -> None:
    direct, by_title, either, victim = answers(ARTICLES, seed=0)
    assert [(answer.country, answer.best) for answer in direct] == [("IRQ", True)]
    assert direct[0].p == 1
    assert [answer.country for answer in by_title] == ["IRQ"]
    assert by_title[0].p > 0.8
    assert {answer.country for answer in either} == {"IRN", "TUR"}
    assert all(0.02 < answer.p < 0.9 for answer in either)
    assert victim == []


def test_same_seed_same_answer() -> None:
    assert answers(ARTICLES[2:3], seed=1) == answers(ARTICLES[2:3], seed=1)
