"""Counts of the demonstration archive against its truth."""

from itertools import islice

import pytest
from typer.testing import CliRunner

from calib_core.coref import AntecedentModel
from calib_core.coref.recalibration.forms import Identity
from flows.cli import app
from flows.demonstration.coverage import articles_past_gate, event_rows, quarter_rows
from workers.calibration.measure import MeasureConfig
from workers.calibration.rows import Place
from workers.calibration.tasks import silent
from workers.parsing.choice import ParserConfig


@pytest.mark.slow
def test_articles_are_judged_by_what_they_were_written_to_say() -> None:
    articles = list(islice(articles_past_gate(ParserConfig(), silent), 12))
    model = AntecedentModel.load()
    rows = [event_rows(article, model, Identity(), MeasureConfig(samples=50)) for article in articles]
    for article, one in zip(articles, rows, strict=True):
        true = {country for (_, country), label in zip(one.events, one.label, strict=True) if label}
        assert true == set(article.truth.countries)
        assert ((one.pred >= 0) & (one.pred <= 1)).all()
    found = quarter_rows(Place("raw_text", "none", "query attack"), articles, rows)
    assert {row["level"] for row in found} == {"a quarter"}
    assert all(row["reliable"] is False for row in found)  # twelve articles are few
    assert {row["nominal"] for row in found} == {0.5, 0.8, 0.9, 0.95}


@pytest.mark.parametrize("arguments", [[], ["data", "--demonstration"]])
def test_data_or_the_demonstration_but_not_both(arguments: list[str]) -> None:
    result = CliRunner().invoke(app, ["calibrate", *arguments, "--out", "w"])
    assert result.exit_code == 2
    assert "give annotated DATA" in " ".join(result.output.split())
