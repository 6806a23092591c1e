"""Everything that the report page shows, as plain data.

Covers: combining counts, articles, calibrations and provenance of one run, and saying what was left out.
Not here: each of them (`series`, `articles`, `calibration`), HTML (`page`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from calib_core.events import Counts
from calib_core.events.dyads import DYAD
from flows.charts.palette import DARK, DASHES, LIGHT, SHAPES
from flows.report.anchored import anchored_data
from flows.report.articles import article_data, select
from flows.report.calibration import Calibration, calibration_data, read_calibrations
from flows.report.doubt import doubt_data
from flows.report.names import Names
from flows.report.periods import SPANS, Axis, Span, axis, covered_months, first_day, key_of
from flows.report.provenance import facts, quarantine_data, query_text
from flows.report.roles import role_word
from flows.report.rows import EventRows, read_rows
from flows.report.series import Country, ranked_countries, series, shown_countries, starting_pair
from workers.explanations import RunSettings
from workers.runs import Run

MAX_TEXTS, MOST_CHOSEN, FEW_WORDS = 1000, 4, 6


@dataclass(frozen=True, slots=True)
class RunContent:
    """What is read once from a run, for both page and figures."""

    run: Run
    settings: RunSettings
    rows: EventRows
    counts: Mapping[Span, Counts]
    axes: Mapping[Span, Axis]
    countries: Sequence[Country]

    @property
    def calibrations(self) -> list[Calibration]:
        """The warehouse's calibrations, the latest last."""
        return read_calibrations(self.run.warehouse)


def read_content(run: Run, settings: RunSettings, advance: Callable[[], None] = lambda: None) -> RunContent:
    """Read all rows of a run and add them up; no text."""
    rows, counts = read_rows(run, advance)
    months = {*covered_months(run), *(key_of(day, "month") for day in set(rows.published))}
    axes = {span: axis(months, span) for span in SPANS}
    countries = ranked_countries(counts["quarter"], Names(settings.query))
    return RunContent(run, settings, rows, counts, axes, countries)


def page_data(
    content: RunContent,
    warehouse: str,
    *,
    first: Sequence[str] = (),
    max_texts: int = MAX_TEXTS,
    notice: str = "",
    advance: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """The data of the page.

    Parameters
    ----------
    content : RunContent
    warehouse : str
        Its name, for the commands that the page suggests.
    first : sequence of str
        Countries to begin with.
    max_texts : int
        Most articles to show with text.
    notice : str
        A sentence above everything else.
    advance : callable
        Called for every article whose text is read.
    """
    run, shown = content.run, shown_countries(content.countries, content.counts.values(), first)
    codes = [country.code for country in shown]
    selection = select(content.rows, codes, max_texts=max_texts)
    articles = article_data(run, content.rows, selection, codes, content.settings, advance)
    data: dict[str, Any] = {
        "warehouse": warehouse,
        "notice": notice,
        "name": run.manifest["query"]["name"],
        "n_samples": int(run.manifest["samples"]),
        "unit": run.manifest["query"]["unit"],
        "role": role_word(content.settings.query.roles),
        "lead": _lead(content),
        "tiles": _tiles(content),
        "countries": [_rounded(country) for country in shown],
        "start": [code for code in first if code in codes][:MOST_CHOSEN]
        or starting_pair(content.counts["quarter"], shown),
        "names": dict(Names(content.settings.query)),
        "axes": {span: _axis_data(content.axes[span]) for span in SPANS},
        "doubt": doubt_data(content.rows, codes),
        "series": series(content.counts, content.axes, shown),
        "anchored": anchored_data(run, Names(content.settings.query)),
        "calibration": calibration_data(run, content.calibrations),
        "facts": facts(run),
        "query": query_text(content.settings.query),
        "quarantine": quarantine_data(run),
        "colours": {"light": LIGHT, "dark": DARK},
        "dashes": DASHES,
        "shapes": SHAPES,
        **articles,
    }
    return data | {"left_out": _left_out(content, data)}


def _lead(content: RunContent) -> str:
    manifest, keys = content.run.manifest, content.axes["quarter"].keys
    when = "" if not keys else f", {keys[0]}" if len(keys) == 1 else f", {keys[0]} to {keys[-1]}"
    query, role = content.settings.query, role_word(content.settings.query.roles)
    documents, verbs = manifest["balance"]["documents"], _first_words(query.forms)
    what = "Articles" if manifest["query"]["unit"] == "documents" else "Entities"
    by = "a verb or noun" if query.language.nouns else "a verb"
    whom = "" if query.language.targets is None else ", and to whom it is done"
    return (
        f"{what} in which an entity of a country is the {role} of {by} of this query ({verbs}){whom}, with their "
        f"uncertainty. {documents:,} article{'s' * (documents != 1)}{when}."
    )


def _first_words(forms: Collection[str]) -> str:
    """The first verbs by the alphabet, each in its shortest form: what begins with it is left out."""
    words: list[str] = []
    for form in sorted(forms):
        if not words or not form.startswith(words[-1].removesuffix("e")):
            words.append(form)
    return ", ".join(words[:FEW_WORDS]) + (", …" if len(words) > FEW_WORDS else "")


def _tiles(content: RunContent) -> list[tuple[str, int]]:
    balance = content.run.manifest["balance"]
    return [
        ("articles read", balance["documents"]),
        ("could count, so they were parsed", balance["counted"]),
        ("may describe the event", len(set(content.rows.doc_id))),
        ("countries", sum(DYAD not in country.code for country in content.countries)),
        ("failed", balance["quarantined"]),
    ]


def _axis_data(axis: Axis) -> dict[str, Any]:
    """Keys, whether the archive covers them, and first days, one more than keys: where the last period ends."""
    starts = [first_day(key) for key in axis.keys]
    if starts:
        last, step = starts[-1], {7: 1, 6: 3, 4: 12}[len(axis.keys[-1])]
        month = last.month - 1 + step
        starts.append(last.replace(year=last.year + month // 12, month=month % 12 + 1))
    return {"keys": axis.keys, "covered": axis.covered, "starts": [str(day) for day in starts]}


def _rounded(country: Country) -> dict[str, Any]:
    return {name: round(value, 3) if isinstance(value, float) else value for name, value in asdict(country).items()}


def _left_out(content: RunContent, data: Mapping[str, Any]) -> list[str]:
    """One sentence for each thing that the limits of the page cut off."""
    found = []
    countries, shown = len(content.countries), len(data["countries"])
    if shown < countries:
        found.append(f"{countries - shown:,} of {countries:,} countries, those with the smallest expected counts.")
    n_samples, kept = int(content.run.manifest["samples"]), data["series"]["samples"]
    if kept < n_samples:
        found.append(f"Samples: comparisons use the first {kept:,} of {n_samples:,}; all other figures use all.")
    if len(data["rows"]) < len(content.rows):
        left = len(content.rows) - len(data["rows"])
        found.append(
            f"{left:,} of {len(content.rows):,} rows of articles: of countries left out, and the least probable."
        )
    bins = (data["calibration"] or {}).get("bins", {}).get("left", 0)
    if bins:
        found.append(f"{bins:,} reliability bins of parts of the annotated corpus.")
    without = len(data["articles"]) - len(data["texts"])
    if without:
        found.append(f"The text of {without:,} of {len(data['articles']):,} listed articles.")
    return [*found, "Everything is in the warehouse: see docs/analyst.md for reading it."] if found else []
