"""Reader of NITF, one article per file, as in the New York Times Annotated Corpus.

Covers: id, date, headline and full text. Entity declarations are refused, so no file can expand without bound or
refer to another; the external DTD that these files mention is never fetched.
Not here: the corpus's monthly archives (`workers.ingest.sources` opens them and passes each member).
"""

import html
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO
from xml.parsers import expat

from workers.ingest.broken_rule import BrokenRuleError
from workers.ingest.config import IngestConfig
from workers.ingest.records import Draft, Fault, shown

FULL_TEXT, LEAD = "full_text", "LEAD:"
BREAKS = {"p", "hl1", "hl2", "br", "tr", "li"}


@dataclass
class _Page:
    """What has been read of one document so far, and where the parser is."""

    doc_id: str | None = None
    published: str | None = None
    source: str = ""
    titles: list[str] = field(default_factory=list)
    full: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    stack: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "doc-id":
            self.doc_id = attributes.get("id-string", self.doc_id)
        elif name == "pubdata":
            self.published = attributes.get("date.publication", self.published)
            self.source = attributes.get("name", self.source)
        self.flush(name)
        self.stack.append(FULL_TEXT if name == "block" and attributes.get("class") == FULL_TEXT else name)

    def end(self, name: str) -> None:
        self.flush(name)
        self.stack.pop()

    def flush(self, name: str) -> None:
        """At the end of a paragraph, store the words since the last one."""
        if name not in BREAKS:
            return
        paragraph, self.words = " ".join("".join(self.words).split()), []
        if not paragraph:
            return
        if "hedline" in self.stack:
            self.titles.append(paragraph)
        elif FULL_TEXT in self.stack:
            self.full.append(paragraph)
        elif "body.content" in self.stack:
            self.body.append(paragraph)

    def data(self, text: str) -> None:
        if "hedline" in self.stack or "body.content" in self.stack:
            self.words.append(text)


def read_nitf(stream: BinaryIO, config: IngestConfig) -> Iterator[Draft | Fault]:
    """The one article of a file."""
    content = stream.read(config.max_record_bytes + 1)
    if len(content) > config.max_record_bytes:
        yield Fault(1, f"document must be at most {config.max_record_bytes:,} bytes", "a longer one")
        return
    page = _Page()
    try:
        _parser(page).Parse(content, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        yield Fault(1, "document must be well-formed XML", shown(str(error)))
    except BrokenRuleError as broken:
        yield Fault(1, broken.rule, shown(broken.value))
    else:
        text = "\n\n".join(_without_repeated_lead(page.full) or page.body)
        yield Draft(1, page.doc_id, page.published, " ".join(page.titles[:1]), text, page.source)


def _parser(page: _Page) -> expat.XMLParserType:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = page.start
    parser.EndElementHandler = page.end
    parser.CharacterDataHandler = page.data
    parser.EntityDeclHandler = _refuse_entity
    parser.SkippedEntityHandler = lambda name, is_parameter: None if is_parameter else page.data(_character(name))
    return parser


def _refuse_entity(name: str, *_: object) -> None:
    raise BrokenRuleError("XML must not declare entities", name)


def _character(name: str) -> str:
    """Entities of the external DTD, which is not read: take the character with that name in HTML."""
    character = html.unescape(f"&{name};")
    if character.startswith("&"):
        raise BrokenRuleError("XML entities must be known characters", f"&{name};")
    return character


def _without_repeated_lead(paragraphs: list[str]) -> list[str]:
    """Drop a first paragraph "LEAD: ..." that only announces the second, as articles of the 1980s have it."""
    if len(paragraphs) > 1 and paragraphs[0].startswith(LEAD):
        lead = paragraphs[0].removeprefix(LEAD).strip()
        if lead == paragraphs[1]:
            return paragraphs[1:]
    return paragraphs
