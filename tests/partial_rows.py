"""Made-up learners for tests of whom all, some or none of the losses by row are known."""

import numpy as np
from hypothesis import strategies as st

from curvewise import Observation

N_TEST = 50

kinds = st.sampled_from(["all", "none", "some folds", "some rows", "truths"])
portfolios = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 10**6),
        "kinds": st.lists(kinds, min_size=1, max_size=7),
        "n_folds": st.integers(1, 8),
        "target": st.sampled_from([300, 5000]),
        "spread": st.sampled_from([0.0, 0.02, 0.3]),
        "winners": st.integers(1, 3),
    }
)


def outcome(case, task, *, instead=None):
    """Evaluate a made-up learner, of whose rows all, some or none are known.

    The rows that the last candidate lacks may have something else ``instead`` for all others.
    """
    kind = case["kinds"][task.candidate]
    hard = np.random.default_rng([case["seed"], task.fold]).random(N_TEST)
    own = np.random.default_rng([case["seed"], task.candidate, task.anchor, task.fold])
    level = 0.3 + case["spread"] * task.candidate / len(case["kinds"]) + 10 / task.anchor
    losses = np.square(hard + 0.2 * own.random(N_TEST) + level)
    if kind == "truths":
        losses = (losses > 1).astype(float)
    # Not the mean of the rows that are known: that is of all rows.
    loss, rows = float(losses.mean()), losses.astype(np.float32)
    if kind == "truths":
        rows = losses > 0
    elif kind == "none" or (kind == "some folds" and task.fold % 2):
        rows = None
    elif kind == "some rows":
        rows[missing(case, task)] = np.nan
    if instead is not None and rows is not None and task.candidate != last_of(case):
        rows = rows.astype(np.float32)
        rows[missing(case, task)] = instead
    seconds = float(own.integers(1, 9))
    return Observation(task, loss, seconds=seconds, n_test=N_TEST, row_losses=rows)


def missing(case, task):
    """The rows of a fold that are not known of candidates that lack some."""
    return np.random.default_rng([case["seed"], 1, task.fold]).random(N_TEST) < 0.4


def last_of(case):
    return len(case["kinds"]) - 1
