"""Recalibrate antecedent distributions, and with them everything that follows: samples and counts.

Covers: the forms of recalibration, applying them to stored logits, writing and reading them as JSON.
Not here: fitting them (`fitting`), recalibrating plain probabilities (`calib_core.calibration`).

Every form changes the logits of each mention's candidates and leaves a distribution over antecedents, hence over whole
clusterings. Recalibrating the pair probabilities themselves would not: there may be no clusterings that have them.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.coref.mentions.lexicon import N_TYPES
from calib_core.coref.model.antecedents import Antecedents
from calib_core.coref.posterior.marginals import antecedent_probabilities

FORMAT = "credence-recalibration-1"
"""Changes whenever a parameter changes its meaning, so that old files are refused instead of misread."""

SHIPPED = Path(__file__).parents[1] / "models" / "antecedents" / "recalibration.json"
"""The recalibration of the shipped weights, if one is shipped."""

_TINY = 1e-300  # keeps the logarithm of an underflown probability finite


class Recalibration(ABC):
    """A recalibration of antecedent distributions; the subclasses are its forms."""

    kind: ClassVar[str]
    __slots__ = ()

    @abstractmethod
    def apply(self, antecedents: Antecedents, kinds: Ints) -> Antecedents:
        """The same candidates with recalibrated logits.

        Parameters
        ----------
        antecedents : Antecedents
            As the model gives them or as they are stored; 32-bit logits will do.
        kinds : shape (n_mentions,)
            Type of each mention: column `columns.TYPE` of its properties.
        """

    def to_json(self) -> dict[str, Any]:
        """Everything that `read_recalibration` needs."""
        return {"format": FORMAT, "kind": self.kind, "parameters": asdict(self)}  # type: ignore[call-overload]

    @property
    def fingerprint(self) -> str:
        """A hash of form and parameters; equal ones change logits in the same way."""
        content = json.dumps(self.to_json(), sort_keys=True)
        return blake2b(content.encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Identity(Recalibration):
    """Leaves everything as it is."""

    kind: ClassVar[str] = "identity"

    def apply(self, antecedents: Antecedents, kinds: Ints) -> Antecedents:
        """The same logits, in 64 bits."""
        _check_kinds(antecedents, kinds)
        return _with_logits(antecedents, antecedents.logits)


@dataclass(frozen=True, slots=True)
class Temperature(Recalibration):
    """Every logit times `scale`, the inverse of the temperature: above 1 sharpens, below 1 flattens."""

    scale: float
    kind: ClassVar[str] = "temperature"

    def __post_init__(self) -> None:
        """Refuse scales that would reverse preferences."""
        _check_scales((self.scale,))

    def apply(self, antecedents: Antecedents, kinds: Ints) -> Antecedents:
        """Scale all logits."""
        _check_kinds(antecedents, kinds)
        return _with_logits(antecedents, antecedents.logits.astype(np.float64) * self.scale)


@dataclass(frozen=True, slots=True)
class TypeScaling(Recalibration):
    """A scale of all logits and a shift of NEW's, for each group of mention types.

    Attributes
    ----------
    groups : tuple of int, length `lexicon.N_TYPES`
        Group of each mention type, from 0.
    scales, new_shifts : tuple of float, length n_groups
    """

    groups: tuple[int, ...]
    scales: tuple[float, ...]
    new_shifts: tuple[float, ...]
    kind: ClassVar[str] = "type_scaling"

    def __post_init__(self) -> None:
        """Refuse parameters that do not fit each other."""
        if len(self.groups) != N_TYPES or not all(0 <= group < len(self.scales) for group in self.groups):
            raise ValueError(
                f"groups must give each of {N_TYPES} mention types a number below {len(self.scales)}; got {self.groups}"
            )
        if len(self.scales) != len(self.new_shifts):
            raise ValueError(f"{len(self.scales)} scales and {len(self.new_shifts)} new_shifts differ")
        _check_scales(self.scales)
        _check_finite("new_shifts", self.new_shifts)

    def apply(self, antecedents: Antecedents, kinds: Ints) -> Antecedents:
        """Scale and shift by the group of each mention."""
        _check_kinds(antecedents, kinds)
        group = np.array(self.groups, dtype=np.int64)[kinds]
        scale = np.array(self.scales)[group]
        logits = antecedents.logits.astype(np.float64) * np.repeat(scale, np.diff(antecedents.offsets))
        logits[antecedents.offsets[1:] - 1] += np.array(self.new_shifts)[group]
        return _with_logits(antecedents, logits)


@dataclass(frozen=True, slots=True)
class MonotoneProbabilities(Recalibration):
    """Two rising curves, one for antecedents and one for NEW, on probabilities that are then made to sum to 1 again.

    Attributes
    ----------
    link_from, link_to, new_from, new_to : tuple of float, in (0, 1]
        Corners of each curve, drawn in log-probabilities; beyond its ends a probability keeps its ratio to the
        end's, so that nothing possible becomes impossible.
    """

    link_from: tuple[float, ...]
    link_to: tuple[float, ...]
    new_from: tuple[float, ...]
    new_to: tuple[float, ...]
    kind: ClassVar[str] = "monotone_probabilities"

    def __post_init__(self) -> None:
        """Refuse curves that fall or leave (0, 1]."""
        for name, x, y in (("link", self.link_from, self.link_to), ("new", self.new_from, self.new_to)):
            if not x or len(x) != len(y):
                raise ValueError(f"{name}_from and {name}_to must be of one length, at least 1; got {len(x)}, {len(y)}")
            if not all(0 < value <= 1 for value in (*x, *y)):
                raise ValueError(f"{name}_from and {name}_to must lie in (0, 1]; got {x} and {y}")
            if any(b <= a for a, b in pairwise(x)) or any(b < a for a, b in pairwise(y)):
                raise ValueError(f"{name}_from must increase and {name}_to must not fall; got {x} and {y}")

    def apply(self, antecedents: Antecedents, kinds: Ints) -> Antecedents:
        """Move every probability along its curve; the softmax of the result renormalises."""
        _check_kinds(antecedents, kinds)
        wide = _with_logits(antecedents, antecedents.logits)
        log_p = np.log(np.maximum(antecedent_probabilities(wide), _TINY))
        moved = _along(log_p, self.link_from, self.link_to)
        new = antecedents.offsets[1:] - 1
        moved[new] = _along(log_p[new], self.new_from, self.new_to)
        return _with_logits(antecedents, moved)


FORMS: dict[str, type[Recalibration]] = {
    form.kind: form for form in (Identity, Temperature, TypeScaling, MonotoneProbabilities)
}
"""Every form, by the name it has in JSON."""


def read_recalibration(content: Any) -> Recalibration:
    """What `to_json` gave; keys beyond it are ignored, anything else is refused in one sentence."""
    found = content.get("format") if isinstance(content, Mapping) else None
    if found != FORMAT:
        raise ValueError(f"a recalibration must have format {FORMAT!r}; got {found!r}")
    if content.get("kind") not in FORMS:
        raise ValueError(f"kind of recalibration must be one of {', '.join(FORMS)}; got {content.get('kind')!r}")
    parameters = content.get("parameters")
    if not isinstance(parameters, Mapping):
        raise ValueError(f"parameters of a recalibration must be a mapping; got {parameters!r}")
    frozen = {name: tuple(value) if isinstance(value, list) else value for name, value in parameters.items()}
    try:
        return FORMS[content["kind"]](**frozen)
    except TypeError as error:
        raise ValueError(f"parameters do not fit a recalibration of kind {content['kind']}: {error}") from error


def _with_logits(antecedents: Antecedents, logits: Floats) -> Antecedents:
    return Antecedents(antecedents.offsets, antecedents.candidates, logits.astype(np.float64, copy=False))


def _along(log_p: Floats, start: tuple[float, ...], end: tuple[float, ...]) -> Floats:
    """Piecewise linear in logarithms, of slope 1 beyond the corners."""
    x, y = np.log(start), np.log(end)
    beyond = log_p - np.clip(log_p, x[0], x[-1])
    return np.asarray(np.interp(log_p, x, y) + beyond, dtype=np.float64)


def _check_kinds(antecedents: Antecedents, kinds: Ints) -> None:
    if np.shape(kinds) != (len(antecedents),):
        raise ValueError(f"kinds must have one entry per mention, {len(antecedents)}; got shape {np.shape(kinds)}")
    if len(kinds) and (np.min(kinds) < 0 or np.max(kinds) >= N_TYPES):
        raise ValueError(f"kinds must lie in [0, {N_TYPES}); got {np.min(kinds)} to {np.max(kinds)}")


def _check_scales(scales: tuple[float, ...]) -> None:
    _check_finite("scale", scales)
    if not all(scale > 0 for scale in scales):
        raise ValueError(f"scale must be above 0; got {scales}")


def _check_finite(name: str, values: tuple[float, ...]) -> None:
    if not all(isinstance(value, int | float) and np.isfinite(value) for value in values):
        raise ValueError(f"{name} must be finite numbers; got {values}")
