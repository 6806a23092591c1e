"""The antecedent model: a distribution over earlier mentions and NEW for each mention of a document."""

import numpy as np
from calib_core.coref.antecedents import Antecedents
from calib_core.coref.mentions import Mentions, detect_mentions
from calib_core.coref.properties import mention_arrays
from calib_core.coref.scoring import Weights, document_logits
from calib_core.document import Document


class AntecedentModel:
    def __init__(self, weights: Weights, *, window: int = 500) -> None:
        self.weights, self.window = weights, window

    def antecedents(self, document: Document, mentions: Mentions | None = None) -> Antecedents:
        mentions = mentions or detect_mentions(document)
        return self.score(mention_arrays(document, mentions))

    def score(self, arrays):
        shift = np.uint64(64 - (len(self.weights).bit_length() - 1))
        return Antecedents(*document_logits(arrays, self.weights, shift, self.window))
