"""Read CoNLL-U treebanks as sentences of syntactic words.

Covers: words, tags, heads and relations; the parts of a multiword token become words of their own
with no space between them, so that no multiword-token step is needed after training.
Not here: vocabularies and tensors (`workers.parsing.network`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

NO_SPACE = "SpaceAfter=No"


@dataclass(frozen=True, slots=True)
class Word:
    """One syntactic word of a treebank sentence; `head` is 0 for the root, else a 1-based index."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    deprel: str
    space_after: bool


@dataclass(frozen=True, slots=True)
class TreebankSentence:
    """The words of one sentence and whether a paragraph (or document) starts with it."""

    words: tuple[Word, ...]
    new_paragraph: bool


def read_conllu(path: Path) -> list[TreebankSentence]:
    """All sentences of a CoNLL-U file; empty nodes are dropped and multiword tokens are split.

    Raises
    ------
    ValueError
        When a line has not ten columns, or its head is not a number; file and line are named.
    """
    return list(_sentences(path))


def _sentences(path: Path) -> Iterator[TreebankSentence]:
    rows: list[list[str]] = []
    new_paragraph = False
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip("\n")
            if line.startswith("#"):
                new_paragraph = new_paragraph or line.startswith(("# newpar", "# newdoc"))
            elif line:
                rows.append(_columns(line, path, number))
            elif rows:
                yield TreebankSentence(tuple(_words(rows)), new_paragraph)
                rows, new_paragraph = [], False
    if rows:
        yield TreebankSentence(tuple(_words(rows)), new_paragraph)


def _columns(line: str, path: Path, number: int) -> list[str]:
    columns = line.split("\t")
    if len(columns) != 10:
        raise ValueError(f"{path}:{number}: a CoNLL-U word line has 10 columns; got {len(columns)}")
    if columns[0].isdigit() and not columns[6].isdigit():
        raise ValueError(f"{path}:{number}: the head must be a number; got {columns[6]!r}")
    return columns


def _words(rows: list[list[str]]) -> Iterator[Word]:
    last_part, token_misc = 0, ""
    for row in rows:
        if "-" in row[0]:
            last_part, token_misc = int(row[0].split("-")[1]), row[9]
        elif row[0].isdigit():
            index = int(row[0])
            misc = NO_SPACE if index < last_part else token_misc if index == last_part else row[9]
            form, lemma, upos, xpos, feats = row[1:6]
            yield Word(form, lemma, upos, xpos, feats, int(row[6]), row[7], NO_SPACE not in misc)
