"""The measurement report: what a paper's appendix says of counts that came from text.

Covers: corpus, question with codebook, models, calibration, labels, coverage, limits, citation, availability; each as
plain sentences and small tables.
Not here: how they are set on a page (`methods_page`), the figures themselves.

It answers what reviewers of text-as-data ask: what was measured, by which rules, with which instrument, how it was
validated against people, where it errs and for whom, and how to repeat it. What only the author can know stands in
square brackets.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flows.label.codebook import codebook
from flows.label.double_coding import agreement_of
from flows.report.anchored import FLAGS, anchored_of, level_rows, sentence
from flows.report.calibration import calibration_data, read_calibrations
from flows.report.names import Names
from flows.report.provenance import query_text
from workers.explanations import RunSettings
from workers.labelling import Frame, Verdict, read_frame, read_labels, verdicts
from workers.runs import Run
from workers.schemas import ARCHIVE

SOURCES_SHOWN, GROUPS_SHOWN = 6, 6
BANDS = ((0.0, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 1.0))
STRATA = {
    "gate": "past the gate: parsed, and counted with a probability",
    "warm": "gated out, but near",
    "cold": "the rest",
}
NAMED = 1e-6
"""Below this, a probability is none."""


@dataclass(frozen=True, slots=True)
class Table:
    """Head and rows, as text."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, and paragraphs, lists (sequences of str) and tables below it."""

    heading: str
    blocks: Sequence[str | Sequence[str] | Table]


def methods_sections(run: Run, settings: RunSettings, *, version: str) -> list[Section]:
    """The whole report of one run."""
    rows = anchored_of(run)
    frame = read_frame(run.warehouse, rows[0]["frame_id"]) if rows else None
    return [
        Section("Corpus", list(_corpus(run))),
        Section("Question and codebook", list(_question(settings))),
        Section("Models", list(_models(run, version))),
        Section("Calibration", list(_calibration(run))),
        Section("Labels", list(_labels(run, settings, frame))),
        Section("Counts and coverage", list(_counts(rows, settings))),
        Section("Limits", [_limits(labelled=frame is not None)]),
        Section("Citation", [_citation(version)]),
        Section("Code and data", [_availability(run)]),
    ]


def _corpus(run: Run) -> Iterator[str | Table]:
    manifest, quarters = run.manifest, sorted(run.manifest["quarters"])
    balance = manifest["balance"]
    when = f"{quarters[0]} to {quarters[-1]}" if quarters else "no quarter"
    yield (
        f"{balance['documents']:,} articles, {when}. [Say here how they were selected, from which database, on which "
        "day, and what that database leaves out.]"
    )
    yield (
        f"{balance['counted']:,} articles have a word of the question and a name of its lexicon, so they were parsed; "
        f"{balance['gated_out']:,} have not and cannot count; {balance['quarantined']:,} failed and are left out."
    )
    sources = Counter(_sources(run))
    if set(sources) - {""}:
        common = sources.most_common(SOURCES_SHOWN)
        listed = ", ".join(f"{name or 'not said'} {count:,}" for name, count in common)
        more = f", and {len(sources) - len(common):,} more" if len(sources) > len(common) else ""
        yield f"Sources: {listed}{more}."


def _sources(run: Run) -> Iterator[str]:
    for name in run.manifest["chunks"]:
        yield from run.warehouse.read_table(name, ARCHIVE, ["source"])["source"].to_pylist()


def _question(settings: RunSettings) -> Iterator[str | Sequence[str]]:
    rules = codebook(settings.query)
    yield from rules.own
    yield f"Coders and models answer the same question. {rules.question}"
    yield "What counts:"
    yield rules.counts
    yield "What does not:"
    yield rules.does_not
    yield "In doubt:"
    yield rules.doubt
    yield "The models apply it as this query:"
    yield query_text(settings.query).splitlines()


def _models(run: Run, version: str) -> Iterator[str | Table]:
    manifest = run.manifest
    annotator = manifest.get("annotator") or {}
    parser, coref = annotator.get("parser") or {}, annotator.get("coref") or {}
    yield (
        "A parser finds words and their relations; a coreference model gives every mention a distribution over earlier "
        f"mentions. {manifest['samples']:,} readings of every article were sampled (seed {manifest['seed']}), and the "
        "question was put to each. An article's probability is the share of readings in which the event holds."
    )
    yield Table(
        ["part", "name", "hash of its weights"],
        [
            ["parser", str(parser.get("model", "unknown")), str(parser.get("id", "unknown"))],
            ["coreference", str(coref.get("model", "unknown")), str(coref.get("id", "unknown"))],
            ["query", manifest["query"]["name"], manifest["query"]["fingerprint"]],
            ["software", f"credence {manifest['credence']} (this report: {version})", str(annotator.get("code", ""))],
            ["run", manifest["run_id"], f"made {manifest['created']}"],
        ],
    )
    packages = annotator.get("packages") or {}
    if packages:
        yield "Packages: " + ", ".join(f"{name} {number}" for name, number in sorted(packages.items())) + "."


def _calibration(run: Run) -> Iterator[str | Table]:
    found = calibration_data(run, read_calibrations(run.warehouse))
    if found is None:
        yield "The models' probabilities have not been measured."
        return
    if found["elsewhere"]:
        yield " ".join(found["elsewhere"])
    else:
        applied = "was applied to this run" if found["used"] else "was not applied to this run"
        yield f"Measured on annotated text as calibration {found['id']}; its recalibration {applied}."
    yield (
        "A calibration error says how far, as a root mean square, the share of true statements is from the stated "
        "probability; the last column is what perfect probabilities would show by chance."
    )
    yield Table(["question", "found", "perfect probabilities"], found["plain"])


def _labels(run: Run, settings: RunSettings, frame: Frame | None) -> Iterator[str | Table]:
    if frame is None:
        yield (
            "No article of this archive was read by people for this run, so nothing here is validated against human "
            "judgement. A random sample is drawn by `credence sample`, read by `credence label`, and combined with the "
            "counts by `credence anchor`."
        )
        return
    known = verdicts(read_labels(run.warehouse, frame).labels)
    drawn = Counter(frame.drawn["stratum"].to_pylist())
    whole = Counter(frame.table["stratum"].to_pylist())
    coders = sorted({coder for verdict in known.values() for coder in verdict.answers})
    yield (
        f"A probability sample, frame {frame.frame_id} of {frame.created[:10]} (seed {frame.settings.seed}): every "
        f"article of the archive had a known chance of being drawn, in three strata. {len(known):,} of "
        f"{frame.drawn.num_rows:,} drawn articles were read, by {len(coders)} coder{'s' * (len(coders) != 1)}. "
        "The labelling page does not show what the models say. [Say who the coders were, how they were trained, and "
        "whether they labelled on that page.]"
    )
    read = Counter(row["stratum"] for row in frame.drawn.to_pylist() if row["doc_id"] in known)
    told = Counter(
        row["stratum"] for row in frame.drawn.to_pylist() if row["doc_id"] in known and known[row["doc_id"]].certain
    )
    yield Table(
        ["stratum", "articles", "drawn", "read", "with the event"],
        [[f"{name} ({text})", *(f"{count[name]:,}" for count in (whole, drawn, read, told))]
         for name, text in STRATA.items()],
    )  # fmt: skip
    yield _agreement(known)
    yield from _errors(frame, known, Names(settings.query))


def _agreement(known: Mapping[str, Verdict]) -> str:
    found = agreement_of(known)
    if not found.n_units:
        return "No article was read by two coders, so agreement is unknown."
    alpha = "" if math.isnan(found.alpha) else (
        f"; Krippendorff's alpha {found.alpha:.2f} (95 % interval {found.lo:.2f} to {found.hi:.2f})"
    )  # fmt: skip
    settled = sum(verdict.adjudicated for verdict in known.values())
    agree = f"all answers agree on {found.share:.0%} of them{alpha}"
    return f"{found.n_units:,} articles were read by two coders or more: {agree}. {settled:,} were adjudicated."


def _errors(frame: Frame, known: Mapping[str, Verdict], names: Mapping[str, str]) -> Iterator[str | Table]:
    """Stated probability against what coders saw, by band, code and year."""
    pairs = [
        (float(score), code in known[row["doc_id"]].certain, code, str(row["published"])[:4])
        for row in frame.drawn.to_pylist()
        if row["doc_id"] in known and not known[row["doc_id"]].open
        for code, score in zip(row["codes"], row["scores"], strict=True)
        if score > NAMED
    ]
    if not pairs:
        return
    yield (
        "Error by group: of the articles read, each with each code that the models gave a chance; unweighted. The "
        "anchored counts correct these errors, with the sampling probabilities as weights."
    )
    groups = [(f"probability {low:.1f} to {high:.1f}", [pair for pair in pairs if low < pair[0] <= high])
              for low, high in BANDS]  # fmt: skip
    for place, label in ((2, "code"), (3, "year")):
        common = Counter(pair[place] for pair in pairs).most_common(GROUPS_SHOWN)
        for value, _ in sorted(common):
            name = names.get(str(value), str(value)) if label == "code" else str(value)
            groups.append((f"{label} {name}", [pair for pair in pairs if pair[place] == value]))
    yield Table(
        ["group", "read", "models expect", "coders saw"],
        [[name, f"{len(rows):,}", f"{sum(row[0] for row in rows):.1f}", f"{sum(row[1] for row in rows):,}"]
         for name, rows in groups if rows],
    )  # fmt: skip


def _counts(rows: Sequence[Mapping[str, Any]], settings: RunSettings) -> Iterator[str | Sequence[str]]:
    if not rows:
        yield (
            "The published 95 % intervals cover doubt about who is meant. They do not cover what the models get wrong "
            "in other ways, or what newspapers leave out."
        )
        return
    names = Names(settings.query)
    totals = level_rows(rows, "total") + level_rows(rows, "country")[:GROUPS_SHOWN]
    yield (
        "Counts were combined with the labels. Given the labels, the 95 % intervals of tier A hold the true count by "
        "the design of the sample, whatever the models get wrong; those of tier B borrow strength between cells."
    )
    yield [
        sentence(row, names.get(row["country"], row["country"]) if row["country"] else "All countries and quarters")
        for row in totals
    ]
    flags = {flag for row in rows for flag in row["flags"]}
    if flags:
        yield "Beware:"
        yield [f"{flag}: {FLAGS[flag]}" for flag in sorted(flags) if flag in FLAGS]


def _limits(*, labelled: bool) -> list[str]:
    """What holds of every such count."""
    return [
        "The counts are of articles, not of events: one event may fill many articles, another none.",
        "What counts is what articles say, not what happened. Coverage differs by country, period and newspaper.",
        "Words that neither query nor lexicon has are not found"
        + (", except in the labelled sample." * labelled or "."),
        "Sampled readings cover doubt about coreference and, where the run asked for it, syntax; the parser's other "
        "mistakes, and irony, hypotheses and reports of denials, are covered by labels alone.",
        "The models were trained on English; in other languages nothing here is measured.",
    ]


def _citation(version: str) -> list[str]:
    return [
        f"The Credence developers. Credence, version {version}: event counts from news archives, with calibrated "
        "uncertainty. Apache-2.0.",
        "Nguyen, Khanh, and Brendan O'Connor. 2015. Posterior calibration and exploratory analysis for natural "
        "language processing models. EMNLP. doi:10.18653/v1/D15-1182.",
    ]


def _availability(run: Run) -> list[str]:
    chunks = len(run.manifest["chunks"])
    return [
        "The software is free (Apache-2.0), with its models. The same articles, models, query and seed give the same "
        "counts, byte for byte, on one kind of CPU, however many workers there are.",
        f"The run's manifest (runs/{run.run_id}/manifest.json) names every input by its hash ({chunks:,} files of "
        "articles), all versions and the seed; counts, sampled readings and labels are Parquet and JSON beside it.",
        "[Say here where the counts and labels are deposited, and who may get the articles.]",
    ]
