"""The context model: a document's antecedents from the log-linear shortlist and word vectors.

Covers: applying encoder and scorers to one document, in bounded memory; loading a model folder.
Not here: the files (`package`), training (`train`).

One document at a time, one thread, windows and blocks of fixed size: a document's numbers are its own, to the bit.
"""

from dataclasses import dataclass
from functools import lru_cache
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
from workers.context.adapters import add_adapters, shared_layers, use_adapters
from workers.context.encoder import ContextEncoder, build_network
from workers.context.fetch import INSTALLED
from workers.context.learning import MentionWords, pair_inputs
from workers.context.member import Member
from workers.context.package import (
    BASE_WEIGHTS,
    CARD,
    ENCODER,
    LOGLINEAR,
    MEMBERS,
    PIECES,
    ContextSettings,
    load_base,
    load_encoder,
    load_members,
    read_settings,
)  # fmt: skip
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
    members : tuple of Member
        Their log-probabilities are averaged.
    settings : ContextSettings
    fingerprint : str
    """

    loglinear: AntecedentModel
    encoder: ContextEncoder
    members: tuple[Member, ...]
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
        return LinkedMentions(found, kinds, self.settings.recalibration.apply(short.antecedents(logits), kinds))

    @torch.inference_mode()
    def _logits(self, document: Document, mentions: Mentions, arrays: MentionArrays, short: Shortlist) -> Floats:
        """Mean log-probability of the members, shape (n_mentions, keep + 1)."""
        words = MentionWords.of(mentions.heads, mentions.starts, mentions.ends)
        rows = tuple(torch.from_numpy(r) for r in (words.heads, words.starts, words.ends))
        kinds = torch.from_numpy(arrays.props[:, TYPE].astype(np.int64))
        described = [
            member.scorer.describe(table, *rows)
            for member, table in zip(self.members, self._word_tables(document, words), strict=True)
        ]
        total = np.zeros(short.logits().shape)
        for first in range(0, len(mentions), _BLOCK):
            last = min(first + _BLOCK, len(mentions))
            pairs = pair_inputs(arrays.props, short, first, last)
            for member, own in zip(self.members, described, strict=True):
                log_p = member.scorer(own, kinds, pairs).double().log_softmax(dim=1)
                total[first:last] += log_p.numpy() / len(self.members)
        return total

    def _word_tables(self, document: Document, words: MentionWords) -> list[Tensor]:
        """What each member keeps of each word; the vectors themselves are dropped window by window."""
        sizes = self.settings.sizes
        tables = [torch.zeros(len(words.words), sizes.head + 2 * sizes.edge) for _ in self.members]
        for window in self.encoder.read(document, words.words):
            for member, table in zip(self.members, tables, strict=True):
                use_adapters(self.encoder.network, member.adapters)
                table[torch.from_numpy(window.rows)] = member.scorer.words(self.encoder.vectors(window))
        return tables


def load(folder: Path, base: Path | None = None) -> ContextModel:
    """Read a model folder; holds torch to one thread, as `workers.parser` does.

    Parameters
    ----------
    folder : Path
    base : Path, optional
        Folder of the encoder, for a model that has none inside; None: where `credence models fetch` puts it.

    Raises
    ------
    ModelError
        For files that are missing, of another format, or not what `model.json` describes.
    """
    torch.set_num_threads(1)
    settings = read_settings(folder)
    encoder = _read_encoder(folder.resolve(), base and base.resolve(), settings)
    members = load_members(folder / MEMBERS, settings, encoder.network)
    fingerprint = blake2b((folder / CARD).read_bytes(), digest_size=16).hexdigest()
    return ContextModel(_loglinear(folder, settings), encoder, members, settings, fingerprint)


def _read_encoder(folder: Path, base: Path | None, settings: ContextSettings) -> ContextEncoder:
    network = build_network(settings.encoder, max(settings.layers))
    if settings.base is None:
        load_encoder(folder / ENCODER, network)
    else:
        load_base(base or _base_folder(folder, settings.base["name"]), network, settings.base)
    shared = shared_layers(settings.layers, settings.rank)
    add_adapters(network, settings.rank, shared)
    tokenizer = Tokenizer.from_file(str(folder / PIECES))
    return ContextEncoder(network, tokenizer, settings.layers, shared, origin=(_sent_encoder, (folder, base)))


@lru_cache(maxsize=1)
def _sent_encoder(folder: Path, base: Path | None) -> ContextEncoder:
    """The encoder of a model that came from another process; read once in this one."""
    torch.set_num_threads(1)
    return _read_encoder(folder, base, read_settings(folder))


def _base_folder(folder: Path, name: str) -> Path:
    """The model's own folder if the encoder's weights lie there."""
    return folder if (folder / BASE_WEIGHTS).is_file() else INSTALLED / name


def _loglinear(folder: Path, settings: ContextSettings) -> AntecedentModel:
    own = folder / LOGLINEAR
    model = AntecedentModel.load(own if own.is_dir() else None)
    if model.fingerprint != settings.loglinear:
        raise ModelError(
            str(own if own.is_dir() else folder),
            f"the members were trained over the log-linear model {settings.loglinear}; got {model.fingerprint}",
        )
    return model
