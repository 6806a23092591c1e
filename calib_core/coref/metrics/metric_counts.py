"""The coreference metrics, each as counts that add up over documents.

Covers: MUC, B³, CEAF (mentions and entities), BLANC, LEA, pairwise decisions and mention detection for one document.
Not here: the sums and the ratios (`scores`), reading files (`corpora.conll`).

Definitions are those of the CoNLL reference scorer, version 8 (Pradhan et al. 2014; BLANC as in Luo et al. 2014), and
of Moosavi & Strube (2016) for LEA. So are the odd cases: of a mention that the response repeats, the first counts if
the key has it, and every copy if the key has not; in a key that repeats a mention the last entity owns it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from scipy.optimize import linear_sum_assignment

from calib_core.arrays import Floats
from calib_core.document import Span

Chains = list[list[int]]
"""Entities as lists of mention numbers; key and response share the numbering."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """Key and response of one document, with mentions numbered and repeats treated."""

    key: Chains
    response: Chains
    n_key: int
    n_response: int
    n_both: int


def align(key: Sequence[Sequence[Span]], response: Sequence[Sequence[Span]]) -> Aligned:
    """Number the mentions of both sides; see the module's notes for repeated ones."""
    ids: dict[Span, int] = {}
    for count, span in enumerate(span for entity in key for span in entity):
        ids[span] = count
    known = set(ids)
    used: set[Span] = set()
    kept: Chains = []
    for entity in response:
        chain = []
        for span in entity:
            if span not in used or span not in known:
                chain.append(ids.setdefault(span, -1 - len(ids)))
            used.add(span)
        kept.append(chain)
    chains = [[ids[span] for span in entity] for entity in key]
    return Aligned(
        [chain for chain in chains if chain],
        [chain for chain in kept if chain],
        n_key=len(known),
        n_response=len(used),
        n_both=len(known & used),
    )


def owners(chains: Chains) -> dict[int, int]:
    """The chain of each mention; the last one if there are several."""
    return {mention: number for number, chain in enumerate(chains) for mention in chain}


def muc(side: Chains, other: Chains) -> tuple[float, float]:
    """Links of `side` that `other` keeps, and links of `side` (Vilain et al. 1995)."""
    owner = owners(other)
    kept = 0
    for chain in side:
        parts = Counter(owner[mention] for mention in chain if mention in owner)
        kept += sum(size - 1 for size in parts.values())
    return float(kept), float(sum(len(chain) - 1 for chain in side))


def b_cubed(key: Chains, response: Chains) -> tuple[float, float, float, float]:
    """Recall and precision numerators and denominators (Bagga & Baldwin 1998)."""
    owner = owners(key)
    members = [set(chain) for chain in key]
    recall = precision = 0.0
    for chain in response:
        parts = Counter(owner[mention] for mention in chain if mention in owner)
        for entity, size in parts.items():
            common = sum(mention in members[entity] for mention in chain)
            recall += size * common / len(key[entity])
            precision += size * common / len(chain)
    return recall, float(sum(map(len, key))), precision, float(sum(map(len, response)))


def overlaps(key: Chains, response: Chains) -> Floats:
    """Mentions that each key entity shares with each response entity, shape (n_key, n_response)."""
    holders: dict[int, set[int]] = {}
    for number, chain in enumerate(response):
        for mention in chain:
            holders.setdefault(mention, set()).add(number)
    common = np.zeros((len(key), len(response)))
    for row, chain in enumerate(key):
        for mention in chain:
            for column in holders.get(mention, ()):
                common[row, column] += 1
    return common


def ceaf(key: Chains, response: Chains, *, by_entity: bool) -> tuple[float, float, float]:
    """Best one-to-one similarity, and the similarity of each side with itself (Luo 2005)."""
    common = overlaps(key, response)
    if not by_entity:
        rows, columns = linear_sum_assignment(-common)
        return float(common[rows, columns].sum()), float(sum(map(len, key))), float(sum(map(len, response)))
    sizes = np.add.outer([len(chain) for chain in key], [len(chain) for chain in response])
    similarity = 2 * common / np.maximum(sizes, 1) if common.size else common
    rows, columns = linear_sum_assignment(-similarity)
    return float(similarity[rows, columns].sum()), float(len(key)), float(len(response))


def lea(side: Chains, other: Chains) -> tuple[float, float]:
    """Entities of `side` weighted by size and by the share of their links that `other` has (Moosavi & Strube 2016)."""
    owner = owners(other)
    resolved = 0.0
    for chain in side:
        if len(chain) == 1:
            alone = chain[0] in owner and len(other[owner[chain[0]]]) == 1
            resolved += float(alone)
            continue
        parts = Counter(owner[mention] for mention in chain if mention in owner)
        links = sum(size * (size - 1) for size in parts.values())
        resolved += links / (len(chain) - 1)
    return resolved, float(sum(map(len, side)))


def links(aligned: Aligned) -> tuple[float, ...]:
    """Coreferent links (both, key, response), then non-coreferent ones, as BLANC counts them."""
    key, response = aligned.key, aligned.response
    if _repeats(key) or _repeats(response):
        return _links_of_sets(key, response)
    together_key, together_response = _n_pairs(map(len, key)), _n_pairs(map(len, response))
    common = overlaps(key, response)
    both = _n_pairs(common.ravel().tolist())
    apart_key = _n_pairs([sum(map(len, key))]) - together_key
    apart_response = _n_pairs([sum(map(len, response))]) - together_response
    # Pairs of shared mentions that are apart on both sides: all, less those together on one, plus those on both.
    shared = _n_pairs([common.sum()]) - _n_pairs(common.sum(1).tolist()) - _n_pairs(common.sum(0).tolist()) + both
    return both, together_key, together_response, shared, apart_key, apart_response


def _n_pairs(sizes: Iterable[float]) -> float:
    return float(sum(size * (size - 1) / 2 for size in sizes))


def _repeats(chains: Chains) -> bool:
    return len(owners(chains)) < sum(map(len, chains))


def _links_of_sets(key: Chains, response: Chains) -> tuple[float, ...]:
    """The same counts by enumeration, for chains that repeat a mention; a repeated mention is linked with itself."""
    counts: list[float] = []
    for relation in (_together, _apart):
        one, two = relation(key), relation(response)
        counts += [float(len(one & two)), float(len(one)), float(len(two))]
    return tuple(counts)


def _together(chains: Chains) -> set[tuple[int, int]]:
    return {(min(pair), max(pair)) for chain in chains for pair in combinations(chain, 2)}


def _apart(chains: Chains) -> set[tuple[int, int]]:
    return {(min(pair), max(pair)) for one, two in combinations(chains, 2) for pair in product(one, two)}
