"""What can be checked of deploy/ without a container engine: files parse, and what they name is there."""

import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from typer.main import get_command

from flows.cli import app
from flows.scheduled.configuration import Configuration, read_configuration

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
YAML = sorted(path for path in DEPLOY.rglob("*.yaml"))
IMAGES = {"credence:0.2.0", "postgres:16", "minio/minio"}

TEXT, LIST = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
SERVICE = {
    "type": "object",
    "required": ["image"],
    "additionalProperties": False,
    "properties": {
        "image": TEXT,
        "build": {"type": "object", "required": ["context", "dockerfile"]},
        "restart": {"enum": ["unless-stopped", "always", "no", "on-failure"]},
        "environment": {"type": "object", "additionalProperties": TEXT},
        "command": LIST,
        "ports": LIST,
        "volumes": LIST,
        "profiles": LIST,
        "depends_on": {"anyOf": [LIST, {"type": "object", "additionalProperties": {"required": ["condition"]}}]},
        "healthcheck": {"type": "object", "required": ["test"]},
    },
}
COMPOSE = {
    "type": "object",
    "required": ["services", "volumes"],
    "properties": {"services": {"type": "object", "additionalProperties": SERVICE}, "volumes": {"type": "object"}},
}
"""The part of the compose specification that our file uses."""


def documents(path: Path) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(path.read_text()))


def compose() -> dict[str, Any]:
    return documents(DEPLOY / "compose" / "docker-compose.yaml")[0]


def manifests() -> list[dict[str, Any]]:
    return [content for path in sorted((DEPLOY / "kubernetes").glob("*.yaml")) for content in documents(path)]


def containers() -> list[dict[str, Any]]:
    """Every container of the manifests."""

    def inside(content: Any) -> list[dict[str, Any]]:
        if isinstance(content, dict):
            found = content.get("containers", [])
            return [*found, *(item for value in content.values() for item in inside(value))]
        return [item for value in content for item in inside(value)] if isinstance(content, list) else []

    return [container for manifest in manifests() for container in inside(manifest)]


def check_command(words: list[str]) -> None:
    """A command of an image must be one that the image has; ours must know their options."""
    if words[0] == "credence":
        command: Any = get_command(app)
        command = command.commands[words[1]]
        known = {name for parameter in command.params for name in parameter.opts}
        assert {word for word in words[2:] if word.startswith("--")} <= known
    else:
        assert words[0] in {"dask", "prefect"} or words[:2] == ["server", "/data"], words


@pytest.mark.parametrize("path", YAML, ids=lambda path: str(path.relative_to(DEPLOY)))
def test_yaml_parses(path: Path) -> None:
    assert all(isinstance(content, dict) for content in documents(path))


def test_configurations_can_be_used() -> None:
    inner = next(m for m in manifests() if m["kind"] == "ConfigMap")["data"]["credence.yaml"]
    assert Configuration.model_validate(yaml.safe_load(inner)).cluster.ca
    for path in (DEPLOY / "credence.yaml", DEPLOY / "compose" / "credence.yaml"):
        assert read_configuration(path).nightly.cron == "30 2 * * *"


def test_every_field_that_the_example_mentions_can_be_used(tmp_path: Path) -> None:
    text = (DEPLOY / "credence.yaml").read_text()
    head, _, rest = text.partition("\n\n")
    uncommented = re.sub(r"^( *)# ((?=\w+:)|(?=  ))", r"\1", rest, flags=re.M).replace("workers: 2", "")
    (tmp_path / "all.yaml").write_text(head + "\n\n" + uncommented)
    config = read_configuration(tmp_path / "all.yaml")
    assert config.calibrate
    assert config.notice.webhook == "${CREDENCE_WEBHOOK}"
    assert config.cluster.ca


def test_compose_file_has_the_form_that_compose_wants() -> None:
    Draft202012Validator(COMPOSE).validate(compose())


def test_compose_services_name_what_is_there() -> None:
    content = compose()
    for service in content["services"].values():
        assert service["image"] in IMAGES
        assert set(service.get("depends_on", ())) <= set(content["services"])
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in content["volumes"] or source.startswith((".", "${"))
        if "build" in service:
            place = (DEPLOY / "compose" / service["build"]["context"]).resolve()
            assert (place / service["build"]["dockerfile"]).is_file()
        if "command" in service:
            check_command(service["command"])


def test_compose_variables_are_in_the_example_of_the_environment() -> None:
    used = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose" / "docker-compose.yaml").read_text()))
    given = set(re.findall(r"^(\w+)=", (DEPLOY / "compose" / ".env.example").read_text(), flags=re.M))
    assert used == given


def test_kubernetes_manifests_name_what_is_there() -> None:
    kinds = {(manifest["kind"], manifest["metadata"]["name"]) for manifest in manifests()}
    assert {manifest["metadata"]["namespace"] for manifest in manifests()} == {"credence"}
    assert {("DaskCluster", "credence"), ("DaskAutoscaler", "credence"), ("Service", "prefect-server")} <= kinds
    text = "".join(path.read_text() for path in (DEPLOY / "kubernetes").glob("*.yaml"))
    secrets = set(re.findall(r"secret(?:Name|Ref: \{name|KeyRef: \{name): ([\w-]+)", text))
    readme = (DEPLOY / "kubernetes" / "README.md").read_text()
    assert secrets == set(re.findall(r"create secret generic ([\w-]+)", readme))
    for container in containers():
        assert container["image"] in IMAGES
        if "args" in container:
            check_command(container["args"])


@pytest.mark.slow
def test_dask_cluster_scales_between_limits_and_speaks_tls() -> None:
    cluster, scaler = documents(DEPLOY / "kubernetes" / "dask-cluster.yaml")
    assert (scaler["spec"]["cluster"], cluster["metadata"]["name"]) == ("credence", "credence")
    assert 0 < scaler["spec"]["minimum"] <= scaler["spec"]["maximum"]
    for part in ("scheduler", "worker"):
        args = cluster["spec"][part]["spec"]["containers"][0]["args"]
        assert {"--tls-ca-file", "--tls-cert", "--tls-key"} <= set(args)
        command = [sys.executable, "-m", "dask", part, *args[2:], "--help"]
        assert "Usage" in subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_dockerfile_copies_what_is_there_and_runs_without_rights() -> None:
    lines = (DEPLOY / "container" / "Dockerfile").read_text().splitlines()
    copied = [shlex.split(line)[1:-1] for line in lines if line.startswith("COPY") and "--from" not in line]
    ignored = (DEPLOY / "container" / "Dockerfile.dockerignore").read_text().split()
    for name in (name for names in copied for name in names):
        assert (ROOT / name).exists()
        assert f"!{name}" in ignored
    last_user = [line for line in lines if line.startswith("USER")][-1]
    assert last_user == "USER 1000"
    assert any("PREFECT_UI_STATIC_DIRECTORY=/var/cache/credence" in line for line in lines)  # else that user has no UI


@pytest.mark.parametrize("path", sorted(DEPLOY.rglob("*.py")), ids=lambda path: path.name)
def test_scripts_parse(path: Path) -> None:
    ast.parse(path.read_text())


@pytest.mark.parametrize("script", ["tls/certificates.sh", "slurm/propagate.sbatch"])
def test_shell_scripts_parse(script: str) -> None:
    subprocess.run(["bash", "-n", str(DEPLOY / script)], check=True)


def test_no_registry_and_no_secret_stands_in_any_file() -> None:
    for path in (path for path in DEPLOY.rglob("*") if path.is_file()):
        text = path.read_text()
        assert not re.search(r"(?:ghcr|quay|gcr|docker|ecr|azurecr)\.(?:io|com)|index\.docker|pypi\.org", text), path
        assert not re.search(r"(?i)(?:password|secret_access_key)\s*[:=]\s*[\"']?[a-z0-9]{6,}\b(?!\})", text), path
