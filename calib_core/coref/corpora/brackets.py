"""Read entity brackets such as `(3`, `3)` and `5)6)(7)` into clusters, and write them.

Covers: the notation that CoNLL-2011/2012, LitBank and CorefUD/OntoGUM share, and what is wrong with a bad one.
Not here: where the column stands in a file (`conllu`, `conll`).
"""

import logging
import re
from collections.abc import Sequence

from calib_core.document import Span

_TOKEN = re.compile(r"\((\d+)[^()|]*\)|\((\d+)[^()|]*|(\d+)\)")
# CorefUD entity ids may be words ("e12-person-1"), so brackets that are not plain numbers match here.
_NAMED = re.compile(r"\(([^()|\s]+)\)|\(([^()|\s]+)|([^()|\s]+)\)")

Clusters = tuple[tuple[Span, ...], ...]

_LOG = logging.getLogger(__name__)


class CorpusError(ValueError):
    """A corpus file breaks a rule of its format; says which file, which line and why."""

    def __init__(self, path: str, line: int, reason: str) -> None:
        super().__init__(path, line, reason)
        self.path, self.line, self.reason = path, line, reason

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.reason}"


def bracket_events(cell: str) -> list[tuple[str, str]]:
    """Split one cell into (what, entity id) pairs, `what` being "open", "close" or "both".

    >>> bracket_events("5)6)(7)")
    [('close', '5'), ('close', '6'), ('both', '7')]
    """
    pattern = _NAMED if re.search(r"[A-Za-z]", cell) else _TOKEN
    events = []
    position = 0
    for match in pattern.finditer(cell):
        if cell[position : match.start()].strip("|"):
            break
        position = match.end()
        both, opened, closed = match.groups()
        name = both or opened or closed
        what = "both" if both else "open" if opened else "close"
        events.append((what, name.split("-")[0]))
    if cell[position:].strip("|"):
        raise ValueError(f"entity brackets {cell!r} are not of the form (1, 1) or (1)")
    return events


def read_clusters(cells: Sequence[str], lines: Sequence[int], path: str) -> Clusters:
    """Gold clusters of one document, in the order in which their entities are first named.

    Parameters
    ----------
    cells : one per token
        Entity brackets; "", "-" and "_" mean none.
    lines : one per token
        Line number of each token in the file, for errors.
    path : str
        The file, for errors.

    Notes
    -----
    Brackets may cross: a closing bracket ends the latest open bracket *with its id* (OntoGUM has such cases). A span
    that its own cluster names twice is kept twice here; `distinct_clusters` and the scorers say what they do with it.
    """
    spans: dict[str, list[Span]] = {}
    opened: dict[str, list[int]] = {}
    for token, cell in enumerate(cells):
        if cell in ("", "-", "_"):
            continue
        try:
            for what, name in bracket_events(cell):
                _apply(what, name, token, spans, opened)
        except ValueError as error:
            raise CorpusError(path, lines[token], str(error)) from None
    for name, starts in opened.items():
        if starts:
            raise CorpusError(path, lines[starts[-1]], f"bracket ({name} is never closed in its document")
    return tuple(tuple(mentions) for mentions in spans.values() if mentions)


def _apply(what: str, name: str, token: int, spans: dict[str, list[Span]], opened: dict[str, list[int]]) -> None:
    """Open or close one bracket at a token."""
    mentions = spans.setdefault(name, [])
    if what == "both":
        mentions.append((token, token + 1))
    elif what == "open":
        opened.setdefault(name, []).append(token)
    elif opened.get(name):
        mentions.append((opened[name].pop(), token + 1))
    else:
        raise ValueError(f"bracket {name}) closes an entity that is not open")


def distinct_clusters(clusters: Clusters, path: str, line: int, *, drop_singletons: bool = False) -> Clusters:
    """Clusters in document order, each span once.

    A span that two entities share stays with the one named first, because a mention has one entity in this model; each
    such loss is logged as a warning with file and tokens (OntoGUM train has six).

    Parameters
    ----------
    clusters : as `read_clusters` gives them
    path, line
        Where the document starts, for the warning.
    drop_singletons : bool
        Leave out clusters with one distinct mention, as OntoNotes does.
    """
    owner: dict[Span, int] = {}
    kept: list[tuple[Span, ...]] = []
    for number, mentions in enumerate(clusters):
        for start, end in mentions:
            if owner.setdefault((start, end), number) != number:
                _LOG.warning("%s:%d: tokens %d to %d of the document are in two entities", path, line, start, end - 1)
        distinct = tuple(sorted({span for span in mentions if owner[span] == number}))
        if len(distinct) > 1 or (distinct and not drop_singletons):
            kept.append(distinct)
    return tuple(sorted(kept))


def write_brackets(clusters: Clusters, n_tokens: int) -> list[str]:
    """One cell per token, "-" where no mention starts or ends; longer mentions open first and close last."""
    opening: list[list[tuple[int, str]]] = [[] for _ in range(n_tokens)]
    closing: list[list[tuple[int, str]]] = [[] for _ in range(n_tokens)]
    for number, mentions in enumerate(clusters):
        for start, end in mentions:
            if not 0 <= start < end <= n_tokens:
                raise ValueError(f"mention ({start}, {end}) is not inside a document of {n_tokens} tokens")
            if end == start + 1:
                opening[start].append((-1, f"({number})"))
            else:
                opening[start].append((-end, f"({number}"))
                closing[end - 1].append((-start, f"{number})"))
    cells = []
    for starts, ends in zip(opening, closing, strict=True):
        cells.append("|".join([text for _, text in sorted(ends)] + [text for _, text in sorted(starts)]) or "-")
    return cells
