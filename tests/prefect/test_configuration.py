"""The file of `credence serve`, the parameters of the flows, and what is refused before any work."""

import os
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from flows.scheduled.backfill import quarters_between
from flows.scheduled.checks import check_cluster, check_days, check_sources, check_warehouse
from flows.scheduled.configuration import ConfigurationError, read_configuration
from flows.scheduled.notices import deliver
from flows.scheduled.parameters import Cluster, Notice, Patience, Question, from_environment
from flows.scheduled.published import Job
from tests.harness.servers import free_port
from workers.cluster import ClusterError
from workers.ingest import IngestError
from workers.storage import StorageError

GOOD: dict[str, Any] = {"warehouse": "w", "sources": ["in"], "nightly": {"cron": "30 2 * * *"}}


def written(folder: Path, content: Any) -> Path:
    path = folder / "credence.yaml"
    path.write_text(content if isinstance(content, str) else yaml.safe_dump(content))
    return path


def test_three_fields_are_enough(tmp_path: Path) -> None:
    config = read_configuration(written(tmp_path, GOOD))
    assert config.question.samples == 100
    assert config.parameters("warehouse", "sources") == {"warehouse": "w", "sources": ["in"]}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"nightly": {"cron": "every night"}}, "nightly.cron: must be a cron line of five fields, such as '30 2"),
        ({"nightly": {"cron": "61 2 * * *"}}, "got '61 2 \\* \\* \\*'"),
        (
            {"nightly": {"cron": "30 2 * * *", "timezone": "Oslo"}},
            "must be a time zone such as Europe/Oslo; got 'Oslo'",
        ),
        ({"nightly": {}}, "nightly: give one of cron and every"),
        ({"warehouse": "s3://key:secret@bucket/w"}, "warehouse: an address must not carry keys"),
        ({"sources": []}, "sources: "),
        ({"query": "attack"}, "query: Extra inputs are not permitted"),
        ({"question": {"samples": 1}}, "question.samples: Input should be greater than or equal to 2"),
        ({"cluster": {"ca": "ca.pem"}}, "cluster: TLS needs ca, cert and key; got only ca"),
        ({"patience": {"retries": -1}}, "patience.retries: "),
    ],
)
def test_wrong_field_is_named_with_its_rule(tmp_path: Path, change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigurationError, match=sentence) as caught:
        read_configuration(written(tmp_path, GOOD | change))
    assert "secret" not in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "credence.yaml"))


@pytest.mark.parametrize(
    ("content", "sentence"), [("- a\n", "must hold fields"), ("a: [", "is not YAML"), ("", "must hold fields")]
)
def test_file_that_is_no_configuration(tmp_path: Path, content: str, sentence: str) -> None:
    with pytest.raises(ConfigurationError, match=sentence):
        read_configuration(written(tmp_path, content))
    with pytest.raises(ConfigurationError, match=r"deploy/credence\.yaml is an example"):
        read_configuration(tmp_path / "none.yaml")


def test_missing_warehouse_and_source_are_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"there is no warehouse; check the address, or make one with `credence ing"):
        check_warehouse(str(tmp_path / "none"))
    with pytest.raises(IngestError, match="input must exist"):
        check_sources([str(tmp_path), str(tmp_path / "none.jsonl")])


def test_days_the_wrong_way_round() -> None:
    check_days(date(1987, 1, 1), date(1987, 1, 1))
    with pytest.raises(ValueError, match="since must not be after until; got 1987-04-01 and 1987-03-31: exchange them"):
        check_days(date(1987, 4, 1), date(1987, 3, 31))


@pytest.mark.slow
def test_scheduler_that_does_not_answer() -> None:
    address = f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(ClusterError, match=f"no Dask scheduler answers at {address} .+ start one"):
        check_cluster(Cluster(scheduler=address, timeout=1))


def test_own_cluster_is_not_started_for_the_check() -> None:
    check_cluster(Cluster(workers=2))


def test_backfill_takes_whole_quarters_that_the_archive_has() -> None:
    present = ["1987Q1", "1987Q2", "1987Q4"]
    found = list(quarters_between(date(1987, 2, 1), date(1987, 10, 1), present))
    assert found == [
        (date(1987, 1, 1), date(1987, 3, 31)),
        (date(1987, 4, 1), date(1987, 6, 30)),
        (date(1987, 10, 1), date(1987, 12, 31)),
    ]


def test_parameters_refuse_what_they_do_not_know() -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        Question.model_validate({"sample": 3})
    job = Job("w", Question(samples=5), Cluster(workers=2), Patience())
    request = job.request("1987-01-01")
    assert (request.samples, request.since, request.cluster.workers) == (5, "1987-01-01", 2)
    assert Patience(wait=2, retries=3).options()["retry_delay_seconds"](3) == [2, 4, 8]


def test_secrets_come_from_the_environment_when_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "HOOK", "https://x.example/secret")
    assert from_environment("${HOOK}?a=1") == "https://x.example/secret?a=1"
    with pytest.raises(ValueError, match="the variable NO_SUCH_HOOK must be set in the environment"):
        from_environment("${NO_SUCH_HOOK}")


def test_notice_goes_to_a_command_and_what_fails_is_told(tmp_path: Path) -> None:
    target = tmp_path / "told.json"
    assert list(deliver(Notice(command=("tee", str(target))), {"flow": "nightly"})) == []
    assert target.read_text() == '{"flow": "nightly"}'
    problems = list(deliver(Notice(webhook="file:///etc/passwd", command=("false",)), {}))
    assert [problem.partition(":")[0] for problem in problems] == ["webhook", "command"]
