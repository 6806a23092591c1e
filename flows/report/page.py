"""The report as one HTML file that needs no network and allows none.

Covers: the template, embedding data so that it stays data, the policy that the browser enforces.
Not here: what the page shows (`content`), how it behaves (`assets/`).

Article text is data: it is embedded as JSON with every `<`, `>` and `&` escaped and reaches the document through
`textContent` alone. Should that ever fail, the Content-Security-Policy lets nothing run but the page's own scripts,
named by their hashes, and lets nothing be loaded or sent. Vega evaluates its expressions by an interpreter, so it needs
no `eval` either.
"""

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

import vl_convert

from flows.report.charts import page_specs

ASSETS = files("flows.report") / "assets"
SCRIPTS = ("1-data.js", "2-elements.js", "3-articles.js", "4-charts.js", "5-page.js", "6-sections.js")


def asset(name: str) -> str:
    """A file of the page."""
    return (ASSETS / name).read_text(encoding="utf-8")


def embedded_json(content: Any) -> str:
    """JSON that can stand inside a script element whatever text it holds."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character, code in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")):
        text = text.replace(character, code)
    return "".join(_without_surrogates(text))


def _without_surrogates(text: str) -> Iterator[str]:
    """Lone surrogates, which broken archives contain and UTF-8 cannot hold, as JSON escapes."""
    if text.isascii():
        yield text
        return
    for character in text:
        yield f"\\u{ord(character):04x}" if 0xD800 <= ord(character) <= 0xDFFF else character


def policy(scripts: list[str], styles: list[str]) -> str:
    """A Content-Security-Policy that allows these inline scripts and styles, and nothing else."""
    return (
        f"default-src 'none'; script-src {_hashes(scripts)}; style-src {_hashes(styles)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hashes(contents: list[str]) -> str:
    digests = (b64encode(sha256(content.encode()).digest()).decode() for content in contents)
    return " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"


@cache
def chart_library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, from the copy inside vl-convert: nothing is downloaded."""
    return _safe(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))


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
    script = _safe('"use strict";\n(() => {\n' + "\n".join(map(asset, SCRIPTS)) + "\n})();")
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
    return "".join(_filled(asset("report.html"), parts))


def _filled(template: str, parts: Mapping[str, str]) -> Iterator[str]:
    """The template with each part put in once; what a part contains is never looked at."""
    for piece in template.split("{{"):
        name, closing, rest = piece.partition("}}")
        if closing and name in parts:
            yield parts[name]
            yield rest
        else:
            yield piece


def _safe(script: str) -> str:
    """A script that does not end its own element, with line ends as the browser will hash them."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--").replace("\r\n", "\n").replace("\r", "\n")
