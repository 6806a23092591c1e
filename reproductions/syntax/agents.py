"""Events by arcs of a treebank: which word is the agent of which verb in the gold tree, the best and the sampled ones.

Covers: stated probabilities and answers of every pair that could be one; figures over blocks of sentences.
Not here: the page (`experiment`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calib_core.arrays import Floats, Ints
from calib_core.calibration import Estimate
from calib_core.syntax import arc_marginals, gold_arcs, sample_relations, sample_trees, sentence_key
from reproductions.findings import Progress
from workers.parser import Parser
from workers.parsing.fit_temperatures import LONGEST, JudgedSentence, judged
from workers.parsing.joint import ParsedSentence
from workers.parsing.treebank import TreebankSentence, read_conllu

AGENTS = ("nsubj", "obl:agent")
N_SAMPLES, BLOCK, AT_ONCE, N_REDRAWS = 100, 20, 50, 2000


@dataclass(frozen=True, slots=True)
class AgentPairs:
    """Every pair of a word and a verb that is an agent in the gold tree, or could be one; one entry per pair.

    Attributes
    ----------
    samples : shape (n,)
        Share of sampled trees in which it is one.
    best : shape (n,)
        Whether it is one in the parser's best tree, 0 or 1.
    label : shape (n,)
        Whether it is one in the gold tree.
    block : shape (n,)
        Number of its block of neighbouring sentences.
    totals : shape (n_blocks, N_SAMPLES)
        Agents that each block has in each sample.
    arcs, gold : shape (n_arcs,)
        Exact probability of every possible arc, and whether the gold tree has it.
    """

    samples: Floats
    best: Floats
    label: Floats
    block: Ints
    totals: Ints
    arcs: Floats
    gold: Floats


def treebank_pairs(path: Path, parser: Parser, progress: Progress, *, seed: int) -> AgentPairs:
    """Parse the words of a treebank; sentences beyond `LONGEST` words are left out."""
    sentences = [sentence for sentence in read_conllu(path) if len(sentence.words) <= LONGEST]
    progress.stage(f"parsing {path.name}", len(sentences))
    rows: list[Ints] = []
    stated: list[Floats] = []
    arcs: list[tuple[Floats, Floats]] = []
    totals = np.zeros((len(sentences) // BLOCK + 1, N_SAMPLES), dtype=np.int64)
    for start in range(0, len(sentences), AT_ONCE):
        chunk = sentences[start : start + AT_ONCE]
        for number, (parsed, gold) in enumerate(zip(parse(parser, chunk), chunk, strict=True), start):
            drawn, said = sentence_pairs(parsed, gold, key=sentence_key(seed, path.name, number))
            totals[number // BLOCK] += drawn.sum(axis=0)
            rows.append(np.full(len(said), number // BLOCK, dtype=np.int64))
            stated.append(said)
            arcs.append(stated_arcs(as_judged(parsed, gold)))
            progress.advance()
    said = np.concatenate(stated)
    p, label = (np.concatenate(column) for column in zip(*arcs, strict=True))
    return AgentPairs(said[:, 0], said[:, 1], said[:, 2], np.concatenate(rows), totals, p, label)


def parse(parser: Parser, sentences: Sequence[TreebankSentence]) -> list[ParsedSentence]:
    """Trees of given words."""
    return parser.parse_words([[word.form for word in sentence.words] for sentence in sentences])


def as_judged(parsed: ParsedSentence, gold: TreebankSentence) -> JudgedSentence:
    """The parse beside the gold tree."""
    return judged(parsed, [word.head for word in gold.words], [word.deprel for word in gold.words])


def sentence_pairs(parsed: ParsedSentence, gold: TreebankSentence, *, key: int) -> tuple[Ints, Floats]:
    """Pairs of one sentence: in which samples each is one; and its share, its best and its gold answer."""
    one = as_judged(parsed, gold)
    arcs, relations, names = one.trees.arcs, one.trees.relations, np.array(one.trees.names)
    verbs = np.array([False, *(tag == "VERB" for tag in parsed.upos)])
    trees = sample_trees(arcs, N_SAMPLES, key=key)
    told = relations.labels[sample_relations(relations, trees, key=key)]
    heads = arcs.heads[trees]
    agents = np.isin(names[told], AGENTS) & verbs[heads]
    possible = np.isin(names[relations.labels], AGENTS) & verbs[arcs.heads[relations.arcs]]
    pairs = set(zip(arcs.words[relations.arcs[possible]], arcs.heads[relations.arcs[possible]], strict=True))
    best = {(w, h) for w, h in enumerate(parsed.heads, 1) if parsed.deprels[w - 1] in AGENTS and verbs[h]}
    true = {
        (number, word.head)
        for number, word in enumerate(gold.words, 1)
        if word.deprel in AGENTS and gold.words[word.head - 1].upos == "VERB"
    }
    listed = sorted({(int(word), int(head)) for word, head in pairs} | best | true)
    drawn = np.array([agents[:, w - 1] & (heads[:, w - 1] == h) for w, h in listed], dtype=np.int64)
    drawn = drawn.reshape(len(listed), N_SAMPLES)
    said = [[share, pair in best, pair in true] for pair, share in zip(listed, drawn.mean(axis=1), strict=True)]
    return drawn, np.array(said, dtype=np.float64).reshape(-1, 3)


def stated_arcs(one: JudgedSentence) -> tuple[Floats, Floats]:
    """Probability of each possible arc, and whether it is the gold one; gold arcs left out have probability 0."""
    p, gold = arc_marginals(one.trees.arcs), gold_arcs(one.trees.arcs, one.heads)
    label = np.zeros(len(p))
    label[gold[gold >= 0]] = 1.0
    missed = np.zeros(np.count_nonzero(gold < 0))
    return np.append(p, missed), np.append(label, missed + 1)


def smoothed(pairs: AgentPairs) -> Floats:
    """The share of samples, kept away from 0 and 1 by half a sample."""
    return np.asarray((pairs.samples * N_SAMPLES + 0.5) / (N_SAMPLES + 1))


def as_probabilities(pairs: AgentPairs, dev: AgentPairs) -> Floats:
    """What the best tree is worth as a forecast: how often it was right on other sentences when it said yes, and no."""
    yes, no = dev.best == 1, dev.best == 0
    return np.where(pairs.best == 1, dev.label[yes].mean(), dev.label[no].mean())


def losses(p: Floats, label: Floats) -> Floats:
    """-log P(what is true) of each pair."""
    return np.asarray(-np.log(np.where(label == 1, p, 1 - p)))


def redrawn(values: Floats, weights: Floats, block: Ints, *, seed: int) -> Estimate:
    """The ratio of two sums over pairs, with the 95 % interval of redrawing whole blocks."""
    n = int(block.max()) + 1
    above, below = np.bincount(block, values, n), np.bincount(block, weights, n)
    drawn = np.random.default_rng(seed).integers(0, n, (N_REDRAWS, n))
    ratios = above[drawn].sum(axis=1) / below[drawn].sum(axis=1)
    lo, hi = np.quantile(ratios, [0.025, 0.975])
    return Estimate(float(above.sum() / below.sum()), float(lo), float(hi))


def coverage(pairs: AgentPairs) -> tuple[float, float, float]:
    """Share of blocks whose 95 % interval holds the truth, its mean width, and share where the best tree is right."""
    n = int(pairs.block.max()) + 1
    truth, best = np.bincount(pairs.block, pairs.label, n), np.bincount(pairs.block, pairs.best, n)
    lo, hi = np.quantile(pairs.totals[:n], [0.025, 0.975], axis=1, method="inverted_cdf")
    held = (lo <= truth) & (truth <= hi)
    return float(held.mean()), float((hi - lo).mean()), float((best == truth).mean())
