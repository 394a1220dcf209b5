"""What hypothesis draws for the tests of the store."""

import math
from typing import get_type_hints

from hypothesis import strategies as st

from curvewise.core._decisions import (
    Advance,
    Complete,
    Fail,
    Hold,
    Lead,
    Priority,
    Prune,
    Repair,
    Revive,
    Sample,
    Skip,
    Stop,
    Wants,
)
from curvewise.core._outcome import Failure, Observation, Reason, Task

keys = st.recursive(
    st.text() | st.integers() | st.floats(allow_nan=False) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=4,
)
sizes = st.integers(0, 2**62)
tasks = st.builds(Task, keys, st.integers(1, 2**62), sizes)
losses = st.floats()
amounts = st.floats(0, 1e100)
scores = st.none() | st.dictionaries(st.text(), losses, max_size=3)
failures = st.builds(Failure, tasks, st.sampled_from(Reason), st.text(), amounts, st.text())
observations = st.builds(
    Observation,
    tasks,
    loss=losses,
    seconds=amounts,
    n_test=st.none() | st.integers(1, 2**62),
    noise=st.none() | amounts,
    fit_seconds=st.none() | amounts,
    score_seconds=st.none() | amounts,
    scores=scores,
    train_scores=scores,
)
outcomes = observations | failures


def built(kind):
    """Draw a decision: counts are not negative, and numbers are any or not finite."""
    numbers = st.floats(-1e100, 1e100) | st.sampled_from([math.nan, math.inf, -math.inf])
    drawn = {
        int: sizes,
        float: numbers,
        float | None: st.none() | numbers,
        Priority: st.lists(numbers, max_size=3).map(tuple),
        Wants: st.lists(st.tuples(sizes, sizes), max_size=3).map(tuple),
    }
    hints = {name: hint for name, hint in get_type_hints(kind).items() if hint in drawn}
    return st.builds(kind, **{name: drawn[hint] for name, hint in hints.items()})


decisions = st.one_of(
    *(built(kind) for kind in (Sample, Repair, Advance, Skip, Hold, Lead)),
    *(built(kind) for kind in (Prune, Complete, Stop)),
    st.builds(Fail, failure=failures, n_failures=sizes),
    st.builds(Revive, leader=keys),
)
