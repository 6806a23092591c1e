"""One parser per Dask worker process, and errors that come back whole."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

from calib_core.document import Document
from workers.parser import ModelError, Parser, ParserConfig, process_parser

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        yield client


def parsed(text: str, config: ParserConfig) -> Document:
    return process_parser(config).parse("d1", text)


def test_workers_parse_as_this_process_does(client: Client, parser: Parser) -> None:
    texts = [f"Rebels attacked town number {i}. The army fled." for i in range(6)]
    futures = client.map(parsed, texts, [ParserConfig()] * 6, pure=False)
    for text, document in zip(texts, client.gather(futures), strict=True):
        here = parser.parse("d1", text)
        assert document.words == here.words
        assert document.heads.tolist() == here.heads.tolist()
        assert document.deprels == here.deprels


def test_a_worker_survives_a_model_that_cannot_be_loaded(client: Client, tmp_path: Path) -> None:
    future = client.submit(parsed, "Text.", ParserConfig(model=str(tmp_path / "gone")), pure=False)
    with pytest.raises(ModelError, match="gone"):
        future.result()
    assert client.submit(sum, [1, 2]).result() == 3
