"""The commands of the command line with their options, for tests over all of them."""

from typing import Any

import typer


def every_command(app: typer.Typer) -> dict[str, dict[str, Any]]:
    """For each command, such as `train coref`: its options by name (`--seed`) and its arguments."""
    found: dict[str, dict[str, Any]] = {}

    def walk(command: Any, words: tuple[str, ...]) -> None:
        for name, inner in getattr(command, "commands", {}).items():
            walk(inner, (*words, name))
        if not hasattr(command, "commands"):
            found[" ".join(words)] = {spelling: option for option in command.params for spelling in option.opts}

    walk(typer.main.get_command(app), ())
    return found
