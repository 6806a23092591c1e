"""A coreference model that is installed beside Credence runs through the whole service without a change to it."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from calib_core.coref import NEW
from flows.jobs.calibrate import calibrate
from flows.jobs.explain import explain
from flows.jobs.ingest import ingest
from flows.jobs.propagate import propagate
from flows.jobs.requests import CalibrateRequest, ClusterRequest, ExplainRequest, IngestRequest, PropagateRequest
from tests.harness.plugin import install_headwords, write_model
from tests.workers.calibration.corpus import write_corpus
from workers.coreference import load_coreference
from workers.storage import Warehouse

pytestmark = pytest.mark.slow

AMBIGUOUS = "The president of Iraq met the king of Iran. Diplomats feared that he would attack the city."


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Installed here and in the worker processes, and a folder that it reads."""
    site = tmp_path_factory.mktemp("site")
    install_headwords(site)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(site))
        patch.setenv("PYTHONPATH", os.pathsep.join([str(site), *sys.path]))
        yield write_model(tmp_path_factory.mktemp("model") / "m")


@pytest.fixture(scope="module")
def warehouse(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of two articles, counted with that model on a worker process."""
    folder = tmp_path_factory.mktemp("w")
    records = [
        {"doc_id": "sure", "published": "1990-08-10", "title": "", "text": "Iraqi troops attacked a post on Monday."},
        {"doc_id": "either", "published": "1990-08-12", "title": "", "text": AMBIGUOUS},
    ]
    (folder / "a.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    ingest(IngestRequest(sources=(str(folder / "a.jsonl"),), warehouse=str(folder / "w")))
    propagate(
        PropagateRequest(
            warehouse=str(folder / "w"), coref=str(model), calibration="none", cluster=ClusterRequest(workers=1)
        )
    )
    return folder / "w"


def test_its_antecedents_are_sampled_and_counted(warehouse: Path) -> None:
    counts = {row["country"]: row for row in pq.read_table(warehouse / "latest" / "counts.parquet").to_pylist()}
    assert counts["IRQ"]["map_count"] == 2, "of equally probable entities the older one"
    assert 1 < counts["IRQ"]["mean"] < 2
    assert 0 < counts["IRN"]["mean"] < 1


def test_the_manifest_names_it_with_the_package_that_reads_it(warehouse: Path, model: Path) -> None:
    described = json.loads((warehouse / "latest" / "manifest.json").read_text())["annotator"]["coref"]
    assert described == {
        "model": "m", "kind": "headwords", "id": load_coreference(str(model)).fingerprint,
        "code": "headwords-for-credence 1.0",
    }  # fmt: skip


def test_its_short_lists_of_candidates_are_kept_and_explained(warehouse: Path) -> None:
    report = explain(ExplainRequest(warehouse=str(warehouse), doc_id="either"))
    linked = report.explained.annotation.linked
    he = linked.mentions.heads.tolist().index(report.explained.annotation.document.words.index("he"))
    entries = slice(linked.antecedents.offsets[he], linked.antecedents.offsets[he + 1])
    assert linked.antecedents.candidates[entries].tolist() == [*range(he), NEW]
    assert linked.antecedents.offsets[1:6].tolist() != [1, 3, 6, 10, 15], "names have no candidates at all"
    shares = {one.country: one.p for one in report.explained.countries}
    assert set(shares) == {"IRQ", "IRN"}
    assert 0 < shares["IRQ"] < 1


def test_it_is_calibrated_like_any_other(model: Path, tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "toy" / "dev", 12)
    request = CalibrateRequest(
        data=(corpus,), warehouse=str(tmp_path / "w"), coref=str(model), modes=("gold_trees",), samples=50,
        cluster=ClusterRequest(workers=0),
    )  # fmt: skip
    report = calibrate(request)
    assert report.model_id == load_coreference(str(model)).fingerprint
    assert report.metric("conll_f1", query="scores", recalibrated="none") is not None
    content = Warehouse.open(tmp_path / "w").read_json(f"calibration/{report.calibration_id}/recalibration.json")
    assert content["model_id"] == report.model_id


def test_cross_validation_is_refused_for_a_model_that_is_not_trained_here(model: Path, tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "toy" / "dev", 4)
    request = CalibrateRequest(data=(corpus,), warehouse=str(tmp_path / "w"), coref=str(model), folds=2)
    with pytest.raises(ValueError, match=r"folds trains log-linear models; .* is of kind headwords"):
        calibrate(request)
