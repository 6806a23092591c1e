"""Section 6: attacks by country in a news archive, 1-best against posterior, on Reuters of 1987.

Covers: the USA plot and the comparison of two sides of a war, as the paper's Figure 6.
Not here: the computation (`attack_counts`), the figures (`rows`), the picture (`chart`).
"""

import numpy as np

from calib_core.coref import AntecedentModel
from calib_core.events import Comparison, Query, compare_countries
from reproductions.events.attack_counts import Annotated, Archive, annotate, half_month, read_archive, sample_articles
from reproductions.events.chart import Series, counts_chart, series_of
from reproductions.events.rows import COUNTRIES, Analysis, analyse, best_count, rows
from reproductions.findings import Claim, DataFolder, Findings, Picture, Progress

ARCHIVE = "news/reuters-1987H1.jsonl.gz"
N_SAMPLES = 100


def run(data: DataFolder, progress: Progress, seed: int) -> Findings:
    """Read, gate, parse, sample, count, compare."""
    path = data.file(ARCHIVE)
    from workers.parser import Parser  # torch takes seconds to load; report a missing file first

    query = Query.from_yaml("attack")
    progress.stage("reading the archive")
    archive = read_archive(path, query)
    progress.stage("loading the models")
    parser, model = Parser(), AntecedentModel.load()
    return findings(archive, annotate(archive.articles, parser.parse, model, query, progress), seed=seed)


def findings(archive: Archive, annotated: Annotated, *, seed: int) -> Findings:
    """Everything that follows from the annotated articles."""
    analysis = analyse(archive, sample_articles(annotated, N_SAMPLES, seed=seed))
    duels = compare_countries(analysis.halves, "IRQ", "IRN")
    return Findings(
        they=THEY,
        we=WE,
        data=_data(archive),
        rows=rows(analysis, duels),
        pictures=(Picture("", CAPTION, counts_chart(*_panels(analysis))),),
        claims=_claims(analysis, duels),
        verdict=_verdict(analysis, duels),
    )


def _panels(analysis: Analysis) -> tuple[list[Series], list[Series]]:
    periods = sorted({half_month(day) for day in analysis.archive.per_day})
    series = {code: series_of(analysis.halves, periods, code, name) for code, name in COUNTRIES.items()}
    return [series["USA"]], [series["IRQ"], series["IRN"]]


def _claims(analysis: Analysis, duels: tuple[Comparison, ...]) -> tuple[Claim, ...]:
    return (_claim_usa(analysis), _claim_duel(analysis, duels), _claim_few(analysis), _claim_entities(analysis))


def _claim_usa(analysis: Analysis) -> Claim:
    """Are neighbouring points of the USA plot told apart?"""
    series = _panels(analysis)[0][0]
    steps = [
        (a, b)
        for a, b in zip(series.points[:-1], series.points[1:], strict=True)
        if a.best != b.best and a.run == b.run
    ]
    hazy = [(a, b) for a, b in steps if a.lo <= b.hi and b.lo <= a.hi]
    return Claim(
        "Intervals show that some ups and downs of the USA line may be coreference noise.",
        "yes" if hazy else "no",
        f"Of {len(steps)} steps between neighbouring half-months in which the 1-best count changes, the 95 % intervals "
        f"overlap in {len(hazy)}.",
    )


def _claim_duel(analysis: Analysis, duels: tuple[Comparison, ...]) -> Claim:
    """Does the 1-best decide where the posterior does not?"""
    decided = [duel for duel in duels if best_count(analysis.halves, duel.a) != best_count(analysis.halves, duel.b)]
    undecided = [duel for duel in decided if duel.lo <= 0 <= duel.hi]
    examples = "; ".join(_duel_text(analysis, duel) for duel in undecided)
    p = analysis.samples.p
    return Claim(
        "Where two sides of a war are close, the 1-best names a leader and the posterior does not.",
        "yes" if undecided else "no",
        f"The 1-best names a leader in {len(decided)} of {len(duels)} half-months; in {len(undecided)} of these the "
        f"interval of the difference includes zero{': ' + examples if examples else ''}. Elsewhere the lead is so "
        f"large that the posterior agrees. Doubt is rare in short wires: of {len(p)} pairs of a document and a "
        f"country that count in some sample, {int(((p > 0.1) & (p < 0.9)).sum())} have a probability between 0.1 and "
        "0.9.",
    )


def _duel_text(analysis: Analysis, duel: Comparison) -> str:
    return (
        f"from {duel.a[0]} on the 1-best has Iraq {best_count(analysis.halves, duel.a)}, Iran "
        f"{best_count(analysis.halves, duel.b)}; the posterior puts Iraq ahead with {duel.p_greater:.2f}, Iran with "
        f"{duel.p_less:.2f}, neither with {duel.p_equal:.2f}"
    )


def _claim_few(analysis: Analysis) -> Claim:
    """Footnote 11: ten samples give similar results."""
    worst = float(np.abs(analysis.few.mean - analysis.halves.mean).max())
    return Claim(
        "Ten samples give similar results (footnote 11).",
        "yes" if worst <= 0.5 else "no",
        f"The largest change of a half-month's mean against {N_SAMPLES} samples is {worst:.2f} articles.",
    )


def _claim_entities(analysis: Analysis) -> Claim:
    """Footnote 11: so does counting entities."""
    correlation = float(np.corrcoef(analysis.entities.mean, analysis.halves.mean)[0, 1])
    ratio = float(analysis.entities.mean.sum() / analysis.halves.mean.sum())
    return Claim(
        "Counting entities instead of documents gives similar results (footnote 11).",
        "yes" if correlation > 0.95 else "no",
        f"Correlation of the means over half-months and countries {correlation:.3f}; entities are {ratio:.2f} times "
        "the documents.",
    )


def _verdict(analysis: Analysis, duels: tuple[Comparison, ...]) -> str:
    """The half-month in which the posterior is least decided."""
    open_duel = min(duels, key=lambda duel: max(duel.p_greater, duel.p_equal, duel.p_less))
    text = _duel_text(analysis, open_duel)
    return f"{text[0].upper()}{text[1:]}."


def _data(archive: Archive) -> str:
    months = sorted({day[:7] for day in archive.per_day})
    return (
        f"Theirs are 193,403 New York Times articles from twenty years; ours {archive.per_day.total():,} Reuters "
        f"wires of 1987 ({', '.join(months)}; there are none of January and May, and three days of February), so "
        "quarters give way to half-months, and Yugoslavia and NATO in 1999 to Iraq and Iran in 1987. A wire service "
        "repeats a story with updates, each of which counts. Counts are small: read the method, not the history. By "
        "the paper's rule a verbal attack counts like any other: most of the USA's attacks here are on trade "
        "policies."
    )


THEY = (
    "They parsed the articles, drew 100 coreference samples of each, asked in every sample whether an entity of "
    "country c is the agent of *attack*, and drew the posterior mean of the number of such articles per quarter with "
    "mean ± 1.96 standard deviations (Figure 6): the USA over twenty years, and Yugoslavia against NATO, where the "
    "1-best has a clear answer to who is covered more and the posterior does not."
)
WE = (
    "The same: the bundled query `attack` on the body of each article (not the title), the gate first, the shipped "
    "parser and antecedent model on what passes, 100 samples, counts by half-month, month and quarter, and beside "
    "them the 1-best (the paper takes each mention's likeliest antecedent, we the likeliest entity; the figures are "
    "the same). Beyond the paper: P(A > B), sample by sample, so that what two countries share cancels, and exact "
    "quantiles."
)
CAPTION = (
    "Articles with an attacker, by half-month: posterior mean (line), 95 % interval (band), 1-best (dashed, hollow "
    "points). Lines break where the archive has no articles."
)
