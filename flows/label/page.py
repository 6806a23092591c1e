"""The labelling page as one HTML file that needs no network and may talk to this server alone.

Covers: the template, its parts, the policy that the browser enforces.
Not here: what it shows of an article (`view`), how it behaves (`assets/`), embedding (`flows.self_contained`).
"""

from dataclasses import dataclass
from html import escape
from importlib.resources import files

from flows.label.desk import Desk
from flows.label.view import question_view
from flows.self_contained import embedded_json, filled, policy, safe_script

ASSETS = files("flows.label") / "assets"
SCRIPTS = ("1-elements.js", "2-server.js", "3-answer.js", "4-dialogs.js", "5-article.js", "6-page.js")


@dataclass(frozen=True, slots=True)
class Page:
    """A page and the policy that goes with it, as a header: only a header can forbid framing."""

    html: str
    policy: str


def asset(name: str) -> str:
    """A file of the page."""
    return (ASSETS / name).read_text(encoding="utf-8")


def labelling_page(desk: Desk, *, coder: str = "") -> Page:
    """The page for a desk.

    Parameters
    ----------
    coder : str
        Who labels, where the command line says so; else the page asks.
    """
    style = asset("label.css")
    script = safe_script('"use strict";\n(() => {\n' + "\n".join(map(asset, SCRIPTS)) + "\n})();")
    question = question_view(desk.frame.question)
    data = {**question, "frame": desk.frame.frame_id, "coder": coder, "coders": desk.coders()}
    parts = {
        "TITLE": escape(f"{desk.frame.question.name}: labelling"),
        "STYLE": style,
        "DATA": embedded_json(data),
        "SCRIPT": script,
    }
    allowed = f"{policy([script], [style])}; connect-src 'self'; frame-ancestors 'none'"
    return Page("".join(filled(asset("label.html"), parts)), allowed)
