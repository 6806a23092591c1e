"""Errors of a job that the user can fix; their text is a sentence that says what to do."""

from workers.cluster import ClusterError
from workers.parsing.choice import ModelError
from workers.propagation.drive import ClusterLostError
from workers.propagation.settings import PropagationError
from workers.storage import StorageError

CLUSTER = (ClusterError, ClusterLostError)
"""There is no cluster, or it was lost: the same call can succeed later."""
# ValueError includes the errors of schemas, ingest, calibrations, annotated data and configuration.
EXPECTED = (*CLUSTER, PropagationError, StorageError, ModelError, FileNotFoundError, ValueError)
"""All of them; any other error is a bug and keeps its traceback."""
