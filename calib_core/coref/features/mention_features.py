"""Features of a mention by itself: the surface features of Durrett & Klein (2013), hashed.

Covers: words and tags at, before and after a mention, and what of it was seen before.
Not here: features of pairs (`pair_features`).
"""

import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Ints
from calib_core.coref.features import columns as c
from calib_core.coref.features.columns import checksum
from calib_core.coref.mentions.detection import Mentions
from calib_core.document import Document

Codes = NDArray[np.uint64]

N_MENTION_FEATURES = 25
"""Number of features of each mention."""


def mention_features(document: Document, lowered: list[str], mentions: Mentions, props: Ints) -> Codes:
    """Hashed surface features of each mention by itself."""
    rows = []
    strings: set[int] = set()
    heads: set[int] = set()
    for m in range(len(mentions)):
        start, end, head = int(mentions.starts[m]), int(mentions.ends[m]), int(mentions.heads[m])
        row = props[m]
        values = _surface(document, lowered, start, end, head)
        values.append(f"{int(row[c.STRING]) in strings}{int(row[c.WORD]) in heads}")
        values.append(f"{min(int(row[c.RANK]), 4)}{min(int(row[c.FREQUENCY]) - int(row[c.RANK]), 4)}")
        values.append(f"{row[c.GENDER]}{row[c.NUMBER]}{row[c.ANIMATE]}")
        values.append(f"{min(int(row[c.ORDER]), 5)}{min(int(row[c.SENTENCE]), 5)}{row[c.SUBJECT]}")
        values.append(f"{min(int(row[c.DEPTH]), 6)}")
        values.append(f"{row[c.FINE]}")
        values.append(f"{row[c.COARSE]}")
        values.append(f"{row[c.GOVERNOR_COARSE]} {row[c.RELATION]}")
        strings.add(int(row[c.STRING]))
        heads.add(int(row[c.WORD]))
        rows.append([checksum(f"{t}={value}") + 1 for t, value in enumerate(values)])
    return np.array(rows, dtype=np.uint64).reshape(len(rows), N_MENTION_FEATURES)


def _surface(document: Document, lowered: list[str], start: int, end: int, head: int) -> list[str]:
    """Words and tags at, before and after a mention; "^" and "$" at the document's edges."""
    governor = int(document.heads[head])
    above = document.lemmas[governor].lower() if governor >= 0 else "root"
    relation = document.deprels[head]
    length = min(end - start, 8)
    return [
        "1",
        lowered[head],
        document.lemmas[head].lower() + document.upos[head],
        lowered[start],
        lowered[end - 1],
        lowered[start - 1] if start else "^",
        lowered[end] if end < len(lowered) else "$",
        (document.upos[start - 1] if start else "^") + document.upos[start],
        document.upos[end - 1] + (document.upos[end] if end < len(lowered) else "$"),
        str(length),
        relation,
        f"{relation} {above}",
        document.upos[governor] if governor >= 0 else "root",
        document.xpos[head],
        "capital" if document.words[head][:1].isupper() else "small",
        lowered[head][-3:],
        document.feats[head],
    ]
