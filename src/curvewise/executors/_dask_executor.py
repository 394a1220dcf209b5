"""An executor on a Dask cluster, with the same limits as on one machine.

The evaluation is scattered once. Every task is sent to a worker of our choice and to no other:
Dask would otherwise run the tasks of a worker that died again, in silence, and so would hand a
learner that kills workers from one to the next. Here such a task is sent once more, and then comes
back as lost: the search decides whether to ask again. Inside Dask's workers, tasks run in limited
processes (see `_workers/cluster_worker.py`): a learner's crash is not the crash of a worker.

Workers that join the cluster are put to use, and the tasks of workers that leave it go to others.
"""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

from curvewise._packages import require
from curvewise.core._outcome import UNCLEAR, Outcome, Reason, Task
from curvewise.errors import CurvewiseError, InvalidParameterError
from curvewise.executors._protocol import Evaluate, Promises
from curvewise.executors._workers import cluster_worker
from curvewise.executors._workers.channel import Order
from curvewise.executors._workers.pickles import Answer
from curvewise.executors._workers.remote_executor import RemoteExecutor
from curvewise.executors._workers.shelf import Shelf
from curvewise.executors._workers.worker_death import MAX_TRIES_ON_CLUSTER
from curvewise.executors._workers.worker_loop import Fresh

# Why so long: docs/explanation/execution.md.
LOOK_AROUND_SECONDS = 0.5
FIRST_WORKER_SECONDS = 60.0
# A result that has been announced is a few kilobytes away; longer means that its worker has gone.
RESULT_SECONDS = 10.0
# A scheduler that starts together with the program may take a while to listen.
CONNECT_SECONDS = 30.0
# Loading an evaluation takes a second or two, and a worker may have gone without a word: whoever
# closes does not wait for ever.
CLOSE_SECONDS = 10.0
# A local cluster is nobody else's business, and must not mind another one.
LOOPBACK = "127.0.0.1:0"


@dataclass(frozen=True, slots=True, eq=False)
class Sent:
    """A task on its way, and where it went."""

    task: Task
    order: Order
    seconds: float | None
    address: str = ""
    future: Any = None
    n_losses: int = 0


class DaskExecutor(RemoteExecutor):
    """Carries out tasks on a Dask cluster.

    Parameters
    ----------
    evaluate
        Carries out one task. It has to be picklable, and what it imports has to be installed on
        the cluster, curvewise included.
    address
        Where the scheduler listens, such as ``"tcp://10.0.0.1:8786"``. ``"local"`` or None starts a
        small cluster in this process, which `close` ends again.
    n_workers
        How many tasks are under way at most: by default as many as the cluster has threads, or
        one on a local cluster.
    memory_limit
        Bytes that a task may claim beyond what its process holds when it begins; None for no limit.
        The machines of the cluster must run Linux to keep it.
    fresh_workers
        Which tasks get a worker process that carries out nothing else, before or after; as for
        `ProcessExecutor`.

    Raises
    ------
    MissingExtraError
        If Dask is not installed.
    CurvewiseError
        If the cluster cannot be reached, has no workers, or cannot load the evaluation.

    Notes
    -----
    Close it, or use it as a context manager.

    Examples
    --------
    >>> import curvewise as cw
    >>> from curvewise.core import Task
    >>> from curvewise.executors import DaskExecutor
    >>> def evaluate(task, candidate):
    ...     return cw.Observation(task, loss=candidate)
    >>> with DaskExecutor(evaluate, address="local") as executor:
    ...     executor.submit(Task("svc", 64, 0), 0.25, seconds=60.0)
    ...     [outcome] = executor.wait()
    >>> outcome.loss
    0.25
    """

    def __init__(
        self,
        evaluate: Evaluate,
        *,
        address: str | None = None,
        n_workers: int | None = None,
        memory_limit: int | None = None,
        fresh_workers: Fresh | None = None,
    ) -> None:
        if n_workers is not None and n_workers < 1:
            raise InvalidParameterError(f"n_workers must be at least 1, got {n_workers}.")
        self._n_workers = n_workers
        self._name = f"curvewise-{uuid.uuid4().hex}"
        self._worker = cluster_worker.ClusterWorker(
            self._name, evaluate, memory_limit, fresh_workers
        )
        self._count = count()
        self._threads: dict[str, int] = {}
        self._identities: dict[str, str] = {}
        self._workers: dict[str, Any] = {}
        self._orders: dict[str, Sent] = {}
        self._held: list[Sent] = []
        # Large candidates, by their name and the worker that has them.
        self._scattered: Shelf[Any] = Shelf()
        self._news: SimpleQueue[str] = SimpleQueue()
        self._client, cluster = _connect(address, n_threads=n_workers or 1)
        futures = (self._orders, self._workers, self._scattered)
        super().__init__(_disconnect, self._client, cluster, self._name, *futures)
        try:
            self._client.wait_for_workers(1, timeout=FIRST_WORKER_SECONDS)
            self._look_around()
        except Exception as error:
            self.close()
            raise CurvewiseError(f"The Dask cluster cannot be used: {error}") from error

    @property
    def n_slots(self) -> int:
        """How many tasks can be under way at once; it changes with the cluster."""
        n_threads = max(1, sum(self._threads.values()))
        return n_threads if self._n_workers is None else min(n_threads, self._n_workers)

    @property
    def promises(self) -> Promises:
        """What it can promise: everything."""
        return Promises(time_limit=True, memory_limit=True, cancel=True, isolation=True)

    def _send(self, task: Task, order: Order, seconds: float | None) -> None:
        """Send a task; if the cluster has lost all of its workers, as soon as it has one."""
        self._held.append(Sent(task, order, seconds))
        self._send_held()

    def _wait_for_news(self, *, until: float) -> None:
        nearest = min(until, self._next_look)
        with suppress(Empty):
            self._news.put(self._news.get(timeout=max(0.0, nearest - monotonic())))
        if monotonic() >= self._next_look:
            self._look_around()

    def _recall(self, task: Task) -> None:
        self._held = [order for order in self._held if order.task != task]
        for key, order in list(self._orders.items()):
            if order.task == task:
                del self._orders[key]
                _in_background(
                    self._run, cluster_worker.cancel, self._name, key, workers=[order.address]
                )
                order.future.cancel()

    def _take_answers(self) -> list[Outcome]:
        orders: list[Sent] = []
        with suppress(Empty):
            while True:
                order = self._orders.pop(self._news.get_nowait(), None)
                if order is not None:
                    orders.append(order)
        results = self._fetch(orders)
        answers = [self._answer(*pair) for pair in zip(orders, results, strict=True)]
        pairs = zip(orders, answers, strict=True)
        return [answer.outcome(order.task) for order, answer in pairs if answer is not None]

    def _fetch(self, orders: list[Sent]) -> list[Any]:
        """Fetch results that are there, all at once; what could not be had is its exception."""
        if not orders:
            return []
        futures = [order.future for order in orders]
        fetched: list[Any] = self._client.sync(_fetch_all, futures)
        return fetched

    def _answer(self, order: Sent, result: Any) -> Answer | None:
        """What became of an order; None if its worker has gone."""
        distributed = _import_distributed()
        losses = (distributed.KilledWorker, distributed.client.FutureCancelledError, OSError)
        if isinstance(result, losses):
            self._give_up(order, str(result))
            return None
        if isinstance(result, CurvewiseError):
            raise result
        if isinstance(result, BaseException):
            raise CurvewiseError(f"The Dask cluster cannot carry out tasks: {result}") from result
        identity, answer = result
        self._identities[order.address] = identity
        checked: Answer | None = answer
        if checked is None:
            self._give_up(order, "it was started again")
        return checked

    def _give_up(self, order: Sent, why: str = "") -> None:
        """Send an order again whose worker has gone, or say that it is lost."""
        self._next_look = 0.0
        if order.n_losses < MAX_TRIES_ON_CLUSTER:
            n_losses = order.n_losses + 1
            self._held.append(replace(order, address="", future=None, n_losses=n_losses))
        else:
            self._early.append(_lost(order.address, why).outcome(order.task))

    def _send_held(self) -> None:
        """Send what is held to workers with a free thread."""
        for address, opened in list(self._workers.items()):
            if opened.status in ("cancelled", "lost"):
                self._lose(address)
        if self._next_look == 0.0:
            # Somebody has gone, and it is to be seen first who is there.
            return
        # Differences of counters keep only what is above 0.
        free = Counter(self._threads) - Counter(order.address for order in self._orders.values())
        while self._held and free:
            [(address, _)] = free.most_common(1)
            free -= Counter([address])
            self._place(self._held.pop(0), address)

    def _place(self, order: Sent, address: str) -> None:
        """Send an order to one worker, and to no other; it is held if that has just gone."""
        candidate = self._candidate(order.order, address)
        if candidate is None:
            self._held.append(order)
            self._next_look = 0.0
            return
        key = f"{self._name}-{next(self._count)}"
        future = self._client.submit(
            cluster_worker.carry_out,
            self._workers[address],
            self._identities[address],
            key,
            order.order.task,
            *candidate,
            order.seconds,
            key=key,
            workers=[address],
            allow_other_workers=False,
            pure=False,
        )
        self._orders[key] = replace(order, address=address, future=future)
        news = self._news
        future.add_done_callback(lambda _: news.put(key))

    def _candidate(self, order: Order, address: str) -> tuple[str, Any] | None:
        """Give a candidate; a large one reaches each worker once, and has a name there.

        None if that worker has just gone.
        """
        if order.file is None:
            return "", order.candidate
        there = self._scattered.get((order.name, address))
        if there is None:
            content = order.content()
            scattered = self._scatter([content], [address])
            if scattered is None:
                return None
            [there] = scattered
            self._scattered.put((order.name, address), there, n_bytes=len(content))
        return order.name, there

    def _open_in(self, identities: dict[str, str]) -> None:
        """Bring the evaluation to workers, and open a pool of worker processes in each.

        What is scattered can be dropped by Dask wherever it is not in use at the moment. The result
        of a task that ran in one place stays there, and ends when the last who needs it has gone.
        """
        scattered = self._scatter(self._worker, list(identities), broadcast=True)
        if scattered is None:
            # Look again, soon.
            return
        for address in identities:
            self._workers[address] = self._client.submit(
                cluster_worker.open_here,
                scattered,
                key=f"{self._name}-worker-{next(self._count)}",
                workers=[address],
                allow_other_workers=False,
            )
        self._identities.update(identities)

    def _scatter(self, data: Any, addresses: list[str], *, broadcast: bool = False) -> Any:
        """Bring data to workers; None if one of them has left since we looked."""
        try:
            return self._client.scatter(data, workers=addresses, broadcast=broadcast, hash=False)
        except (KeyError, OSError):
            return None

    def _look_around(self) -> None:
        """See which workers have come and gone."""
        self._next_look = monotonic() + LOOK_AROUND_SECONDS
        try:
            present = dict(self._client.nthreads())
        except OSError as error:
            raise CurvewiseError(f"The Dask scheduler has gone: {error}") from error
        for address in self._identities.keys() - present.keys():
            self._lose(address)
        new = [address for address in present if address not in self._identities]
        if new:
            self._open_in(self._run(cluster_worker.identify, workers=new))
        self._threads = {address: present[address] for address in self._identities}
        self._send_held()

    def _lose(self, address: str) -> None:
        """Give up a worker that has left, and the tasks that it had."""
        del self._identities[address]
        del self._workers[address]
        self._threads.pop(address, None)
        for place in self._scattered.names():
            if address in place:
                self._scattered.discard(place)
        for key, order in list(self._orders.items()):
            if order.address == address:
                del self._orders[key]
                order.future.cancel()
                self._give_up(order)

    def _run(self, function: Any, *args: Any, **options: Any) -> dict[str, Any]:
        """Call a function in workers; those that have gone meanwhile do not matter."""
        return dict(self._client.run(function, *args, on_error="ignore", **options) or {})


async def _fetch_all(futures: list[Any]) -> list[Any]:
    """Wait for results side by side, in the loop of their client; for none of them too long."""
    waiting = [future.result(timeout=RESULT_SECONDS) for future in futures]
    return await asyncio.gather(*waiting, return_exceptions=True)


def _in_background(function: Callable[..., Any], *args: Any, **options: Any) -> Thread:
    """Call what a worker has to answer: one that has gone without a word keeps nobody waiting.

    The cluster itself takes minutes to notice it.
    """

    def call() -> None:
        with suppress(Exception):
            function(*args, **options)

    thread = Thread(target=call, name="curvewise-cluster", daemon=True)
    thread.start()
    return thread


def _lost(address: str, why: str = "") -> Answer:
    """The answer to a task whose worker of the cluster has gone."""
    reason = f": {why}" if why else ""
    return Answer(Reason.LOST, f"The cluster lost its worker at {address}{reason}. {UNCLEAR}")


def _import_distributed() -> Any:
    return require("distributed", "Running on Dask", extra="dask")


def _connect(address: str | None, *, n_threads: int) -> tuple[Any, Any]:
    """Connect to a cluster."""
    distributed = _import_distributed()
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


def _disconnect(
    client: Any,
    cluster: Any,
    name: str,
    orders: dict[str, Any],
    workers: dict[str, Any],
    scattered: Shelf[Any],
) -> None:
    """End what one executor has in the workers, the connection, and a cluster of its own."""
    # Nobody waits for the tasks any more.
    orders.clear()
    scattered.clear()
    with suppress(Exception), client.as_current():
        # A worker pool that is just being opened can be closed when it is open.
        _import_distributed().wait(list(workers.values()), timeout=CLOSE_SECONDS)
    with suppress(Exception):
        closing = _in_background(client.run, cluster_worker.close, name, on_error="ignore")
        closing.join(CLOSE_SECONDS)
    workers.clear()
    client.close()
    if cluster is not None:
        cluster.close()
