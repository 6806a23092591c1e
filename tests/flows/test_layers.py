"""Jobs know of no terminal, schedules know of no command line, and every default stands once, in the requests."""

import ast
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from flows.cli import app
from flows.jobs import requests
from flows.jobs.requests import CalibrateRequest, ClusterRequest, IngestRequest, PropagateRequest
from flows.scheduled import parameters
from flows.scheduled.calibrate import calibrate
from tests.command_lines import every_command

FLOWS = Path(__file__).resolve().parents[2] / "flows"
REQUESTS = {name: found for name, found in vars(requests).items() if is_dataclass(found)}
# Where the option is spelt otherwise than the field of the request, or is a field of its cluster.
SPELLED = {
    "format_": "format", "every": None, "as_json": None, "as_csv": None, "fail_above": None, "help": None,
    "tls_ca": "ca", "tls_cert": "cert", "tls_key": "key", "check": None, "import_": None,
    "yes": None,
}  # fmt: skip


def names_used(path: Path) -> Iterator[str]:
    """Modules imported anywhere in a file, and attributes such as `sys.exit`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"


def uses(folder: str, *banned: str) -> list[str]:
    return [
        f"{path.relative_to(FLOWS)}: {name}"
        for path in sorted((FLOWS / folder).rglob("*.py"))
        for name in names_used(path)
        if any(name == word or name.startswith(f"{word}.") for word in banned)
    ]


def test_jobs_know_of_no_terminal() -> None:
    assert uses("jobs", "rich", "typer", "click", "sys.exit", "sys.stdout", "sys.stderr", "flows.cli") == []


def test_pages_and_charts_know_of_no_terminal() -> None:
    for folder in ("report", "charts", "demonstration", "label"):
        assert uses(folder, "rich", "typer", "sys.exit", "flows.cli", "flows.jobs", "prefect") == []


def test_schedules_know_of_no_command_line() -> None:
    assert uses("scheduled", "flows.cli", "rich", "typer") == []


def test_such_uses_are_seen() -> None:
    assert uses("cli", "typer.Exit")
    assert uses("cli", "flows.jobs.ingest")


def request_of(command: str) -> Any:
    """`train coref` has a TrainCorefRequest, `models fetch` a FetchModelsRequest."""
    words = command.title().split()
    found = [REQUESTS.get("".join(order) + "Request") for order in (words, words[::-1])]
    return next(request for request in found if request)


@pytest.mark.parametrize("command", sorted(set(every_command(app)) - {"serve"}))
def test_options_of_a_command_have_the_defaults_of_its_request(command: str) -> None:
    request = request_of(command)
    cluster = getattr(request, "cluster", ClusterRequest)
    known = {field.name for field in fields(request)}
    for option in {option.name: option for option in every_command(app)[command].values()}.values():
        name = SPELLED.get(option.name, option.name)
        several = getattr(option, "multiple", False) or option.nargs == -1
        if name is None or option.required:
            continue
        if several:  # typer wants None where the request has nothing yet
            assert not option.default, option.name
            continue
        expected = getattr(request, name) if name in known else getattr(cluster, name)
        assert option.default == expected, option.name


@pytest.mark.parametrize(
    ("group", "request_class"),
    [
        (parameters.Question, PropagateRequest),
        (parameters.Cluster, ClusterRequest),
        (parameters.Intake, IngestRequest),
    ],
)
def test_parameters_of_the_flows_have_the_defaults_of_the_requests(group: Any, request_class: Any) -> None:
    defaults = {field.name: field.default for field in fields(request_class)}
    differing = {
        name for name, field in group.model_fields.items()
        if defaults[name] is not MISSING and field.default != defaults[name]
    }  # fmt: skip
    assert differing == ({"duplicates"} if group is parameters.Intake else set())


def test_calibrate_as_a_flow_has_the_defaults_of_its_request() -> None:
    defaults = {field.name: field.default for field in fields(CalibrateRequest)}
    given = {name: parameter.default for name, parameter in signature(calibrate.fn).parameters.items()}
    shared = set(given) & set(defaults) - {"data", "warehouse", "cluster"}
    assert {name: given[name] for name in shared} == {name: defaults[name] for name in shared}
    assert given["cluster"].memory == CalibrateRequest.cluster.memory


@pytest.mark.parametrize("request_class", REQUESTS.values(), ids=list(REQUESTS))
def test_requests_are_built_by_keyword_and_stay_as_they_are(request_class: Any) -> None:
    assert all(field.kw_only for field in fields(request_class))
    assert request_class.__dataclass_params__.frozen
