"""`make bench`: print the table; `python -m benchmarks calibration` runs one of them."""

import importlib
import pkgutil
import sys

from rich.console import Console
from rich.table import Table

import benchmarks
from benchmarks.measure import Row

NOT_BENCHMARKS = {"measure", "known_archives", "news", "police", "sentences", "__main__"}


def main(wanted: list[str]) -> None:
    """Run the named benchmarks, or all."""
    known = [module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name not in NOT_BENCHMARKS]
    for name in wanted or known:
        if name not in known:
            sys.exit(f"no benchmark {name!r}; there are {', '.join(known)}")
        show(name, importlib.import_module(f"benchmarks.{name}").run())


def show(title: str, rows: list[Row]) -> None:
    """One table per benchmark, saying whether each target was met."""
    table = Table("what", "measured", "value", "", "target", "", title=title, title_justify="left")
    for row in rows:
        verdict = "" if row.met is None else "[green]met[/]" if row.met else "[bold red]missed[/]"
        table.add_row(row.name, row.what, f"{row.value:,.3g}", row.unit, row.target, verdict)
    Console(width=None if sys.stdout.isatty() else 140).print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
