"""Training runs end to end on a tiny treebank, and goes on after an interruption as if there had been none."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from transformers import BertConfig, BertModel

from workers.parser import Parser, ParserConfig
from workers.parsing.network import Sizes
from workers.parsing.train import TrainConfig, encoder_folder, train_parser
from workers.parsing.train_joint import JointConfig, TrainingStep, train_joint

SIZES = Sizes(
    encoder_layers=1, mixed_layers=1, char_emb=4, char_hidden=4, char_out=4, tagger_hidden=8, tagger_classifier=8,
    parser_hidden=8, parser_biaffine=8,
)  # fmt: skip
SENTENCE = """\
# newpar
1\t{0}\t_\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_
2\tattacked\t_\tVERB\tVBD\tTense=Past\t0\troot\t_\t_
3\t{1}\t_\tPROPN\tNNP\tNumber=Sing\t2\tobj\t_\tSpaceAfter=No
4\t.\t_\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""


@pytest.fixture(scope="module")
def treebank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("treebank") / "tiny.conllu"
    agents, places = ["Rebels", "Troops", "Forces", "Soldiers"], ["Kuwait", "Chad", "Basra", "Iran", "Iraq"]
    path.write_text("".join(SENTENCE.format(agent, place) for agent in agents for place in places) * 4)
    return path


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("encoder")
    letters = "abcdefghijklmnopqrstuvwxyz.,'"
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "-", *letters, *(f"##{c}" for c in letters)]
    tokenizer = Tokenizer(WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]"))  # noqa: S106
    tokenizer.normalizer, tokenizer.pre_tokenizer = BertNormalizer(), BertPreTokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(pieces), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32
    )
    save_file(dict(BertModel(config).state_dict()), folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(config.to_dict()))
    return folder


@pytest.mark.slow
def test_a_trained_model_parses(treebank: Path, encoder: Path, tmp_path: Path) -> None:
    config = TrainConfig(
        train=(treebank,), dev=treebank, score=(treebank,), encoder=encoder, out=tmp_path, sizes=SIZES, epochs=2,
        tokenizer_steps=40,
    )  # fmt: skip
    seen: list[TrainingStep] = []
    model = train_parser(config, seen.append)
    assert [progress.step for progress in seen] == list(range(1, seen[-1].steps + 1))
    assert len(Parser(ParserConfig(model=str(model))).parse("d", "Rebels attacked Chad.")) > 0
    card = (model / "MODEL_CARD.md").read_text()
    assert "| default | tiny | raw text |" in card
    assert "| fast | tiny | gold words |" in card


class PowerCutError(Exception):
    """Stands for a power cut."""


@pytest.mark.slow
def test_an_interrupted_training_gives_the_same_weights(treebank: Path, encoder: Path, tmp_path: Path) -> None:
    whole = JointConfig(
        (treebank,), encoder, tmp_path / "whole", sizes=SIZES, epochs=2, batch_pieces=200, checkpoint_every=3
    )
    parts = replace(whole, out=tmp_path / "parts")

    def stop_at_five(progress: TrainingStep) -> None:
        if progress.step == 5:
            raise PowerCutError

    with pytest.raises(PowerCutError):
        train_joint(parts, stop_at_five)
    first, second = (torch.load(train_joint(config), weights_only=True) for config in (whole, parts))
    assert first["step"] == second["step"] > 5
    assert all(torch.equal(first["network"][name], second["network"][name]) for name in first["network"])


def test_an_encoder_must_be_a_folder_or_a_wheel(tmp_path: Path) -> None:
    odd = tmp_path / "encoder.txt"
    odd.write_text("no")
    with pytest.raises(ValueError, match=r"encoder must be a folder or a wheel; got .*encoder\.txt"):
        encoder_folder(odd, tmp_path / "out")
