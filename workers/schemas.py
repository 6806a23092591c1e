"""The Arrow schema of each table in the warehouse, once, with what its columns mean.

Covers: columns, types, meanings and units; the version that every file carries; refusing files that are too new.
Not here: where the files lie (`workers.storage`), what fills them (each stage).

A column's meaning travels in its field metadata, so that `describe(ARCHIVE)` and any Parquet reader can show it.
"""

from collections.abc import Mapping

import pyarrow as pa

TABLE_KEY, VERSION_KEY, MEANING_KEY, SINCE_KEY = "credence.table", "credence.version", "meaning", "since"


class SchemaError(ValueError):
    """A file does not contain the expected table, or a version that this code can read."""

    def __init__(self, path: str, rule: str, value: str) -> None:
        super().__init__(path, rule, value)
        self.path, self.rule, self.value = path, rule, value

    def __str__(self) -> str:
        return f"{self.path}: {self.rule}; got {self.value}"


def _column(name: str, kind: pa.DataType, meaning: str, *, optional: bool = False, since: int = 1) -> pa.Field:
    """A column; files of a version before `since` are read without it."""
    later = {SINCE_KEY: str(since)} if since > 1 else {}
    return pa.field(name, kind, nullable=optional, metadata={MEANING_KEY: meaning, **later})


def _table(name: str, version: int, columns: list[pa.Field]) -> pa.Schema:
    return pa.schema(columns, metadata={TABLE_KEY: name, VERSION_KEY: str(version)})


DIGEST = pa.binary(16)

ARCHIVE = _table(
    "archive",
    1,
    [
        _column("doc_id", pa.string(), "the article's id, unique in the archive; may hold any character but controls"),
        _column("published", pa.date32(), "day of publication, as the source states it"),
        _column("title", pa.string(), "headline; empty where there is none"),
        _column("text", pa.string(), "body, exactly as in the source, markup removed"),
        _column("source", pa.string(), "newspaper or wire, never a file name; empty where unknown"),
    ],
)
"""Rows of a chunk are in order of `published`, then `doc_id`; all are of the one quarter that names the folder."""

ARCHIVE_IDS = _table(
    "archive_ids",
    1,
    [
        _column("doc_key", DIGEST, "BLAKE2b-128 of doc_id"),
        _column("content_key", DIGEST, "BLAKE2b-128 of all columns of the article"),
        _column("text_key", DIGEST, "BLAKE2b-128 of the text alone"),
    ],
)
"""What one ingest added to the archive: enough to know an id, a changed article or a repeated text again."""

QUARANTINE = _table(
    "quarantine",
    1,
    [
        _column("stage", pa.string(), "which stage gave up: ingest, annotate, sample"),
        _column("doc_id", pa.string(), "the document, where it has a usable id", optional=True),
        _column("file", pa.string(), "input file, and after ! the member of an archive", optional=True),
        _column(
            "record", pa.int64(), "from 1: line of JSONL, data row of CSV or Parquet, article of SGML", optional=True
        ),
        _column("rule", pa.string(), "the rule that was broken"),
        _column("value", pa.string(), "what stood there instead, shortened to 200 characters"),
        _column("error", pa.string(), "all of it as one sentence"),
    ],
)

_PER_TOKEN, _PER_MENTION = "one entry per token", "one entry per mention"


def _tree_column(name: str, kind: pa.DataType, meaning: str) -> pa.Field:
    return _column(name, pa.list_(kind), f"{meaning}; null where the parser does not tell", optional=True, since=3)


_TREES = [
    _tree_column("n_heads", pa.int16(), f"{_PER_TOKEN}: how many possible heads are kept"),
    _tree_column("arc_heads", pa.int16(), "for each token in turn: its heads, as places in its sentence, 0 the root"),
    _tree_column("arc_costs", pa.uint16(), "for each of these arcs: -1000 log P(head), word by word"),
    _tree_column("n_relations", pa.int16(), "for each of these arcs: how many possible relations are kept"),
    _tree_column("relations", pa.string(), "for each arc in turn: its relations"),
    _tree_column("relation_costs", pa.uint16(), "for each of these relations: -1000 log P(relation | arc)"),
]

ANNOTATIONS = _table(
    "annotations",
    3,
    [
        _column("doc_id", pa.string(), "the article, as in the archive"),
        _column("published", pa.date32(), "day of publication"),
        _column("title", pa.string(), "headline"),
        _column("text", pa.string(), "the text that was parsed; offsets count its characters"),
        _column(
            "error", pa.string(), "why the document could not be annotated; then every list is empty", optional=True
        ),
        _column("starts", pa.list_(pa.int32()), f"{_PER_TOKEN}: first character in the text"),
        _column("ends", pa.list_(pa.int32()), f"{_PER_TOKEN}: last character, excluded"),
        _column("upos", pa.list_(pa.string()), f"{_PER_TOKEN}: universal part of speech"),
        _column("xpos", pa.list_(pa.string()), f"{_PER_TOKEN}: Penn Treebank tag"),
        _column("feats", pa.list_(pa.string()), f"{_PER_TOKEN}: features, as in CoNLL-U"),
        _column("heads", pa.list_(pa.int32()), f"{_PER_TOKEN}: position of its head in the document, -1 for a root"),
        _column("deprels", pa.list_(pa.string()), f"{_PER_TOKEN}: relation to the head"),
        _column("sentences", pa.list_(pa.int32()), f"{_PER_TOKEN}: number of its sentence, from 0"),
        _column("mention_starts", pa.list_(pa.int32()), f"{_PER_MENTION}: first token"),
        _column("mention_ends", pa.list_(pa.int32()), f"{_PER_MENTION}: last token, excluded"),
        _column("mention_heads", pa.list_(pa.int32()), f"{_PER_MENTION}: head token"),
        _column(
            "mention_kinds", pa.list_(pa.int32()), f"{_PER_MENTION}: type, as in calib_core.coref.mentions.lexicon"
        ),
        _column("n_candidates", pa.list_(pa.int32()), f"{_PER_MENTION}: how many earlier mentions are candidates"),
        _column(
            "candidates",
            pa.list_(pa.int32()),
            "for each mention in turn: its candidates, then -1 for NEW; null where they are the nearest earlier "
            "mentions, farthest first",
            optional=True,
            since=2,
        ),
        _column(
            "logits",
            pa.list_(pa.float32()),
            "for each mention in turn: of its candidates, then of NEW; a softmax gives P(antecedent)",
        ),
        *_TREES,
    ],
)
"""One row per document past the gate; a row never changes, rows of further documents may join the file."""

EVENT_SAMPLES = _table(
    "event_samples",
    2,
    [
        _column("query", pa.string(), "name of the query"),
        _column("doc_id", pa.string(), "the article, as in the archive"),
        _column("published", pa.date32(), "day of publication"),
        _column("quarter", pa.string(), "quarter of publication, such as 1987Q1"),
        _column("country", pa.string(), "ISO 3166-1 alpha-3, or the lexicon's own code"),
        _column("p", pa.float64(), "posterior probability of the event: share of samples, in [0, 1]"),
        _column("map", pa.bool_(), "whether the 1-best clustering (`map_clustering`) has the event"),
        _column("bits", pa.binary(), "sample s is bit s % 8 of byte s // 8"),
        _column("entities", pa.binary(), "fulfilling entities: 16 bits a sample, 1-best last", optional=True),
        _column(
            "from_coreference",
            pa.float64(),
            "variance of the row's answer that comes from coreference alone; add rows, then divide by their variance",
            since=2,
        ),
        _column("from_syntax", pa.float64(), "variance of the answer that comes from syntax alone", since=2),
    ],
)

COUNTS = _table(
    "counts",
    1,
    [
        _column("query", pa.string(), "name of the query"),
        _column("unit", pa.string(), "what is counted: documents or entities"),
        _column("quarter", pa.string(), "quarter of publication, such as 1987Q1"),
        _column("country", pa.string(), "ISO 3166-1 alpha-3, or the lexicon's own code"),
        _column("mean", pa.float64(), "posterior mean of the count"),
        _column("sd", pa.float64(), "posterior standard deviation of the count"),
        _column("lo", pa.float64(), "mean - 1.96 sd, as in the paper"),
        _column("hi", pa.float64(), "mean + 1.96 sd, as in the paper"),
        _column("q025", pa.int64(), "2.5 % quantile of the count, exact (Poisson-binomial)"),
        _column("q500", pa.int64(), "median of the count, exact"),
        _column("q975", pa.int64(), "97.5 % quantile of the count, exact"),
        _column("map_count", pa.int64(), "count by 1-best clusterings"),
        _column("n_docs", pa.int64(), "documents published in the quarter"),
        _column("n_possible", pa.int64(), "those past the gate"),
        _column("samples", pa.list_(pa.int32()), "count in each posterior sample; same index, same sample in all rows"),
    ],
)

_TARGET = _column("target", pa.string(), "whom it was done to: a code, - for one without a code, * for any or none")


def _with_target(schema: pa.Schema) -> pa.Schema:
    """The table of a dyadic query: with the target after the country."""
    return schema.insert(schema.get_field_index("country") + 1, _TARGET)


DYADIC_EVENT_SAMPLES = _with_target(EVENT_SAMPLES)
"""Of a query with targets: one row per document, country and target; whatever reads `EVENT_SAMPLES` can read it."""

DYADIC_COUNTS = _with_target(COUNTS)
"""Of a query with targets; the rows of `*` are those of the query without targets, sample by sample."""

FRAME = _table(
    "frame",
    1,
    [
        _column("doc_id", pa.string(), "the article, as in the archive"),
        _column("published", pa.date32(), "day of publication"),
        _column("quarter", pa.string(), "quarter of publication, such as 1987Q1"),
        _column("stratum", pa.string(), "gate: past the gate; warm: gated out but close; cold: the rest"),
        _column("pi", pa.float64(), "probability of being drawn, in [0, 1]"),
        _column("number", pa.float64(), "permanent random number in [0, 1), from seed and doc_id"),
        _column("drawn", pa.bool_(), "whether the article is to be labelled"),
        _column("turn", pa.int32(), "place in the order of labelling, from 0; null if not drawn", optional=True),
        _column("entry", pa.int32(), "smallest budget that draws the article; null if not drawn", optional=True),
        _column("earlier_pi", pa.float64(), "probability in the frame that this one extends; 0 if not in it"),
        _column("codes", pa.list_(pa.string()), "country, or AGENT>TARGET, that the run gives a chance"),
        _column("scores", pa.list_(pa.float64()), "for each of the codes: the run's probability of the event"),
        _column("named", pa.list_(pa.string()), "codes whose words stand in the text; empty in the cold stratum"),
        _column("story", pa.int64(), "near-duplicates have the same number; cold articles have one of their own"),
    ],
)
"""One row per article of the archive, in order of quarter, then doc_id."""

_GROUP = [
    _column("level", pa.string(), "what is counted: total, country, quarter, cell; cold: what nobody can see"),
    _column("quarter", pa.string(), "such as 1987Q1; null where the row is of all quarters", optional=True),
    _column("country", pa.string(), "the agent's code; null where the row is of all countries", optional=True),
    _column("target", pa.string(), "the target's code, of dyadic queries only: * for any", optional=True),
    _column("tier", pa.string(), "A: the interval holds by design; B: by pooling, which rests on a model"),
]

ANCHORED = _table(
    "anchored",
    1,
    [
        _column("query", pa.string(), "name of the query"),
        *_GROUP,
        _column("raw_mean", pa.float64(), "posterior mean, from the models alone"),
        _column("raw_lo", pa.float64(), "lower end of its 95 % interval"),
        _column("raw_hi", pa.float64(), "upper end of its 95 % interval"),
        _column("estimate", pa.float64(), "models and labels together; null outside the frame", optional=True),
        _column("lo", pa.float64(), "lower end of its 95 % interval", optional=True),
        _column("hi", pa.float64(), "upper end of its 95 % interval", optional=True),
        _column("hidden", pa.float64(), "part of hi that allows for events in the cold stratum", optional=True),
        _column("n_labels", pa.int64(), "labelled articles that bear on the row"),
        _column("flags", pa.list_(pa.string()), "what to beware of; docs/anchoring.md lists them"),
        _column("frame_id", pa.string(), "the sample that was labelled"),
    ],
)

ANCHORED_DRAWS = _table(
    "anchored_draws",
    1,
    [
        *_GROUP,
        _column("draws", pa.list_(pa.float32()), "same index, same draw in all rows of a tier: add and subtract them"),
    ],
)

_MEASURED = [
    _column("calibration_id", pa.string(), "the run of `credence calibrate` that measured it, as in the folder's name"),
    _column("created", pa.timestamp("ms"), "when that run began, UTC"),
    _column("model_id", pa.string(), "content hash of the model; of cross-validated models, of the one they stand for"),
    _column("dataset", pa.string(), "annotated corpus"),
    _column("split", pa.string(), "train, dev or test; all where there is none"),
    _column("folds", pa.int64(), "models trained for cross-validation; 0: the model itself was measured"),
    _column(
        "mode",
        pa.string(),
        "gold_mentions, gold_trees (own mentions), raw_text (own mentions, own parse) or gold_words (the parser's "
        "trees of the annotators' words)",
    ),
    _column("genre", pa.string(), "genre of the documents, such as news; all for the whole corpus"),
    _column("query", pa.string(), "what the probabilities are about: pairs, antecedents, new, entities, events, ..."),
    _column("slice", pa.string(), "which of them: all, q > 0.01, distance ..., types ..., later ..."),
    _column("recalibrated", pa.string(), "none, or the form of recalibration, fitted without the documents"),
]

_TRUST = [
    _column("reliable", pa.bool_(), "false where there was too little to measure"),
    _column("reason", pa.string(), "why it is not reliable; null where it is", optional=True),
]

CALIBRATION_METRICS = _table(
    "calibration/metrics",
    2,
    [
        *_MEASURED,
        _column("metric", pa.string(), "name of the figure, such as calibration_error, brier, log_loss or conll_f1"),
        _column("value", pa.float64(), "the figure, in the metric's unit (probability for calibration errors)"),
        _column("lo", pa.float64(), "lower end of its 95 % interval", optional=True),
        _column("hi", pa.float64(), "upper end of its 95 % interval", optional=True),
        _column("interval", pa.string(), "how: algorithm 2 (the paper's), documents (redrawn)", optional=True),
        _column("n", pa.int64(), "predictions measured"),
        _column("documents", pa.int64(), "documents they are from"),
        _column("bin_size", pa.int64(), "predictions a bin; null where there are no bins", optional=True),
        *_TRUST,
    ],
)

CALIBRATION_BINS = _table(
    "calibration/bins",
    2,
    [
        *_MEASURED,
        _column("bin_size", pa.int64(), "predictions a bin was meant to have"),
        _column("bin", pa.int64(), "number of the bin, from 0, in order of prediction"),
        _column("size", pa.int64(), "predictions in the bin"),
        _column("mean_pred", pa.float64(), "mean predicted probability"),
        _column("mean_label", pa.float64(), "observed frequency"),
        _column("label_lo", pa.float64(), "lower end of the 95 % interval of the frequency"),
        _column("label_hi", pa.float64(), "upper end of the 95 % interval of the frequency"),
    ],
)

CALIBRATION_COVERAGE = _table(
    "calibration/coverage",
    2,
    [
        *_MEASURED,
        _column("level", pa.string(), "what the counts are over: a document, a number of documents"),
        _column("interval", pa.string(), "normal (the paper's), exact (quantiles), randomised (without rounding)"),
        _column("nominal", pa.float64(), "coverage that the intervals promise, in [0, 1]"),
        _column("covered", pa.float64(), "share of intervals that held the truth, in [0, 1]"),
        _column("lo", pa.float64(), "lower end of the 95 % interval of that share, groups of documents redrawn"),
        _column("hi", pa.float64(), "upper end of it"),
        _column("expected", pa.float64(), "share that they would hold if the stated distributions were true"),
        _column("n", pa.int64(), "intervals"),
        *_TRUST,
    ],
)

TABLES: Mapping[str, pa.Schema] = {
    schema.metadata[TABLE_KEY.encode()].decode(): schema
    for schema in (
        ARCHIVE, ARCHIVE_IDS, QUARANTINE, ANNOTATIONS, EVENT_SAMPLES, COUNTS, FRAME,
        ANCHORED, ANCHORED_DRAWS,
        CALIBRATION_METRICS, CALIBRATION_BINS, CALIBRATION_COVERAGE,
    )
}  # fmt: skip


def describe(schema: pa.Schema) -> dict[str, str]:
    """Meaning and unit of each column, by name."""
    return {field.name: (field.metadata or {}).get(MEANING_KEY.encode(), b"").decode() for field in schema}


def check_schema(found: pa.Schema, expected: pa.Schema, path: str) -> None:
    """Refuse, in one sentence, a file of another table, of a newer version, or without a column.

    Columns beyond the expected ones are let through: a later minor release may add some.
    """
    table, version = _label(expected)
    found_table, found_version = _label(found)
    if found_table != table:
        raise SchemaError(path, f"file must hold the table {table}", found_table or "no table name")
    if not found_version.isdecimal():
        raise SchemaError(path, f"{VERSION_KEY} must be a whole number", repr(found_version))
    if int(found_version) > int(version):
        raise SchemaError(path, f"{table} must be of version {version} or older; upgrade credence", found_version)
    for field in expected:
        position = found.get_field_index(field.name)
        if position < 0 and int((field.metadata or {}).get(SINCE_KEY.encode(), 1)) > int(found_version):
            continue
        if position < 0 or found.field(position).type != field.type:
            kind = "none" if position < 0 else str(found.field(position).type)
            raise SchemaError(path, f"{table} must have a column {field.name} of type {field.type}", kind)


def _label(schema: pa.Schema) -> tuple[str, str]:
    metadata = schema.metadata or {}
    return tuple(metadata.get(key.encode(), b"").decode(errors="replace") for key in (TABLE_KEY, VERSION_KEY))
