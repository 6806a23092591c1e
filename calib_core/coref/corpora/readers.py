"""Open any annotated corpus that Credence knows: a file, or a folder of files.

Covers: which reader a path gets, the order of a folder's files, leaving out files that break a rule of their format.
Not here: the formats themselves (`conllu`, `conll`).
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from calib_core.coref.corpora.brackets import CorpusError
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
        yield from _read(file, drop_singletons=drop_singletons)


def read_sound_files(
    paths: Iterable[str | Path], *, drop_singletons: bool = False
) -> tuple[list[Document], list[CorpusError]]:
    """Documents of every file that can be read to its end, in order, and what is wrong with each of the others.

    A file counts as a whole or not at all: after a bracket that is never closed, nobody knows what else is amiss.
    """
    documents: list[Document] = []
    left_out: list[CorpusError] = []
    for file in corpus_files(paths):
        try:
            documents += list(_read(file, drop_singletons=drop_singletons))
        except CorpusError as error:
            left_out.append(error)
        except UnicodeDecodeError:
            left_out.append(_not_utf8(file))
    return documents, left_out


def _read(file: Path, *, drop_singletons: bool) -> Iterator[Document]:
    if file.suffix not in READERS:
        raise ValueError(f"{file} ends in {file.suffix!r}; known corpus endings are {', '.join(READERS)}")
    return READERS[file.suffix](file, drop_singletons=drop_singletons)


def _not_utf8(file: Path) -> CorpusError:
    """Where a file stops being UTF-8."""
    lines = file.read_bytes().split(b"\n")
    number = next(number for number, line in enumerate(lines, start=1) if not _is_utf8(line))
    return CorpusError(str(file), number, "the line is not UTF-8")


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
