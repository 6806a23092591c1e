"""Open any annotated corpus that Credence knows: a file, or a folder of files.

Covers: which reader a path gets, and the order of a folder's files.
Not here: the formats themselves (`conllu`, `conll`).
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from calib_core.coref.corpora.conll import read_conll
from calib_core.coref.corpora.conllu import read_conllu
from calib_core.document import Document

READERS = {
    ".conllu": read_conllu,
    ".conll": read_conll,
    ".v4_gold_conll": read_conll,
    ".v2_gold_conll": read_conll,
    ".gold_conll": read_conll,
    ".v4_auto_conll": read_conll,
    ".v2_auto_conll": read_conll,
}
"""The reader of each file name ending."""


def corpus_files(paths: Iterable[str | Path]) -> list[Path]:
    """The corpus files that the paths name, folders searched to any depth, each folder's files sorted by name."""
    files: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.suffix in READERS)
            if not inside:
                raise ValueError(f"folder {path} has no file ending in {', '.join(READERS)}")
            files.extend(inside)
        elif path.is_file():
            files.append(path)
        else:
            raise FileNotFoundError(f"no file or folder at {path}")
    return files


def read_corpus(paths: Iterable[str | Path], *, drop_singletons: bool = False) -> Iterator[Document]:
    """Yield every document of the paths, in order; a file's ending says its format."""
    for file in corpus_files(paths):
        if file.suffix not in READERS:
            raise ValueError(f"{file} ends in {file.suffix!r}; known corpus endings are {', '.join(READERS)}")
        yield from READERS[file.suffix](file, drop_singletons=drop_singletons)
