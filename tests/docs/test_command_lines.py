"""Every command line in the documentation is one that the command line takes."""

import re
from pathlib import Path

import pytest

from flows.cli import app
from tests.command_lines import every_command

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("docs", "deploy", "calib_core", "workers")  # the last two for the models' cards
PAGES = sorted([*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))])
COMMANDS = every_command(app)
GROUPS = {name.partition(" ")[0] for name in COMMANDS if " " in name}


def command_lines(text: str) -> list[list[str]]:
    """The words after `credence` of each line of a code block, and of each piece of code inside a sentence."""
    blocks = re.findall(r"^```.*?\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    inside = re.findall(r"`([^`\n]+(?:\n[^`\n]+)?)`", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))
    found = []
    for line in [*lines, *inside]:
        call = re.match(r"(?:\$ )?(?:\S*/)?credence\s+([a-z-].*)", line.strip(), flags=re.DOTALL)
        if call:
            found.append(re.split(r"\s#|[;|&>]\s", call.group(1))[0].split())
    return found


def complaint(words: list[str]) -> str | None:
    """What is wrong with a command line; None if nothing is."""
    if words[0] in ("--help", "--version"):
        return None
    name = " ".join(words[:2]) if words[0] in GROUPS and len(words) > 1 else words[0]
    if words == [name] and name in GROUPS:
        return None
    if name not in COMMANDS:
        return f"there is no command {name!r}"
    flags = {word.partition("=")[0].rstrip(",.;)") for word in words if word.startswith("--")} - {"--help"}
    unknown = sorted(flags - set(COMMANDS[name]))
    return f"`credence {name}` has no option {unknown[0]}" if unknown else None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_documented_command_lines_exist(page: Path) -> None:
    wrong = [(" ".join(words), complaint(words)) for words in command_lines(page.read_text(encoding="utf-8"))]
    assert [(line, why) for line, why in wrong if why] == []


def test_a_wrong_command_line_is_seen() -> None:
    page = "```\n$ credence counts W --contry USA  # two\n```\n`credence propagat W`, `credence train coref --out X`"
    assert [complaint(words) for words in command_lines(page)] == [
        "`credence counts` has no option --contry",
        "there is no command 'propagat'",
        None,
    ]
