"""Which parser to run, without loading it: torch and Stanza are not imported here.

Covers: the configuration, where the shipped models lie, the error for a folder that is no model.
Not here: loading (`workers.parser`, `package`).
"""

from dataclasses import dataclass
from pathlib import Path

SHIPPED = Path(__file__).parent.parent / "models" / "en"
MANIFEST = "manifest.json"
"""File of a model folder that has size and SHA-256 of all others."""


@dataclass(frozen=True, slots=True)
class ParserConfig:
    """Which parser to run.

    Attributes
    ----------
    model : str
        `default` (the shipped models), `fast` (the same in 8-bit arithmetic), the folder of a model trained by
        `credence train parser`, or `stanza` or a folder of Stanza models as `stanza.download` leaves it.
    package : str, optional
        A package of Stanza's, for instance `default_accurate`; only with Stanza's own models.
    gpu : bool
        Run Stanza's own models on a GPU.
    """

    model: str = "default"
    package: str | None = None
    gpu: bool = False


def is_ours(config: ParserConfig) -> bool:
    """Whether the model is the shipped one or was trained by `credence train parser`: those say how sure they are."""
    return config.model in ("default", "fast") or (Path(config.model) / MANIFEST).exists()


class ModelError(Exception):
    """A model folder that cannot be used; says which file and why."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        """Path, then reason."""
        return f"{self.path}: {self.reason}"
