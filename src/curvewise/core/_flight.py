"""Evaluations between being promised to a contender and being answered.

::

    promised  >  under way (handed out)  >  answered
                                         >  promised again (its worker was lost)
                                         >  withdrawn (it no longer matters: to be cancelled)
"""

from __future__ import annotations

from collections import deque

from curvewise.core._decisions import Wants
from curvewise.core._outcome import Task
from curvewise.core._portfolio import NONE, Contender


class Flight:
    """What has been promised, what is under way, and what is to be cancelled."""

    def __init__(self) -> None:
        self._promised: deque[tuple[Contender, Task]] = deque()
        self._under_way: set[Task] = set()
        self._taken_back: set[Task] = set()
        self._cancelled: list[Task] = []
        self._contenders: dict[int, Contender] = {}

    def __len__(self) -> int:
        return len(self._under_way)

    def __contains__(self, task: Task) -> bool:
        return task in self._under_way

    @property
    def waits(self) -> bool:
        """Whether something promised has not been handed out."""
        return bool(self._promised)

    @property
    def contenders(self) -> list[Contender]:
        """The contenders that wait for answers."""
        return list(self._contenders.values())

    def promise(self, contender: Contender, wants: Wants) -> None:
        """Promise evaluations to a contender."""
        contender.pending = contender.pending.union(wants)
        self._contenders[contender.order] = contender
        for anchor, fold in wants:
            self._promised.append((contender, Task(contender.candidate, anchor, fold)))

    def knows(self, contender: Contender, task: Task) -> bool:
        """Tell whether a task was ever promised: it is awaited, has answered, or was taken back."""
        _, anchor, fold = task
        return (
            (anchor, fold) in contender.pending
            or contender.curve.at(anchor, fold) is not None
            or task in self._taken_back
            or any(failure.task == task for failure in contender.failures)
        )

    def promise_again(self, contender: Contender, task: Task) -> None:
        """Put a task that was lost on its way to the front."""
        self._under_way.discard(task)
        self._promised.appendleft((contender, task))

    def promise_nothing(self) -> None:
        """Forget what was promised and not handed out."""
        self._promised.clear()

    def hand_out(self) -> Task | None:
        """Take the next task that still matters; None if there is none."""
        while self._promised:
            contender, task = self._promised.popleft()
            if task[1:] in contender.pending:
                self._under_way.add(task)
                return task
        return None

    def answer(self, contender: Contender, task: Task) -> None:
        """Note that a task has answered."""
        self._under_way.discard(task)
        contender.pending = contender.pending.difference((task[1:],))
        self._settle(contender)

    def hand_out_no_more(self, contender: Contender) -> None:
        """Take back what a contender was promised and what has not been handed out yet."""
        tasks = {one: Task(contender.candidate, *one) for one in contender.pending}
        under_way = frozenset(one for one, task in tasks.items() if task in self._under_way)
        self._taken_back.update(task for one, task in tasks.items() if one not in under_way)
        contender.pending = under_way
        self._settle(contender)

    def withdraw(self, contender: Contender) -> None:
        """Take back everything; what is under way is to be cancelled."""
        for one in sorted(contender.pending):
            task = Task(contender.candidate, *one)
            self._taken_back.add(task)
            if task in self._under_way:
                self._under_way.discard(task)
                self._cancelled.append(task)
        contender.pending = NONE
        self._settle(contender)

    def cancellations(self) -> list[Task]:
        """Hand over the tasks to be cancelled, each once."""
        cancelled, self._cancelled = self._cancelled, []
        return cancelled

    def _settle(self, contender: Contender) -> None:
        if not contender.pending:
            contender.pending = NONE
            self._contenders.pop(contender.order, None)


def granted_to_others(contender: Contender, task: Task) -> dict[tuple[int, int], float]:
    """The seconds that a contender's evaluations under way may take, but for one of them."""
    return {
        one: seconds
        for one, seconds in (contender.granted or {}).items()
        if one in contender.pending and one != (task.anchor, task.fold)
    }


def grant(contender: Contender, task: Task, seconds: float) -> None:
    """Note what an evaluation may take."""
    others = granted_to_others(contender, task)
    contender.granted = {**others, (task.anchor, task.fold): seconds}
