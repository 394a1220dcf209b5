"""An executor on a Ray cluster, with the same limits as on one machine.

Each slot is an actor, which holds the evaluation and a pool of limited worker processes (see
`_workers/cluster_worker.py`): a learner's crash is not the crash of an actor, and a fit can be
ended inside compiled code. An actor is never restarted by Ray: a new one takes the place of one
that has gone. Its task is sent once more, and then comes back as lost: the search decides whether
to ask again.

A slot can be used when its actor has started, and takes one task at a time; one that was cancelled
has to end first. Actors for which the cluster has no CPU yet are used as soon as they start.
"""

from __future__ import annotations

import uuid
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from time import monotonic
from typing import Any

from curvewise._packages import require
from curvewise.core._outcome import UNCLEAR, Failure, Outcome, Reason, Task
from curvewise.errors import CurvewiseError, InvalidParameterError
from curvewise.executors._protocol import Evaluate, Promises
from curvewise.executors._workers.channel import Order
from curvewise.executors._workers.cluster_worker import ClusterWorker
from curvewise.executors._workers.pickles import Answer
from curvewise.executors._workers.remote_executor import RemoteExecutor
from curvewise.executors._workers.shelf import Shelf
from curvewise.executors._workers.worker_death import MAX_TRIES_ON_CLUSTER
from curvewise.executors._workers.worker_loop import Fresh

# How long actors may take to start, and to end their processes.
START_SECONDS = 120.0
CLOSE_SECONDS = 10.0
# At most so long is waited for Ray at a time, so that an interrupt is heard.
LOOK_SECONDS = 0.5
# Calls that an actor answers at once: a task, and cancellations of it and of earlier ones.
CALLS = 16
# An evaluation that ends every actor is not sent for ever.
MOST_FAILED_STARTS = 5


class RaySlot:
    """What stands in an actor: the evaluation, and worker processes that carry tasks out."""

    def __init__(self, worker: ClusterWorker) -> None:
        # The pool ends with the worker, so that has to be kept.
        self._worker = worker

    def open(self) -> None:
        """Start what starts processes."""
        self._worker.open()

    def carry_out(
        self, key: str, task: bytes, name: str, candidate: bytes, seconds: float | None
    ) -> Answer:
        """Carry out a task; a candidate that has a name is large."""
        pool = self._worker.open()
        order = pool.order_of(task, name, candidate)
        return pool.carry_out(key, order, seconds, wanted=_always)

    def cancel(self, key: str) -> None:
        """End a task."""
        self._worker.open().cancel(key)

    def close(self) -> None:
        """End all processes."""
        self._worker.open().close()


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A task on its way: its key there, and the slot that has it; none while it is held."""

    task: Task
    order: Order
    seconds: float | None
    key: str = ""
    slot: int = -1
    n_losses: int = 0


@dataclass(frozen=True, slots=True)
class ActorGone:
    """In the place of an answer: the actor that should have given it has gone."""

    message: str

    def outcome(self, task: Task) -> Outcome:
        """Say that a task is lost by it."""
        return Failure(task, Reason.LOST, f"{self.message} {UNCLEAR}")


class RayExecutor(RemoteExecutor):
    """Carries out tasks on a Ray cluster.

    Parameters
    ----------
    evaluate
        Carries out one task. It has to be picklable, and what it imports has to be installed on
        the cluster, curvewise included.
    address
        Where the cluster is, as for ``ray.init``, unless this program is connected to one: then
        that is used. ``"local"`` or None starts one on this machine, which `close` ends again.
    n_workers
        How many tasks are under way at most, each with one CPU of the cluster: by default as many
        as it has. A cluster that is started here has so many, or one for each core.
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
        fresh_workers: Fresh | None = None,
    ) -> None:
        if n_workers is not None and n_workers < 1:
            raise InvalidParameterError(f"n_workers must be at least 1, got {n_workers}.")
        self._ray = _import_ray()
        name = f"curvewise-{uuid.uuid4().hex}"
        self._keys = (f"{name}-{number}" for number in count())
        self._actors: list[Any] = []
        # By the reference to its answer: what is under way, and slots that are not to be used yet
        # because their actor starts or their task was cancelled and has not ended.
        self._calls: dict[Any, Call] = {}
        self._starting: dict[Any, int] = {}
        self._ending: dict[Any, int] = {}
        # What waits for a free slot.
        self._held: list[Call] = []
        # Large candidates that were sent, by their names.
        self._large: Shelf[Any] = Shelf()
        self._n_failed_starts = 0
        own = _connect(self._ray, address, n_workers)
        super().__init__(_disconnect, self._ray, self._actors, self._starting, own)
        try:
            # Sent once: actors on one machine share it.
            self._worker = self._ray.put(ClusterWorker(name, evaluate, memory_limit, fresh_workers))
            self._kind = self._ray.remote(num_cpus=1, max_restarts=0, max_concurrency=CALLS)(
                RaySlot
            )
            self._start_all(n_workers, own=own)
        except Exception as error:
            self.close()
            raise CurvewiseError(f"The Ray cluster cannot be used: {_said(error)}") from error

    @property
    def n_slots(self) -> int:
        """How many tasks can be under way at once; it grows while actors start."""
        return max(1, len(self._actors) - len(self._starting))

    @property
    def promises(self) -> Promises:
        """What it can promise: everything."""
        return Promises(time_limit=True, memory_limit=True, cancel=True, isolation=True)

    def _start_all(self, n_workers: int | None, *, own: bool) -> None:
        """Start an actor for each slot; wait for those for which there is a CPU now."""
        ray = self._ray
        n_cpus = max(1, int(ray.cluster_resources().get("CPU", 1)))
        n_free = n_cpus if own else max(1, int(ray.available_resources().get("CPU", 1)))
        n_slots = min(n_workers or n_cpus, n_cpus)
        for slot in range(n_slots):
            self._actors.append(self._kind.remote(self._worker))
            self._open(slot)
        references = list(self._starting)
        ready, _ = ray.wait(references, num_returns=min(n_slots, n_free), timeout=START_SECONDS)
        if not ready:
            raise CurvewiseError(f"none of its {n_cpus} CPUs was free for {START_SECONDS:g} s.")
        for reference in ready:
            ray.get(reference)
            del self._starting[reference]

    def _open(self, slot: int) -> None:
        self._starting[self._actors[slot].open.remote()] = slot

    def _replace(self, slot: int, reason: str) -> None:
        """Start another actor in the place of one that has gone."""
        if self._n_failed_starts >= MOST_FAILED_STARTS:
            raise CurvewiseError(f"Ray's workers end before they can take a task: {reason}")
        self._actors[slot] = self._kind.remote(self._worker)
        self._open(slot)

    def _send(self, task: Task, order: Order, seconds: float | None) -> None:
        self._held.append(Call(task, order, seconds))
        self._send_held()

    def _send_held(self) -> None:
        """Send what is held to slots that are free."""
        busy = {call.slot for call in self._calls.values()}
        busy.update(self._starting.values(), self._ending.values())
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

    def _references(self) -> list[Any]:
        return [*self._calls, *self._starting, *self._ending]

    def _wait_for_news(self, *, until: float) -> None:
        seconds = min(LOOK_SECONDS, max(0.0, until - monotonic()))
        if references := self._references():
            self._ray.wait(references, num_returns=1, timeout=seconds)

    def _recall(self, task: Task) -> None:
        self._held = [call for call in self._held if call.task != task]
        for answer, call in list(self._calls.items()):
            if call.task == task:
                self._ending[answer] = self._calls.pop(answer).slot
                self._actors[call.slot].cancel.remote(call.key)

    def _take_answers(self) -> list[Outcome]:
        references = self._references()
        if not references:
            return []
        ready, _ = self._ray.wait(references, num_returns=len(references), timeout=0)
        outcomes = []
        for one in ready:
            if one in self._calls:
                call = self._calls.pop(one)
                answer = self._answer(one, call.slot)
                if isinstance(answer, ActorGone) and call.n_losses < MAX_TRIES_ON_CLUSTER:
                    self._held.append(replace(call, slot=-1, n_losses=call.n_losses + 1))
                else:
                    outcomes.append(answer.outcome(call.task))
            elif one in self._ending:
                self._answer(one, self._ending.pop(one))
            else:
                self._started(one, self._starting.pop(one))
        self._send_held()
        return outcomes

    def _started(self, reference: Any, slot: int) -> None:
        """Take a slot into use whose actor has started, or else has gone before it had."""
        self._n_failed_starts += 1
        if self._answer(reference, slot) is None:
            self._n_failed_starts = 0

    def _answer(self, reference: Any, slot: int) -> Any:
        """What became of a call; only failures of the cluster itself are losses."""
        errors = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except (errors.RayActorError, errors.ObjectLostError) as error:
            self._replace(slot, _said(error))
            return ActorGone(f"The cluster lost a worker: {_said(error)}")
        except Exception as error:
            cause = getattr(error, "cause", None)
            if isinstance(cause, CurvewiseError):
                raise cause from None
            said = f"The Ray cluster cannot carry out tasks: {_said(error)}"
            raise CurvewiseError(said) from error


def _always() -> bool:
    """A task is wanted as long as its actor lives: Ray ends that with the program."""
    return True


def _import_ray() -> Any:
    return require("ray", "Running on Ray", extra="ray")


def _said(error: Exception) -> str:
    """Give the sentence of an error: Ray's own texts are tracebacks that end with it."""
    cause = getattr(error, "cause", None) or error
    return (str(cause).strip() or type(cause).__name__).splitlines()[-1]


def _connect(ray: Any, address: str | None, n_cpus: int | None) -> bool:
    """Connect to a cluster; say whether it was started here."""
    if ray.is_initialized():
        return False
    own = address in (None, "local")
    place = {"address": "local", "num_cpus": n_cpus} if own else {"address": address}
    try:
        ray.init(**place, include_dashboard=False, log_to_driver=False, configure_logging=False)
    except (ConnectionError, OSError, ValueError, RuntimeError) as error:
        raise CurvewiseError(f"There is no Ray cluster at {address!r}: {_said(error)}") from error
    return own


def _disconnect(
    ray: Any,
    actors: list[Any],
    starting: dict[Any, int],
    own: bool,  # noqa: FBT001
) -> None:
    """End what one executor has on the cluster, and a cluster of its own."""
    # An actor that has not started has no processes yet, and may wait for its CPU for long.
    begun = [actor for slot, actor in enumerate(actors) if slot not in starting.values()]
    with suppress(Exception):
        ray.get([actor.close.remote() for actor in begun], timeout=CLOSE_SECONDS)
    for actor in actors:
        with suppress(Exception):
            ray.kill(actor)
    if own:
        with suppress(Exception):
            ray.shutdown()
