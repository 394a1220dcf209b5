"""The queue of contenders that wait for their turn, smallest priority first.

A priority has at most three parts. A contender stands in the queue at most once, with the decision
that its turn will carry out and the portfolio's version at which that was decided. Entries that
were replaced or dropped stay in the heap until they come up, and are passed over then.
"""

from __future__ import annotations

import heapq
from itertools import count
from typing import NamedTuple

from curvewise.core._decisions import Hold, Step
from curvewise.core._portfolio import Contender


class Turn(NamedTuple):
    """A contender, what its turn will carry out, and when that was decided."""

    contender: Contender
    decision: Step | Hold
    version: int


class Queue:
    """A priority queue with at most one turn per contender."""

    def __init__(self) -> None:
        # Flat keys: comparing nested tuples would make up most of the work.
        self._heap: list[tuple[float, float, float, int, int, Turn]] = []
        self._tickets: dict[int, int] = {}
        self._count = count()

    def put(self, turn: Turn) -> None:
        """Give a contender its place, instead of the one it had."""
        ticket = next(self._count)
        order = turn.contender.order
        self._tickets[order] = ticket
        first, second, third = (*turn.decision.priority, 0.0, 0.0, 0.0)[:3]
        heapq.heappush(self._heap, (first, second, third, order, ticket, turn))

    def peek(self) -> Turn | None:
        """Look at who comes next; None if nobody waits."""
        while self._heap:
            *_, order, ticket, turn = self._heap[0]
            if self._tickets.get(order) == ticket:
                return turn
            heapq.heappop(self._heap)
        return None

    def drop(self, contender: Contender) -> None:
        """Take a contender out, if it is in."""
        self._tickets.pop(contender.order, None)

    def __len__(self) -> int:
        return len(self._tickets)
