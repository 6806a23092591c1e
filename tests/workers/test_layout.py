"""Paths of the warehouse are spelled in one module, and can be read back."""

import re
from pathlib import Path

from workers import layout

ROOT = Path(__file__).resolve().parents[2]
SPELLED = re.compile(r"""["'](archive/|ingests/|annotations/|ledger/|runs/|\.aside|latest\.json)""")


def test_a_chunk_is_known_again_from_each_of_its_files() -> None:
    paths = [
        layout.archive_chunk("1987Q1", "5e1f"),
        layout.annotations("an", "5e1f"),
        layout.sampled_part("sa", "5e1f_1987-02-01_"),
        layout.RunFolder.of("r").event_samples_of("1987Q1", "5e1f__1987-03-01"),
    ]
    assert [layout.chunk_of(path) for path in paths] == ["5e1f"] * 4


def test_notes_on_given_up_documents_belong_to_their_chunk() -> None:
    note = f"{layout.unsampled('sa', '5e1f_1987-02-01_')}/00000003.json"
    assert layout.sampled_chunk(note) == layout.sampled_chunk(layout.sampled_part("sa", "5e1f")) == "5e1f"


def test_only_files_directly_in_a_run_name_it() -> None:
    run = layout.RunFolder.of("r")
    assert layout.run_of(run.manifest) == run.run_id == "r"
    assert layout.run_of(run.event_samples_of("1987Q1", "manifest")) is None


def test_a_calibration_is_known_from_its_files() -> None:
    calibration = layout.CalibrationFolder("c")
    assert [layout.calibration_of(path) for path in (calibration.table("bins"), calibration.recalibration)] == ["c"] * 2


def test_no_other_module_spells_a_path_of_the_warehouse() -> None:
    modules = [path for room in ("workers", "flows") for path in (ROOT / room).rglob("*.py")]
    spelled = {path.name for path in modules if SPELLED.search(path.read_text(encoding="utf-8"))}
    assert spelled == {"layout.py"}
