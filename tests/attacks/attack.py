"""What an attack is, and what came of it.

An attack is *contained* if it works, or ends with an error of curvewise in one sentence; if it ends
in time; and if it leaves neither processes nor files behind.
"""

import contextlib
import gc
import os
import signal
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

from curvewise.errors import CurvewiseError

# Far longer than anything here takes: what is not over by then never is. Of the processor, so that
# nothing depends on what else runs; by the clock for what waits.
SECONDS = 60
CLOCK_SECONDS = 20 * SECONDS
LONGEST_SENTENCE = 1_000


@dataclass(frozen=True)
class Attack:
    """Something hostile, by name, and what is to be done with it."""

    name: str
    carry_out: Callable[[], object]


@dataclass(frozen=True)
class Verdict:
    """What came of an attack."""

    name: str
    contained: bool
    what: str
    processes: int = 0
    files: int = 0


class Endless(BaseException):
    """An attack did not end in time."""


def judge(attack: Attack) -> Verdict:
    """Carry an attack out, with a folder of its own for temporary files; say what came of it."""
    processes = _processes()
    with tempfile.TemporaryDirectory() as folder, _temporary_files_in(folder), _collected_alone():
        contained, what = _result_of(attack)
        gc.collect()
        left = len(_processes() - processes), len(list(Path(folder).iterdir()))
    return Verdict(attack.name, contained and not any(left), what, *left)


@contextlib.contextmanager
def _temporary_files_in(folder):
    before = tempfile.tempdir, os.environ.get("TMPDIR")
    tempfile.tempdir = os.environ["TMPDIR"] = folder
    try:
        yield
    finally:
        tempfile.tempdir = before[0]
        os.environ.pop("TMPDIR")
        if before[1] is not None:
            os.environ["TMPDIR"] = before[1]


@contextlib.contextmanager
def _collected_alone():
    """Let garbage be looked for in what is new: all that was there before takes far longer."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _result_of(attack):
    try:
        with _in_time(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            attack.carry_out()
    except CurvewiseError as error:
        sentence = str(error)
        brief = len(sentence) <= LONGEST_SENTENCE and "\x1b" not in sentence
        return brief, f"{type(error).__name__}: {sentence[:160]}"
    except Endless:
        return False, f"did not end in {SECONDS} s of the processor"
    except BaseException as error:
        return False, f"{type(error).__name__}: {str(error)[:160]}"
    return True, "worked"


@contextlib.contextmanager
def _in_time():
    def end(*_):
        raise Endless

    timers = {signal.SIGPROF: signal.ITIMER_PROF, signal.SIGALRM: signal.ITIMER_REAL}
    before = {number: signal.signal(number, end) for number in timers}
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.setitimer(signal.ITIMER_REAL, CLOCK_SECONDS)
    try:
        yield
    finally:
        for number, timer in timers.items():
            signal.setitimer(timer, 0)
            signal.signal(number, before[number])


def _processes():
    return {child.pid for child in psutil.Process().children(recursive=True)}
