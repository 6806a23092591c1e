"""What tests ask a Prefect server, over its HTTP API."""

import json
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from tests.harness.servers import PATIENCE, wait_until

OVER = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}


@dataclass(frozen=True)
class PrefectApi:
    """A server's API."""

    address: str

    def ask(self, path: str, content: dict[str, Any] | None = None, method: str = "POST") -> Any:
        """Send a request, again while the server's SQLite file is busy (as Prefect's client does); what comes back."""
        body = None if method == "GET" else json.dumps(content or {}).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.address}/{path}", body, headers, method=method)  # noqa: S310
        end = time.monotonic() + PATIENCE
        while True:
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
                    return json.loads(answer.read() or b"null")
            except urllib.error.HTTPError as refusal:
                if refusal.code != HTTPStatus.SERVICE_UNAVAILABLE or time.monotonic() > end:
                    raise
            except OSError:  # no answer in time: then it is not known whether a run was made
                if "create_flow_run" in path or time.monotonic() > end:
                    raise
            time.sleep(0.5)

    def ended(self, flow: str) -> list[dict[str, Any]]:
        """Runs of a flow that are over, in the order in which they began; cancelled ones left out."""
        found = self.ask("flow_runs/filter", {"flows": {"name": {"any_": [flow]}}, "sort": "START_TIME_ASC"})
        return [run for run in found if run["state_type"] in OVER - {"CANCELLED"}]

    def deployment(self, flow: str) -> dict[str, Any]:
        """The deployment that `credence serve` made of a flow."""
        found: dict[str, Any] = self.ask(f"deployments/name/{flow}/credence", method="GET")
        return found

    def pause(self, flow: str) -> None:
        """Let its schedule rest."""
        self.ask(f"deployments/{self.deployment(flow)['id']}/pause_deployment")

    def start(self, flow: str, **parameters: Any) -> str:
        """Ask for a run; its id."""
        deployment = self.deployment(flow)
        defaults = deployment["parameters"]
        path = f"deployments/{deployment['id']}/create_flow_run"
        return str(self.ask(path, {"parameters": defaults | parameters, "state": {"type": "SCHEDULED"}})["id"])

    def run(self, run_id: str) -> dict[str, Any]:
        """A flow run."""
        found: dict[str, Any] = self.ask(f"flow_runs/{run_id}", method="GET")
        return found

    def wait(self, run_id: str) -> dict[str, Any]:
        """The run, when it is over."""
        wait_until(lambda: self.run(run_id)["state_type"] in OVER, f"the end of run {run_id}")
        return self.run(run_id)

    def task_runs(self, run_id: str) -> list[dict[str, Any]]:
        """Its task runs."""
        found: list[dict[str, Any]] = self.ask("task_runs/filter", {"flow_runs": {"id": {"any_": [run_id]}}})
        return found

    def artifacts(self, run_id: str) -> dict[str, dict[str, Any]]:
        """Its artifacts, by key."""
        found = self.ask("artifacts/filter", {"artifacts": {"flow_run_id": {"any_": [run_id]}}})
        return {artifact["key"]: artifact for artifact in found}
