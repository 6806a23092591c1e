"""Models that have not seen the documents they are measured on.

Covers: k-fold training, and finding kept models again.
Not here: one training (`calib_core.coref.model.training`).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from distributed import Client

from calib_core.arrays import Ints
from calib_core.coref import AntecedentModel, TrainConfig
from calib_core.coref.model.training import Example, examples, train_examples
from calib_core.document import Document
from workers.calibration.tasks import Report, run_tasks, silent


@dataclass(frozen=True, slots=True)
class FoldConfig:
    """How to cross-validate.

    Attributes
    ----------
    folds : int
        0 measures the given model itself.
    training : TrainConfig
    keep : str or None
        Folder for trained models; a later call with the same documents finds them again.
    """

    folds: int = 0
    training: TrainConfig = field(default_factory=TrainConfig)
    keep: str | None = None


def fold_of(n_documents: int, folds: int) -> Ints:
    """A random fold for each document; fold sizes differ by at most one."""
    if not 2 <= folds <= n_documents:
        raise ValueError(f"folds must number at least 2 and at most the documents, {n_documents}; got {folds}")
    return np.random.default_rng([0, folds, 7]).permutation(n_documents) % folds


def fold_models(
    client: Client | None, documents: Sequence[Document], config: FoldConfig, *, report: Report = silent
) -> tuple[list[AntecedentModel], Ints]:
    """One model per fold, trained on the documents of the others, and the fold of each document."""
    fold = fold_of(len(documents), config.folds)
    prepared = examples(documents)
    tasks = list(range(config.folds))
    models = run_tasks(client, _train_without, tasks, (prepared, fold, config), stage="training folds", report=report)
    return models, fold


def _train_without(fold: int, shared: tuple[list[Example], Ints, FoldConfig]) -> AntecedentModel:
    prepared, folds, config = shared
    rest = [prepared[d] for d in np.flatnonzero(folds != fold).tolist()]
    texts = sorted({example.text for example in rest})
    folder = Path(config.keep) / f"fold-{fold}-of-{config.folds}" if config.keep else None
    if folder is not None and (folder / "model.json").exists():
        kept = AntecedentModel.load(folder)
        if kept.about.get("trained_on") == texts and kept.about.get("config") == _plain(config.training):
            return kept
    model = train_examples(rest, config.training)
    if folder is not None:
        model.save(folder)
    return model


def _plain(config: TrainConfig) -> dict[str, object]:
    """The configuration as it comes back from JSON."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(config).items()}
