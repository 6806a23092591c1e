"""Annotated documents to measure, or a sentence that says why they cannot be measured.

Covers: reading files and folders of one format, names of corpus and split, genres, finding training documents.
Not here: the formats (`calib_core.coref.corpora.readers`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from calib_core.coref import CoreferenceModel, CorpusError, corpus_files, read_sound_files
from calib_core.coref.corpora.readers import READERS
from calib_core.coref.model.training import text_hash
from calib_core.document import Document

SPLITS = ("train", "dev", "test")
GENRES = {"nw": "news", "bn": "broadcast news", "bc": "broadcast conversation", "mz": "magazine", "wb": "web",
          "tc": "telephone", "pt": "scripture"}  # fmt: skip
"""Folders of CoNLL-2011 and 2012, by genre."""


class DataError(ValueError):
    """Annotated data that cannot be measured; says what and why."""

    def __init__(self, what: str, rule: str) -> None:
        super().__init__(what, rule)
        self.what, self.rule = what, rule

    def __str__(self) -> str:
        return f"{self.what}: {self.rule}"


@dataclass(frozen=True, slots=True)
class AnnotatedSet:
    """Documents of one corpus.

    Attributes
    ----------
    dataset, split : str
        As the tables name them.
    documents : tuple of Document
        Each with gold clusters, each id once.
    has_trees : bool
        Whether the annotators gave dependency trees.
    left_out : tuple of CorpusError
        What is wrong with each file that could not be read and was left out as a whole.
    """

    dataset: str
    split: str
    documents: tuple[Document, ...]
    has_trees: bool
    left_out: tuple[CorpusError, ...] = ()

    def hashes(self) -> list[str]:
        """`text_hash` of each document."""
        return [text_hash(document) for document in self.documents]


def read_annotated(
    paths: Sequence[str | Path], *, dataset: str | None = None, split: str | None = None, strict: bool = False
) -> AnnotatedSet:
    """Read every document; drop entities of one mention, as in OntoNotes.

    A file that breaks a rule of its format is left out, unless `strict` or no other file is left.

    Raises
    ------
    DataError, CorpusError, FileNotFoundError, ValueError
        For files of mixed formats, documents without gold clusters, duplicate ids, and whatever the readers refuse.
    """
    files = corpus_files(paths)
    _check_formats(files)
    documents, left_out = read_sound_files(files, drop_singletons=True)
    if left_out and (strict or not documents):
        raise left_out[0]
    _check_documents(documents, files)
    found_dataset, found_split = corpus_name(paths)
    trees = [any(relation != "_" for relation in document.deprels) for document in documents if len(document)]
    return AnnotatedSet(dataset or found_dataset, split or found_split, tuple(documents), all(trees), tuple(left_out))


def corpus_name(paths: Sequence[str | Path]) -> tuple[str, str]:
    """Corpus and split by folder: `ontogum/dev` is split dev of ontogum; several splits together are `all`."""
    folders = [Path(path).absolute() for path in paths]
    folders = [folder if folder.is_dir() else folder.parent for folder in folders]
    splits = sorted({folder.name if folder.name in SPLITS else "all" for folder in folders})
    names = sorted({folder.parent.name if folder.name in SPLITS else folder.name for folder in folders})
    return "+".join(names), splits[0] if len(splits) == 1 else "all"


def genre_of(doc_id: str) -> str:
    """Genre by the id: `GUM_news_x` is news, `nw/wsj/...` too, a LitBank book is fiction; else unknown."""
    gum = re.match(r"(?:Onto)?GUM_([a-z]+)_", doc_id)
    if gum:
        return gum.group(1)
    if doc_id.split("/")[0] in GENRES:
        return GENRES[doc_id.split("/")[0]]
    return "fiction" if re.match(r"\d+_.*_brat", doc_id) else "unknown"


def seen_in_training(model: CoreferenceModel, documents: Sequence[Document]) -> list[str]:
    """Ids of the documents whose text the model was trained on."""
    known = model.trained_on
    return [document.doc_id for document in documents if text_hash(document) in known]


def refuse_training_documents(model: CoreferenceModel, annotated: AnnotatedSet) -> None:
    """Refuse to measure a model on what it was trained on."""
    seen = seen_in_training(model, annotated.documents)
    if seen:
        raise DataError(
            f"{len(seen)} of {len(annotated.documents)} documents, {seen[0]} among them",
            "the model was trained on them, so its figures there mean nothing; use --folds 5 to measure models trained "
            "without them, or --allow-training-data",
        )


def _check_formats(files: Sequence[Path]) -> None:
    examples = {_format(file): file for file in reversed(files)}
    if len(examples) > 1:
        listed = ", ".join(f"{name} ({file.name})" for name, file in sorted(examples.items()))
        raise DataError("the files are of mixed formats", f"measure one format at a time; got {listed}")


def _format(file: Path) -> str:
    if file.suffix not in READERS:
        raise DataError(str(file), f"a corpus file must end in {', '.join(READERS)}; got {file.suffix!r}")
    return "CoNLL-U" if file.suffix == ".conllu" else "CoNLL"


def _check_documents(documents: Sequence[Document], files: Sequence[Path]) -> None:
    where = str(files[0]) if len(files) == 1 else f"{len(files)} files from {files[0]} on"
    if not documents:
        raise DataError(where, "there is no document in it")
    bare = [document.doc_id for document in documents if document.clusters is None]
    if bare:
        raise DataError(f"document {bare[0]!r}", f"it has no gold clusters, and {len(bare) - 1} others have none")
    if not any(document.clusters for document in documents):
        raise DataError(where, "no document has a gold entity with two mentions")
    ids = [document.doc_id for document in documents]
    twice = next((doc_id for doc_id in ids if ids.count(doc_id) > 1), None)
    if twice is not None:
        raise DataError(f"document {twice!r}", "its id occurs twice; ids tell documents apart")
