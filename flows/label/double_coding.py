"""What coders answered about the same articles: how far they agree, and who answered what.

Covers: the table of answers for Krippendorff's alpha, and alpha for those coders.
Not here: alpha itself (`calib_core.anchoring.agreement`), who settles a disagreement (`desk`).
"""

from collections.abc import Mapping

import numpy as np

from calib_core.anchoring import MISSING, Agreement, coder_agreement
from calib_core.arrays import Ints
from workers.labelling import Verdict


def answer_table(verdicts: Mapping[str, Verdict]) -> Ints:
    """Answers as numbers, shape (n_coders, n_articles); equal answers have equal numbers.

    "Unsure" is an answer of its own: it differs from "none" and from every set of codes. A skipped article has none.
    """
    coders = sorted({coder for verdict in verdicts.values() for coder in verdict.answers})
    known: dict[str, int] = {}
    table = np.full((len(coders), len(verdicts)), MISSING, dtype=np.int64)
    for column, verdict in enumerate(verdicts.values()):
        for coder, answer in verdict.answers.items():
            table[coders.index(coder), column] = known.setdefault(str(answer), len(known))
    return table


def agreement_of(verdicts: Mapping[str, Verdict]) -> Agreement:
    """How far coders agree on the articles that several of them answered."""
    return coder_agreement(answer_table({doc_id: v for doc_id, v in verdicts.items() if len(v.answers) > 1}))
