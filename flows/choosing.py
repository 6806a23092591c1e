"""What a command is about: a warehouse that must be there, one of its runs, countries by code or name.

Covers: turning what was typed into these, or into one sentence that says what is near.
Not here: reading runs (`workers.runs`).
"""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from calib_core.events import Query
from flows.report.series import country_names
from workers.explanations import RunSettings
from workers.runs import Run, open_run
from workers.storage import StorageError, Warehouse, public_name


def existing_warehouse(place: str) -> Warehouse:
    """A warehouse that is there; one that is not is told from one that holds nothing."""
    warehouse = Warehouse.open(place)
    if warehouse.is_local and not Path(warehouse.root).is_dir():
        raise StorageError(public_name(place), "there is no such warehouse", "check the path, or make one by ingest")
    return warehouse


def chosen_run(place: str, run_id: str | None) -> tuple[Run, RunSettings]:
    """A run by its id, or the latest, and what it applies."""
    run = open_run(existing_warehouse(place), run_id)
    return run, RunSettings.of(run)


def country_codes(query: Query, wanted: Sequence[str]) -> list[str]:
    """Codes as the query has them; names are understood, and what is not known is refused with what is near."""
    codes = set(query.codes)
    by_name = {name.casefold(): code for code, name in country_names(query.lexicon).items()}
    found = []
    for word in wanted:
        code = word.upper() if word.upper() in codes else by_name.get(word.casefold(), "")
        if code not in codes:
            near = [by_name.get(m, m) for m in get_close_matches(word.casefold(), by_name, n=3)]
            near = near or get_close_matches(word.upper(), sorted(codes), n=3)
            hint = f"; near ones are {', '.join(near)}" if near else ""
            raise ValueError(f"--country: {word!r} is none of the {len(codes)} codes of the query's lexicon{hint}")
        found.append(code)
    return found
