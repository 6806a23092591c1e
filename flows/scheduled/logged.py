"""A job's progress in the log of its Prefect run."""

from prefect import get_run_logger

from flows.jobs.progress import OnProgress
from flows.jobs.progress_lines import progress_lines


def log_progress() -> OnProgress:
    """A callback for the flow or task that runs here: a line every ten seconds, at most."""
    return progress_lines(get_run_logger().info)
