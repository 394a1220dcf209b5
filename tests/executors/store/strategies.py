"""What hypothesis draws for the tests of the store."""

from hypothesis import strategies as st

from curvewise.core._decisions import (
    Advance,
    Complete,
    Fail,
    Hold,
    Lead,
    Prune,
    Repair,
    Revive,
    Sample,
    Skip,
    Stop,
)
from curvewise.core._outcome import Failure, Observation, Reason, Task

keys = st.recursive(
    st.text() | st.integers() | st.floats(allow_nan=False) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=4,
)
sizes = st.integers(0, 2**62)
tasks = st.builds(Task, keys, sizes, sizes)
losses = st.floats()
scores = st.none() | st.dictionaries(st.text(), losses, max_size=3)
failures = st.builds(Failure, tasks, st.sampled_from(Reason), st.text(), losses, st.text())
observations = st.builds(
    Observation,
    tasks,
    loss=losses,
    seconds=losses,
    n_test=st.none() | sizes,
    noise=st.none() | losses,
    fit_seconds=st.none() | losses,
    score_seconds=st.none() | losses,
    scores=scores,
    train_scores=scores,
)
outcomes = observations | failures

decisions = st.one_of(
    *(st.builds(kind) for kind in (Sample, Repair, Advance, Skip, Hold, Lead)),
    *(st.builds(kind) for kind in (Prune, Complete, Stop)),
    st.builds(Fail, failure=failures),
    st.builds(Revive, leader=keys),
)
