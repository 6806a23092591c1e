"""The report as one HTML file that needs no network and allows none.

Covers: the template, and what is put into it.
Not here: what the page shows (`content`), how it behaves (`assets/`), how data stays data (`flows.self_contained`).

Its policy blocks loading or sending anything. Vega interprets its expressions, so it needs no `eval` either.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

import vl_convert

from flows.report.charts import page_specs
from flows.self_contained import embedded_json, filled, policy, safe_script

ASSETS = files("flows.report") / "assets"
SCRIPTS = ("1-data.js", "2-elements.js", "3-articles.js", "4-charts.js", "5-page.js", "6-dyads.js", "7-sections.js")


def asset(name: str) -> str:
    """A file of the page."""
    return (ASSETS / name).read_text(encoding="utf-8")


@cache
def chart_library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, from the copy inside vl-convert: nothing is downloaded."""
    return safe_script(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))


def report_page(runs: Sequence[Mapping[str, Any]], *, generator: str) -> str:
    """The whole page.

    Parameters
    ----------
    runs : sequence of mappings
        From `content.page_data`, one for each query that the reader may choose; the first is shown first.
    generator : str
        Software and version.
    """
    style, bundle = asset("report.css"), chart_library()
    script = safe_script('"use strict";\n(() => {\n' + "\n".join(map(asset, SCRIPTS)) + "\n})();")
    names = ", ".join(str(run["name"]) for run in runs)
    parts = {
        "POLICY": policy([bundle, script], [style]),
        "GENERATOR": escape(generator),
        "TITLE": escape(f"{names}: posterior counts"),
        "STYLE": style,
        "READING": asset("reading.html"),
        "DATA": embedded_json(list(runs)),
        "SPECS": embedded_json(page_specs()),
        "BUNDLE": bundle,
        "SCRIPT": script,
    }
    return "".join(filled(asset("report.html"), parts))
