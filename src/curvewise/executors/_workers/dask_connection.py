"""Connect to a Dask cluster, or start a small one here; and leave it as it was found."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import Any

from curvewise.errors import CurvewiseError, MissingExtraError
from curvewise.executors._workers import cluster_worker

# A scheduler that starts together with the program may take a while to listen.
CONNECT_SECONDS = 30.0
# Loading an evaluation takes a second or two; whoever closes does not wait for ever.
CLOSE_SECONDS = 10.0
# A local cluster is nobody else's business, and must not mind another one.
LOOPBACK = "127.0.0.1:0"


def import_distributed() -> Any:
    """Import Dask's scheduler package, or say how to get it."""
    try:
        return import_module("distributed")
    except ImportError:
        raise MissingExtraError("Running on Dask", "dask") from None


def connect(address: str | None, *, n_threads: int) -> tuple[Any, Any]:
    """Connect to a cluster."""
    distributed = import_distributed()
    cluster = None
    if address is None or address == "local":
        # Learners run in limited processes anyway: threads do for those who wait for them.
        cluster = distributed.LocalCluster(
            n_workers=1,
            threads_per_worker=n_threads,
            processes=False,
            dashboard_address=LOOPBACK,
            worker_dashboard_address=LOOPBACK,
            memory_limit=0,
        )
    try:
        client = distributed.Client(
            cluster or address, set_as_default=False, timeout=CONNECT_SECONDS
        )
    except (OSError, ValueError) as error:
        raise CurvewiseError(f"There is no Dask scheduler at {address!r}: {error}") from error
    return client, cluster


def disconnect(
    client: Any, cluster: Any, name: str, orders: dict[str, Any], workers: dict[str, Any]
) -> None:
    """End what one executor has in the workers, the connection, and a cluster of its own."""
    # Nobody waits for the tasks any more.
    orders.clear()
    with suppress(Exception):
        # A worker pool that is just being opened can be closed when it is open.
        import_distributed().wait(list(workers.values()), timeout=CLOSE_SECONDS)
    with suppress(Exception):
        client.run(cluster_worker.close, name, on_error="ignore")
    workers.clear()
    client.close()
    if cluster is not None:
        cluster.close()
