"""A tiny encoder with random weights, and stories that a scorer can learn from."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel

from calib_core.coref import TrainConfig, read_conllu
from calib_core.document import Document
from workers.context.learning import LearningConfig
from workers.context.train import ContextTrainConfig, train_context

STORY = """\
# newdoc id = {name}
# global.Entity = GRP
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\tEntity=(1
2\t{army}\t{army}\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\tEntity=1)
3\tleft\tleave\tVERB\tVBD\t_\t0\troot\t_\t_
4\t{king}\t{king}\tPROPN\tNNP\tNumber=Sing\t3\tobj\t_\tEntity=(2)|SpaceAfter=No
5\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

1\tIt\tit\tPRON\tPRP\tNumber=Sing\t2\tnsubj\t_\tEntity=(1)
2\tsaw\tsee\tVERB\tVBD\t_\t0\troot\t_\t_
3\thim\the\tPRON\tPRP\tNumber=Sing\t2\tobj\t_\tEntity=(2)|SpaceAfter=No
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""
UNKNOWN = "[UNK]"
ARMIES, KINGS = ("army", "guard", "troop"), ("Harold", "Edward", "Philip", "Louis")
TINY = ContextTrainConfig(
    layers=(1, 2), rank=2, keep=4, folds=3, fold_members=1, members=2, embed=True,
    learning=LearningConfig(epochs=2), loglinear=TrainConfig(bits=10, epochs=1, members=1),
    sizes={"head": 8, "edge": 4, "product": 4, "hidden": 8},
)  # fmt: skip


@pytest.fixture(scope="session")
def stories(tmp_path_factory: pytest.TempPathFactory) -> list[Document]:
    """Twelve annotated documents of two sentences."""
    path = tmp_path_factory.mktemp("stories") / "stories.conllu"
    pairs = [(army, king) for army in ARMIES for king in KINGS]
    path.write_text("".join(STORY.format(name=f"s{n}", army=a, king=k) for n, (a, k) in enumerate(pairs)))
    return list(read_conllu(path))


def write_encoder(folder: Path, kind: str) -> Path:
    """An encoder's folder as it comes from upstream: one piece per letter, two layers."""
    folder.mkdir(parents=True)
    marks = ("[PAD]", UNKNOWN, "[CLS]", "[SEP]") if kind == "bert" else ("<s>", "<pad>", "</s>", UNKNOWN)
    letters = "abcdefghijklmnopqrstuvwxyz.-,'"
    pieces = [*marks, *letters, *(f"##{letter}" for letter in letters)]
    tokenizer = Tokenizer(WordPiece({piece: n for n, piece in enumerate(pieces)}, unk_token=UNKNOWN))
    tokenizer.normalizer, tokenizer.pre_tokenizer = BertNormalizer(lowercase=True), BertPreTokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    sizes = {"vocab_size": len(pieces), "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2,
             "intermediate_size": 16, "max_position_embeddings": 520}  # fmt: skip
    torch.manual_seed(3)
    if kind == "bert":
        network: torch.nn.Module = BertModel(BertConfig(**sizes), add_pooling_layer=False)
    else:
        network = MPNetModel(MPNetConfig(**sizes), add_pooling_layer=False)
    network.config.to_json_file(folder / "config.json", use_diff=False)
    save_file({name: t.contiguous() for name, t in network.state_dict().items()}, folder / "model.safetensors")
    return folder


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a BERT encoder."""
    return write_encoder(tmp_path_factory.mktemp("encoders") / "bert", "bert")


@pytest.fixture(scope="session")
def trained(stories: list[Document], encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a trained context model with its encoder inside."""
    return train_context(stories, encoder, tmp_path_factory.mktemp("trained"), TINY)
