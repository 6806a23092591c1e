"""Score: one coreference response against its key.

Covers: reading the two files.
Not here: the scores (`calib_core.coref.metrics`).
"""

from calib_core.coref import Scores, read_key_clusters, score_documents
from flows.jobs.progress import OnProgress, quiet
from flows.jobs.requests import ScoreRequest


def score(request: ScoreRequest, *, on_progress: OnProgress = quiet) -> Scores:  # noqa: ARG001  takes no time
    """Coreference scores as the CoNLL reference scorer defines them; ValueError names a bad line."""
    return score_documents(read_key_clusters(request.key), read_key_clusters(request.response))
