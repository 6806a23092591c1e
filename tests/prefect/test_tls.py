"""A Dask scheduler, worker and client that speak TLS only, with certificates from deploy/tls."""

import subprocess
from pathlib import Path

import pytest

from tests.harness.machines import Machines
from tests.harness.servers import wait_until
from workers.cluster import ClusterConfig, ClusterError, open_cluster

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).resolve().parents[2] / "deploy" / "tls" / "certificates.sh"


def certificates(folder: Path) -> tuple[str, str, str]:
    subprocess.run(["sh", str(SCRIPT), str(folder), "127.0.0.1"], check=True, capture_output=True)
    ca, cert, key = (str(folder / name) for name in ("ca.pem", "dask.pem", "dask.key"))
    return ca, cert, key


def has_workers(config: ClusterConfig) -> bool:
    try:
        with open_cluster(config):
            return True
    except ClusterError:
        return False


def test_cluster_with_certificates_answers_only_to_those_who_have_them(tmp_path: Path) -> None:
    ca, cert, key = certificates(tmp_path / "ours")
    other = certificates(tmp_path / "others")
    cluster = Machines(tmp_path, tls=("--tls-ca-file", ca, "--tls-cert", cert, "--tls-key", key))
    cluster.start()
    try:
        config = ClusterConfig(scheduler=cluster.address, ca=ca, cert=cert, key=key, timeout=60)
        wait_until(lambda: has_workers(config), "the worker")
        with open_cluster(config) as client:
            assert client.submit(sum, (1, 2)).result(timeout=60) == 3
            assert all(address.startswith("tls://") for address in client.nthreads())
        stranger = ClusterConfig(1, "1GiB", cluster.address, *other, timeout=2)
        with pytest.raises(ClusterError, match="no Dask scheduler answers"), open_cluster(stranger):
            pass
    finally:
        cluster.stop()


@pytest.mark.parametrize(("address", "files"), [("tls://host:8786", (None,) * 3), ("tcp://host:8786", ("a", "b", "c"))])
def test_certificates_go_with_the_address(address: str, files: tuple[str | None, ...]) -> None:
    with pytest.raises(ValueError, match="a scheduler at tls:// needs ca, cert and key; any other takes none"):
        ClusterConfig(1, "1GiB", address, *files)


def test_keys_can_be_read_by_their_owner_only(tmp_path: Path) -> None:
    *_, key = certificates(tmp_path)
    assert Path(key).stat().st_mode & 0o077 == 0
