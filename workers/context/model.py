"""The context model: a document's antecedents from the log-linear shortlist and word vectors.

Covers: applying encoder and scorers to one document, in bounded memory; loading a model folder.
Not here: the files (`package`), training (`train`).

One document at a time, one thread, windows and blocks of fixed size: a document's numbers are its own, to the bit.
"""

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from calib_core.arrays import Floats
from calib_core.coref.features.columns import TYPE
from calib_core.coref.features.properties import MentionArrays, mention_arrays
from calib_core.coref.mentions.detection import Mentions, detect_mentions
from calib_core.coref.model.antecedent_model import AntecedentModel
from calib_core.coref.model.shortlist import Shortlist, shortlist
from calib_core.coref.protocol import LinkedMentions
from calib_core.document import Document
from workers.context.encoder import ContextEncoder, build_network
from workers.context.learning import MentionWords, pair_inputs
from workers.context.package import (
    CARD,
    ENCODER,
    LOGLINEAR,
    PIECES,
    SCORERS,
    ContextSettings,
    load_base,
    load_encoder,
    load_scorers,
    read_settings,
)  # fmt: skip
from workers.context.scorer import Scorer
from workers.parsing.choice import ModelError

_BLOCK = 128  # mentions whose pairs are scored together: about 20 MB


@dataclass(frozen=True, slots=True)
class ContextModel:
    """A loaded context model; see `calib_core.coref.protocol`.

    Attributes
    ----------
    loglinear : AntecedentModel
        Draws up the shortlist; its logits are what the scorers correct.
    encoder : ContextEncoder
    scorers : tuple of Scorer
        Members; their log-probabilities are averaged.
    settings : ContextSettings
    fingerprint : str
    """

    loglinear: AntecedentModel
    encoder: ContextEncoder
    scorers: tuple[Scorer, ...]
    settings: ContextSettings
    fingerprint: str

    @property
    def trained_on(self) -> frozenset[str]:
        """`training.text_hash` of each training document."""
        return frozenset(self.settings.about.get("trained_on", ()))

    def mentions(self, document: Document) -> Mentions:
        """The mentions that `link` finds by itself: those of the log-linear model."""
        return detect_mentions(document)

    def link(self, document: Document, *, mentions: Mentions | None = None) -> LinkedMentions:
        """Mentions and antecedents of a parsed document; the most probable `keep` candidates of each mention."""
        found = detect_mentions(document) if mentions is None else mentions
        arrays = mention_arrays(document, found)
        kinds = arrays.props[:, TYPE].copy()
        short = shortlist(self.loglinear.score(arrays), self.settings.keep)
        logits = self._logits(document, found, arrays, short) if len(found) else short.logits()
        return LinkedMentions(found, kinds, self.settings.repair.apply(short.antecedents(logits), kinds))

    @torch.inference_mode()
    def _logits(self, document: Document, mentions: Mentions, arrays: MentionArrays, short: Shortlist) -> Floats:
        """Mean log-probability of the members, shape (n_mentions, keep + 1)."""
        words = MentionWords.of(mentions.heads, mentions.starts, mentions.ends)
        rows = tuple(torch.from_numpy(r) for r in (words.heads, words.starts, words.ends))
        kinds = torch.from_numpy(arrays.props[:, TYPE].astype(np.int64))
        described = [
            scorer.describe(table, *rows)
            for scorer, table in zip(self.scorers, self._word_tables(document, words), strict=True)
        ]
        total = np.zeros(short.logits().shape)
        for first in range(0, len(mentions), _BLOCK):
            last = min(first + _BLOCK, len(mentions))
            pairs = pair_inputs(arrays.props, short, first, last)
            for scorer, own in zip(self.scorers, described, strict=True):
                log_p = scorer(own, kinds, pairs).double().log_softmax(dim=1)
                total[first:last] += log_p.numpy() / len(self.scorers)
        return total

    def _word_tables(self, document: Document, words: MentionWords) -> list[Tensor]:
        """What each member keeps of each word; the vectors themselves are dropped window by window."""
        sizes = self.settings.sizes
        tables = [torch.zeros(len(words.words), sizes.head + 2 * sizes.edge) for _ in self.scorers]
        for rows, vectors in self.encoder.vectors(document, words.words):
            for scorer, table in zip(self.scorers, tables, strict=True):
                table[torch.from_numpy(rows)] = scorer.words(vectors)
        return tables


def load(folder: Path) -> ContextModel:
    """Read a model folder; holds torch to one thread, as `workers.parser` does.

    Raises
    ------
    ModelError
        For files that are missing, of another format, or not what `model.json` describes.
    """
    torch.set_num_threads(1)
    settings = read_settings(folder)
    network = build_network(settings.encoder, max(settings.layers))
    if settings.base is None:
        load_encoder(folder / ENCODER, network)
    else:
        load_base(folder, network, settings.base)
    encoder = ContextEncoder(network, Tokenizer.from_file(str(folder / PIECES)), settings.layers)
    scorers = tuple(load_scorers(folder / SCORERS, settings))
    fingerprint = blake2b((folder / CARD).read_bytes(), digest_size=16).hexdigest()
    return ContextModel(_loglinear(folder, settings), encoder, scorers, settings, fingerprint)


def _loglinear(folder: Path, settings: ContextSettings) -> AntecedentModel:
    own = folder / LOGLINEAR
    model = AntecedentModel.load(own if own.is_dir() else None)
    if model.fingerprint != settings.loglinear:
        raise ModelError(
            str(own if own.is_dir() else folder),
            f"the scorers were trained over the log-linear model {settings.loglinear}; got {model.fingerprint}",
        )
    return model
