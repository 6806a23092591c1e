"""What a job is about: a warehouse that must exist, one of its runs, countries by code or name.

Covers: finding each of them, or saying in one sentence what is wrong and what is similar.
Not here: reading runs (`workers.runs`).
"""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from calib_core.events import Lexicon, Query
from calib_core.events.dyads import ANY_TARGET, DYAD, dyad
from calib_core.events.query import NOBODY
from flows.report.names import country_names
from workers.explanations import RunSettings
from workers.runs import Run, open_run
from workers.storage import StorageError, Warehouse, public_name


def existing_warehouse(place: str) -> Warehouse:
    """A warehouse that must exist; an empty one is fine."""
    warehouse = Warehouse.open(place)
    if warehouse.is_local and not Path(warehouse.root).is_dir():
        raise StorageError(
            public_name(place), "there is no such warehouse", "check the path, or create one with credence ingest"
        )
    return warehouse


def chosen_run(place: str, run_id: str | None) -> tuple[Run, RunSettings]:
    """A run by its id, or the latest one."""
    run = open_run(existing_warehouse(place), run_id)
    return run, RunSettings.of(run)


def target_codes(query: Query, wanted: Sequence[str]) -> list[str]:
    """Codes of targets, from codes or names; `-` is a target without a code, `*` any.

    Raises
    ------
    ValueError
        If the query has no targets, or not these.
    """
    targets = query.language.targets
    if not wanted:
        return []
    if targets is None:
        raise ValueError(f"target {wanted[0]!r} was asked for, but the query {query.name} has no targets")
    others = [word for word in wanted if word not in (ANY_TARGET, NOBODY)]
    found = dict(zip(others, _codes(query.target_codes, targets.lexicon, others, "target"), strict=True))
    return [found.get(word, word) for word in wanted]


def country_codes(query: Query, wanted: Sequence[str]) -> list[str]:
    """Codes as the query has them, from codes or names; an unknown one is refused with similar ones.

    With targets a word may be `AGENT>TARGET`, and with actors `COUNTRY.ACTOR` or an actor.
    """
    found = []
    for word in wanted:
        agent, joined, target = word.partition(DYAD)
        code = _agent_code(query, agent)
        found.append(dyad(code, target_codes(query, [target])[0]) if joined else code)
    return found


def _agent_code(query: Query, word: str) -> str:
    """Code of an agent: a country, an actor, or both with a point between them."""
    country, _, actor = word.upper().partition(".")
    if query.language.actors is None:
        return _codes(query.codes, query.lexicon, [word], "country")[0]
    if country in query.actor_codes:
        return country
    code = _codes(query.codes, query.lexicon, [word.partition(".")[0]], "country")[0]
    return f"{code}.{_codes(query.actor_codes, query.language.actors, [actor], 'actor')[0]}" if actor else code


def _codes(known: Sequence[str], lexicon: Lexicon, wanted: Sequence[str], kind: str) -> list[str]:
    """Codes of one lexicon, from codes or names."""
    codes = set(known)
    by_name = {name.casefold(): code for code, name in country_names(lexicon).items()}
    found = []
    for word in wanted:
        code = word.upper() if word.upper() in codes else by_name.get(word.casefold(), "")
        if code not in codes:
            near = [by_name.get(m, m) for m in get_close_matches(word.casefold(), by_name, n=3)]
            near = near or get_close_matches(word.upper(), sorted(codes), n=3)
            hint = f"; near ones are {', '.join(near)}" if near else ""
            raise ValueError(f"{kind} {word!r} is none of the {len(codes)} codes of the query's lexicon{hint}")
        found.append(code)
    return found
