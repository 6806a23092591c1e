"""A tiny archive: a few dozen short articles over four quarters, some past the gate; and what a night shows."""

import json
from pathlib import Path

#: What a night leaves to be read in Prefect, sorted.
ARTIFACTS = ["calibration", "changed-counts", "labels-wanted", "quarantine", "report", "run-summary"]
ATTACK = "Iraqi troops attacked the town on Monday. The soldiers said that they would attack it again. Iran protested."
OTHER = "The committee discussed the budget. It was cold, and the meeting was short."


def write_news(path: Path, numbers: range, *, every: int = 6) -> None:
    """One JSON line an article; every sixth can matter."""
    with path.open("w") as file:
        for number in numbers:
            text = f"{ATTACK if number % every == 0 else OTHER} This is number {number}."
            day = f"1987-{1 + 3 * (number // every % 4):02}-10"
            file.write(json.dumps({"doc_id": f"a{number}", "published": day, "title": "T", "text": text}) + "\n")
