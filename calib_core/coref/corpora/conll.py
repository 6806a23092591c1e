"""Read and write the column formats of the coreference shared tasks: CoNLL-2011/2012, LitBank, scorer test files.

Covers: `#begin document` blocks whose last column holds entity brackets; a writer of any clustering.
Not here: trees. These files have none that Credence reads: their documents have heads of -1 and relations of "_", and
mention detection asks for a parse first.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from calib_core.coref.corpora.brackets import Clusters, CorpusError, distinct_clusters, read_clusters, write_brackets
from calib_core.document import Document

_BEGIN = re.compile(r"#\s*begin document\s+(.*?)\s*$")
_END = re.compile(r"#\s*end document")
_PART = re.compile(r"^\(?(.*?)\)?\s*;\s*(?:part\s+0*(\d+))?\s*$")

Block = tuple[str, int, list[tuple[int, list[str]]], list[int]]
"""Document name, line of its beginning, numbered rows of columns, sentence of each row."""


def read_conll(path: str | Path, *, drop_singletons: bool = False) -> Iterator[Document]:
    """Yield the documents (parts) of one CoNLL-2011/2012 or LitBank file, in order.

    Columns are those of CoNLL-2012: document, part, word number, word, part of speech, parse bit, lemma, frameset,
    sense, speaker, ..., entities. Shorter rows give what they have. An empty or "_" last column means no mention, as in
    LitBank.
    """
    for name, begin, rows, sentences in read_blocks(path):
        cells = [columns[-1] for _, columns in rows]
        read = read_clusters(cells, [line for line, _ in rows], str(path))
        yield _document(
            name, rows, sentences, distinct_clusters(read, str(path), begin, drop_singletons=drop_singletons)
        )


def read_key_clusters(path: str | Path) -> dict[str, Clusters]:
    """Clusters by document name, exactly as written: repeated mentions stay, for the scorers to treat."""
    found: dict[str, Clusters] = {}
    for name, begin, rows, _ in read_blocks(path):
        if name in found:
            raise CorpusError(str(path), begin, f"document {name!r} begins a second time")
        cells = [columns[-1] for _, columns in rows]
        found[name] = read_clusters(cells, [line for line, _ in rows], str(path))
    return found


def read_blocks(path: str | Path) -> Iterator[Block]:
    """Yield the rows between each `#begin document` and `#end document`."""
    block: Block | None = None
    sentence = 0
    number = 0
    with open(path, encoding="utf-8") as handle:
        for number, raw in enumerate(handle, start=1):
            line = raw.strip()
            begin, end = _BEGIN.match(line), _END.match(line)
            if (begin and block is not None) or ((end or line) and not begin and block is None):
                where = f"inside document {block[0]!r}" if block else "outside #begin document and #end document"
                raise CorpusError(str(path), number, f"this line is {where}")
            if begin:
                block, sentence = (_name(begin.group(1)), number, [], []), 0
            elif block is not None and end:
                yield block
                block = None
            elif block is not None and line:
                block[2].append((number, line.split()))
                block[3].append(sentence)
            elif block is not None:
                sentence = block[3][-1] + 1 if block[3] else 0
    if block is not None:
        raise CorpusError(str(path), number, f"the file ends inside document {block[0]!r}")


def _name(text: str) -> str:
    """`(bc/cctv/00/cctv_0001); part 002` becomes `bc/cctv/00/cctv_0001#2`; without a part, the bare name."""
    match = _PART.match(text)
    if match is None:
        return text.strip("()")
    return match.group(1) + (f"#{match.group(2)}" if match.group(2) else "")


def _document(name: str, rows: list[tuple[int, list[str]]], sentences: list[int], clusters: Clusters) -> Document:
    """Tokens without a tree; the word column is the fourth, or the one before the last in short rows."""
    n = len(rows)
    columns = [row for _, row in rows]
    nowhere = np.full(n, -1, dtype=np.int64)
    blank = ("_",) * n
    return Document(
        doc_id=name,
        words=tuple(row[3] if len(row) > 4 else row[max(len(row) - 2, 0)] for row in columns),
        lemmas=tuple(row[6] if len(row) > 11 and row[6] != "-" else "_" for row in columns),
        upos=blank,
        xpos=tuple(row[4] if len(row) > 5 else "_" for row in columns),
        feats=blank,
        heads=nowhere,
        deprels=blank,
        sentences=np.array(sentences, dtype=np.int64),
        starts=nowhere,
        ends=nowhere,
        speakers=tuple(row[9] if len(row) > 11 and row[9] not in ("-", "_") else "" for row in columns),
        clusters=clusters,
    )


def write_conll(path: str | Path, documents: Iterable[tuple[Document, Clusters]]) -> None:
    """Write documents with a clustering of each, one word a line, in the columns that the scorers read.

    Columns: document, part 0, word number in the sentence, word, entities.
    """
    with open(path, "w", encoding="utf-8") as handle:
        for document, clusters in documents:
            handle.write(f"#begin document ({document.doc_id}); part 000\n")
            cells = write_brackets(clusters, len(document))
            position = 0
            for token, cell in enumerate(cells):
                if token and document.sentences[token] != document.sentences[token - 1]:
                    handle.write("\n")
                    position = 0
                word = document.words[token].replace(" ", "\u00a0") or "_"
                handle.write(f"{document.doc_id}\t0\t{position}\t{word}\t{cell}\n")
                position += 1
            handle.write("\n#end document\n")
