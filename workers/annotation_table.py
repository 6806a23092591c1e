"""One annotated document as a row of the annotations table, and back.

Covers: the content of a row, packing it, and reading it without loss.
Not here: making annotations (`workers.annotate`), where they are stored (`workers.propagation`).

Logits are stored in 32 bits, which halves the file. Whatever samples them reads them from here, so every run sees the
same numbers.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from calib_core.arrays import Ints
from calib_core.coref import NEW, Antecedents, LinkedMentions, Mentions
from calib_core.document import Document
from calib_core.syntax import DocumentTrees
from workers.schemas import ANNOTATIONS
from workers.tree_columns import read_tree_columns, tree_columns

LISTS = tuple(field.name for field in ANNOTATIONS if pa.types.is_list(field.type))


@dataclass(frozen=True, slots=True)
class Annotation:
    """What the models say of one document.

    Attributes
    ----------
    published, title, text
        The article's; `text` is what was parsed, so the tokens' offsets count its characters.
    document : Document
    mentions : Mentions
    kinds : shape (n_mentions,)
        Type of each mention.
    antecedents : Antecedents
        Of the same mentions.
    trees : DocumentTrees or None
        How sure the parser is of each arc; None where it does not tell, or was not asked for.
    """

    published: date
    title: str
    text: str
    document: Document
    mentions: Mentions
    kinds: Ints
    antecedents: Antecedents
    trees: DocumentTrees | None = None

    @property
    def doc_id(self) -> str:
        """The article's id."""
        return self.document.doc_id

    @property
    def linked(self) -> LinkedMentions:
        """Mentions with their types and antecedents, as the model gave them."""
        return LinkedMentions(self.mentions, self.kinds, self.antecedents)


def annotation_row(annotation: Annotation) -> dict[str, Any]:
    """A row of `ANNOTATIONS`; candidates are spelled out only where they are not the nearest earlier mentions."""
    document, mentions = annotation.document, annotation.mentions
    n_candidates = np.diff(annotation.antecedents.offsets) - 1
    candidates = annotation.antecedents.candidates
    return {
        "doc_id": document.doc_id, "published": annotation.published,
        "title": annotation.title, "text": annotation.text, "error": None,
        "starts": document.starts, "ends": document.ends, "upos": document.upos, "xpos": document.xpos,
        "feats": document.feats, "heads": document.heads, "deprels": document.deprels, "sentences": document.sentences,
        "mention_starts": mentions.starts, "mention_ends": mentions.ends, "mention_heads": mentions.heads,
        "mention_kinds": annotation.kinds, "n_candidates": n_candidates,
        "candidates": None if np.array_equal(_nearest(n_candidates), candidates) else candidates,
        "logits": annotation.antecedents.logits.astype(np.float32), **tree_columns(annotation.trees),
    }  # fmt: skip


def failed_row(doc_id: str, published: date, title: str, text: str, error: str) -> dict[str, Any]:
    """A row that says why the annotation is missing."""
    row = {"doc_id": doc_id, "published": published, "title": title, "text": text, "error": error, "candidates": None}
    return {name: [] for name in LISTS} | row | tree_columns(None)


def annotations_table(rows: Iterable[Mapping[str, Any]]) -> pa.Table:
    """Rows as a table."""
    listed = list(rows)
    columns = [pa.array([row[field.name] for row in listed], field.type) for field in ANNOTATIONS]
    return pa.Table.from_arrays(columns, schema=ANNOTATIONS)


def read_annotations(table: pa.Table, *, trees: bool = False) -> Iterator[Annotation]:
    """The annotations of a table, in order; rows with an error are skipped.

    `trees`: also the distributions over trees.
    """
    for batch in table.to_batches(max_chunksize=64):
        for number in range(batch.num_rows):
            if batch.column("error")[number].is_valid:
                continue
            row = {name: batch.column(name)[number] for name in batch.schema.names}
            annotation = _annotation(row)
            yield replace(annotation, trees=read_tree_columns(row)) if trees else annotation


def _annotation(row: Mapping[str, pa.Scalar]) -> Annotation:
    text = row["text"].as_py()
    starts, ends = _ints(row["starts"]), _ints(row["ends"])
    n_tokens = len(starts)
    document = Document(
        doc_id=row["doc_id"].as_py(),
        words=tuple(text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)),
        lemmas=("_",) * n_tokens,
        upos=tuple(row["upos"].as_py()),
        xpos=tuple(row["xpos"].as_py()),
        feats=tuple(row["feats"].as_py()),
        heads=_ints(row["heads"]),
        deprels=tuple(row["deprels"].as_py()),
        sentences=_ints(row["sentences"]),
        starts=starts,
        ends=ends,
        speakers=("",) * n_tokens,
    )
    mentions = Mentions(*(_ints(row[f"mention_{name}"]) for name in ("starts", "ends", "heads")))
    n_candidates = _ints(row["n_candidates"])
    offsets = np.concatenate([[0], np.cumsum(n_candidates + 1)]).astype(np.int64)
    candidates = _ints(row["candidates"]) if _is_given(row.get("candidates")) else _nearest(n_candidates)
    antecedents = Antecedents(offsets, candidates, _numbers(row["logits"]).astype(np.float64))
    kinds = _ints(row["mention_kinds"])
    return Annotation(row["published"].as_py(), row["title"].as_py(), text, document, mentions, kinds, antecedents)


def _is_given(value: pa.Scalar | None) -> bool:
    """Whether a column is there (files of version 1 have no candidates) and holds something."""
    return value is not None and value.is_valid


def _nearest(n_candidates: Ints) -> Ints:
    """For each mention j of n candidates: j - n, ..., j - 1, NEW."""
    size = n_candidates + 1
    ends = np.cumsum(size)
    mention = np.repeat(np.arange(len(size)), size)
    back = np.repeat(ends, size) - np.arange(ends[-1] if len(ends) else 0) - 1
    return np.where(back == 0, NEW, mention - back).astype(np.int64)


def _ints(value: pa.Scalar) -> Ints:
    return _numbers(value).astype(np.int64)


def _numbers(value: pa.Scalar) -> NDArray[Any]:
    numbers: NDArray[Any] = value.values.to_numpy(zero_copy_only=False)
    return numbers
