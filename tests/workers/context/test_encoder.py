"""Word vectors: the mean of a word's pieces, whatever the window."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer

from calib_core.document import Document
from tests.workers.context.conftest import write_encoder
from workers.context import encoder as encoding
from workers.context.encoder import ContextEncoder, build_network
from workers.context.package import load_base
from workers.context.windows import windows


def open_folder(folder: Path, layers: tuple[int, ...] = (1, 2), shared: int = 1) -> ContextEncoder:
    config = json.loads((folder / "config.json").read_text())
    network = load_base(folder, build_network(config, max(layers)))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    return ContextEncoder(network, tokenizer, layers, shared, halves=False)


def vectors_of(reader: ContextEncoder, document: Document) -> torch.Tensor:
    words = np.arange(len(document))
    table = torch.zeros(len(words), len(reader.layers), reader.width)
    for window in reader.read(document, words):
        table[torch.from_numpy(window.rows)] = reader.vectors(window)
    return table


@pytest.mark.parametrize("kind", ["bert", "mpnet"])
def test_vector_of_a_word_is_the_mean_of_its_pieces(kind: str, stories: list[Document], tmp_path: Path) -> None:
    reader = open_folder(write_encoder(tmp_path / kind, kind))
    pieces = reader.pieces("The army left Harold. It saw him.")
    before, after = (2, 3) if kind == "bert" else (0, 2)
    hidden = reader.network(
        input_ids=torch.tensor([[before, *pieces.ids.tolist(), after]]), output_hidden_states=True
    ).hidden_states
    army = hidden[2][0, 1 + 3 : 1 + 7].mean(0)  # t h e, then a r m y
    torch.testing.assert_close(vectors_of(reader, stories[0])[1, 1], army)


def test_deeper_layers_that_nobody_reads_change_nothing(stories: list[Document], encoder: Path) -> None:
    both, first = open_folder(encoder), open_folder(encoder, (1,))
    assert torch.equal(vectors_of(both, stories[0])[:, 0], vectors_of(first, stories[0])[:, 0])


def test_each_word_gets_the_vector_of_the_window_that_speaks_for_it(
    stories: list[Document], encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = open_folder(encoder)
    whole = vectors_of(reader, stories[0])
    monkeypatch.setattr(encoding, "windows", lambda n: windows(n, size=12, overlap=6))
    cut = vectors_of(reader, stories[0])
    assert not torch.equal(whole, cut)
    assert (cut != 0).any(dim=2).all()


def test_document_without_places_in_a_text_reads_words_one_blank_apart(stories: list[Document], encoder: Path) -> None:
    nowhere = np.full(len(stories[0]), -1)
    bare = replace(stories[0], starts=nowhere, ends=nowhere)
    assert vectors_of(open_folder(encoder), bare).shape[0] == len(bare)


def test_encoder_of_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="model_type of an encoder must be one of bert, mpnet; got 'gpt2'"):
        build_network({"model_type": "gpt2"}, 1)


def test_reading_deeper_than_the_encoder_is_refused() -> None:
    with pytest.raises(ValueError, match="layers must lie between 1 and the encoder's 2; got 3"):
        build_network({"model_type": "bert", "num_hidden_layers": 2}, 3)
