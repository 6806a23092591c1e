"""A Dask cluster to run on: one on this machine, or one that is already running.

Covers: starting worker processes of one thread each with a memory limit, connecting to a scheduler, TLS.
Not here: what runs there.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

import dask
from distributed import Client, LocalCluster, Security

LOCAL = {
    "distributed.scheduler.allowed-failures": 0,  # a batch that crashed a worker is halved, not retried whole
    "distributed.scheduler.worker-saturation": 1.0,  # so that a dead worker costs one task
    "distributed.deploy.lost-worker-timeout": "1h",  # otherwise a worker that is slow to come back is given up for good
}


class ClusterError(RuntimeError):
    """There is no cluster to run on; one sentence says why and what to do."""


@dataclass(frozen=True, slots=True)
class ClusterConfig:
    """Where to run.

    Attributes
    ----------
    workers : int
        Processes to start on this machine; not used with a scheduler.
    memory : str
        Memory limit of each process; a document that needs more is quarantined.
    scheduler : str or None
        Address of a running scheduler, such as tcp://host:8786 or tls://host:8786.
    ca, cert, key : str or None
        Files of the certificate authority, the certificate and its key, for tls://.
    timeout : float
        Seconds to wait for the scheduler, and then for its first worker.
    verbose : bool
        Let Dask log what it does.
    """

    workers: int = 1
    memory: str = "3GiB"
    scheduler: str | None = None
    ca: str | None = None
    cert: str | None = None
    key: str | None = None
    timeout: float = 20.0
    verbose: bool = False

    def __post_init__(self) -> None:
        """Refuse no workers, an incomplete set of certificates, and certificates that do not fit the address."""
        if self.workers < 1:
            raise ValueError(f"workers must be at least 1; got {self.workers}")
        given = [name for name in ("ca", "cert", "key") if getattr(self, name)]
        if given and len(given) < 3:
            raise ValueError(f"TLS needs ca, cert and key; got only {', '.join(given)}")
        if self.scheduler and self.scheduler.startswith("tls://") != bool(given):
            rule = "a scheduler at tls:// needs ca, cert and key; any other takes none"
            raise ValueError(f"{rule}; got {self.scheduler} with {', '.join(given) or 'none of them'}")

    @property
    def security(self) -> Security | None:
        """TLS as Dask wants it."""
        if not self.ca:
            return None
        return Security(
            tls_ca_file=self.ca, tls_client_cert=self.cert, tls_client_key=self.key, require_encryption=True
        )


@contextmanager
def open_cluster(config: ClusterConfig) -> Iterator[Client]:
    """A client; whatever was started here is stopped at the end."""
    with nullcontext() if config.verbose else _quiet(), _started_or_connected(config) as client:
        yield client


@contextmanager
def _started_or_connected(config: ClusterConfig) -> Iterator[Client]:
    if config.scheduler:
        with _connected(config) as client:
            yield client
        return
    with (
        dask.config.set(LOCAL),
        LocalCluster(
            n_workers=config.workers, threads_per_worker=1, processes=True, memory_limit=config.memory,
            dashboard_address=":0", silence_logs=False if config.verbose else logging.CRITICAL,
        ) as cluster,
        Client(cluster) as client,
    ):  # fmt: skip
        yield client


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's lines on connections; we say in a sentence what a lost one means for the run."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed.")]
    loggers = [logging.getLogger(name) for name in ("distributed", "tornado", *names)]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextmanager
def _connected(config: ClusterConfig) -> Iterator[Client]:
    try:
        client = Client(config.scheduler, security=config.security, timeout=config.timeout)
    except (OSError, ValueError) as error:
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise ClusterError(
            f"no Dask scheduler answers at {config.scheduler} ({reason}); start one, or leave out --scheduler"
        ) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=config.timeout)
        except TimeoutError as error:
            raise ClusterError(f"the Dask scheduler at {config.scheduler} has no workers; start some") from error
        yield client
