"""A small frozen frame for tests."""

from datetime import date

import pyarrow as pa

from calib_core.events import Query
from workers.labelling import Frame, FrameSettings, freeze
from workers.schemas import FRAME
from workers.storage import Warehouse

QUERY = Query.from_yaml("attack")


def settings(**changes) -> FrameSettings:
    known = {"run_id": "r1", "query": "attack", "fingerprint": QUERY.fingerprint, "seed": 0, "budget": 2, "design": {}}
    return FrameSettings(**(known | changes))


def frame_rows(n: int = 4, drawn: int = 3) -> pa.Table:
    rows = [
        {
            "doc_id": f"d{i}", "published": date(1987, 1 + 3 * (i % 4), 2), "quarter": f"1987Q{1 + i % 4}",
            "stratum": "gate", "pi": 0.5, "number": i / n, "drawn": i < drawn, "turn": i if i < drawn else None,
            "entry": 1 if i < drawn else None, "earlier_pi": 0.0, "codes": ["USA"], "scores": [0.5],
            "named": ["IRQ", "USA"], "story": i,
        }
        for i in range(n)
    ]  # fmt: skip
    return pa.Table.from_pylist(rows, schema=FRAME)


def small_frame(warehouse: Warehouse, **changes) -> Frame:
    return freeze(warehouse, frame_rows(), settings(**changes), QUERY, created="2026-01-01T00:00:00Z")
