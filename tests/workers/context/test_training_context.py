"""Training runs end to end, goes on after an interruption, and learns."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from calib_core.document import Document
from tests.workers.context.conftest import TINY
from workers.context.learning import negative_likelihood
from workers.context.train import train_context


def digest(folder: Path) -> dict[str, str]:
    return {f.name: sha256(f.read_bytes()).hexdigest() for f in sorted(folder.iterdir()) if f.is_file()}


def test_loss_is_minus_the_log_of_all_right_places_together() -> None:
    logits = torch.log(torch.tensor([[0.2, 0.3, 0.5]]))
    loss = negative_likelihood(logits, torch.tensor([[True, False, True]]))
    torch.testing.assert_close(loss, -torch.log(torch.tensor([0.7])))


def test_same_stories_and_seed_give_the_same_files(
    trained: Path, stories: list[Document], encoder: Path, tmp_path: Path
) -> None:
    assert digest(train_context(stories, encoder, tmp_path, TINY)) == digest(trained)


def test_interrupted_training_ends_in_the_same_files(
    trained: Path, stories: list[Document], encoder: Path, tmp_path: Path
) -> None:
    def interrupt(step: str, done: int, _: int) -> None:
        if step == "members" and done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_context(stories, encoder, tmp_path, TINY, report=interrupt)
    assert digest(train_context(stories, encoder, tmp_path, TINY)) == digest(trained)


def test_folder_of_another_training_is_refused(stories: list[Document], encoder: Path, tmp_path: Path) -> None:
    train_context(stories, encoder, tmp_path, TINY)
    with pytest.raises(ValueError, match="holds a training with other documents, encoder or settings"):
        train_context(stories[:-1], encoder, tmp_path, TINY)


def test_variants_of_a_text_are_learned_from(
    trained: Path, stories: list[Document], encoder: Path, tmp_path: Path
) -> None:
    bare = [replace(story, speakers=("",) * len(story), upos=("X",) * len(story)) for story in stories]
    both = train_context(stories, encoder, tmp_path, TINY, variants=bare)
    weights = [load_file(folder / "members.safetensors") for folder in (trained, both)]
    assert any(not torch.equal(weights[0][name], weights[1][name]) for name in weights[0])


def test_more_folds_than_documents_are_refused(stories: list[Document], encoder: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="folds must number at least 2 and at most the documents, 2; got 3"):
        train_context(stories[:2], encoder, tmp_path, TINY)
