import pickle
from dataclasses import replace
from datetime import date

import pytest

from calib_core.coref.recalibration.forms import Temperature
from calib_core.events import Query
from workers.annotate import AnnotatorConfig
from workers.ingest import Chunk
from workers.parsing.choice import ModelError, ParserConfig
from workers.propagation.query_file import query_content, read_query
from workers.propagation.settings import Settings

ATTACK = Settings(Query.from_yaml("attack"))
CHUNK = Chunk("archive/quarter=1987Q2/abc.parquet", "1987Q2", 10, 1000)


@pytest.mark.parametrize(
    "change",
    [{"n_samples": 7}, {"seed": 1}, {"recalibration": Temperature(2.0)}, {"syntax": "samples"}],
    ids=lambda change: next(iter(change)),
)
def test_samples_seed_recalibration_and_syntax_keep_the_annotations(change: dict[str, object]) -> None:
    changed = replace(ATTACK, **change)
    assert changed.annotator_id == ATTACK.annotator_id
    assert changed.gate_id == ATTACK.gate_id
    assert changed.sample_id != ATTACK.sample_id


def test_another_query_keeps_the_annotations_but_not_the_gate() -> None:
    changed = replace(ATTACK, query=Query.from_yaml("visit"))
    assert changed.annotator_id == ATTACK.annotator_id
    assert changed.gate_id != ATTACK.gate_id


def test_another_parser_changes_annotations_and_samples() -> None:
    changed = replace(ATTACK, annotator=AnnotatorConfig(ParserConfig("fast")))
    assert changed.annotator_id != ATTACK.annotator_id
    assert changed.sample_id != ATTACK.sample_id


def test_identities_do_not_travel_so_that_a_worker_must_work_them_out() -> None:
    assert ATTACK.code
    assert "code" in ATTACK.__dict__
    there = pickle.loads(pickle.dumps(ATTACK))  # noqa: S301 - our own bytes
    assert "code" not in there.__dict__
    assert there.code == ATTACK.code


@pytest.mark.parametrize(
    ("since", "until", "name", "included"),
    [
        (None, None, "abc", True),
        (date(1987, 4, 1), date(1987, 6, 30), "abc", True),
        (date(1987, 4, 2), None, "abc_1987-04-02_", True),
        (None, date(1987, 6, 29), "abc__1987-06-29", True),
        (date(1987, 7, 1), None, None, False),
        (None, date(1987, 3, 31), None, False),
    ],
)
def test_days_name_only_the_chunks_that_they_cut(
    since: date | None, until: date | None, name: str | None, included: bool
) -> None:
    settings = replace(ATTACK, since=since, until=until)
    assert settings.includes(CHUNK) is included
    if included:
        assert settings.part(CHUNK) == name


def test_query_with_its_lexicon_comes_back_from_json() -> None:
    for name in ("attack", "attack-yugoslavia", "visit"):
        query = Query.from_yaml(name)
        content = query_content(query)
        assert read_query(content).fingerprint == query.fingerprint
        assert query_content(read_query(content)) == content


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(ValueError, match=r"samples must lie in \[2, 100,000\]; got 1"):
        Settings(ATTACK.query, n_samples=1)
    with pytest.raises(ValueError, match="syntax must be best or samples; got 'worst'"):
        Settings(ATTACK.query, syntax="worst")
    with pytest.raises(ValueError, match="since must not be after until; got 1990-01-02 and 1990-01-01"):
        Settings(ATTACK.query, since=date(1990, 1, 2), until=date(1990, 1, 1))
    with pytest.raises(ModelError, match="nowhere: is none of `default`, `loglinear`, `accurate`, and not the folder"):
        replace(ATTACK, annotator=AnnotatorConfig(coref="nowhere")).annotator_id  # noqa: B018
