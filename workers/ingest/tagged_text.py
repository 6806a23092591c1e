"""Readers of what people download from Nexis and Factiva as text.

Covers: Nexis text files ("1 of 100 DOCUMENTS", or "End of Document" after each), Factiva's display with two-letter
field codes, as text or as HTML.
Not here: Word and PDF files; both services also offer text, and word processors save it.

Exports have no ids that all of them share: Factiva's accession number is one; for Nexis one is made of the content.
"""

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from workers.ingest.broken_rule import BrokenRuleError
from workers.ingest.config import IngestConfig
from workers.ingest.dates import DAY_MONTH, LONGEST, MONTH_DAY
from workers.ingest.html_text import read_page
from workers.ingest.lines import bounded_lines
from workers.ingest.records import Draft, Fault, made_id, shown

NEXIS_START = re.compile(r"\s*\d+ of \d+ DOCUMENTS?\s*")
NEXIS_END = "end of document"
NEXIS_TAG = re.compile(r"(?P<tag>[A-Z][A-Za-z-]{2,19}):(?P<value>.*)")
NEXIS_HEAD = {
    "byline",
    "body",
    "section",
    "length",
    "dateline",
    "highlight",
    "headline",
    "copyright",
    "series",
    "column",
}
NEXIS_TAIL = {
    "load-date", "language", "graphic", "publication-type", "journal-code", "subject", "organization", "person", "url",
    "document-type", "geographic", "country", "city", "state", "company", "industry", "ticker", "classification",
}  # fmt: skip
WEEKDAY = re.compile(r"(?:\w+day,? *)?")
DATE_WITHIN = 8
"""Lines at the start of a Nexis article, one of which is its date."""
FACTIVA_CODES = "SE|CLM|HD|BY|CR|WC|PD|ET|SN|SC|ED|PG|VOL|LA|CY|LP|TD|CT|RF|CO|IN|NS|RE|IPC|IPD|PUB|AN|ART|DLN|RBB"
FACTIVA_LINE = re.compile(rf"\s*({FACTIVA_CODES})(?:\t| {{2,}}|\s*$)(.*)")
FACTIVA_SHORT = re.compile(r"\s*(HD|BY|WC|PD|ET|SN|SC|LA|CY) (.*)")
"""The codes before the text, also where one space follows."""
FACTIVA_END = re.compile(r"\s*(AN)\s+(Document .*)")
BODY = ("LP", "TD")


def looks_like_nexis(head: str) -> bool:
    """Whether the start of a file is of a Nexis download."""
    lines = head.splitlines()
    started = any(NEXIS_START.fullmatch(line) for line in lines[:40])
    return started or ("\nLength:" in head and "\nBody" in head and "\nLoad-Date:" in head)


def looks_like_factiva(head: str) -> bool:
    """Whether the start of a file is of a Factiva download."""
    codes = {found[1] for found in map(_factiva_code, head.splitlines()) if found}
    return {"HD", "PD"} <= codes or (head.lstrip().startswith("<") and ">HD<" in head and ">PD<" in head)


def read_nexis(stream: BinaryIO, config: IngestConfig) -> Iterator[Draft | Fault]:
    """One article per "n of m DOCUMENTS" or up to "End of Document"."""
    number, begun = 0, False
    lines: list[str] = []
    for line in _lines(stream, config):
        starts, ends = bool(NEXIS_START.fullmatch(line)), line.strip().casefold() == NEXIS_END
        if not starts and not ends:
            lines.append(line.strip())
            continue
        if any(lines) and (begun or ends):  # what precedes the first "1 of 100 DOCUMENTS" is a cover page
            number += 1
            yield _nexis(number, lines)
        lines, begun = [], True
    if any(lines):
        yield _nexis(number + 1, lines)


def _nexis(number: int, lines: list[str]) -> Draft | Fault:
    """One article: source, date and headline above, tags, text, tags."""
    top = [line for line in lines if line][:DATE_WITHIN]
    place = next((place for place, line in enumerate(top) if _is_date(line)), None)
    if place is None:
        return Fault(number, "article must have its date near its beginning", shown(" / ".join(top)))
    title, body = _nexis_parts(list(_paragraphs(lines[lines.index(top[place]) + 1 :])))
    source, text = top[place - 1] if place else "", "\n\n".join(body)
    if place > 1:  # headline, source, date; the older layout has source and date, then the headline
        title = top[place - 2]
    return Draft(number, f"nexis-{made_id(source, top[place], title, text)}", top[place], title, text, source)


def _nexis_parts(blocks: list[str]) -> tuple[str, list[str]]:
    """Headline and paragraphs of the text, which begins after "Body", or else after the tags at the top."""
    title, tagged, start = "", False, len(blocks)
    for place, block in enumerate(blocks):
        tag, value = _nexis_tag(block)
        if tag == "body":
            blocks[place], start = value, place if value else place + 1
            break
        if tag == "headline":
            title = value
        elif not tag and tagged and start == len(blocks):
            start = place  # unless "Body" follows
        elif not tag and not tagged:
            title = f"{title} {block}".strip()
        tagged = tagged or tag in NEXIS_HEAD
    return title, list(_until_tail(blocks[start:]))


def _nexis_tag(block: str) -> tuple[str, str]:
    """Tag and value of a paragraph at the top; two empty texts if it has none."""
    found = NEXIS_TAG.fullmatch(block if block.casefold() != "body" else "Body:")
    tag = found["tag"].casefold() if found else ""
    return (tag, found["value"].strip()) if found and tag in NEXIS_HEAD else ("", "")


def _until_tail(blocks: Iterable[str]) -> Iterator[str]:
    """Paragraphs before the tags that follow the text."""
    for block in blocks:
        found = NEXIS_TAG.fullmatch(block)
        if (found and found["tag"].casefold() in NEXIS_TAIL) or block.startswith("Copyright "):
            return
        yield block


def read_factiva(stream: BinaryIO, config: IngestConfig) -> Iterator[Draft | Fault]:
    """One article per accession number, which comes last in each."""
    number, code = 0, ""
    fields: dict[str, list[str]] = {}
    for line in _factiva_lines(stream, config):
        found = _factiva_code(line, inside=code)
        if found:
            code = found[1]
            fields.setdefault(code, []).append(found[2].strip())
        elif code:
            fields[code].append(line.strip())
        if "AN" in fields and any(fields["AN"]):
            number += 1
            yield _factiva(number, fields)
            fields, code = {}, ""
    if any(fields.get(name) for name in BODY):
        yield Fault(number + 1, "article must end with its accession number (AN)", "none", damaged=True)


def _factiva_code(line: str, *, inside: str = "") -> re.Match[str] | None:
    found = FACTIVA_LINE.fullmatch(line) or FACTIVA_END.fullmatch(line)
    return found or (None if inside in BODY else FACTIVA_SHORT.fullmatch(line))


def _factiva(number: int, fields: dict[str, list[str]]) -> Draft:
    def joined(name: str) -> str | None:
        return " ".join(" ".join(fields.get(name, [])).split()) or None

    body = [paragraph for name in BODY for paragraph in _paragraphs(fields.get(name, []))]
    accession = (joined("AN") or "").removeprefix("Document ").strip()
    return Draft(number, accession, joined("PD"), joined("HD"), "\n\n".join(body), joined("SN"))


def _factiva_lines(stream: BinaryIO, config: IngestConfig) -> Iterator[str]:
    """Lines of the text, or of the words of the page."""
    lines = _lines(stream, config)
    first = next(lines, "")
    while not first.strip():
        line = next(lines, None)
        if line is None:
            return
        first = line
    if not first.lstrip().startswith("<"):
        yield first
        yield from lines
        return
    content, limit = [first], 4 * config.max_record_bytes
    for line in lines:
        content.append(line)
        limit -= len(line)
        if limit < 0:
            raise BrokenRuleError(f"page must be at most {4 * config.max_record_bytes:,} bytes", "a longer one")
    for paragraph in read_page("\n".join(content)).paragraphs:
        yield paragraph
        yield ""


def _lines(stream: BinaryIO, config: IngestConfig) -> Iterator[str]:
    """Lines as text; bytes that are not UTF-8 become lone surrogates, which validation refuses."""
    for number, line in enumerate(bounded_lines(stream, config.max_record_bytes)):
        if line is not None:
            yield line.decode(errors="surrogateescape").removeprefix("" if number else "\ufeff").rstrip("\r\n")


def _paragraphs(lines: Iterable[str]) -> Iterator[str]:
    """Runs of lines between empty ones."""
    found: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            found.append(line.strip())
        elif found:
            yield " ".join(found)
            found = []


def _is_date(line: str) -> bool:
    """Whether a line is a date, perhaps after the day of the week."""
    if len(line) > LONGEST:
        return False
    found = MONTH_DAY.search(line) or DAY_MONTH.search(line)
    return found is not None and WEEKDAY.fullmatch(line[: found.start()]) is not None
