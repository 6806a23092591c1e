"""The table that the R package `dsl` reads (Egami, Hinck, Stewart & Wei 2023): regressions on labels and predictions.

Covers: one row per article and code that could be an event, with outcome, prediction and sampling probability.
Not here: our own estimates (`tables`).

Articles of the cold stratum are left out: their codes are not known. docs/anchoring.md says what that means.
"""

import csv
from pathlib import Path

from workers.anchoring.answered import answered_sample
from workers.anchoring.evidence import gather
from workers.labelling import read_frame, read_labels, verdicts
from workers.labelling.scores import has_targets, read_scores
from workers.runs import Run
from workers.storage import StorageError

COLUMNS = ("doc_id", "quarter", "country", "outcome", "prediction", "labeled", "sampling_prob", "cluster")
MISSING = "NA"


def write_dsl(run: Run, frame_id: str, file: Path) -> None:
    """Write the table as CSV; an outcome that nobody settled, or an article without labels, is NA."""
    frame = read_frame(run.warehouse, frame_id)
    answered = answered_sample(frame, verdicts(read_labels(run.warehouse, frame).labels))
    evidence = gather(answered, read_scores(run), dyads=has_targets(run))
    ids, rows = frame.table.column("doc_id").to_pylist(), evidence.rows
    try:
        with file.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(COLUMNS)
            for number, article in enumerate(rows.article.tolist()):
                place = int(evidence.warm_articles[article])
                known = answered.drawn[place] and rows.low[number] == rows.high[number]
                writer.writerow([
                    ids[place], evidence.quarters[evidence.quarter_of[place]], evidence.codes[rows.code[number]],
                    int(rows.low[number]) if known else MISSING, repr(float(rows.score[number])), int(known),
                    repr(float(answered.pi[place])), int(evidence.story[article]),
                ])  # fmt: skip
    except OSError as error:
        raise StorageError(str(file), f"cannot be written ({error.strerror})", "name another file") from error
