"""The report as one HTML file that needs no network and allows none.

Covers: the template, and what is put into it.
Not here: what the page shows (`content`), how it behaves (`assets/`), how data stays data (`flows.self_contained`).

Its policy blocks loading or sending anything. Vega interprets its expressions, so it needs no `eval` either.
"""

from collections.abc import Mapping
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


def report_page(data: Mapping[str, Any], *, name: str, samples: int, generator: str) -> str:
    """The whole page.

    Parameters
    ----------
    data : mapping
        From `content.page_data`.
    name : str
        Of the query.
    samples : int
        Of the run.
    generator : str
        Software and version.
    """
    style, bundle = asset("report.css"), chart_library()
    script = safe_script('"use strict";\n(() => {\n' + "\n".join(map(asset, SCRIPTS)) + "\n})();")
    unit = "articles" if data["unit"] == "documents" else "entities"
    reading = asset("reading.html").replace("{{SAMPLES}}", f"{samples:,}").replace("{{UNIT}}", unit)
    parts = {
        "POLICY": policy([bundle, script], [style]),
        "GENERATOR": escape(generator),
        "TITLE": escape(f"{name}: posterior counts"),
        "HEADING": escape(f"Query “{name}”: how many, and how sure?"),
        "STYLE": style,
        "READING": reading,
        "DATA": embedded_json(data),
        "SPECS": embedded_json(page_specs()),
        "BUNDLE": bundle,
        "SCRIPT": script,
    }
    return "".join(filled(asset("report.html"), parts))
