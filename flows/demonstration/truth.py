"""The truth about the demonstration archive, and how to lay it over a parsed article.

Covers: reading the truth, gold clusters on a `Document`, the event question under the gold clustering.
Not here: how the truth was made (`reproductions.demonstration`, in a checkout).
"""

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from importlib.resources.abc import Traversable

from calib_core.document import Document, Span
from calib_core.events.examples import answer
from calib_core.events.query import Query
from workers.reparse import words_between

DATA = files("flows.demonstration") / "data"
ARCHIVE = DATA / "archive.jsonl.gz"
"""The articles, in a format that `credence ingest` reads."""
TRUTH = DATA / "truth.jsonl.gz"


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """One mention of an entity.

    Attributes
    ----------
    start, end : int
        Characters of the article's text, the end excluded.
    entity : str
        Mentions with the same label are one entity; labels mean nothing outside their article.
    countries : tuple of str
        Codes of the countries that the mention's own words describe it as; usually none or one.
    agent : bool
        Whether the mention is the grammatical agent of "attack".
    """

    start: int
    end: int
    entity: str
    countries: tuple[str, ...] = ()
    agent: bool = False


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true of one article.

    Attributes
    ----------
    doc_id : str
    year : int
        Of publication.
    kind : str
        How the attacker is named, or why there is none; docs/demonstration.md lists the kinds.
    plot : str
        Which plot of that kind the article follows.
    countries : tuple of str
        Codes of the countries that the query `attack` should find under the gold clustering.
    mentions : tuple of Mention
        Marked mentions, by start; those with one label are one entity.
    """

    doc_id: str
    year: int
    kind: str
    plot: str
    countries: tuple[str, ...]
    mentions: tuple[Mention, ...]

    @property
    def clusters(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Entities as character spans, in order of first mention; entities of one mention included."""
        return tuple(tuple((m.start, m.end) for m in mentions) for mentions in self._entities().values())

    def _entities(self) -> dict[str, list[Mention]]:
        found: dict[str, list[Mention]] = {}
        for mention in self.mentions:
            found.setdefault(mention.entity, []).append(mention)
        return found


def read_truth(path: Traversable = TRUTH) -> Iterator[Truth]:
    """The truth of each article, in the archive's order."""
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        row = json.loads(line)
        mentions = tuple(
            Mention(start, end, entity, tuple(countries), agent)
            for start, end, entity, countries, agent in row.pop("mentions")
        )
        yield Truth(**(row | {"countries": tuple(row["countries"]), "mentions": mentions}))


def truth_line(truth: Truth) -> str:
    """One line of the truth file."""
    row = asdict(truth) | {"mentions": [list(asdict(mention).values()) for mention in truth.mentions]}
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def with_gold_clusters(document: Document, truth: Truth, *, singletons: bool = False) -> Document:
    """The parsed article with its gold clusters, for `calib_core.coref.metrics.evaluation`.

    Parameters
    ----------
    document : Document
        The article's text parsed, with character offsets.
    truth : Truth
        Of the same article.
    singletons : bool
        Whether to keep entities of one mention; the coreference corpora that the model was trained on have none.
    """
    _check(document, truth)
    clusters = [tuple(dict.fromkeys(_spans(document, cluster))) for cluster in truth.clusters]
    return replace(document, clusters=tuple(c for c in clusters if singletons or len(c) > 1))


def gold_answer(document: Document, truth: Truth, query: Query) -> tuple[str, ...]:
    """Countries that the query finds in the parsed article if its entities are the gold ones.

    It differs from `truth.countries` only where the parse is wrong (or the marks are).
    """
    _check(document, truth)
    spans = list(_spans(document, ((mention.start, mention.end) for mention in truth.mentions)))
    labels = {entity: number for number, entity in enumerate({mention.entity: None for mention in truth.mentions})}
    entities = [labels[mention.entity] for mention in truth.mentions]
    return tuple(sorted({code for code, _ in answer(document, spans, entities, query, truth.year)}))


def _spans(document: Document, characters: Iterable[tuple[int, int]]) -> Iterator[Span]:
    return (words_between(document, start, end) for start, end in characters)


def _check(document: Document, truth: Truth) -> None:
    if document.doc_id != truth.doc_id:
        raise ValueError(f"the truth is about {truth.doc_id!r}, the document is {document.doc_id!r}")
