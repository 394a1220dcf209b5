"""An executor on a Ray cluster, with the same limits as on one machine.

Each slot is an actor, which holds the evaluation and a pool of limited worker processes (see
`_workers/cluster_worker.py`): a learner's crash is not the crash of an actor, and a fit can be
ended inside compiled code. An actor is never restarted by Ray: the task of one that has gone comes
back as lost, and a new actor takes its place, so that nothing runs twice unasked.
"""

from __future__ import annotations

import uuid
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from time import monotonic
from typing import Any, Literal

from curvewise._packages import require
from curvewise.core._outcome import Outcome, Reason, Task
from curvewise.errors import CurvewiseError, InvalidParameterError
from curvewise.executors._protocol import Evaluate, Promises
from curvewise.executors._workers.channel import Order
from curvewise.executors._workers.cluster_worker import ClusterWorker
from curvewise.executors._workers.pickles import Answer
from curvewise.executors._workers.remote_executor import RemoteExecutor
from curvewise.executors._workers.shelf import Shelf

# How long an actor may take to start, and to end its processes.
START_SECONDS = 120.0
CLOSE_SECONDS = 10.0
# A pause between two looks, while there is nothing to wait for.
LOOK_SECONDS = 0.5
# Calls that an actor answers at once: a task, and cancellations of it and of earlier ones.
CALLS = 16


class RaySlot:
    """What stands in an actor: the evaluation, and worker processes that carry tasks out."""

    def __init__(self, worker: ClusterWorker) -> None:
        # The pool ends with the worker, so that has to be kept.
        self._worker = worker
        self._pool = worker.open()

    def ready(self) -> bool:
        """Say that the evaluation has been loaded."""
        return True

    def carry_out(
        self, key: str, task: bytes, name: str, candidate: bytes, seconds: float | None
    ) -> Answer:
        """Carry out a task; a candidate that has a name is large."""
        order = self._pool.order_of(task, name, candidate)
        return self._pool.carry_out(key, order, seconds, wanted=_always)

    def cancel(self, key: str) -> None:
        """End a task."""
        self._pool.cancel(key)

    def close(self) -> None:
        """End all processes."""
        self._pool.close()


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A task on its way: its key there, and the slot that has it; none while it is held."""

    task: Task
    order: Order
    seconds: float | None
    key: str = ""
    slot: int = -1


class RayExecutor(RemoteExecutor):
    """Carries out tasks on a Ray cluster.

    Parameters
    ----------
    evaluate
        Carries out one task. It has to be picklable, and what it imports has to be installed on
        the cluster, curvewise included.
    address
        Where the cluster is, as for ``ray.init``; ``"local"`` or None uses the cluster that this
        program is connected to, or else starts one on this machine, which `close` ends again.
    n_workers
        How many tasks are under way at most, each with one CPU of the cluster: by default as many
        as it has, or one on a cluster that is started here.
    memory_limit
        Bytes that a task may claim beyond what its process holds when it begins; None for no limit.
        The machines of the cluster must run Linux to keep it.
    fresh_workers
        Which tasks get a worker process that carries out nothing else, before or after; as for
        `ProcessExecutor`.

    Raises
    ------
    MissingExtraError
        If Ray is not installed.
    CurvewiseError
        If the cluster cannot be reached, or cannot load the evaluation.

    Notes
    -----
    Close it, or use it as a context manager.

    Examples
    --------
    >>> import curvewise as cw
    >>> from curvewise.core import Task
    >>> from curvewise.executors import RayExecutor
    >>> def evaluate(task, candidate):
    ...     return cw.Observation(task, loss=candidate)
    >>> with RayExecutor(evaluate, address="local") as executor:  # doctest: +SKIP
    ...     executor.submit(Task("svc", 64, 0), 0.25, seconds=60.0)
    ...     [outcome] = executor.wait()
    """

    def __init__(
        self,
        evaluate: Evaluate,
        *,
        address: str | None = None,
        n_workers: int | None = None,
        memory_limit: int | None = None,
        fresh_workers: Literal["unknown", "always", "never"] | None = None,
    ) -> None:
        if n_workers is not None and n_workers < 1:
            raise InvalidParameterError(f"n_workers must be at least 1, got {n_workers}.")
        self._ray = _import_ray()
        name = f"curvewise-{uuid.uuid4().hex}"
        self._keys = (f"{name}-{number}" for number in count())
        self._actors: list[Any] = []
        # What is under way, by the reference to its answer, and what waits for a free slot.
        self._calls: dict[Any, Call] = {}
        self._held: list[Call] = []
        # Slots whose task was cancelled, until that has ended: another task would need a process
        # of its own meanwhile.
        self._ending: dict[Any, int] = {}
        # Large candidates that were sent, by their names.
        self._large: Shelf[Any] = Shelf()
        own = _connect(self._ray, address, n_workers or 1)
        super().__init__(_disconnect, self._ray, self._actors, own)
        try:
            n_cpus = int(self._ray.cluster_resources().get("CPU", 1))
            # Sent once: actors on one machine share it.
            self._worker = self._ray.put(ClusterWorker(name, evaluate, memory_limit, fresh_workers))
            self._kind = self._ray.remote(num_cpus=1, max_restarts=0, max_concurrency=CALLS)(
                RaySlot
            )
            self._actors.extend(self._start() for _ in range(min(n_workers or n_cpus, n_cpus)))
            self._ray.get([actor.ready.remote() for actor in self._actors], timeout=START_SECONDS)
        except Exception as error:
            self.close()
            raise CurvewiseError(f"The Ray cluster cannot be used: {error}") from error

    @property
    def n_slots(self) -> int:
        """How many tasks can be under way at once."""
        return len(self._actors)

    @property
    def promises(self) -> Promises:
        """What it can promise: everything."""
        return Promises(time_limit=True, memory_limit=True, cancel=True, isolation=True)

    def _start(self) -> Any:
        return self._kind.remote(self._worker)

    def _send(self, task: Task, order: Order, seconds: float | None) -> None:
        self._held.append(Call(task, order, seconds))
        self._send_held()

    def _send_held(self) -> None:
        """Send what is held to slots that are free."""
        busy = {call.slot for call in self._calls.values()} | {*self._ending.values()}
        free = [slot for slot in range(len(self._actors)) if slot not in busy]
        while self._held and free:
            call = replace(self._held.pop(0), key=next(self._keys), slot=free.pop(0))
            actor = self._actors[call.slot]
            candidate = self._candidate(call.order)
            answer = actor.carry_out.remote(call.key, call.order.task, *candidate, call.seconds)
            self._calls[answer] = call

    def _candidate(self, order: Order) -> tuple[str, Any]:
        """Give a candidate; a large one is sent once, and has a name there."""
        if order.file is None:
            return "", order.candidate
        there = self._large.get(order.name)
        if there is None:
            content = order.content()
            there = self._ray.put(content)
            self._large.put(order.name, there, n_bytes=len(content))
        return order.name, there

    def _wait_for_news(self, *, until: float) -> None:
        seconds = min(LOOK_SECONDS, max(0.0, until - monotonic()))
        if references := [*self._calls, *self._ending]:
            self._ray.wait(references, num_returns=1, timeout=seconds)

    def _recall(self, task: Task) -> None:
        self._held = [call for call in self._held if call.task != task]
        for answer, call in list(self._calls.items()):
            if call.task == task:
                self._ending[answer] = self._calls.pop(answer).slot
                self._actors[call.slot].cancel.remote(call.key)

    def _take_answers(self) -> list[Outcome]:
        references = [*self._calls, *self._ending]
        if not references:
            return []
        ready, _ = self._ray.wait(references, num_returns=len(references), timeout=0)
        for one in ready:
            self._ending.pop(one, None)
        calls = {one: self._calls.pop(one) for one in ready if one in self._calls}
        outcomes = [self._answer(one, call) for one, call in calls.items()]
        self._send_held()
        return outcomes

    def _answer(self, reference: Any, call: Call) -> Outcome:
        """What became of a call; only failures of the cluster itself are losses."""
        errors = self._ray.exceptions
        try:
            answer: Answer = self._ray.get(reference)
        except (errors.RayActorError, errors.ObjectLostError) as error:
            self._actors[call.slot] = self._start()
            said = str(error).strip().splitlines()[:1]
            answer = Answer(Reason.LOST, f"The cluster lost a worker: {''.join(said)}")
        except Exception as error:
            raise CurvewiseError(f"The Ray cluster cannot carry out tasks: {error}") from error
        return answer.outcome(call.task)


def _always() -> bool:
    """A task is wanted as long as its actor lives: Ray ends that with the program."""
    return True


def _import_ray() -> Any:
    return require("ray", "Running on Ray", extra="ray")


def _connect(ray: Any, address: str | None, n_cpus: int) -> bool:
    """Connect to a cluster; say whether it was started here."""
    if ray.is_initialized():
        return False
    own = address in (None, "local")
    place = {"address": "local", "num_cpus": n_cpus} if own else {"address": address}
    try:
        ray.init(**place, include_dashboard=False, log_to_driver=False, configure_logging=False)
    except (ConnectionError, OSError, ValueError, RuntimeError) as error:
        raise CurvewiseError(f"There is no Ray cluster at {address!r}: {error}") from error
    return own


def _disconnect(ray: Any, actors: list[Any], own: bool) -> None:  # noqa: FBT001
    """End what one executor has on the cluster, and a cluster of its own."""
    with suppress(Exception):
        ray.get([actor.close.remote() for actor in actors], timeout=CLOSE_SECONDS)
    for actor in actors:
        with suppress(Exception):
            ray.kill(actor)
    if own:
        with suppress(Exception):
            ray.shutdown()
