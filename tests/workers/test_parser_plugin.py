"""One parser per Dask worker process, and errors that come back whole."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

from workers.parser import ParseError, Parser, ParserConfig, ParserPlugin, parse_on_worker

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        yield client


def test_workers_parse_as_this_process_does(client: Client, parser: Parser) -> None:
    client.register_plugin(ParserPlugin())
    texts = {f"d{i}": f"Rebels attacked town number {i}. The army fled." for i in range(6)}
    futures = client.map(parse_on_worker, list(texts), list(texts.values()), pure=False)
    for (doc_id, text), document in zip(texts.items(), client.gather(futures), strict=True):
        here = parser.parse(doc_id, text)
        assert document.words == here.words
        assert document.heads.tolist() == here.heads.tolist()
        assert document.deprels == here.deprels


def test_a_worker_survives_a_model_that_cannot_be_loaded(client: Client, tmp_path: Path) -> None:
    client.register_plugin(ParserPlugin(ParserConfig(model=str(tmp_path / "gone"))))
    future = client.submit(parse_on_worker, "d1", "Text.", pure=False)
    with pytest.raises(ParseError, match=r"document 'd1' cannot be parsed: .*gone"):
        future.result()
    assert client.submit(sum, [1, 2]).result() == 3
