import numpy as np
import pytest

from calib_core.document import Document
from workers.parser import Parser
from workers.reparse import raw_text, reparse


def annotated(words: list[str], starts: list[int], clusters: tuple) -> Document:
    n, blank = len(words), ("_",) * len(words)
    return Document(
        doc_id="d", words=tuple(words), lemmas=blank, upos=blank, xpos=blank, feats=blank,
        heads=np.array([-1] + [0] * (n - 1)), deprels=blank, sentences=np.zeros(n, dtype=np.int64),
        starts=np.array(starts), ends=np.array([s + len(w) for s, w in zip(starts, words, strict=True)]),
        speakers=("",) * n, clusters=clusters,
    )  # fmt: skip


def test_text_is_rebuilt_with_its_gaps() -> None:
    assert raw_text(annotated(["Iraq", "'s", "army", "."], [0, 4, 7, 11], ())) == "Iraq's army."


def test_clusters_are_found_again_where_words_differ(parser: Parser) -> None:
    """The annotator kept "Iraq's" whole; the parser splits it."""
    gold = annotated(["Iraq's", "army", "said", "it", "attacked."], [0, 7, 12, 17, 20], (((0, 2), (3, 4)),))
    parsed = reparse(gold, parser)
    assert parsed.clusters is not None
    assert [" ".join(parsed.words[a:b]) for a, b in parsed.clusters[0]] == ["Iraq 's army", "it"]


def test_a_document_without_offsets_is_refused(parser: Parser) -> None:
    document = annotated(["a"], [-2], ())
    with pytest.raises(ValueError, match="document 'd' has no character offsets"):
        reparse(document, parser)
