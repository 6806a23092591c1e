"""Where everything is stored in a warehouse: the only module that spells its paths.

Covers: names of folders and files, relative to the warehouse.
Not here: reading and writing them (`workers.storage`), their columns (`workers.schemas`).

    archive/quarter=1987Q1/<chunk>.parquet          articles; files are added, never changed
    ingests/<hash>.json                             what one ingest added; the archive is the sum of these
    ingests/ids/<hash>.parquet                      keys of its articles
    ingests/quarantine/<hash>.parquet               records that it could not use
    annotations/<annotator_id>/<chunk>.parquet      what the models say, shared by all runs
    ledger/gates/<gate_id>/<part>.json              what the gate let through
    ledger/parts/<annotator_id>/<chunk>/            annotations that wait for the rest of their chunk
    ledger/samples/<sample_id>/<part>.parquet       event samples, shared by all runs
    ledger/samples/<sample_id>/<part>.unsampled/    documents of the part that were given up
    runs/<run_id>/                                  `RunFolder`
    samples/<frame_id>/                             `SampleFolder`
    calibration/<calibration_id>/                   `CalibrationFolder`
    calibration/latest.json
    latest -> runs/<run_id>                         `latest.json` on an object store
    together.json                                   ids of the runs published with it, itself first

A chunk is named by the hash of its articles; a part is a chunk, or those of its days that a run counts.
"""

from dataclasses import dataclass

ARCHIVE = "archive"
INGESTS = "ingests"
ANNOTATIONS = "annotations"
LEDGER = "ledger"
GATES = f"{LEDGER}/gates"
PARTS = f"{LEDGER}/parts"
SAMPLED = f"{LEDGER}/samples"
RUNS = "runs"
SAMPLES = "samples"
CALIBRATIONS = "calibration"
LATEST, LATEST_POINTER = "latest", "latest.json"
TOGETHER = "together.json"
LATEST_CALIBRATION = f"{CALIBRATIONS}/latest.json"
ASIDE = ".aside"
"""Unfinished files and locks, on local disks."""


def archive_chunk(quarter: str, chunk: str) -> str:
    """Articles of one quarter."""
    return f"{ARCHIVE}/quarter={quarter}/{chunk}.parquet"


def chunk_of(path: str) -> str:
    """Name of the chunk behind a file of `archive`, `annotations` or event samples.

    Examples
    --------
    >>> chunk_of("runs/r/event_samples/quarter=1987Q1/5e1f_1987-02-01_.parquet")
    '5e1f'
    """
    return path.rpartition("/")[2].partition(".")[0].partition("_")[0]


def ingest_manifest(name: str) -> str:
    """What one ingest added."""
    return f"{INGESTS}/{name}.json"


def ingest_ids(name: str) -> str:
    """Keys of the articles of one ingest."""
    return f"{INGESTS}/ids/{name}.parquet"


def ingest_quarantine(name: str) -> str:
    """Records that one ingest could not use."""
    return f"{INGESTS}/quarantine/{name}.parquet"


def annotations(annotator_id: str, chunk: str) -> str:
    """What the models of that identity say of a chunk."""
    return f"{ANNOTATIONS}/{annotator_id}/{chunk}.parquet"


def annotation_parts(annotator_id: str, chunk: str) -> str:
    """Folder where annotations wait until the chunk has all of them."""
    return f"{PARTS}/{annotator_id}/{chunk}"


def gate_answer(gate_id: str, part: str) -> str:
    """What a gate let through of a part."""
    return f"{GATES}/{gate_id}/{part}.json"


def sampled(sample_id: str) -> str:
    """Folder of the event samples of one identity."""
    return f"{SAMPLED}/{sample_id}"


def sampled_part(sample_id: str, part: str) -> str:
    """Event samples of a part."""
    return f"{sampled(sample_id)}/{part}.parquet"


def unsampled(sample_id: str, part: str) -> str:
    """Folder that names, until the part is sampled, which of its documents were given up."""
    return f"{sampled(sample_id)}/{part}.unsampled"


def sampled_chunk(path: str) -> str:
    """Name of the chunk behind a file under `ledger/samples`, notes on documents that were given up included."""
    return chunk_of(path.removeprefix(f"{SAMPLED}/").split("/")[1])


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The files of one published run.

    Attributes
    ----------
    path : str
        `runs/<run_id>`, as `latest` names it.
    """

    path: str

    @classmethod
    def of(cls, run_id: str) -> "RunFolder":
        """The folder of a run."""
        return cls(f"{RUNS}/{run_id}")

    @property
    def run_id(self) -> str:
        """The run's id."""
        return self.path.removeprefix(f"{RUNS}/")

    @property
    def counts(self) -> str:
        """Posterior counts."""
        return f"{self.path}/counts.parquet"

    @property
    def quarantine(self) -> str:
        """Documents that failed."""
        return f"{self.path}/quarantine.parquet"

    @property
    def query(self) -> str:
        """The question, with its lexicon."""
        return f"{self.path}/query.json"

    @property
    def manifest(self) -> str:
        """What the run was made from; written when all else is there."""
        return f"{self.path}/manifest.json"

    @property
    def anchored(self) -> str:
        """The counts combined with labels; overwritten when labels are added."""
        return f"{self.path}/anchored.parquet"

    @property
    def anchored_draws(self) -> str:
        """Joint draws behind them, so that sums and differences of rows have intervals too."""
        return f"{self.path}/anchored_draws.parquet"

    @property
    def retired(self) -> str:
        """The manifest of a run that is being deleted."""
        return f"{self.path}/retired.json"

    @property
    def event_samples(self) -> str:
        """Folder of the event samples."""
        return f"{self.path}/event_samples"

    def event_samples_of(self, quarter: str, part: str) -> str:
        """Event samples of a part."""
        return f"{self.event_samples}/quarter={quarter}/{part}.parquet"


def run_of(path: str) -> str | None:
    """Run id of `runs/<run_id>/<file>`; None for a path at another depth."""
    folder, _, rest = path.removeprefix(f"{RUNS}/").partition("/")
    return folder if rest and "/" not in rest else None


@dataclass(frozen=True, slots=True)
class CalibrationFolder:
    """The files of one calibration."""

    calibration_id: str

    @property
    def path(self) -> str:
        """The folder."""
        return f"{CALIBRATIONS}/{self.calibration_id}"

    def table(self, name: str) -> str:
        """One of `metrics`, `bins` and `coverage`."""
        return f"{self.path}/{name}.parquet"

    @property
    def recalibration(self) -> str:
        """The recalibration; a folder that has one is complete."""
        return f"{self.path}/recalibration.json"


def calibration_of(path: str) -> str:
    """Id of the calibration that a file under `calibration/` belongs to."""
    return path.split("/")[1]


@dataclass(frozen=True, slots=True)
class SampleFolder:
    """The files of one frame."""

    frame_id: str

    @property
    def path(self) -> str:
        """The folder."""
        return f"{SAMPLES}/{self.frame_id}"

    @property
    def frame(self) -> str:
        """Every article of the archive with its stratum, probability and scores."""
        return f"{self.path}/frame.parquet"

    @property
    def query(self) -> str:
        """The question, with its lexicon, so that a pruned run takes nothing from the labels."""
        return f"{self.path}/query.json"

    @property
    def labels(self) -> str:
        """What was answered: append-only, one line an answer."""
        return f"{self.path}/labels.jsonl"


def frame_of(path: str) -> str:
    """Id of the frame that a file under `samples/` belongs to."""
    return path.split("/")[1]
