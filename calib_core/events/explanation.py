"""Why a document counts as often as it does: which links carry a country to an agent, and which decisions matter.

Every sample in which the document counts is put down to one chain: the shortest way, along drawn antecedents, from an
agent to a mention that names the country. So the shares of the chains add up to the document's probability exactly.
Every other sample failed in one of two ways: no agent was joined with the country, or one was, but with another country
too. What a single decision is worth is measured on more samples of the same document.

Covers: chains, failures and decisions of one document, by country.
Not here: words (`flows.report`), the evidence (`evidence`), the samples (`calib_core.coref.posterior.sampling`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calib_core.arrays import Bools, Floats, Ints
from calib_core.coref.model.antecedents import NEW, Antecedents
from calib_core.coref.posterior.marginals import antecedent_probabilities
from calib_core.coref.posterior.sampling import sample_antecedents
from calib_core.events.affiliation import SEVERAL
from calib_core.events.batching import with_words
from calib_core.events.dyads import parted
from calib_core.events.evidence import Evidence
from calib_core.events.linked import fulfilled
from calib_core.events.linked_batching import links_of
from calib_core.events.naming import NONE
from calib_core.events.readings import AnyEvidence, aligned, chosen
from calib_core.events.sampling import document_bits

Draws = NDArray[np.int32]

OTHER_COUNTRIES = "several"
"""Stands for the countries of a mention that names more than one."""

MORE_SAMPLES = 2000
LIKELY, WORTH_TELLING, CONTRAST = 0.01, 0.05, 0.1
"""Antecedents below the first probability are not listed, nor decisions of less than the second influence, nor those
between antecedents that leave the event about as probable."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Mentions from the agent to the one that names the country, each linked to the next; a single one is both.

    `share` is that of the samples in which the document counts by this way.
    """

    mentions: tuple[int, ...]
    share: float


@dataclass(frozen=True, slots=True)
class Option:
    """An antecedent (or `NEW`), its exact probability, and how probable the event is once it is taken.

    `p_event` is None where no sample took it.
    """

    antecedent: int
    probability: float
    p_event: float | None


@dataclass(frozen=True, slots=True)
class Decision:
    """What one mention's antecedent is worth: the share of the answer's variance that it accounts for, in [0, 1]."""

    mention: int
    influence: float
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Doubt:
    """What the parser doubts about one mention, and what it is worth.

    Attributes
    ----------
    mention : int
    code : str or None
        That it is described as this code (`OTHER_COUNTRIES` for several); None: that it is an agent.
    share : float
        Share of samples in whose tree it is so.
    influence : float
        Share of the answer's variance that it accounts for, in [0, 1].
    p_event, p_otherwise : float
        How probable the event is where it is so, and where it is not.
    """

    mention: int
    code: str | None
    share: float
    influence: float
    p_event: float
    p_otherwise: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """One document and country.

    Attributes
    ----------
    country : str
        For a query with targets `AGENT>TARGET`, or the agent alone for any target.
    p : float
        Share of samples in which the document counts; equal to the sum of the chains' shares.
    best : bool
        Whether it counts under the 1-best clustering.
    chains : tuple of Chain
        By falling share.
    apart : float
        Share of samples in which no entity has both an agent and the country.
    conflicts : mapping of str to float
        Share of the remaining samples by the country that stood in the way (`OTHER_COUNTRIES` for a mention of
        several); with two in the way a sample is put down to the first in alphabetical order, so that
        p + apart + conflicts = 1.
    decisions : tuple of Decision
        By falling influence.
    doubts : tuple of Doubt
        By falling influence; empty where every sample reads the best tree.
    """

    country: str
    p: float
    best: bool
    chains: tuple[Chain, ...]
    apart: float
    conflicts: Mapping[str, float]
    decisions: tuple[Decision, ...]
    doubts: tuple[Doubt, ...] = ()


def explain(
    evidence: AnyEvidence, antecedents: Antecedents, n_samples: int, *, key: int, n_more: int = MORE_SAMPLES
) -> tuple[Explanation, ...]:
    """Explain every country that the document may count for, the most probable first.

    Parameters
    ----------
    evidence : Evidence or SampledEvidence
        The latter with readings for as many samples as are drawn: the larger of `n_samples` and `n_more`.
    antecedents : Antecedents
        Of the same mentions.
    n_samples, key
        As given to `document_bits`; then `p` is the same number.
    n_more : int
        Samples, the first `n_samples` among them, by which decisions are weighed.
    """
    n_drawn = max(n_samples, n_more)
    readings, which = aligned(evidence), chosen([evidence], n_drawn)[0]
    plain, antecedents = antecedents, with_words(antecedents, readings[0].n_words)
    drawn = sample_antecedents(antecedents, n_drawn, key=key)
    answers = document_bits(evidence, plain, n_drawn, key=key)
    probability = antecedent_probabilities(antecedents)
    entity = _entities(drawn[:n_samples])
    read = [readings[reading] for reading in which[:n_samples].tolist()]
    found = []
    for row, country in enumerate(answers.words):
        counts, best = answers.entities[row] > 0, bool(answers.best[row] > 0)
        if counts[:n_samples].any() or best:
            if readings[0].links is None:
                chains, apart, conflicts = _ways(read, drawn, entity, readings[0].codes.index(country))
            else:
                chains, apart = linked_ways(read, drawn, entity, country)
                conflicts = {}
            decisions = tuple(_decisions(antecedents, probability, drawn, counts))
            doubts = tuple(_doubts(readings, which, counts, n_samples))
            p = float(counts[:n_samples].mean())
            found.append(Explanation(country, p, best, chains, apart, conflicts, decisions, doubts))
    return tuple(sorted(found, key=lambda one: (-one.p, one.country)))


def linked_ways(read: Sequence[Evidence], drawn: Draws, entity: Draws, word: str) -> tuple[tuple[Chain, ...], float]:
    """As `_ways` for a query whose answer joins entities: chains may lead from what is possessed to its possessor.

    Why a sample fails is not told apart: all that do are `apart`.
    """
    country, target = parted(word)
    agent_code = country.partition(".")[0]
    chains: Counter[tuple[int, ...]] = Counter()
    for s, evidence in enumerate(read):
        links = links_of(evidence)
        code = evidence.codes.index(agent_code) if agent_code in evidence.codes else None
        naming = links.actor >= 0 if code is None else evidence.country == code
        rows = fulfilled(evidence, entity[s, : len(evidence) - evidence.n_words].astype(np.int64))
        agents = sorted(row.agent for row in rows if (row.country, row.target) == (country, target))
        paths = [path for agent in agents if (path := _way(agent, naming, drawn[s], links.possessors))]
        if agents:
            chains[min(paths, key=lambda path: (len(path), path), default=(agents[0],))] += 1
    n = len(entity)
    ordered = sorted(chains.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Chain(path, count / n) for path, count in ordered), 1 - sum(chains.values()) / n


def _doubts(readings: Sequence[Evidence], which: Ints, counts: Bools, n_samples: int) -> list[Doubt]:
    """What differs between the trees of the samples and moves the answer, by falling influence."""
    if counts.all() or not counts.any() or len(readings) == 1:
        return []
    n_mentions = len(readings[0]) - readings[0].n_words
    agent = np.stack([reading.agent[:n_mentions] for reading in readings])
    country = np.stack([reading.country[:n_mentions] for reading in readings])
    facts: list[tuple[int, str | None, Bools]] = [(m, None, agent[:, m]) for m in _differing(agent)]
    codes = readings[0].codes
    for mention in _differing(country):
        for code in sorted(set(country[:, mention].tolist()) - {NONE}):
            name = OTHER_COUNTRIES if code == SEVERAL else codes[code]
            facts.append((mention, name, country[:, mention] == code))
    found = []
    for mention, name, fact in facts:
        so = fact[which]
        influence = _influence(so, counts)
        if influence >= WORTH_TELLING and abs(counts[so].mean() - counts[~so].mean()) >= CONTRAST:
            shares = float(so[:n_samples].mean()), influence, float(counts[so].mean()), float(counts[~so].mean())
            found.append(Doubt(mention, name, *shares))
    return sorted(found, key=lambda doubt: (-doubt.influence, doubt.mention))


def _differing(values: Ints | Bools) -> list[int]:
    """Columns that are not the same in all rows."""
    return [int(column) for column in np.flatnonzero((values != values[0]).any(axis=0))]


def _way(agent: int, naming: Bools, drawn: NDArray[np.int32], possessors: Ints) -> tuple[int, ...]:
    """The shortest way from an agent to a mention that names, over drawn links and from possessed to possessor."""
    before, waiting = {agent: NEW}, [agent]
    for mention in waiting:
        if naming[mention]:
            path = [mention]
            while before[path[-1]] != NEW:
                path.append(before[path[-1]])
            return tuple(reversed(path))
        up = [int(drawn[mention])] if drawn[mention] >= 0 else []
        owners = possessors[possessors[:, 0] == mention, 1].tolist()
        for near in [*up, *np.flatnonzero(drawn == mention).tolist(), *owners]:
            if near not in before:
                before[near] = mention
                waiting.append(near)
    return ()


def _entities(drawn: Draws) -> Draws:
    """Entity of each mention in each sample: the mention that started it."""
    entity = np.empty_like(drawn)
    samples = np.arange(len(drawn))
    for j in range(drawn.shape[1]):
        entity[:, j] = np.where(drawn[:, j] == NEW, j, entity[samples, drawn[:, j]])
    return entity


def _ways(
    read: Sequence[Evidence], drawn: Draws, entity: Draws, code: int
) -> tuple[tuple[Chain, ...], float, dict[str, float]]:
    """Chains, the share of samples that keep agent and country apart, and that of each other country in the way."""
    chains: Counter[tuple[int, ...]] = Counter()
    conflicts: Counter[str] = Counter()
    apart = 0
    for s, evidence in enumerate(read):
        path, others = _one_sample(evidence, drawn[s], entity[s], code)
        if path:
            chains[path] += 1
        elif others:
            conflicts[min(others)] += 1
        else:
            apart += 1
    n = len(entity)
    ordered = sorted(chains.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Chain(path, count / n) for path, count in ordered), apart / n, {c: k / n for c, k in conflicts.items()}


def _one_sample(evidence: Evidence, drawn: Draws, entity: Draws, code: int) -> tuple[tuple[int, ...], set[str]]:
    """The shortest chain of one sample, empty if there is none; then the countries that stood in the way."""
    paths: list[tuple[int, ...]] = []
    others: set[str] = set()
    for label in np.unique(entity[evidence.agent]):
        members = entity == label
        named = set(evidence.country[members].tolist()) - {NONE}
        if code not in named:
            continue
        if named == {code}:
            paths.extend(_paths(members & evidence.agent, members & (evidence.country == code), drawn))
        others |= {OTHER_COUNTRIES if other == SEVERAL else evidence.codes[other] for other in named - {code}}
    return min(paths, key=lambda path: (len(path), path), default=()), others


def _paths(agents: Bools, namers: Bools, drawn: Draws) -> Iterator[tuple[int, ...]]:
    """The way from each agent to each naming mention of its entity, up to the first mention that both descend from."""
    for agent in np.flatnonzero(agents):
        up = _ancestors(int(agent), drawn)
        for namer in np.flatnonzero(namers):
            down = _ancestors(int(namer), drawn)
            meeting = next(mention for mention in up if mention in down)
            yield (*up[: up.index(meeting) + 1], *reversed(down[: down.index(meeting)]))


def _ancestors(mention: int, drawn: Draws) -> list[int]:
    """The mention, its antecedent, that one's, and so on."""
    found = []
    while mention != NEW:
        found.append(mention)
        mention = int(drawn[mention])
    return found


def _decisions(antecedents: Antecedents, probability: Floats, drawn: Draws, counts: Bools) -> Iterator[Decision]:
    """Decisions that move the answer, by falling influence."""
    if counts.all() or not counts.any():
        return
    influence = np.array([_influence(drawn[:, j], counts) for j in range(drawn.shape[1])])
    for j in np.argsort(-influence, kind="stable"):
        if influence[j] < WORTH_TELLING:
            return
        entries = np.arange(antecedents.offsets[j], antecedents.offsets[j + 1])
        entries = entries[probability[entries] >= LIKELY]
        entries = entries[np.argsort(-probability[entries], kind="stable")]
        options = tuple(_option(int(antecedents.candidates[k]), probability[k], drawn[:, j], counts) for k in entries)
        outcomes = [option.p_event for option in options if option.p_event is not None]
        if outcomes and max(outcomes) - min(outcomes) >= CONTRAST:
            yield Decision(int(j), float(influence[j]), options)


def _option(antecedent: int, probability: float, drawn: Draws, counts: Bools) -> Option:
    taken = drawn == antecedent
    return Option(antecedent, float(probability), float(counts[taken].mean()) if taken.any() else None)


def _influence(drawn: Draws | Bools, counts: Bools) -> float:
    """Share of variance between the antecedents, less what chance alone would show (epsilon squared)."""
    values, group = np.unique(drawn, return_inverse=True)
    n, n_groups = len(drawn), len(values)
    if n_groups == 1 or n_groups == n:
        return 0.0
    size: Ints = np.bincount(group)
    means = np.bincount(group, weights=counts) / size
    between = float(size @ (means - counts.mean()) ** 2) / (n * float(counts.var()))
    return max(0.0, 1 - (1 - between) * (n - 1) / (n - n_groups))
