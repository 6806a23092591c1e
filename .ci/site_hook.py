"""What the site needs beyond docs/: README.md as its first page, no link that leaves the site, no public name left out.

Pages link to files of the repository by relative paths, which work where the repository is read. On the site, which
holds docs/ alone, such a link becomes its text and the file's path.
"""

import ast
import logging
import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
LOG = logging.getLogger("mkdocs.hooks.site")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s:#]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add README.md, read as if it lay in docs/."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    text = LINK.sub(lambda found: _moved(*found.groups()), text)
    text = text.replace("](docs/", "](").replace('src="docs/', 'src="')
    files.append(File.generated(config, "index.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Turn links that leave docs/ into text."""
    folder = posixpath.dirname(f"docs/{page.file.src_uri}")
    return LINK.sub(lambda found: _named(found, folder), markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Warn of names in a package's `__all__` that its page lacks, such as a function called as its module is."""
    package = re.search(r"^::: (\S+)", page.markdown or "", flags=re.MULTILINE)
    for name in _public(package.group(1)) if package else []:
        if f'.{name}" class="doc doc-heading"' not in html:
            LOG.warning("%s: %s is public, but not on the page", page.file.src_uri, name)
    return html


def _public(package: str) -> list[str]:
    path = ROOT.joinpath(*package.split("."), "__init__.py")
    lines = ast.parse(path.read_text(encoding="utf-8")).body if path.exists() else []
    listed = [
        line.value for line in lines if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "__all__"
    ]
    return [name for names in listed for name in ast.literal_eval(names)]


def _moved(text: str, target: str) -> str:
    """A link of README.md, as docs/ would have it."""
    return f"[{text}]({target})" if target.startswith("docs/") else f"[{text}](../{target})"


def _named(found: re.Match[str], folder: str) -> str:
    text, target = found.groups()
    path = posixpath.normpath(posixpath.join(folder, target))
    if path.startswith("docs/"):
        return found.group()
    return f"`{path}`" if text.strip("`/") in path.split("/") else f"{text} (`{path}`)"
