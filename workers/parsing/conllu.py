"""Write a parsed document as CoNLL-U.

Covers: one document to text, sentence by sentence, with `SpaceAfter=No` and character offsets in MISC.
Not here: reading treebanks (`treebank`) and corpora (`calib_core.coref.corpora.readers`).
"""

from collections.abc import Iterator

import numpy as np

from calib_core.document import Document


def to_conllu(document: Document, text: str) -> Iterator[str]:
    """Lines of the document in CoNLL-U, each with its line end.

    Line breaks and tabs inside a word or sentence become spaces: the format has no place for them.
    """
    yield f"# newdoc id = {_one_line(document.doc_id)}\n"
    sentences = np.asarray(document.sentences)
    firsts = np.flatnonzero(np.diff(sentences, prepend=-1)).tolist()
    for number, (first, end) in enumerate(zip(firsts, [*firsts[1:], len(document)], strict=True), 1):
        yield f"# sent_id = {number}\n"
        yield f"# text = {_one_line(text[document.starts[first] : document.ends[end - 1]])}\n"
        for i in range(first, end):
            yield _row(document, text, i, first)
        yield "\n"


def _row(document: Document, text: str, i: int, first: int) -> str:
    head = int(document.heads[i])
    start, end = int(document.starts[i]), int(document.ends[i])
    glued = end < len(text) and not text[end].isspace()
    misc = [*(["SpaceAfter=No"] if glued else []), f"start_char={start}", f"end_char={end}"]
    columns = (
        str(i - first + 1), _one_line(document.words[i]), document.lemmas[i], document.upos[i], document.xpos[i],
        document.feats[i], str(0 if head < 0 else head - first + 1), document.deprels[i], "_", "|".join(misc),
    )  # fmt: skip
    return "\t".join(columns) + "\n"


def _one_line(text: str) -> str:
    return " ".join(text.split()) or "_"
