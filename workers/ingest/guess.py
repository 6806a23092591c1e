"""What a file is that nobody has described: format, encoding, fields, order of dates.

Covers: a guess from the first records, as options of an ingest, and the first articles as those options read them.
Not here: asking whether the guess is right (`flows.cli.quickstart`). Whatever two readings fit equally well, such as
03/04/1987, is an error that says which option decides, not a guess.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, cast

from workers.ingest.broken_rule import BrokenRuleError
from workers.ingest.config import COLUMNS, NEEDED, Format, IngestConfig, IngestError
from workers.ingest.dates import DAY_FIRST, ISO, MONTH_FIRST, YEAR_LAST_IN_A_NAME, date_in_name, numeric_order
from workers.ingest.field_names import by_content, proposed
from workers.ingest.html_text import looks_like_html
from workers.ingest.records import Article, Draft, Fault, shown, validate
from workers.ingest.report import Reason, gathered
from workers.ingest.sources import PAGE_READERS, Source, find_sources, read_source, sniff
from workers.ingest.starts import Start, read_start

FILES, RECORDS = 20, 500
"""Looked at, at most: files, and records of each."""
TABLES = ("csv", "json", "jsonl", "parquet")
SHOWN_ARTICLES = 3
HTML_SHARE = 0.1
TEXT_ENDINGS, PAGE_ENDINGS = (".txt", ".text", ".md"), (".html", ".htm", ".xhtml")


@dataclass(frozen=True, slots=True)
class Guess:
    """What was made of some files.

    Attributes
    ----------
    files, size : int
        All of them, and their bytes.
    kind : str
        The format of most.
    config : IngestConfig
        How to read them.
    looked_at, usable : int
        Records read, and those that are articles.
    articles : tuple of Article
        The first few.
    reasons : tuple of Reason
        Why the others cannot be used.
    """

    files: int
    size: int
    kind: str
    config: IngestConfig
    looked_at: int
    usable: int
    articles: tuple[Article, ...]
    reasons: tuple[Reason, ...]


def guess(inputs: Sequence[str], given: IngestConfig) -> Guess:
    """Look at the first records of some of the files.

    Parameters
    ----------
    inputs : sequence of str
        Files or folders.
    given : IngestConfig
        What the user has said; it is not guessed again.

    Raises
    ------
    IngestError
        Where nothing can be made of the files, or two readings fit; the message says what to do.
    """
    sources = [source for uri in inputs for source in find_sources(uri)]
    if not sources:
        raise IngestError(inputs[0], 0, "folder must hold at least one file", "none")
    looked = sources[:: max(1, len(sources) // FILES)][:FILES]
    starts = [read_start(source) for source in looked]
    if given.encoding == IngestConfig().encoding:
        given = replace(given, encoding=_encoding(starts))
    kinds = [given.format or _kind(source, start, given) for source, start in zip(looked, starts, strict=True)]
    kind = _most(looked, kinds)
    alike = all(_sniffed(start, given) == kind for start, found in zip(starts, kinds, strict=True) if found == kind)
    recognised = alike and kind not in PAGE_READERS
    config = replace(given, format=given.format or (None if recognised else cast("Format", kind)))
    chosen = [source for source, found in zip(looked, kinds, strict=True) if found == kind]
    if kind in TABLES:
        places = [place for place, found in enumerate(kinds) if found == kind]
        config = _with_fields(config, chosen[0], [row for place in places for row in starts[place].rows(kind)])
    drafts, faults = _drafts(chosen, config)
    config = _with_values(config, kind, chosen, [draft for _, draft in drafts])
    checked = [(file, validate(draft, config)) for file, draft in drafts]
    articles = [item for _, item in checked if isinstance(item, Article)]
    broken = [*faults, *((file, item) for file, item in checked if isinstance(item, Fault))]
    reasons = gathered(Reason(fault.rule, 1, file, fault.record, fault.value) for file, fault in broken)
    return Guess(
        len(sources), sum(source.size for source in sources), kind, config, len(checked) + len(faults), len(articles),
        tuple(articles[:SHOWN_ARTICLES]), reasons,
    )  # fmt: skip


def _encoding(starts: Iterable[Start]) -> str:
    """UTF-8 unless a file is not; then what Windows writes in western Europe."""
    return "utf-8" if all(start.is_utf8 for start in starts) else "cp1252"


def _kind(source: Source, start: Start, given: IngestConfig) -> str:
    """Format of one file; empty if it has none."""
    name = source.name.casefold()
    try:
        kind = sniff(start.head(given.encoding))
    except BrokenRuleError as broken:
        if name.endswith(TEXT_ENDINGS):
            return "txt"
        if name.endswith(PAGE_ENDINGS):
            return "html"
        if source.alone:
            raise IngestError(source.label, 0, broken.rule, shown(broken.value)) from broken
        return ""
    if kind == "csv" and name.endswith(TEXT_ENDINGS) and not given.names:
        fields = list(next(iter(start.rows("csv")), {}))
        return kind if fields and {"published", "text"} & {*proposed(fields, {}), *fields} else "txt"
    return "json" if kind == "jsonl" and start.is_wrapped_json else kind


def _most(looked: Sequence[Source], kinds: Sequence[str]) -> str:
    found = Counter(kind for kind in kinds if kind)
    if not found:
        raise IngestError(looked[0].label, 0, "format must be recognisable, or given with --format", "files of no kind")
    return found.most_common(1)[0][0]


def _sniffed(start: Start, given: IngestConfig) -> str:
    try:
        return sniff(start.head(given.encoding))
    except BrokenRuleError:
        return ""


def _with_fields(config: IngestConfig, source: Source, rows: Sequence[Mapping[str, Any]]) -> IngestConfig:
    """Map the fields by their names, and by what they hold where the names say nothing."""
    fields = list(dict.fromkeys(name for row in rows for name in row if name))
    names = dict(config.names) | proposed(fields, config.names)
    have = {column: names.get(column, column) for column in COLUMNS}
    missing = [column for column in NEEDED[1:] if have[column] not in fields]
    unsaid = [column for column in missing if column not in config.names]
    names |= by_content(rows, unsaid, taken={name for name in have.values() if name in fields})
    for column in missing:
        if column not in names or names[column] not in fields:
            rule = f"one column must hold the {'date' if column == 'published' else column} (say --field {column}=NAME)"
            raise IngestError(source.label, 0, rule, shown(", ".join(fields) or "no columns"))
    return replace(config, names=names, make_ids=config.make_ids or have["doc_id"] not in fields)


def _drafts(sources: Sequence[Source], config: IngestConfig) -> tuple[list[tuple[str, Draft]], list[tuple[str, Fault]]]:
    drafts: list[tuple[str, Draft]] = []
    faults: list[tuple[str, Fault]] = []
    for source in sources:
        with closing(read_source(source, config, lambda _: None)) as records:
            for file, item in islice(records, RECORDS):
                if isinstance(item, Draft):
                    drafts.append((file, item))
                else:
                    faults.append((file, item))
    return drafts, faults


def _with_values(config: IngestConfig, kind: str, sources: Sequence[Source], drafts: Sequence[Draft]) -> IngestConfig:
    """What the values show: order of dates, HTML, missing ids."""
    if config.dates == ISO:
        values = [source.name for source in sources] if kind in PAGE_READERS else [draft.published for draft in drafts]
        config = replace(config, dates=_order(values, kind in PAGE_READERS, sources[0].label))
    texts = [draft.text for draft in drafts if isinstance(draft.text, str)]
    html = sum(map(looks_like_html, texts)) > HTML_SHARE * len(texts)
    wanting = any(draft.doc_id in (None, "") for draft in drafts)
    return replace(config, html=config.html or html, make_ids=config.make_ids or wanting)


def _order(values: Iterable[Any], names: bool, label: str) -> Any:
    """Which number of 03/04/1987 is the day."""
    seen: dict[str, str] = {}
    for value in values:
        written = _date_part(value) if names else value
        order = numeric_order(written)
        if order is not None:
            seen.setdefault(order, str(written))
    if DAY_FIRST in seen and MONTH_FIRST in seen:
        both = f"{seen[DAY_FIRST]} and {seen[MONTH_FIRST]}"
        raise IngestError(label, 0, "dates must have day and month in one order", both)
    if "" in seen and len(seen) == 1:
        rule = "dates must be read with --dates day-first or --dates month-first: these may be read both ways"
        raise IngestError(label, 0, rule, seen[""])
    return next((order for order in (DAY_FIRST, MONTH_FIRST) if order in seen), ISO)


def _date_part(name: str) -> str | None:
    """The date in a file's name that ends with the year, unless another says it plainly."""
    if date_in_name(name) is not None and not YEAR_LAST_IN_A_NAME.search(name):
        return None
    found = YEAR_LAST_IN_A_NAME.search(name)
    return f"{found[1]}/{found[3]}/{found[4]}" if found else None
