"""The measurement report as Markdown, and as one HTML page for print.

Covers: both ways of setting sections, lists and tables; text stays text.
Not here: what the report says (`methods`).
"""

from collections.abc import Iterator, Sequence
from html import escape

from flows.report.methods import Section, Table

ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
STYLE = """
:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 15px/1.45 Georgia, "Noto Serif", serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 1.3rem 0 .4rem; border-bottom: 1px solid #8888; }
p, ul { margin: .4rem 0; } li { margin: .1rem 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .87rem; margin: .5rem 0; }
th, td { text-align: left; padding: .15rem .7rem .15rem 0; border-bottom: 1px solid #8886; vertical-align: top; }
@media print { body { font-size: 10pt; margin: 0; max-width: none; } h2, tr { break-after: avoid; } }
"""


def methods_markdown(title: str, sections: Sequence[Section]) -> str:
    """The report for a paper's appendix."""
    parts = [f"# {_plain(title)}"]
    for section in sections:
        parts.append(f"## {section.heading}")
        parts += [_markdown(block) for block in section.blocks]
    return "\n\n".join(parts) + "\n"


def methods_html(title: str, sections: Sequence[Section]) -> str:
    """The same as a page without scripts, which loads nothing."""
    body = "\n".join(part for section in sections for part in _html(section))
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n{body}\n</body>\n</html>\n"
    )


def _markdown(block: str | Sequence[str] | Table) -> str:
    if isinstance(block, str):
        return _plain(block)
    if isinstance(block, Table):
        rule = ["---"] * len(block.head)
        return "\n".join("| " + " | ".join(map(_cell, row)) + " |" for row in (block.head, rule, *block.rows))
    return "\n".join(f"- {_plain(item)}" for item in block)


def _plain(text: str) -> str:
    """One line in which no letter is markup; code between backticks stays code."""
    line = " ".join(text.split())
    return "".join(ENTITIES.get(letter, f"\\{letter}" if letter in "*_#" else letter) for letter in line)


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|") if text != "---" else text


def _html(section: Section) -> Iterator[str]:
    yield f"<h2>{escape(section.heading)}</h2>"
    for block in section.blocks:
        if isinstance(block, str):
            yield f"<p>{escape(block)}</p>"
        elif isinstance(block, Table):
            head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in block.head)
            rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in block.rows)
            yield f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
        else:
            yield "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in block) + "</ul>"
