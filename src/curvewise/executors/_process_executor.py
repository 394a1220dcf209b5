"""An executor with worker processes on this machine, and limits that are kept.

Each worker has one slot, one thread for numerical libraries, and a pipe of its own. A task that
exceeds its limits, crashes or is cancelled costs its worker, with all processes that it started;
another worker takes its place in milliseconds, and the neighbours notice nothing. So does one that
has run code which nobody knows: what that has changed in its process reaches no other candidate.
Workers share one copy of the data. What learners print goes nowhere.
"""

from __future__ import annotations

from curvewise.core._outcome import Outcome, Task
from curvewise.errors import CurvewiseError, InvalidParameterError
from curvewise.executors._protocol import Evaluate, Promises
from curvewise.executors._workers.channel import Order
from curvewise.executors._workers.memory import can_limit_memory
from curvewise.executors._workers.remote_executor import RemoteExecutor
from curvewise.executors._workers.start_method import Launcher, make_launcher
from curvewise.executors._workers.supervised_worker import SupervisedWorker, wait_for_news
from curvewise.executors._workers.worker_loop import Fresh


class ProcessExecutor(RemoteExecutor):
    """Carries out tasks in worker processes.

    Parameters
    ----------
    evaluate
        Carries out one task. It is pickled once (with cloudpickle, so that it may come from a
        script or a notebook); its arrays, data frames and sparse matrices are read-only there.
    n_workers
        How many worker processes.
    memory_limit
        Bytes that a task may claim beyond what its worker holds when it begins, together with all
        processes that it starts. Only on Linux; None for no limit.
    start_method
        ``"forkserver"``: workers are forked from a clean process that has loaded everything.
        ``"spawn"``: each worker starts from nothing and runs the main script again, which needs
        ``if __name__ == "__main__":``. None chooses: forkserver on Linux, else spawn.
    fresh_workers
        Which tasks get a worker that carries out nothing else, before or after.
        ``"unknown"``: after a candidate with code of others than the packages that are known
        to leave a process as it was, its worker is replaced. ``"always"``: each task has a worker
        of its own. ``"never"``: workers are replaced when they end. None chooses: unknown with a
        fork server, never with spawn, where a worker takes a second to start.

    Raises
    ------
    InvalidParameterError
        If a limit cannot be kept on this system, or a value makes no sense.
    CurvewiseError
        If the evaluation cannot be pickled, or not be loaded in another process.

    Notes
    -----
    Close it, or use it as a context manager. A program that ends, or is killed, without doing so
    leaves neither processes nor files behind.

    Examples
    --------
    >>> import curvewise as cw
    >>> from curvewise.core import Task
    >>> from curvewise.executors import ProcessExecutor
    >>> def evaluate(task, candidate):
    ...     return cw.Observation(task, loss=candidate)
    >>> with ProcessExecutor(evaluate) as executor:
    ...     executor.submit(Task("svc", 64, 0), 0.25, seconds=60.0)
    ...     [outcome] = executor.wait()
    >>> outcome.loss
    0.25
    """

    def __init__(
        self,
        evaluate: Evaluate,
        *,
        n_workers: int = 1,
        memory_limit: int | None = None,
        start_method: str | None = None,
        fresh_workers: Fresh | None = None,
    ) -> None:
        if n_workers < 1:
            raise InvalidParameterError(f"n_workers must be at least 1, got {n_workers}.")
        launcher = make_launcher(
            evaluate,
            memory_limit=memory_limit,
            start_method=start_method,
            fresh_workers=fresh_workers,
        )
        self._workers: list[SupervisedWorker] = []
        self._running: dict[Task, SupervisedWorker] = {}
        super().__init__(_end, self._workers, launcher)
        self._workers.extend(
            SupervisedWorker(launcher, memory_limit=memory_limit) for _ in range(n_workers)
        )

    @property
    def n_slots(self) -> int:
        """How many tasks can be under way at once: one for each worker."""
        return len(self._workers)

    @property
    def promises(self) -> Promises:
        """What it can promise: everything, but a memory limit only where the system keeps one."""
        return Promises(
            time_limit=True, memory_limit=can_limit_memory(), cancel=True, isolation=True
        )

    def _send(self, task: Task, order: Order, seconds: float | None) -> None:
        worker = next((worker for worker in self._workers if not worker.busy), None)
        if worker is None:
            raise CurvewiseError(f"All {self.n_slots} workers are busy: wait for outcomes first.")
        worker.begin(order, seconds=seconds)
        self._running[task] = worker

    def _take_answers(self) -> list[Outcome]:
        answers = {task: worker.poll() for task, worker in self._running.items()}
        finished = {task: answer for task, answer in answers.items() if answer is not None}
        for task in finished:
            del self._running[task]
        return [answer.outcome(task) for task, answer in finished.items()]

    def _wait_for_news(self, *, until: float) -> None:
        wait_for_news(self._running.values(), until=until)

    def _recall(self, task: Task) -> None:
        worker = self._running.pop(task, None)
        if worker is not None:
            worker.cancel()


def _end(workers: list[SupervisedWorker], launcher: Launcher) -> None:
    for worker in workers:
        worker.kill()
    for worker in workers:
        worker.close()
    launcher.close()
