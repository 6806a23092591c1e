"""Read CorefUD and OntoGUM files: CoNLL-U with entity brackets in MISC.

Covers: tokens, trees, character offsets, speakers and gold clusters of each document in a file.
Not here: the bracket notation (`brackets`), the column formats of the CoNLL shared tasks (`conll`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from calib_core.coref.corpora.brackets import CorpusError, distinct_clusters, read_clusters
from calib_core.coref.mentions.trees import find_cycle
from calib_core.document import Document


@dataclass(slots=True)
class _Draft:
    """A document while its lines are being read."""

    doc_id: str
    path: str
    line: int
    fields: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)
    surfaces: list[tuple[int, int, str, bool]] = field(default_factory=list)
    annotated: bool = False


def read_conllu(path: str | Path, *, drop_singletons: bool = False) -> Iterator[Document]:
    """Yield the documents of one CoNLL-U file, in order.

    Parameters
    ----------
    path : str or Path
    drop_singletons : bool
        Leave out entities with one mention, as OntoNotes and OntoGUM mean to.

    Notes
    -----
    A document starts at `# newdoc id = ...`; a file without one is one document named after the file. Words of a
    multiword token count, its own line does not; empty nodes are skipped. A sentence may have several roots; a head
    outside the sentence or a cycle is refused. Offsets point into the sentences' words joined as `SpaceAfter` says,
    with one space between sentences. `clusters` is None if the document has neither `Entity=` nor `# global.Entity`.
    """
    draft = _Draft(Path(path).stem, str(path), 1)
    for comments, rows in _sentences(path):
        for number, key, value in comments:
            if key == "newdoc id":
                if draft.fields:
                    yield _finish(draft, drop_singletons)
                draft = _Draft(value, str(path), number)
            draft.annotated |= key == "global.Entity"
        speaker = next((value for _, key, value in comments if key == "speaker"), "")
        if rows:
            _add_sentence(draft, rows, speaker)
    if draft.fields:
        yield _finish(draft, drop_singletons)


def _sentences(path: str | Path) -> Iterator[tuple[list[tuple[int, str, str]], list[tuple[int, list[str]]]]]:
    """Yield the numbered comments (as key and value) and the numbered rows of each sentence."""
    comments: list[tuple[int, str, str]] = []
    rows: list[tuple[int, list[str]]] = []
    with open(path, encoding="utf-8") as handle:
        for number, raw in enumerate(handle, start=1):
            line = raw.rstrip("\r\n")
            if line.startswith("#"):
                key, _, value = line[1:].partition("=")
                comments.append((number, key.strip(), value.strip()))
            elif line.strip():
                rows.append((number, _columns(line, str(path), number)))
            elif rows:
                yield comments, rows
                comments, rows = [], []
    yield comments, rows


def _columns(line: str, path: str, number: int) -> list[str]:
    columns = line.split("\t")
    if len(columns) != 10:
        raise CorpusError(path, number, f"a CoNLL-U line has 10 tab-separated columns; this one has {len(columns)}")
    return columns


def _add_sentence(draft: _Draft, sentence: list[tuple[int, list[str]]], speaker: str) -> None:
    """Append the words of one sentence to the draft, with heads as positions in the document."""
    words = [(line, columns) for line, columns in sentence if columns[0].isdigit()]
    base = len(draft.fields)
    order = draft.sentences[-1] + 1 if draft.sentences else 0
    for position, (line, columns) in enumerate(words):
        if int(columns[0]) != position + 1:
            raise CorpusError(draft.path, line, f"word {position + 1} of the sentence has id {columns[0]}")
        if not columns[6].isdigit() or int(columns[6]) > len(words):
            raise CorpusError(
                draft.path, line, f"head {columns[6]!r} is not a word of its sentence (0 to {len(words)})"
            )
        head = int(columns[6])
        draft.heads.append(base + head - 1 if head else -1)
        draft.fields.append(columns)
        draft.lines.append(line)
        draft.sentences.append(order)
        draft.speakers.append(speaker)
    cycle = find_cycle(np.array(draft.heads[base:], dtype=np.int64) - base)
    if cycle >= 0:
        raise CorpusError(draft.path, words[cycle][0], f"word {cycle + 1} is its own ancestor: the tree has a cycle")
    _add_surfaces(draft, sentence, base)


def _add_surfaces(draft: _Draft, sentence: list[tuple[int, list[str]]], base: int) -> None:
    """Record what stands in the text: (first word, last word, form, followed by a space)."""
    covered = base
    for line, columns in sentence:
        spaced = "SpaceAfter=No" not in columns[9].split("|")
        if "-" in columns[0]:
            first, _, last = columns[0].partition("-")
            if not (first.isdigit() and last.isdigit() and int(first) < int(last)):
                raise CorpusError(draft.path, line, f"multiword token id {columns[0]!r} is not of the form 3-4")
            covered = base + int(last)
            draft.surfaces.append((base + int(first) - 1, covered - 1, columns[1], spaced))
        elif columns[0].isdigit() and base + int(columns[0]) > covered:
            covered = base + int(columns[0])
            draft.surfaces.append((covered - 1, covered - 1, columns[1], spaced))


def _offsets(draft: _Draft) -> tuple[list[int], list[int]]:
    """Character offsets of every word; words of a multiword token split its form, or share it if they cannot."""
    starts, ends = [0] * len(draft.fields), [0] * len(draft.fields)
    position = 0
    for first, last, form, spaced in draft.surfaces:
        words = [draft.fields[word][1] for word in range(first, last + 1)]
        splits = "".join(words) == form
        at = position
        for word, text in enumerate(words, start=first):
            starts[word], ends[word] = (at, at + len(text)) if splits else (position, position + len(form))
            at += len(text)
        boundary = last + 1 == len(draft.fields) or draft.sentences[last + 1] != draft.sentences[last]
        position += len(form) + (spaced or boundary)
    return starts, ends


def _finish(draft: _Draft, drop_singletons: bool) -> Document:
    """Turn a complete draft into a document."""
    cells = [_entity(columns[9]) for columns in draft.fields]
    clusters = None
    if draft.annotated or any(cells):
        read = read_clusters(cells, draft.lines, draft.path)
        clusters = distinct_clusters(read, draft.path, draft.line, drop_singletons=drop_singletons)
    starts, ends = _offsets(draft)
    column = [tuple(columns[index] for columns in draft.fields) for index in range(8)]
    return Document(
        doc_id=draft.doc_id,
        words=column[1],
        lemmas=column[2],
        upos=column[3],
        xpos=column[4],
        feats=column[5],
        heads=np.array(draft.heads, dtype=np.int64),
        deprels=column[7],
        sentences=np.array(draft.sentences, dtype=np.int64),
        starts=np.array(starts, dtype=np.int64),
        ends=np.array(ends, dtype=np.int64),
        speakers=tuple(draft.speakers),
        clusters=clusters,
    )


def _entity(misc: str) -> str:
    """The value of `Entity=` in a MISC column, or the empty string."""
    if "Entity=" not in misc:
        return ""
    return next((part[7:] for part in misc.split("|") if part.startswith("Entity=")), "")
