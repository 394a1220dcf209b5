"""Interrupts that wait until a step is complete.

Ctrl-C may come between any two instructions: between sending a task and noting that it was sent,
say, and then nobody would ever end it. Short steps that must not be torn apart let it wait; long
ones, such as waiting for a worker, do not.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

# Those that programs answer with an exception.
NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM")


@contextlib.contextmanager
def interrupts_wait(*, nth: int | None = 1) -> Iterator[None]:
    """Carry out a step as a whole: who interrupts it is heard when it is complete.

    Only the nth interrupt waits, others are heard at once: the step may wait for a cluster that has
    gone. A search is ended by the first; the second comes while that is being done, or what was
    found is put together. With None all wait, for steps that take no time. Signals that no function
    of this program answers do what they always do, at once. Only the main thread hears signals, and
    so only there anything is to be done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)
        if nth not in (None, len(came)):
            handlers[number](number, frame)

    handlers = {
        number: handler
        for name in NAMES
        if (number := getattr(signal, name, None)) is not None
        and callable(handler := signal.getsignal(number))
    }
    for number in handlers:
        signal.signal(number, note)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if len(came) >= (nth or 1):
            signal.raise_signal(came[(nth or 1) - 1])
