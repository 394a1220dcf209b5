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

Results on half of a table and on all of it are a `SeenCase`. What follows works on both: on the
``size`` of the data set (its largest training set), the ``rows`` H that there are now, the best
loss that is known (``now``), the loss of each learner at H (``present``), and at 2H as one would
measure it (``measured``, None if nobody did) and as it is (``truth``).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

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
class RecordedCase:
    """A case of recorded curves."""

    dataset: str
    size: int
    learners: tuple[str, ...]
    anchors: tuple[int, ...]
    losses: Floats
    measured: Floats
    truth: Floats
    n_test: int | None = None

    @property
    def rows(self) -> int:
        """H, the largest anchor that was seen."""
        return self.anchors[-1]

    @property
    def present(self) -> Floats:
        """The mean over the folds at H."""
        means: Floats = self.losses[:, -1].mean(axis=1)
        return means

    @property
    def now(self) -> float:
        """The best of them."""
        return float(self.present.min())

    def entries(self) -> list[CandidateCurve]:
        """The curves, made anew each time: many cases would fill the memory with them."""
        return [CandidateCurve(name, self._curve(i)) for i, name in enumerate(self.learners)]

    def _curve(self, i: int) -> LearningCurve:
        return LearningCurve(
            Observation(Task(self.learners[i], anchor, fold), float(loss), n_test=self.n_test)
            for anchor, losses in zip(self.anchors, self.losses[i], strict=True)
            for fold, loss in enumerate(losses)
        )


@dataclass(frozen=True, slots=True, eq=False)
class SeenCase:
    """A case of results that somebody got, such as those on one half of a table."""

    dataset: str
    size: int
    results: Sequence[ValidationResult]
    then: Mapping[Candidate, float]
    measured: None = None

    @property
    def learners(self) -> tuple[str, ...]:
        """The names of the candidates."""
        return tuple(str(entry.candidate) for entry in self.entries())

    @property
    def rows(self) -> int:
        """H, the largest anchor that was seen."""
        return max(entry.curve.anchors[-1] for entry in self.entries())

    @property
    def now(self) -> float:
        """The loss of the leader."""
        return stand(self.entries(), self.results[0].scale).loss

    @property
    def present(self) -> Floats:
        """The mean over the folds that each has at its largest anchor."""
        return np.array([e.curve.mean(e.curve.anchors[-1]) for e in self.entries()])

    @property
    def truth(self) -> Floats:
        """The loss at 2H, in the order of the candidates."""
        return np.array([self.then[entry.candidate] for entry in self.entries()])

    def entries(self) -> Sequence[CandidateCurve]:
        """The candidates of which the loss at 2H is known."""
        known = [result for result in self.results if result.candidate in self.then]
        return gather(known).entries


Case = RecordedCase | SeenCase


def collect(
    recordings: Iterable[Recording], *, n_folds: int = 10, random_state: int = 0, n_draws: int = 1
) -> list[RecordedCase]:
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


def _cases_of(recording: Recording, n_folds: int, rng: np.random.Generator) -> list[RecordedCase]:
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
) -> RecordedCase | None:
    places = [recording.anchors.index(anchor) for anchor in (*seen, 2 * seen[-1])]
    whole: NDArray[np.bool_] = np.asarray(np.isfinite(recording.loss[:, places, :]).all(axis=1))
    kept = common_learners(whole, n_folds)
    if len(kept) < MIN_LEARNERS:
        return None
    seeds = np.flatnonzero(whole[kept].all(axis=0))
    folds = rng.permutation(seeds)[:n_folds]
    losses = recording.loss[kept][:, places][:, :, folds]
    return RecordedCase(
        recording.dataset,
        recording.target,
        tuple(recording.learners[i] for i in kept),
        tuple(seen),
        losses[:, :-1],
        losses[:, -1].mean(axis=1),
        recording.test[kept][:, places[-1]][:, seeds].mean(axis=1),
        recording.n_test,
    )


def common_learners(whole: NDArray[np.bool_], n_folds: int) -> list[int]:
    """The learners that have enough seeds in common (rule 2)."""
    n_whole = whole.sum(axis=1)
    kept = [i for i in range(len(whole)) if n_whole[i] >= n_folds]
    while kept and whole[kept].all(axis=0).sum() < n_folds:
        kept.remove(min(kept, key=lambda i: (n_whole[i], -i)))
    return kept
