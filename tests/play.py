"""Small fakes for tests: learners that are formulas, and a player that carries tasks out."""

import math
from collections import deque

import numpy as np

from curvewise.core._outcome import Failure, Observation, Reason


def noise(*key):
    """A number in [-1, 1) that depends on the key alone."""
    value = math.sin(sum((i + 1) * 12.9898 * part for i, part in enumerate(key))) * 43758.5453
    return 2 * (value - math.floor(value)) - 1


def power_law(floor, height=2.0, exponent=0.7, wobble=0.0):
    """An error curve that falls towards its floor, with a little noise per anchor and fold."""

    def loss(anchor, fold):
        value = floor + height * anchor**-exponent
        return min(1.0, max(0.0, value + wobble * noise(floor, anchor, fold)))

    return loss


def observe(task, loss, *, n_test=500):
    """Make an observation of a loss, or of the losses of test rows."""
    seconds = task.anchor / 1000
    if isinstance(loss, np.ndarray):
        mean = float(loss.mean())
        return Observation(task, mean, seconds=seconds, n_test=len(loss), row_losses=loss)
    return Observation(task, loss, seconds=seconds, n_test=n_test)


def play(search, learners, *, n_workers=1, pick=lambda running: 0, failing=()):
    """Carry a search out; `pick` chooses which of the running tasks answers next.

    Returns the tasks in the order in which they were handed out.
    """
    running, handed_out = deque(), []
    while not search.done:
        tasks = search.ask(n_workers - len(running))
        handed_out += tasks
        running.extend(tasks)
        if not running:
            assert search.done, "the search waits, but nothing is under way"
            break
        position = pick(running)
        task = running[position]
        del running[position]
        if (task.candidate, task.anchor) in failing:
            search.tell(Failure(task, Reason.ERROR, "too few rows"))
        else:
            search.tell(observe(task, learners[task.candidate](task.anchor, task.fold)))
        for cancelled in search.cancellations():
            running.remove(cancelled)
    return handed_out
