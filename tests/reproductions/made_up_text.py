"""Made-up tagged sentences: tags follow a Markov chain and share words, so that taggers have reason to doubt."""

from pathlib import Path

import numpy as np

from reproductions.tagging.tagged_text import TaggedText

TAGS = ("NN", "V", "DT", "JJ", "IN", ",")


def made_up(n_sentences: int, seed: int = 0, tags: tuple[str, ...] = TAGS) -> TaggedText:
    chain = np.random.default_rng(0).dirichlet(np.full(len(tags), 0.5), len(tags))
    emission = np.random.default_rng(1).dirichlet(np.full(60, 0.15), len(tags))
    rng = np.random.default_rng(seed)
    words, labels = [], []
    for _ in range(n_sentences):
        path = [int(rng.integers(len(tags)))]
        while len(path) < 8:
            path.append(int(rng.choice(len(tags), p=chain[path[-1]])))
        labels.append([tags[tag] for tag in path])
        words.append([f"w{rng.choice(60, p=emission[tag])}" for tag in path])
    return TaggedText(words, labels, np.arange(n_sentences) // 2)


def write_tsv(text: TaggedText, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    sentences = (zip(words, tags, strict=True) for words, tags in zip(text.words, text.tags, strict=True))
    path.write_text("".join("".join(f"{word}\t{tag}\n" for word, tag in sentence) + "\n" for sentence in sentences))


def write_conllu(text: TaggedText, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines, last = [], -1
    for words, tags, document in zip(text.words, text.tags, text.documents.tolist(), strict=True):
        if document != last:
            lines.append(f"# newdoc id = d{document}")
            last = document
        for at, (word, tag) in enumerate(zip(words, tags, strict=True), 1):
            lines.append(f"{at}\t{word}\t{word}\t{tag}\t{tag}\tA={tag}\t{at - 1}\tdep\t_\t_")
        lines.append("")
    path.write_text("\n".join(lines) + "\n")
