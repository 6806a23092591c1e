"""Doses of overconfidence, on small documents."""

import numpy as np
import pytest

from calib_core.coref import AntecedentModel
from calib_core.document import Document
from reproductions.dose import responses
from reproductions.dose.page import page
from reproductions.dose.responses import MEASURES, respond
from reproductions.stages import Stages


def test_every_measure_at_every_dose(stories: list[Document], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(responses, "N_SAMPLES", 50)
    found = respond(AntecedentModel.load(), stories, Stages(), seed=0)
    assert [one.dose for one in found] == list(responses.DOSES)
    assert all(set(one.measures) == set(MEASURES) for one in found)
    assert all(0 <= one.measures["coverage"].value <= 1 for one in found)
    shown = page(found, len(stories))
    assert len(shown.claims) == 6
    assert shown.pictures[0].chart.to_dict()["concat"]


def test_log_loss_of_certain_predictions_is_finite() -> None:
    found = responses._log_loss(np.array([0.0, 1.0, 0.5]), np.array([True, True, False]))
    assert found == pytest.approx([-np.log(responses.TINY), 0.0, np.log(2)], abs=1e-9)
