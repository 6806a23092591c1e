"""Loaded by test workers: makes documents slow, or deadly, as an environment variable of the test says.

The fault is put into the worker's process; everything else runs as it is shipped.
"""

import os
import signal
import time
from typing import Any

from workers.annotate import Annotator

KEPT = "annotate_without_faults"
if not hasattr(Annotator, KEPT):  # Dask may load this file twice
    setattr(Annotator, KEPT, Annotator.annotate)


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


Annotator.annotate = faulty  # type: ignore[method-assign]
