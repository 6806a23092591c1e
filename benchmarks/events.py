"""From clusterings to counts: the kernel against a plain loop and numpy, a whole archive, the gate, the exact counts.

Times are processor time on one core, so other load does not matter.
"""

import os
import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from benchmarks.measure import Row, at_least, at_most
from calib_core.coref import cumulative_probabilities
from calib_core.coref.model.antecedents import NEW, Antecedents
from calib_core.events import (
    Batch,
    Evidence,
    Gate,
    Query,
    empty_tally,
    fulfilling_entities,
    poisson_binomial,
    posterior_counts,
    predicate_examples,
    ragged_bits,
    tally,
)
from calib_core.events.links import Links
from calib_core.randomness import uniform

SAMPLES, MENTIONS = 100, 150
ARCHIVE = 193_403
"""Articles in the paper's archive."""

CODES = tuple(f"C{number:02d}" for number in range(40))
COUNTRY_SHARE, AGENT_SHARE = 0.15, 0.02
"""Of mentions that name a country or are an agent; about what a news article that passes the gate has."""


def run() -> list[Row]:
    """About two minutes, most of it for the archive."""
    return [*kernel_rows(), *archive_rows(), *gate_rows(), *count_rows()]


def kernel_rows() -> list[Row]:
    """One core, 100 samples of documents with 150 mentions, each with every earlier mention as a candidate."""
    rng = np.random.default_rng(0)
    documents = [random_document(MENTIONS, rng) for _ in range(100)]
    busy = [random_document(MENTIONS, rng, country=1.0, agent=1.0) for _ in range(100)]
    ours, dense = (per_document(batch_of(some)) for some in (documents, busy))
    plain = cpu_seconds(lambda: plain_loop(*documents[0], key=0), repeats=2)
    vectorised = cpu_seconds(lambda: [numpy_loop(*document, key=0) for document in documents[:20]]) / 20
    check_alike(documents[:3])
    dyads = per_document(batch_of([(dyadic(said, rng), linked) for said, linked in documents]))
    what = f"{MENTIONS} mentions, {SAMPLES} samples"
    return [
        at_most("event kernel", "dyads with possessors, times the same without", dyads / ours, "x", 3),
        Row("event kernel", f"documents per second, {what}", 1 / ours, "/s"),
        Row("event kernel, every mention an agent of some country", f"documents per second, {what}", 1 / dense, "/s"),
        Row("Python loop with scipy's connected components", f"documents per second, {what}", 1 / plain, "/s"),
        Row("numpy, all samples at once", f"documents per second, {what}", 1 / vectorised, "/s"),
        at_least("event kernel", "times the Python loop", plain / ours, "x", 300),
        at_least("event kernel", "times numpy", vectorised / ours, "x", 5),
    ]


def archive_rows() -> list[Row]:
    """Sample and reduce as many documents as the paper's archive has; memory is checked along the way."""
    rng = np.random.default_rng(1)
    pool = batch_of([random_document(int(n), rng) for n in rng.integers(20, 180, 500)])
    quarters = [f"{1987 + number // 4}Q{number % 4 + 1}" for number in range(80)]
    total, done, held = empty_tally(SAMPLES), 0, []
    start = time.process_time()
    while done < ARCHIVE:
        keys = np.arange(done, min(done + len(pool), ARCHIVE), dtype=np.uint64)
        batch = pool if len(keys) == len(pool) else batch_of([random_document(50, rng) for _ in keys])
        rows = ragged_bits(replace(batch, keys=keys), SAMPLES).positive()
        quarter = [quarters[(done + document) * 80 // ARCHIVE] for document in rows.document]
        total += tally(quarter, rows.country, rows.entities, rows.best)
        done += len(keys)
        held.append(megabytes())
    counts = posterior_counts(total)
    spent = time.process_time() - start
    growth = max(held[len(held) // 10 :]) - max(held[: len(held) // 10])
    return [
        Row("archive, sampled and reduced", f"{ARCHIVE:,} documents to {len(counts):,} counts", spent, "s"),
        Row("archive, sampled and reduced", "documents per second", ARCHIVE / spent, "/s"),
        at_most("archive, sampled and reduced", "peak memory beyond that of the first tenth", growth, "MB", 5),
    ]


def gate_rows() -> list[Row]:
    """Random prose of frequent words, one document in a hundred with a form of the verb."""
    texts = random_prose(np.random.default_rng(2), 8_000)
    curly = [text + " “so” – they said" for text in texts]
    size = sum(len(text) for text in texts) / 1e6
    rows = []
    for name in ("attack", "attack-wide"):
        query = Query.from_yaml(name)
        gate, peer = Gate.of(query), re.compile(r"\b(?:" + "|".join(sorted(query.forms)) + r")\b", re.IGNORECASE)
        rows += [
            at_least(f"gate, {name}", "ASCII text", size / seconds_for(gate, texts), "MB/s", 100),
            at_least(f"gate, {name}", "other text", size / seconds_for(gate, curly), "MB/s", 100),
            Row(f"compiled re, {name}", "verbs alone", size / seconds_for(peer.search, texts), "MB/s"),
        ]
    return rows


def count_rows() -> list[Row]:
    """Exact counts of many documents."""
    p = np.random.default_rng(3).beta(0.1, 2.0, 100_000)
    return [Row("exact Poisson-binomial", "100,000 documents", cpu_seconds(lambda: poisson_binomial(p)), "s")]


def cpu_seconds(work: Callable[[], object], *, repeats: int = 4) -> float:
    """Processor time of the shortest of several runs; the first may compile."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def megabytes() -> float:
    """Memory of this process now, as the kernel counts it (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def per_document(batch: Batch) -> float:
    """Seconds per document of a batch."""
    return cpu_seconds(lambda: ragged_bits(batch, SAMPLES)) / len(batch)


def seconds_for(test: Callable[[str], object], texts: list[str]) -> float:
    """Seconds to test all texts."""
    return cpu_seconds(lambda: [test(text) for text in texts])


def random_document(
    n: int, rng: np.random.Generator, *, country: float = COUNTRY_SHARE, agent: float = AGENT_SHARE
) -> tuple[Evidence, Antecedents]:
    """Evidence and antecedents of n mentions; logits as skewed as a coreference model's."""
    offsets = np.arange(n + 1) * np.arange(1, n + 2) // 2
    candidates = np.concatenate([np.append(np.arange(j), NEW) for j in range(n)])
    logits = np.where(candidates == NEW, 0.0, rng.normal(-7, 2.5, len(candidates)))
    named = np.where(rng.random(n) < country, rng.integers(0, 8, n), -1)
    agents = rng.random(n) < agent
    agents[int(rng.integers(0, n))] = True
    flags, reported = np.zeros(n, dtype=np.int64), np.ones(len(CODES), dtype=np.bool_)
    return Evidence(named, agents, flags, CODES, reported), Antecedents(offsets, candidates, logits)


def dyadic(said: Evidence, rng: np.random.Generator) -> Evidence:
    """The same question with targets and possessors: each agent has a target, every tenth mention a possessor."""
    n = len(said)
    agents, owned = np.flatnonzero(said.agent), np.arange(1, n, 10)
    events = np.stack([agents, agents, rng.integers(0, n, len(agents))], axis=1)
    nobody = np.full(n, -1)
    links = Links(
        actor=nobody, target=said.country, events=events, possessors=np.stack([owned, owned - 1], axis=1),
        actor_codes=(), target_codes=CODES, reported_targets=np.ones(len(CODES), dtype=np.bool_), dyadic=True,
    )  # fmt: skip
    return replace(said, links=links)


def batch_of(documents: list[tuple[Evidence, Antecedents]]) -> Batch:
    """Flat arrays, with keys 0, 1, ..."""
    return Batch.of([said for said, _ in documents], [linked for _, linked in documents], range(len(documents)))


def plain_loop(said: Evidence, linked: Antecedents, *, key: int) -> dict[str, list[int]]:
    """Samples in which each country counts, written the obvious way."""
    n = len(said)
    cumulative = cumulative_probabilities(linked)
    counted: dict[str, list[int]] = {}
    for sample in range(SAMPLES):
        rows, columns = [], []
        for j in range(n):
            first, last = linked.offsets[j], linked.offsets[j + 1]
            u = uniform(np.uint64(key), np.uint64(sample * 2**32 + j))
            antecedent = linked.candidates[first + np.searchsorted(cumulative[first:last], u, side="right")]
            if antecedent != NEW:
                rows.append(j)
                columns.append(antecedent)
        graph = coo_array((np.ones(len(rows)), (rows, columns)), shape=(n, n))
        entities = connected_components(graph, directed=False)[1]
        for code in {code for code, _ in fulfilling_entities(said, entities)}:
            counted.setdefault(code, []).append(sample)
    return counted


def numpy_loop(said: Evidence, linked: Antecedents, *, key: int) -> dict[str, list[int]]:
    """The same with all samples of a mention at once."""
    n, every = len(said), np.arange(SAMPLES)
    cumulative = cumulative_probabilities(linked)
    root = np.empty((n, SAMPLES), dtype=np.int64)
    country = np.full((n, SAMPLES), -1)
    agent = np.zeros((n, SAMPLES), dtype=np.bool_)
    for j in range(n):
        first, last = linked.offsets[j], linked.offsets[j + 1]
        chosen = linked.candidates[first + np.searchsorted(cumulative[first:last], uniforms(key, j), side="right")]
        root[j] = np.where(chosen == NEW, j, root[chosen, every])
        agent[root[j], every] |= said.agent[j]
        if said.country[j] >= 0:
            held = country[root[j], every]
            country[root[j], every] = np.where((held == -1) | (held == said.country[j]), said.country[j], -2)
    rows, samples = np.nonzero(agent & (country >= 0))
    counted: dict[str, list[int]] = {}
    for code in np.unique(country[rows, samples]):
        counted[CODES[code]] = sorted(set(samples[country[rows, samples] == code].tolist()))
    return counted


def uniforms(key: int, mention: int) -> np.ndarray:
    """The draws of one mention in all samples, by numpy's own arithmetic."""
    with np.errstate(over="ignore"):
        counter = np.arange(SAMPLES, dtype=np.uint64) * np.uint64(2**32) + np.uint64(mention)
        z = np.uint64(key) + (counter + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
        return (z >> np.uint64(11)).astype(np.float64) * 2.0**-53


def check_alike(documents: list[tuple[Evidence, Antecedents]]) -> None:
    """The comparison counts only if all give the same answer."""
    for document in documents:
        answer = ragged_bits(batch_of([document]), SAMPLES).positive()
        ours = {
            code: np.flatnonzero(row).tolist()
            for code, row in zip(answer.country, answer.entities, strict=True)
            if row.any()
        }
        if not ours == plain_loop(*document, key=0) == numpy_loop(*document, key=0):
            raise RuntimeError("the kernel, the Python loop and numpy disagree")


def random_prose(rng: np.random.Generator, n: int) -> list[str]:
    """Documents of 100 to 600 words, drawn from the examples' words; one in a hundred has a verb of the queries."""
    forms = Query.from_yaml("attack-wide").forms
    words = sorted({word for example in predicate_examples() for word in example.document.words if word.isalpha()})
    words = [word for word in words if word.lower() not in forms] + ["percent", "market", "shares", "said", "of"] * 20
    texts = []
    for number in range(n):
        chosen = [words[i] for i in rng.integers(0, len(words), int(rng.integers(100, 600)))]
        if number % 100 == 0:
            chosen[len(chosen) // 2] = "attacked"
        texts.append(" ".join(chosen))
    return texts
