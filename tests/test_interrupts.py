"""Ctrl-C between any two lines of an executor leaves one that works."""

import signal
import sys
import time

import pytest

from curvewise._interrupts import interrupts_wait
from curvewise.core._outcome import Observation, Task
from curvewise.executors._process_executor import ProcessExecutor
from curvewise.executors._protocol import cancelled_after
from tests.executors.contract import PATIENCE_SECONDS

ONE = Task("one", 64, 0)
OTHER = Task("other", 64, 0)


class InterruptAt:
    """Interrupt the main thread before a certain line of the executors' code."""

    def __init__(self, line):
        self.line = line
        self.n_lines = 0

    def __enter__(self):
        sys.settrace(self._enter)
        return self

    def __exit__(self, *error):
        sys.settrace(None)

    def _enter(self, frame, event, argument):
        name = frame.f_globals.get("__name__", "")
        return self._count if name.startswith("curvewise.executors") else None

    def _count(self, frame, event, argument):
        if event == "line":
            self.n_lines += 1
            if self.n_lines == self.line:
                signal.raise_signal(signal.SIGINT)
        return self._count


def evaluate(task, candidate):
    time.sleep(candidate)
    return Observation(task, 0.5)


def submit_and_wait(executor):
    executor.submit(ONE, 0.0)
    executor.wait(PATIENCE_SECONDS)


def submit_and_cancel(executor):
    executor.submit(ONE, PATIENCE_SECONDS)
    executor.cancel(ONE)


@pytest.mark.parametrize("steps", [submit_and_wait, submit_and_cancel])
def test_an_executor_that_was_interrupted_anywhere_takes_the_next_task(steps):
    with ProcessExecutor(evaluate) as executor:
        n_interrupted = 0
        # Far more lines than there are; the last ones are never reached.
        for line in [*range(1, 60), *range(60, 400, 7)]:
            interrupting = InterruptAt(line)
            try:
                with interrupting, cancelled_after(executor, [ONE]):
                    steps(executor)
            except KeyboardInterrupt:
                n_interrupted += 1
            executor.submit(OTHER, 0.0)
            assert executor.wait(PATIENCE_SECONDS) == [Observation(OTHER, 0.5)], line

    assert n_interrupted > 30


def interrupted_step(done, *, n_times, nth=1):
    with interrupts_wait(nth=nth):
        for _ in range(n_times):
            signal.raise_signal(signal.SIGINT)
        done.append("all of it")


def test_an_interrupt_waits_for_the_end_of_a_step():
    done = []

    with pytest.raises(KeyboardInterrupt):
        interrupted_step(done, n_times=1)

    assert done == ["all of it"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_who_interrupts_a_step_twice_is_heard_at_once():
    done = []

    with pytest.raises(KeyboardInterrupt):
        interrupted_step(done, n_times=2)

    assert done == []


def interrupted_search(done):
    with interrupts_wait(nth=2):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            signal.raise_signal(signal.SIGINT)
            done.append("all of it")


def test_a_second_interrupt_may_wait_instead_of_the_first():
    done = []

    with pytest.raises(KeyboardInterrupt):
        interrupted_search(done)

    assert done == ["all of it"]


def test_all_may_wait():
    done = []

    with pytest.raises(KeyboardInterrupt):
        interrupted_step(done, n_times=3, nth=None)

    assert done == ["all of it"]


def test_a_signal_that_this_program_does_not_answer_does_what_it_always_does(monkeypatch):
    monkeypatch.setattr(signal, "signal", lambda *given: pytest.fail(f"changed {given}"))
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.SIG_DFL)

    with interrupts_wait():
        pass
