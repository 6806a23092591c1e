"""Parsing speed on this machine: Stanza's default architecture, our models in plain Stanza, and our worker.

Times are CPU seconds of one thread, so a busy machine hardly affects the ratios. The default architecture has
untrained weights of Stanza's default sizes, with our tokenizer: only its speed is of interest.
"""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import stanza
import torch
from stanza.models.common.pretrain import Pretrain
from stanza.models.depparse.data import Dataset as ParserData
from stanza.models.depparse.trainer import GraphTrainer
from stanza.models.parser import parse_args as parser_args
from stanza.models.pos.data import Dataset as TaggerData
from stanza.models.pos.trainer import Trainer as TaggerTrainer
from stanza.models.tagger import parse_args as tagger_args
from stanza.utils.conll import CoNLL

from benchmarks.measure import Row, at_least
from workers.parser import SHIPPED, Parser, ParserConfig
from workers.parsing.conllu import to_conllu
from workers.parsing.package import TOKENIZER, export_stanza

PARAGRAPHS = """\
Government troops attacked three villages near the northern border on Tuesday, killing at least twelve people, aid
workers said. The defence ministry, which has denied earlier reports of raids in the province, did not comment.

"We saw helicopters before dawn, and then the shelling began," said a farmer who had fled with his family to the
provincial capital, some 60 kilometres away. Hundreds of others were still on the road by nightfall.

The president told parliament last week that the army would not cross the river unless it was attacked first. Opposition
leaders accused him of preparing for a longer war, and asked the United Nations to send observers to both sides.

Oil prices rose to $18.40 a barrel in London after the news, up from $17.49 on Monday. Traders said they expected
supplies to hold, because tankers leaving the southern ports were escorted by U.S. and British ships.

Talks between the two governments, broken off in March when a convoy of Red Cross trucks was bombed by unidentified
aircraft, are due to resume in Geneva on Friday. Neither side has said whom it will send.
"""


def documents(n: int = 6) -> list[str]:
    """Documents of about 220 words, each with the paragraphs in another order."""
    paragraphs = PARAGRAPHS.strip().split("\n\n")
    return ["\n\n".join(paragraphs[(i + j) % 5] for j in range(5)) + f"\n\nReport number {i}." for i in range(n)]


def run() -> list[Row]:
    """Tokens per second, and the ratios that the default and the fast profile must reach."""
    torch.set_num_threads(1)
    with TemporaryDirectory() as folder:
        speeds = {name: tokens_per_second(parse) for name, parse in ways(Path(folder))}
    reference, plain, default, fast = speeds.values()
    return [
        *(Row(name, "6 documents of 220 words", speed, "tokens/s") for name, speed in speeds.items()),
        at_least("our worker, default", "against Stanza's default architecture", default / reference, "x", 1),
        at_least("our worker, default", "against our models in stanza.Pipeline", default / plain, "x", 1.3),
        at_least("our worker, fast", "against Stanza's default architecture", fast / reference, "x", 4),
    ]


def ways(folder: Path) -> Iterator[tuple[str, Callable[[str], int]]]:
    """Name of each way to parse, and a function from text to the number of tokens."""
    worker = Parser()
    reference = stanza.Pipeline(**default_architecture(worker, folder / "default"))
    yield "Stanza's default architecture, stanza.Pipeline", lambda text: reference(text).num_words
    plain = stanza.Pipeline(**export_stanza(SHIPPED, folder / "exported"))
    yield "our models, stanza.Pipeline", lambda text: plain(text).num_words
    yield "our worker, default", lambda text: len(worker.parse("d", text))
    fast = Parser(ParserConfig(model="fast"))
    yield "our worker, fast", lambda text: len(fast.parse("d", text))


def tokens_per_second(parse: Callable[[str], int]) -> float:
    """Best of two passes over all documents, after a warm-up."""
    texts = documents()
    parse(texts[0])
    return max(_one_pass(parse, texts) for _ in range(2))


def _one_pass(parse: Callable[[str], int], texts: list[str]) -> float:
    started = time.process_time()
    n_tokens = sum(parse(text) for text in texts)
    return n_tokens / (time.process_time() - started)


def default_architecture(worker: Parser, folder: Path) -> dict[str, object]:
    """Save an untrained tagger and parser of Stanza's default sizes; returns settings for `stanza.Pipeline`."""
    folder.mkdir()
    parsed = "".join(line for text in documents() for line in to_conllu(worker.parse("d", text), text))
    document = CoNLL.conll2doc(input_str=parsed)
    vectors = folder / "vectors.txt"
    words = sorted({word.text.lower() for sentence in document.sentences for word in sentence.words})
    vectors.write_text("".join(f"{word} {' '.join(['0.1'] * 100)}\n" for word in words if " " not in word))
    pretrain = Pretrain(str(folder / "pretrain.pt"), str(vectors))
    pretrain.emb  # noqa: B018 - reading it writes the file
    _save_tagger(document, pretrain, folder / "tagger.pt")
    _save_parser(document, pretrain, folder / "parser.pt")
    (folder / "resources.json").write_text(json.dumps({"en": {"tokenize": {}, "mwt": {}, "packages": {}}}))
    pretrain_path = str(folder / "pretrain.pt")
    return {
        "lang": "en", "dir": str(folder), "package": None, "processors": "tokenize,pos,lemma,depparse",
        "tokenize_model_path": str(SHIPPED / TOKENIZER), "pos_model_path": str(folder / "tagger.pt"),
        "pos_pretrain_path": pretrain_path, "depparse_model_path": str(folder / "parser.pt"),
        "depparse_pretrain_path": pretrain_path, "lemma_use_identity": True, "allow_unknown_language": True,
        "download_method": None, "use_gpu": False, "verbose": False,
    }  # fmt: skip


def _save_tagger(document: object, pretrain: Pretrain, path: Path) -> None:
    args = tagger_args(["--shorthand", "en_ewt", "--lang", "en", "--cpu"])
    vocab = TaggerData.init_vocab([document], args)
    TaggerTrainer(args=args, vocab=vocab, pretrain=pretrain, device="cpu").save(str(path))


def _save_parser(document: object, pretrain: Pretrain, path: Path) -> None:
    args = parser_args(["--shorthand", "en_ewt", "--lang", "en", "--cpu"])
    vocab = ParserData(document, args, pretrain).vocab
    GraphTrainer(args=args, vocab=vocab, pretrain=pretrain, device="cpu").save(str(path))
