"""The words of HTML, as a reader of the page would see them.

Covers: paragraphs of a fragment or a page, its title, its date where the page says it.
Not here: telling an article from its surroundings on pages that do not mark it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import NamedTuple

SILENT = {"script", "style", "noscript", "template", "svg", "nav", "footer", "aside", "form", "button", "head"}
BREAKS = {
    "p", "div", "br", "li", "ul", "ol", "tr", "td", "th", "table", "section", "article", "main", "header", "blockquote",
    "h1", "h2", "h3", "h4", "h5", "h6", "figure", "figcaption", "pre", "body", "hr",
}  # fmt: skip
MARKED = ("article", "main")
"""Tags that mark the text of a page."""
DATES = ("article:published_time", "datepublished", "date", "pubdate", "dc.date", "dc.date.issued", "parsely-pub-date")
TITLES = ("og:title", "dc.title", "title")


TAGS = re.compile(r"<(?:p|br|div|span|a|li|ul|h[1-6]|b|i|em|strong|img|table)\b[^<>]*>|&(?:nbsp|amp|quot|#\d+);", re.I)


@dataclass(frozen=True, slots=True)
class Page:
    """What a page says; empty where it says nothing."""

    title: str
    published: str
    paragraphs: Sequence[str]
    prose: Sequence[str] = ()
    """Those of the paragraphs that are marked as such."""

    @property
    def story(self) -> str:
        """The text without menus, if at least half of its letters are in paragraphs that are marked as such."""
        marked = 2 * sum(map(len, self.prose)) >= sum(map(len, self.paragraphs))
        return "\n\n".join(self.prose if marked else self.paragraphs)

    @property
    def text(self) -> str:
        """The paragraphs with an empty line between them."""
        return "\n\n".join(self.paragraphs)


def words_of(html: str) -> str:
    r"""Text of a fragment.

    >>> words_of("<p>Fish &amp; <b>chips</b>.</p><script>x()</script>Next.")
    'Fish & chips.\n\nNext.'
    """
    return read_page(html).text


def looks_like_html(text: str) -> bool:
    """Whether a text has tags or named characters."""
    return TAGS.search(text) is not None


def read_page(html: str) -> Page:
    """Title, date and paragraphs."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    reader.end_paragraph()
    chosen = [found for found in reader.paragraphs if found.marked] or reader.paragraphs
    titles = [reader.meta[name] for name in TITLES if reader.meta.get(name)]
    dates = [reader.meta[name] for name in DATES if reader.meta.get(name)]
    return Page(
        (titles or [reader.headline or reader.title])[0],
        (dates or [reader.time])[0],
        [found.text for found in chosen],
        [found.text for found in chosen if found.is_prose],
    )


class _Paragraph(NamedTuple):
    """A text, whether it is inside a tag that marks articles, and whether it is marked as a paragraph."""

    text: str
    marked: bool
    is_prose: bool


@dataclass
class _Reader(HTMLParser):
    """What has been read so far."""

    paragraphs: list[_Paragraph] = field(default_factory=list)
    meta: dict[str, str] = field(default_factory=dict)
    headline: str = ""
    title: str = ""
    time: str = ""
    _words: list[str] = field(default_factory=list)
    _silent: list[str] = field(default_factory=list)
    _marked: int = 0
    _prose: bool = False
    _naming: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "meta":
            name = attributes.get("property") or attributes.get("name") or attributes.get("itemprop") or ""
            self.meta.setdefault(name.casefold(), attributes.get("content", "").strip())
        elif tag == "time":
            self.time = self.time or attributes.get("datetime", "")
        elif tag in SILENT:
            self.end_paragraph()
            self._silent.append(tag)
        elif tag in BREAKS:
            self.end_paragraph()
            self._marked += tag in MARKED
            self._prose = tag == "p" or (tag == "br" and self._prose)
        if tag in ("title", "h1"):
            self._naming = tag
        if tag == "body":
            self._silent.clear()

    def handle_endtag(self, tag: str) -> None:
        if tag == "h1" and not self.headline:
            self.headline = " ".join("".join(self._words).split())
        if tag in self._silent:
            del self._silent[self._silent.index(tag) :]
        elif tag in BREAKS:
            self.end_paragraph()
            self._marked = max(0, self._marked - (tag in MARKED))
            self._prose = False
        if tag == self._naming:
            self._naming = ""

    def handle_data(self, data: str) -> None:
        if self._naming == "title":
            self.title = " ".join(f"{self.title} {data}".split())
        elif not self._silent:
            self._words.append(data)

    def end_paragraph(self) -> None:
        """Store the words since the last break."""
        text, self._words = " ".join("".join(self._words).split()), []
        if text:
            self.paragraphs.append(_Paragraph(text, self._marked > 0, self._prose))
