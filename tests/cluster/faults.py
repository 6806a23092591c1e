"""Loaded by test workers: makes documents slow, or deadly, as an environment variable of the test says.

The fault is put into the worker's process; everything else runs as it is shipped.
"""

import os
import signal
import time
from typing import Any

from workers.annotate import Annotator
from workers.annotations import Annotation
from workers.propagation import sample_events

KEPT, PREPARED = "annotate_without_faults", "prepared_without_faults"
if not hasattr(Annotator, KEPT):  # Dask may load this file twice
    setattr(Annotator, KEPT, Annotator.annotate)
    setattr(sample_events, PREPARED, sample_events._prepared)


def faulty(self: Annotator, doc_id: str, *rest: Any, **more: Any) -> Any:
    """Wait, die, or take all memory, before annotating."""
    text = str(more.get("text", ""))
    time.sleep(float(os.environ.get("TEST_SECONDS_A_DOCUMENT", "0")))
    if "SEGFAULT" in text:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "OUTOFMEMORY" in text:
        hoard = []
        while True:
            hoard.append(bytearray(os.urandom(1 << 20)) * 64)
            time.sleep(0.02)
    return getattr(self, KEPT)(doc_id, *rest, **more)


def deadly_to_sample(annotation: Annotation, *rest: Any) -> Any:
    """Die where the annotated text says so, before it is sampled."""
    if "UNSAMPLABLE" in annotation.text:
        os.kill(os.getpid(), signal.SIGSEGV)
    return getattr(sample_events, PREPARED)(annotation, *rest)


sample_events._prepared = deadly_to_sample
Annotator.annotate = faulty  # type: ignore[method-assign]
