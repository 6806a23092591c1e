"""Where a run's figures come from, as the report says it."""

from dataclasses import replace

from calib_core.coref.recalibration.forms import Identity
from calib_core.events import Query
from flows.report.provenance import facts, query_text
from workers.runs import Run

QUERY = Query.from_yaml("attack")


def lines(query: Query) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in query_text(query).splitlines())


def test_query_is_shown_with_every_default_written_out() -> None:
    shown = lines(QUERY)
    assert shown["verbs"] == "attack, attacked, attacking, attacks"
    assert shown["roles"] == "nsubj, obl:agent"
    assert shown["modifiers"] == "nmod, nmod:poss, amod, compound, appos"
    assert (shown["exclude"], shown["countries"], shown["merge"]) == ("nothing", "all of the lexicon", "nothing")
    assert f"{len(QUERY.lexicon.entries):,} names" in shown["lexicon"]
    assert (shown["unit"], shown["fingerprint"]) == ("documents", QUERY.fingerprint)


def test_query_is_shown_with_what_it_changes() -> None:
    shown = lines(
        replace(
            QUERY,
            roles=frozenset({"nsubj:pass", "obj"}),
            exclude=frozenset({"modal", "negated"}),
            subjects=frozenset(),
            countries=frozenset({"IRQ", "IRN"}),
            merge=(("SCG", "YUG"), ("SRB", "YUG")),
        )
    )
    assert shown["roles"] == "obj, nsubj:pass"
    assert shown["exclude"] == "negated, modal"
    assert shown["subjects"].startswith("none")
    assert shown["countries"] == "IRN, IRQ"
    assert shown["merge"] == "SCG as YUG, SRB as YUG"


def test_facts_name_software_annotator_and_repair(run: Run) -> None:
    said = dict(facts(run))
    assert said["run"].endswith(f"by credence {run.manifest['credence']}")
    assert said["annotator: titles"] == str(run.manifest["annotator"]["titles"])
    assert said["recalibration"] == "none: probabilities are the model's own"
    recalibrated = {**run.manifest, "calibration": "c1", "recalibration": Identity().to_json()}
    assert (
        dict(facts(replace(run, manifest=recalibrated)))["recalibration"] == f"{Identity().kind}, from calibration c1"
    )
