"""Experiment `tagsets`: recalibrating a tagger over hundreds of tags, most of them rare.

Covers: the tagset, training a CRF over it, recalibrating on held-out text and measuring on other text.
Not here: the measures and recalibration methods (`calib_core.calibration`), the page (`page`).
"""

from collections import Counter

import numpy as np

from calib_core.arrays import Ints
from reproductions.findings import DataFolder, Findings, Progress
from reproductions.tagging import ADVANCED, ConditionalRandomField, joined, tag_marginals
from reproductions.tagging.tagged_text import TaggedText, read_treebank, universal_tags_with_features
from reproductions.tagsets.measures import Scored, Study, measure, scored
from reproductions.tagsets.page import page

RARE = "UNK"
"""The tag that stands for all those seen fewer than `FEWEST` times in training, as is the convention for CCG tags."""
FEWEST = 10
N_SENTENCES = 6000
"""Training sentences: about 100,000 words, between the 45,000 and the 927,000 of the paper's two taggers."""
N_ITERATIONS = 50


def run(data: DataFolder, progress: Progress, seed: int) -> Findings:
    """Both treebanks."""
    progress.stage("reading the treebanks")
    parts = {
        name: read_treebank(data.file(f"treebank/{name}.conllu"), universal_tags_with_features)
        for name in ("en_ewt-train", "en_ewt-dev", "en_ewt-test", "en_gum-train", "en_gum-dev")
    }
    gum_dev = parts["en_gum-dev"]
    even, odd = (gum_dev.part(np.flatnonzero(gum_dev.documents % 2 == side)) for side in (0, 1))
    texts = {
        "EWT": (parts["en_ewt-train"], parts["en_ewt-dev"], parts["en_ewt-test"]),
        "GUM": (parts["en_gum-train"], even, odd),
    }
    return page({name: study(name, *text, progress, seed=seed) for name, text in texts.items()})


def study(
    name: str,
    train: TaggedText,
    held_out: TaggedText,
    test: TaggedText,
    progress: Progress,
    *,
    seed: int,
    n_sentences: int = N_SENTENCES,
) -> Study:
    """Train on one treebank, recalibrate on its held-out text, measure on its test text."""
    counts = Counter(joined(train.tags))
    kept = {tag for tag, count in counts.items() if count >= FEWEST}
    order = np.random.default_rng(seed).permutation(len(train.words))[:n_sentences]
    model = train_tagger(name, pool_rare(train.part(order), kept), progress)
    progress.stage(f"recalibrating, {name}")
    on_held_out, on_test = (score(model, pool_rare(text, kept)) for text in (held_out, test))
    return measure(on_held_out, on_test, frequencies(model, pool_rare(train, kept)), seed=seed)


def pool_rare(text: TaggedText, kept: set[str]) -> TaggedText:
    """The same text with every other tag replaced by `RARE`."""
    tags = [[tag if tag in kept else RARE for tag in sentence] for sentence in text.tags]
    return TaggedText(text.words, tags, text.documents)


def train_tagger(name: str, text: TaggedText, progress: Progress) -> ConditionalRandomField:
    """A CRF with all features; exact forward-backward, which costs the square of the number of tags."""
    model = ConditionalRandomField(l2=1.0, templates=ADVANCED, max_iterations=N_ITERATIONS)
    progress.stage(f"CRF, {name}, {len(text.words)} sentences", N_ITERATIONS)
    return model.fit(text.words, text.tags, progress=lambda _, value: progress.advance(f"objective {value:.0f}"))


def score(model: ConditionalRandomField, text: TaggedText) -> Scored:
    """The tagger's scores on a text. A tag that the chosen sentences happen to lack counts as rare."""
    rare = model.tags_.index.get(RARE, 0)
    gold = model.tags_.numbers(joined(text.tags), unknown=rare)
    return scored(tag_marginals(model.scores(text.words)), gold, text.word_documents)


def frequencies(model: ConditionalRandomField, train: TaggedText) -> Ints:
    """How often each of the tagger's tags occurs in all of the training text."""
    numbers = model.tags_.numbers(joined(train.tags))
    return np.bincount(numbers[numbers >= 0], minlength=len(model.tags_))
