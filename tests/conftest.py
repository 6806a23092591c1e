"""For all tests: settings, and a small archive: attackers, ambiguous ones among them, and much that cannot count."""

import json
import os
import random
import signal
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# Where nothing may flicker, generated examples are the same in every run.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("here", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "here")

# A shell that starts `make test &` from a script lets it ignore Ctrl-C, and every program that a test starts would
# inherit that: those that tests interrupt would never end.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Looking for doctests imports a module, and some of these put toy models in place of the shipped ones.
collect_ignore = ["harness"]

Article = dict[str, str]
ADJECTIVES = ("Iraqi", "Iranian", "Syrian", "Israeli", "Turkish", "American")
LEADERS = ("Iraq", "Iran", "Syria", "Israel", "Turkey")


def article(number: int) -> Article:
    """Two in three can matter; some of those hinge on a pronoun."""
    rng = random.Random(number)  # noqa: S311 - any numbers will do
    country, other = rng.sample(LEADERS, 2)
    adjective = rng.choice(ADJECTIVES)
    text = {
        0: f"{adjective} troops attacked a border post on Monday. The post had been empty for {number} days.",
        1: f"The president of {country} met the president of {other}. Diplomats feared that he would attack the city.",
        2: f"Wheat prices rose {number % 9} percent in {country}. Traders in {other} were not surprised.",
    }[number % 3]
    day = date(1987, 1, 1) + timedelta(days=7 * number % 270)
    return {"doc_id": f"doc/{number}", "published": str(day), "title": f"No {number}", "text": text, "source": "test"}


@pytest.fixture
def make_archive(tmp_path: Path) -> Callable[..., Path]:
    """Ingest some articles into a new warehouse."""

    def make(name: str, articles: list[Article], **config: Any) -> Path:
        file = tmp_path / f"{name}.jsonl"
        file.write_text("".join(json.dumps(entry) + "\n" for entry in articles), encoding="utf-8")
        from workers.ingest import IngestConfig, ingest
        from workers.storage import Warehouse

        ingest([str(file)], Warehouse.open(tmp_path / name), IngestConfig(**config))
        return tmp_path / name

    return make


@pytest.fixture
def articles() -> list[Article]:
    return [article(number) for number in range(36)]
