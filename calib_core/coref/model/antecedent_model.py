"""The antecedent model: for each mention, a distribution over earlier mentions and NEW.

Covers: applying the weights to a document, saving and loading them without unpickling code, the shipped default.
Not here: training (`training`), what follows from the distributions (`calib_core.coref.posterior`).
"""

import hashlib
import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from calib_core.coref.features.columns import TYPE
from calib_core.coref.features.properties import MentionArrays, mention_arrays
from calib_core.coref.mentions.detection import Mentions, detect_mentions
from calib_core.coref.model.antecedents import Antecedents
from calib_core.coref.model.logits import Weights, document_logits
from calib_core.coref.model.sharpening import sharpened
from calib_core.coref.protocol import LinkedMentions
from calib_core.document import Document

FORMAT = "credence-antecedents-1"
"""Changes whenever features, hashing or files change meaning, so that old weights are refused instead of misread."""

DEFAULT_FOLDER = Path(__file__).parents[1] / "models" / "antecedents"
"""The weights that the package ships."""


@dataclass(frozen=True, slots=True)
class AntecedentModel:
    """A log-linear model with hashed features (Nguyen & O'Connor 2015, section 5.1; Durrett & Klein 2013).

    Attributes
    ----------
    weights : shape (a power of two,)
    window : int
        Most antecedent candidates of a mention: only the nearest are scored, so cost stays linear in long documents.
    scale, new_shift : float
        Every logit is multiplied by `scale`; `new_shift` is added to NEW's. See `sharpening`.
    about : dict
        How the weights were made; written beside them.
    """

    weights: Weights
    window: int = 500
    scale: float = 1.0
    new_shift: float = 0.0
    about: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a table whose size is not a power of two, and an empty window."""
        n = len(self.weights)
        if n < 2 or n & (n - 1):
            raise ValueError(f"the number of weights must be a power of two; got {n}")
        if self.window < 1:
            raise ValueError(f"window must be at least 1; got {self.window}")

    @property
    def fingerprint(self) -> str:
        """A hash of everything that affects the logits, the same on every machine: the model's id in tables."""
        settings = json.dumps([FORMAT, self.window, self.scale, self.new_shift])
        digest = hashlib.blake2b(settings.encode(), digest_size=16)
        digest.update(self.weights.astype("<f4").tobytes())
        return digest.hexdigest()

    @property
    def trained_on(self) -> frozenset[str]:
        """`training.text_hash` of each training document."""
        return frozenset(self.about.get("trained_on", ()))

    def mentions(self, document: Document) -> Mentions:
        """The mentions that `link` is about, in the same order."""
        return detect_mentions(document)

    def link(self, document: Document, *, mentions: Mentions | None = None) -> LinkedMentions:
        """Mentions, their types, candidates and logits of a parsed document.

        Parameters
        ----------
        document : Document
        mentions : Mentions, optional
            What `mentions(document)` gave, to spare a second detection, or mentions from elsewhere.
        """
        found = detect_mentions(document) if mentions is None else mentions
        arrays = mention_arrays(document, found)
        return LinkedMentions(found, arrays.props[:, TYPE].copy(), self.score(arrays))

    def antecedents(self, document: Document, *, mentions: Mentions | None = None) -> Antecedents:
        """Candidates and logits alone."""
        return self.link(document, mentions=mentions).antecedents

    def score(self, arrays: MentionArrays) -> Antecedents:
        """Candidates and logits of mentions that have been looked up already."""
        shift = np.uint64(65 - len(self.weights).bit_length())
        raw = Antecedents(*document_logits(arrays, self.weights, shift, self.window))
        return sharpened(raw, self.scale, self.new_shift)

    def save(self, folder: str | Path) -> None:
        """Write `weights.npz` (nonzero weights as 16-bit floats) and `model.json` into a folder.

        The same weights give the same bytes. `train_antecedent_model` rounds to 16 bits, so nothing is lost.
        """
        slots = np.flatnonzero(self.weights)
        buffer = io.BytesIO()
        np.savez_compressed(
            buffer, gaps=np.diff(slots, prepend=0).astype(np.uint32), values=self.weights[slots].astype(np.float16)
        )
        data = buffer.getvalue()
        card = {
            "format": FORMAT,
            "n_weights": len(self.weights),
            "window": self.window,
            "scale": self.scale,
            "new_shift": self.new_shift,
            "sha256": hashlib.sha256(data).hexdigest(),
            "about": self.about,
        }
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        (target / "weights.npz").write_bytes(data)
        (target / "model.json").write_text(json.dumps(card, indent=2, sort_keys=True) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: str | Path | None = None) -> "AntecedentModel":
        """Read a model folder, or the shipped weights; refuses files that do not fit each other."""
        source = DEFAULT_FOLDER if folder is None else Path(folder)
        card = json.loads((source / "model.json").read_text(encoding="utf-8"))
        if card.get("format") != FORMAT:
            raise ValueError(f"{source}/model.json has format {card.get('format')!r}; this version reads {FORMAT!r}")
        missing = sorted({"n_weights", "window", "scale", "new_shift", "sha256", "about"} - set(card))
        if missing:
            raise ValueError(f"{source}/model.json lacks {', '.join(missing)}")
        data = (source / "weights.npz").read_bytes()
        if hashlib.sha256(data).hexdigest() != card["sha256"]:
            raise ValueError(f"{source}/weights.npz is not the file that model.json describes (sha256 differs)")
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            slots, values = np.cumsum(stored["gaps"].astype(np.int64)), stored["values"].astype(np.float32)
        weights = np.zeros(card["n_weights"], dtype=np.float32)
        if len(slots) and slots[-1] >= len(weights):
            raise ValueError(f"{source}/weights.npz has a weight at {slots[-1]}, beyond n_weights = {len(weights)}")
        weights[slots] = values
        return cls(weights, card["window"], card["scale"], card["new_shift"], card["about"])


def load(folder: Path) -> AntecedentModel:
    """Read a model folder, for `workers.coreference`."""
    return AntecedentModel.load(folder)
