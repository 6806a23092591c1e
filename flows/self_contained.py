"""Pages that need no network and allow none: one HTML file with its data, its scripts, and a policy over both.

Covers: embedding data so that it stays data, the Content-Security-Policy, filling a template.
Not here: what a page shows (`flows.report.page`, `flows.label.page`).

Text from articles is embedded as JSON with every `<`, `>` and `&` escaped and reaches the document through
`textContent` alone. Should that ever fail, the policy lets nothing run but the page's own scripts, named by their
hashes.
"""

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any


def embedded_json(content: Any) -> str:
    """JSON that is safe inside a script element, whatever text it contains."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character, code in (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")):
        text = text.replace(character, code)
    return "".join(_without_surrogates(text))


def _without_surrogates(text: str) -> Iterator[str]:
    """Write lone surrogates, which broken archives contain and UTF-8 cannot encode, as JSON escapes."""
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


def filled(template: str, parts: Mapping[str, str]) -> Iterator[str]:
    """The template with each part inserted once; placeholders inside a part are left alone."""
    for piece in template.split("{{"):
        name, closing, rest = piece.partition("}}")
        if closing and name in parts:
            yield parts[name]
            yield rest
        else:
            yield piece


def safe_script(script: str) -> str:
    """A script that cannot close its own element, with line ends as the browser hashes them."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--").replace("\r\n", "\n").replace("\r", "\n")
