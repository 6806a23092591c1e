"""What an experiment returns, and what it can use while it runs.

Covers: the rows, pictures, words and claims that make a page; the data folder; progress.
Not here: files and pages (`writing`), the list of experiments (`catalogue`), any experiment.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import altair as alt

from calib_core.calibration import Estimate

Holds = Literal["yes", "partly", "no", "open", "untestable"]
"""`open`: the interval lies on both sides. `untestable`: the data say nothing. `partly`: judged without a test."""


class MissingDataError(FileNotFoundError):
    """A file that an experiment needs is missing from the data folder."""


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The folder with the public data; its layout is the same for all experiments."""

    root: Path

    def file(self, name: str) -> Path:
        """The path of one file or folder, such as `treebank/en_ewt-train.conllu`, known to exist."""
        path = self.root / name
        if not path.exists():
            raise MissingDataError(f"{name} is missing: looked for it in {self.root}; name the folder with --data")
        return path


class Progress(Protocol):
    """How an experiment reports where it is."""

    def stage(self, text: str, total: int | None = None) -> None:
        """Begin a stage of `total` steps, if the number is known."""

    def advance(self, text: str = "") -> None:
        """One step of the stage is done; `text` may describe it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: a row of the Parquet table and, unless `detail`, of the page."""

    table: str
    """Heading of the row on the page."""
    figure: str
    """What was measured, such as `CalibErr, HMM`."""
    ours: float
    theirs: float | None = None
    """What the paper prints; None if it prints nothing."""
    lo: float | None = None
    hi: float | None = None
    """95 % interval of `ours`."""
    note: str = ""
    """How it was measured, or the interval that the paper prints."""
    detail: bool = False
    """Keep it in the Parquet table but off the page."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart of the page. The first is `<name>.png`, the others `<name>-<suffix>.png`."""

    suffix: str
    caption: str
    chart: alt.TopLevelMixin


@dataclass(frozen=True, slots=True)
class Claim:
    """Something the paper says, and whether it held here; made by `reproductions.verdicts.Test`."""

    statement: str
    holds: Holds
    seen: str
    """What else we saw, or why it did not hold; may be empty."""
    test: str = ""
    """The figure and the region in which the claim says it lies, decided before the run."""
    estimate: Estimate | None = None
    """The figure with its 95 % interval; None if the data have nothing to say."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything on a page except its title. The texts are Markdown."""

    they: str
    """What they did."""
    we: str
    """What we did."""
    data: str
    """Where the data differ."""
    rows: tuple[Row, ...]
    pictures: tuple[Picture, ...]
    claims: tuple[Claim, ...]
    verdict: str
    """One sentence for the index: what held, with the two figures that matter most."""
    wide: str = ""
    """Further tables, as Markdown, where one figure per line would be too long; their rows should be `detail`."""

    @property
    def holds(self) -> str:
        """How many claims hold, and what became of the others, such as `3 of 5 hold, 1 does not, 1 undecided`."""
        counts = Counter(claim.holds for claim in self.claims)
        parts = [f"{counts['yes']} of {len(self.claims)} hold"]
        rest = {"partly": "in part", "no": "not", "open": "undecided", "untestable": "not testable"}
        return ", ".join([*parts, *(f"{counts[key]} {text}" for key, text in rest.items() if counts[key])])  # type: ignore[index]


Run = Callable[[DataFolder, Progress, int], Findings]
"""Data folder, progress and seed in; findings out. The same seed gives the same findings."""
