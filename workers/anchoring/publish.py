"""Anchor a published run to the labels of a frame, and publish the result beside its counts.

Covers: reading run, frame and labels, checking that they belong together, writing, reading back.
Not here: the estimates (`tables`), drawing frames (`workers.labelling.drawing`).
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from workers.anchoring.answered import Answered, answered_sample
from workers.anchoring.evidence import gather
from workers.anchoring.groups import list_groups
from workers.anchoring.tables import Estimates, RawCounts, draw_rows, estimate, table_rows
from workers.labelling import Frame, FrameError, choose_frame, read_labels, verdicts
from workers.labelling.scores import TARGET, has_targets, read_scores
from workers.one_thread import one_thread
from workers.runs import Run
from workers.schemas import ANCHORED, ANCHORED_DRAWS
from workers.storage import Warehouse

N_DRAWS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorReport:
    """What anchoring found.

    Attributes
    ----------
    run_id, frame_id, query : str
    rows : list of dict
        Of the schema `ANCHORED`.
    labelled, waiting, unused : int
        Articles whose answers were used; those without an answer; those answered out of turn.
    unsure, skipped, disputed, changed : int
        Of the articles used: with an unsure coder; that nobody could answer; on which coders disagree; where a coder
        gave two different answers.
    broken : tuple of str
        Lines of the log that could not be read.
    """

    run_id: str
    frame_id: str
    query: str
    rows: list[dict[str, Any]]
    labelled: int
    waiting: int
    unused: int
    unsure: int
    skipped: int
    disputed: int
    changed: int
    broken: tuple[str, ...]


@one_thread()
def anchor_run(run: Run, frame_id: str | None = None, *, n_draws: int = N_DRAWS, seed: int = 0) -> AnchorReport:
    """Combine a run with the labels of a frame and publish both tables.

    Raises
    ------
    FrameError
        When there is no frame of the run's query with labels, or too few of its articles were answered.
    """
    query = run.query()
    frame = choose_frame(run.warehouse, frame_id, fingerprint=query.fingerprint, with_labels=frame_id is None)
    log = read_labels(run.warehouse, frame)
    if not log.labels:
        unread = f" ({len(log.broken):,} lines of its log cannot be read: {log.broken[0]})" if log.broken else ""
        raise FrameError(f"frame {frame.frame_id} has no labels yet{unread}: run `credence label` first")
    answered = answered_sample(frame, verdicts(log.labels))
    estimates, rows = anchored_rows(run, answered, n_draws=n_draws, seed=seed)
    _write(run, rows, draw_rows(estimates, rows))
    used = answered.verdicts.values()
    return AnchorReport(
        run_id=run.run_id, frame_id=frame.frame_id, query=query.name, rows=rows, labelled=len(used),
        waiting=answered.waiting, unused=answered.unused, unsure=sum(v.open and not v.skipped for v in used),
        skipped=sum(v.skipped for v in used), disputed=sum(v.disputed for v in used),
        changed=sum(bool(v.changed) for v in used), broken=log.broken,
    )  # fmt: skip


def anchored_rows(
    run: Run, answered: Answered, *, n_draws: int = N_DRAWS, seed: int = 0
) -> tuple[Estimates, list[dict[str, Any]]]:
    """Estimates of every group, and the rows of the table."""
    counts = run.counts()
    evidence = gather(answered, read_scores(run), dyads=has_targets(run))
    estimates = estimate(list_groups(evidence), n_draws=n_draws, seed=seed)
    return estimates, table_rows(estimates, raw_counts(run, counts, answered.frame), run.query().name)


def raw_counts(run: Run, counts: pa.Table, frame: Frame) -> RawCounts:
    """The run's counts by cell, and how its quarters differ from those of the frame."""
    targets = counts.column(TARGET).to_pylist() if TARGET in counts.column_names else [None] * counts.num_rows
    columns = [counts.column(name).to_pylist() for name in ("quarter", "country", "samples")]
    samples = {
        (quarter, country, target): np.array(values, dtype=np.int64)
        for quarter, country, values, target in zip(*columns, targets, strict=True)
    }
    framed = Counter(frame.table.column("quarter").to_pylist())
    sizes = {name: entry["n_docs"] for name, entry in run.manifest["quarters"].items()}
    grown = frozenset(name for name, size in sizes.items() if name in framed and size > framed[name])
    return RawCounts(samples, grown, frozenset(sizes))


def read_anchored(run: Run) -> pa.Table | None:
    """The anchored counts of a run; None where it was not anchored."""
    path = run.folder.anchored
    return run.warehouse.read_table(path, ANCHORED) if run.warehouse.exists(path) else None


def _write(run: Run, rows: list[dict[str, Any]], draws: list[dict[str, Any]]) -> None:
    warehouse: Warehouse = run.warehouse
    warehouse.write_table(run.folder.anchored_draws, pa.Table.from_pylist(draws, schema=ANCHORED_DRAWS))
    warehouse.write_table(run.folder.anchored, pa.Table.from_pylist(rows, schema=ANCHORED))
