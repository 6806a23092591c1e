"""Train Stanza's tokenizer on treebanks whose multiword tokens are split.

Covers: raw text and character labels from a treebank, and the call of Stanza's own training program.
Not here: tagger and parser (`train_joint`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from stanza.models import tokenizer as stanza_tokenizer
from stanza.utils.datasets import prepare_tokenizer_data
from stanza.utils.datasets.conllu_to_text import convert_text

from workers.parsing.network import LANGUAGE
from workers.parsing.treebank import TreebankSentence, Word, read_conllu

MODEL = "tokenizer.pt"


@dataclass(frozen=True, slots=True)
class TokenizerConfig:
    """What `train_tokenizer` needs; the defaults trained the shipped tokenizer."""

    train: tuple[Path, ...]
    dev: Path
    out: Path
    steps: int = 6000
    eval_every: int = 300
    seed: int = 1234


def train_tokenizer(config: TokenizerConfig) -> Path:
    """Train the tokenizer and return its file; a finished one is not trained again.

    Stanza keeps the best model so far on disk but cannot resume: an interrupted training (minutes) starts over.
    """
    model = config.out / MODEL
    finished = config.out / "tokenizer.done"
    if finished.exists():
        return model
    train = write_text(config.out / "train", (s for path in config.train for s in read_conllu(path)))
    dev = write_text(config.out / "dev", read_conllu(config.dev))
    stanza_tokenizer.main(_arguments(config, train, dev))
    finished.touch()
    return model


def _arguments(config: TokenizerConfig, train: Path, dev: Path) -> list[str]:
    options = {
        "mode": "train", "txt_file": f"{train}.txt", "label_file": f"{train}.labels",
        "mwt_json_file": f"{train}.mwt.json", "dev_txt_file": f"{dev}.txt", "dev_label_file": f"{dev}.labels",
        "dev_conll_gold": f"{dev}.conllu", "conll_file": f"{dev}.predicted.conllu", "lang": "en",
        "shorthand": LANGUAGE, "steps": str(config.steps), "eval_steps": str(config.eval_every),
        "save_dir": str(config.out), "save_name": MODEL, "seed": str(config.seed),
    }  # fmt: skip
    return [part for name, value in options.items() for part in (f"--{name}", value)] + ["--no_use_mwt", "--cpu"]


def write_text(stem: Path, sentences: Iterable[TreebankSentence]) -> Path:
    """Write `stem.conllu`, `stem.txt` and `stem.labels`: words, raw text, and where words and sentences end."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    conllu = Path(f"{stem}.conllu")
    with conllu.open("w", encoding="utf-8") as out:
        out.writelines(line for sentence in sentences for line in conllu_lines(sentence))
    convert_text(str(conllu), f"{stem}.txt")
    prepare_tokenizer_data.main([f"{stem}.txt", str(conllu), "-o", f"{stem}.labels", "-m", f"{stem}.mwt.json"])
    return stem


def conllu_lines(sentence: TreebankSentence) -> Iterable[str]:
    """One sentence as CoNLL-U, without multiword tokens."""
    if sentence.new_paragraph:
        yield "# newpar\n"
    for index, word in enumerate(sentence.words, 1):
        yield _line(index, word)
    yield "\n"


def _line(index: int, word: Word) -> str:
    misc = "_" if word.space_after else "SpaceAfter=No"
    columns = (str(index), word.form, word.lemma, word.upos, word.xpos, word.feats, str(word.head), word.deprel)
    return "\t".join((*columns, "_", misc)) + "\n"
