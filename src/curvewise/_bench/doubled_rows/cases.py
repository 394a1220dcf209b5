"""Cases: portfolios that were seen up to H rows, and what became of them at 2H.

Rules, for recorded curves (`curvewise.executors._recordings`):

1. Every power of two H of at least 256 rows for which 2H was recorded is a case of its data set:
   there are three anchors then, from 64 to H. Data sets whose largest anchor is below 512 rows are
   left out.
2. Learners and seeds take part that have every anchor from 64 to H, and 2H. Learners with fewer
   seeds than there are folds are left out, and then those with the fewest until the rest have
   enough seeds in common; at least five learners have to remain.
3. Methods see the validation losses of some seeds, chosen at random, as folds. The truth at 2H is
   the mean test loss over all seeds. *Measured* is the validation loss at 2H on the same folds:
   what one would know after having doubled the rows.

Results on half of a table and on all of it are a case, too (`seen_case`). What follows works on the
``size`` of the data set (its largest training set), the ``rows`` H that there are now, the best
loss that is known (``now``), the loss of each learner at H (``present``), and at 2H as one would
measure it (``measured``, None if nobody did) and as it is (``truth``).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from curvewise.advice._envelope import stand
from curvewise.advice._evidence import CandidateCurve, gather
from curvewise.core._curve import LearningCurve
from curvewise.core._outcome import Candidate, Observation, Task
from curvewise.core._result import ValidationResult
from curvewise.errors import UnreadableCurvesError
from curvewise.executors._recordings import Recording

SMALLEST = 64
FEWEST_ANCHORS = 3
MIN_LEARNERS = 5
MIN_TARGET = 512

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A portfolio at H rows, and what became of it at 2H."""

    dataset: str
    size: int
    learners: Sequence[str]
    rows: int
    now: float
    present: Floats
    truth: Floats
    # Made anew each time: many cases would fill the memory with curves.
    entries: Callable[[], Sequence[CandidateCurve]]
    measured: Floats | None = None


def seen_case(
    dataset: str, size: int, results: Sequence[ValidationResult], then: Mapping[Candidate, float]
) -> Case:
    """Make a case of results that somebody got on half of a table, and the losses on all of it."""
    entries = gather([result for result in results if result.candidate in then]).entries
    curves = [entry.curve for entry in entries]
    return Case(
        dataset,
        size,
        [str(entry.candidate) for entry in entries],
        rows=max(curve.anchors[-1] for curve in curves),
        now=stand(entries, results[0].scale).loss,
        present=np.array([curve.mean(curve.anchors[-1]) for curve in curves]),
        truth=np.array([then[entry.candidate] for entry in entries]),
        entries=lambda: entries,
    )


def collect(
    recordings: Iterable[Recording], *, n_folds: int = 10, random_state: int = 0, n_draws: int = 1
) -> list[Case]:
    """Make the cases of recorded curves."""
    cases = []
    for recording in recordings:
        rng = np.random.default_rng([random_state, zlib.crc32(recording.dataset.encode())])
        if recording.target >= MIN_TARGET:
            for _ in range(n_draws):
                cases += _cases_of(recording, n_folds, rng)
    if not cases:
        raise UnreadableCurvesError(
            f"No data set has {MIN_LEARNERS} learners with {FEWEST_ANCHORS} anchors from "
            f"{SMALLEST} rows to a power of two H and with 2H, on {n_folds} common seeds."
        )
    return cases


def _cases_of(recording: Recording, n_folds: int, rng: np.random.Generator) -> list[Case]:
    cases = []
    for rows in recording.anchors:
        seen = [anchor for anchor in recording.anchors if SMALLEST <= anchor <= rows]
        power = rows & (rows - 1) == 0
        if power and 2 * rows in recording.anchors and len(seen) >= FEWEST_ANCHORS:
            case = _case(recording, seen, n_folds, rng)
            if case is not None:
                cases.append(case)
    return cases


def _case(
    recording: Recording, seen: Sequence[int], n_folds: int, rng: np.random.Generator
) -> Case | None:
    places = [recording.anchors.index(anchor) for anchor in (*seen, 2 * seen[-1])]
    whole: NDArray[np.bool_] = np.asarray(np.isfinite(recording.loss[:, places, :]).all(axis=1))
    kept = common_learners(whole, n_folds)
    if len(kept) < MIN_LEARNERS:
        return None
    seeds = np.flatnonzero(whole[kept].all(axis=0))
    folds = rng.permutation(seeds)[:n_folds]
    losses = recording.loss[kept][:, places][:, :, folds]
    names = [recording.learners[i] for i in kept]
    present = losses[:, -2].mean(axis=1)
    return Case(
        recording.dataset,
        recording.target,
        names,
        rows=seen[-1],
        now=float(present.min()),
        present=present,
        truth=recording.test[kept][:, places[-1]][:, seeds].mean(axis=1),
        entries=partial(_curves, names, seen, losses[:, :-1], recording.n_test),
        measured=losses[:, -1].mean(axis=1),
    )


def _curves(
    learners: Sequence[str], anchors: Sequence[int], losses: Floats, n_test: int
) -> list[CandidateCurve]:
    """Make the curves of recorded losses by learner, anchor and fold."""
    return [
        CandidateCurve(
            name,
            LearningCurve(
                Observation(Task(name, anchor, fold), float(loss), n_test=n_test)
                for anchor, by_fold in zip(anchors, own, strict=True)
                for fold, loss in enumerate(by_fold)
            ),
        )
        for name, own in zip(learners, losses, strict=True)
    ]


def common_learners(whole: NDArray[np.bool_], n_folds: int) -> list[int]:
    """The learners that have enough seeds in common (rule 2)."""
    n_whole = whole.sum(axis=1)
    kept = [i for i in range(len(whole)) if n_whole[i] >= n_folds]
    while kept and whole[kept].all(axis=0).sum() < n_folds:
        kept.remove(min(kept, key=lambda i: (n_whole[i], -i)))
    return kept
