"""Loaded by test workers: makes documents wait, or deadly, as the environment of the test and their text say.

With TEST_TURNSTILE, a folder, a document is annotated when the test lets it through (`Turnstile`). With TEST_DIARY, a
folder, every task writes down what else was running when it began.

All this is put into the worker's process; everything else runs as it is shipped.
"""

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

from tests.harness.turnstile import Turnstile
from workers.annotate import Annotator
from workers.annotation_table import Annotation
from workers.propagation import sample_events, tasks
from workers.propagation.plan import Task

KEPT, ASKED, RUN = "annotate_without_faults", "ask_without_faults", "run_without_diary"
if not hasattr(Annotator, KEPT):  # Dask may load this file twice
    setattr(Annotator, KEPT, Annotator.annotate)
    setattr(sample_events, ASKED, sample_events.ask)
    setattr(tasks, RUN, tasks.run_task)


def faulty(self: Annotator, doc_id: str, *rest: Any, **more: Any) -> Any:
    """Wait, die, or take all memory, before annotating."""
    text = str(more.get("text", ""))
    turnstile = os.environ.get("TEST_TURNSTILE")
    if turnstile:
        Turnstile(Path(turnstile)).pass_through()
    if "SEGFAULT" in text:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "OUTOFMEMORY" in text:
        hoard = []
        while True:
            hoard.append(bytearray(os.urandom(1 << 20)) * 64)
            time.sleep(0.02)
    return getattr(self, KEPT)(doc_id, *rest, **more)


def deadly_to_sample(annotation: Annotation, *rest: Any, **options: Any) -> Any:
    """Die where the annotated text says so, before it is sampled."""
    if "UNSAMPLABLE" in annotation.text:
        os.kill(os.getpid(), signal.SIGSEGV)
    return getattr(sample_events, ASKED)(annotation, *rest, **options)


def noted(plugin: str, task: Task) -> Any:
    """Run a task; note its deaths, and those of each task that other living workers are at."""
    diary = os.environ.get("TEST_DIARY")
    if not diary:
        return getattr(tasks, RUN)(plugin, task)
    own = Path(diary) / f"{os.getpid()}.busy"
    others = [deaths for file in Path(diary).glob("*.busy") if _lives(file.stem) and (deaths := _read(file))]
    with (Path(diary) / "diary.jsonl").open("a") as file:
        file.write(json.dumps({"stage": task.stage, "deaths": task.deaths, "others": others}) + "\n")
    aside = own.with_suffix(".aside")
    aside.write_text(str(task.deaths))
    aside.rename(own)
    try:
        return getattr(tasks, RUN)(plugin, task)
    finally:
        own.unlink()


def _read(file: Path) -> str:
    """What is in it; nothing if its task has ended meanwhile."""
    try:
        return file.read_text()
    except FileNotFoundError:
        return ""


def _lives(pid: str) -> bool:
    """Whether a process is there and not merely waiting to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


tasks.run_task = noted
sample_events.ask = deadly_to_sample
Annotator.annotate = faulty  # type: ignore[method-assign]
