"""Notify someone that a run failed.

Covers: a POST of JSON to a configured address, and a configured command that gets the same JSON.
Not here: what failed (Prefect's state says it).

A notice that cannot be delivered is logged; it must not hide the failure itself.
"""

import json
import logging
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

from prefect.settings import get_current_settings

from flows.scheduled.parameters import Notice, from_environment

LOGGER = logging.getLogger(__name__)
SECONDS = 30
LONGEST = 2000


def tell_of_failure(flow: Any, flow_run: Any, state: Any) -> None:
    """Prefect's hook for runs that fail, crash or time out."""
    notice = Notice.model_validate(flow_run.parameters.get("notice") or {})
    for problem in deliver(notice, failure_content(flow.name, flow_run, state)):
        LOGGER.error("the notice of this failure was not delivered: %s", problem)


def failure_content(flow_name: str, flow_run: Any, state: Any) -> dict[str, Any]:
    """Content of a notice; the warehouse's address has no keys, because parameters must not contain any."""
    ui = get_current_settings().ui_url
    return {
        "flow": flow_name,
        "run": flow_run.name,
        "state": state.name,
        "message": (state.message or "")[:LONGEST],
        "warehouse": flow_run.parameters.get("warehouse"),
        "url": f"{ui}/runs/flow-run/{flow_run.id}" if ui else None,
    }


def deliver(notice: Notice, content: dict[str, Any]) -> Iterator[str]:
    """Send it to every configured address; yield what went wrong."""
    body = json.dumps(content).encode()
    try:
        if notice.webhook:
            _post(from_environment(notice.webhook), body)
    except (OSError, ValueError) as error:  # urllib's errors are OSErrors
        yield f"webhook: {error}"
    try:
        if notice.command:
            subprocess.run([*notice.command], input=body, check=True, timeout=SECONDS, capture_output=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError) as error:
        yield f"command: {error}"


def _post(address: str, body: bytes) -> None:
    if not address.startswith(("http://", "https://")):
        raise ValueError("the webhook must be an http:// or https:// address")
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"}, method="POST")  # noqa: S310
    with urllib.request.urlopen(request, timeout=SECONDS):  # noqa: S310
        pass


TOLD: dict[str, Any] = {"on_failure": [tell_of_failure], "on_crashed": [tell_of_failure]}
"""Hooks of every flow."""
