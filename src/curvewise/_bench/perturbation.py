"""Large portfolios, made from a recorded one.

Twenty recorded learners are few; searches have hundreds of candidates. A perturbed copy of a
learner stands for another configuration of the same algorithm:

1. Its losses, at every anchor and in the truth, are the learner's times a factor exp(N(0, 0.15)):
   better or worse by about 15% of the error.
2. Each fold gets noise of its own, with half of the variance that its test rows would have if they
   were independent: two configurations agree on most rows, not on all. The same draw serves a fold
   at every anchor.
3. Its seconds are the learner's times exp(N(0, 0.5)).

The recorded learners themselves stay in the portfolio.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from curvewise.executors._recordings import Recording

LOSS_SPREAD = 0.15
OWN_VARIANCE = 0.5
COST_SPREAD = 0.5


def enlarge(recording: Recording, n: int, rng: np.random.Generator) -> Recording:
    """Add perturbed copies until there are n learners."""
    n_known = len(recording.learners)
    n_copies = n - n_known
    if n_copies <= 0:
        return recording
    origin = rng.integers(n_known, size=n_copies)
    factor = np.exp(rng.normal(0, LOSS_SPREAD, n_copies))[:, None, None]
    loss = recording.loss[origin] * factor
    noise = rng.normal(size=(n_copies, 1, recording.n_seeds))
    spread = np.sqrt(OWN_VARIANCE * np.clip(loss * (1 - loss), 0, None) / recording.n_test)
    seconds = (
        recording.seconds[origin] * np.exp(rng.normal(0, COST_SPREAD, n_copies))[:, None, None]
    )
    names = [f"{recording.learners[o]}~{n_known + i}" for i, o in enumerate(origin)]
    return replace(
        recording,
        learners=(*recording.learners, *names),
        loss=np.concatenate([recording.loss, np.clip(loss + noise * spread, 0, 1)]),
        seconds=np.concatenate([recording.seconds, seconds]),
        test=np.concatenate([recording.test, np.clip(recording.test[origin] * factor, 0, 1)]),
    )
