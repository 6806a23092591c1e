"""Cross-validation of a context model without training again: each document by the parts that have not seen it.

Covers: which member and which log-linear model a training kept away from each text.
Not here: the training (`train`), figures (`workers.calibration`).

One member speaks instead of the ensemble, over a log-linear model of seven eighths of the documents, so the figures are
those of a somewhat weaker model than the one that is used.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from calib_core.arrays import Ints
from calib_core.coref.model.antecedent_model import AntecedentModel
from calib_core.coref.model.training import text_hash
from calib_core.document import Document
from workers.context.model import ContextModel, load

UNSEEN, FOLDS = "unseen.json", "folds"
"""In a training's folder: the fold and the member that have not seen each text; the log-linear model of each fold."""


def write_unseen(out: Path, texts: Sequence[str], fold: Ints, part: Ints) -> None:
    """Note for each text the fold and the member that have not seen it."""
    note = {text: [int(f), int(p)] for text, f, p in zip(texts, fold, part, strict=True)}
    (out / UNSEEN).write_text(json.dumps(note, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def unseen_models(folder: Path, documents: Sequence[Document]) -> tuple[list[ContextModel], Ints]:
    """Models that have not seen the documents they are for, and the number of each document's model.

    Parameters
    ----------
    folder : Path
        The model's folder, inside that of its training.
    documents : sequence of Document
        All of them documents that the model was trained on.
    """
    note = folder.parent / UNSEEN
    if not note.is_file():
        raise ValueError(f"folds of {folder} are in the folder of its training, which is not there: no {note}")
    content: Mapping[str, Sequence[int]] = json.loads(note.read_text(encoding="utf-8"))
    strangers = [document.doc_id for document in documents if text_hash(document) not in content]
    if strangers:
        raise ValueError(f"folds measure documents that {folder} was trained on; not one of them: {strangers[0]}")
    model = load(folder)
    kinds = sorted({(fold, part) for fold, part in content.values()})
    loglinear = {fold: AntecedentModel.load(folder.parent / FOLDS / str(fold)) for fold, _ in kinds}
    models = [replace(model, loglinear=loglinear[fold], members=(model.members[part],)) for fold, part in kinds]
    number = [kinds.index((content[text_hash(d)][0], content[text_hash(d)][1])) for d in documents]
    return models, np.array(number, dtype=np.int64)
