"""Replay policies over recorded portfolios: what each costs, and what it chooses.

A *run* is one data set, one random order of its learners and one random choice of its seeds as
folds; every contestant meets the same runs. The reference is k-fold CV on the same folds.

Twenty recorded learners are few; searches have hundreds of candidates. A perturbed copy of a
learner stands for another configuration of the same algorithm:

1. Its losses, at every anchor and in the truth, are the learner's times a factor exp(N(0, 0.15)):
   better or worse by about 15% of the error.
2. Each fold gets noise of its own, with half of the variance that its test rows would have if they
   were independent: two configurations agree on most rows, not on all. The same draw serves a fold
   at every anchor.
3. Its seconds are the learner's times exp(N(0, 0.5)).

The recorded learners themselves stay in the portfolio. Fewer than were recorded are a random choice
of them, another one for each order.

What was recorded as a failure is one in the replay, and losses by row travel with the observations,
where they were recorded; of perturbed copies they are not known.
"""

from __future__ import annotations

import math
import signal
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from multiprocessing import active_children, get_context
from statistics import fmean
from typing import Any

import numpy as np

from curvewise._bench.contestant import Contestant
from curvewise.core._decisions import Prune
from curvewise.core._outcome import Failure, Observation, Outcome, Task
from curvewise.core._policies import KFoldCV
from curvewise.core._policy import demands_of
from curvewise.core._ranks import rank
from curvewise.core._scale import Scale
from curvewise.core._search import Search
from curvewise.errors import InvalidParameterError, UnreadableCurvesError
from curvewise.executors._listener import Ending
from curvewise.executors._loop import run
from curvewise.executors._recordings import Recording
from curvewise.executors._replay_executor import ReplayExecutor

MIN_LEARNERS = 5
LOSS_SPREAD = 0.15
OWN_VARIANCE = 0.5
COST_SPREAD = 0.5


@dataclass(frozen=True, slots=True)
class Setting:
    """How portfolios are replayed.

    ``n_learners`` is how many a portfolio has: a choice of those that were recorded, or perturbed
    copies besides; ``n_workers`` are simulated; an ``unknown_scale`` takes the losses as of any
    scale, with no word on their test rows; ``row_losses`` says whether observations have them.
    """

    n_folds: int = 10
    n_orders: int = 10
    n_workers: int = 1
    n_learners: int | None = None
    unknown_scale: bool = False
    row_losses: bool = True
    random_state: int = 0


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run took: seconds of all workers together, until the end, training rows, tasks."""

    seconds: float
    clock: float
    rows: int
    tasks: int


@dataclass(frozen=True, slots=True)
class Run:
    """One contestant on one data set in one order, beside k-fold CV on the same folds.

    ``gap`` is by how much the truth of its choice is worse than that of k-fold's; ``prunes``
    counts prunes by anchor; ``lost`` says whether k-fold's choice was pruned; ``n_folds_winner``
    is how many folds the winner had at the target. The last of its winners is by ``last_gap`` of
    k-fold's mean loss behind the last of as many in k-fold: 0 if they are the same.
    """

    dataset: str
    target: int
    label: str
    order: int
    cost: Cost
    reference: Cost
    gap: float
    prunes: dict[int, int]
    lost: bool
    n_folds_winner: int
    last_gap: float = 0.0


def portfolios(
    recordings: Iterable[Recording], setting: Setting, *, min_target: int = 512
) -> list[Recording]:
    """Choose the data sets that can be replayed, and their complete learners and seeds."""
    chosen, reasons = [], []
    for recording in recordings:
        reason = _why_not(recording, setting, min_target)
        complete = None if reason else recording.complete(setting.n_folds, failures=True)
        if complete is not None:
            chosen.append(complete)
        else:
            reasons.append(f"data set {recording.dataset}: {reason}")
    if not chosen:
        raise UnreadableCurvesError(f"No data set can be replayed; {'; '.join(reasons[:3])}.")
    return chosen


def _why_not(recording: Recording, setting: Setting, min_target: int) -> str | None:
    """Say why a data set cannot be replayed; None if it can."""
    if recording.target < min_target:
        return f"its target anchor {recording.target} is below {min_target} rows"
    complete = recording.complete(setting.n_folds, failures=True)
    n_complete = 0 if complete is None else int(complete.finished.sum())
    if n_complete >= MIN_LEARNERS:
        return None
    without = recording.without_target()
    lacking = f", {', '.join(without[:3])} lacks the target anchor" if without else ""
    return (
        f"{n_complete} learners have every anchor up to {recording.target} on {setting.n_folds} "
        f"common seeds, {MIN_LEARNERS} are needed{lacking}"
    )


def replay(
    recordings: Sequence[Recording],
    contestants: Sequence[Contestant],
    setting: Setting,
    *,
    n_jobs: int = 1,
    on_progress: Callable[[], None] = lambda: None,
) -> list[Run]:
    """Replay every contestant on every portfolio; the same runs for any number of jobs."""
    if n_jobs == 1:
        runs = []
        for recording in recordings:
            runs += replay_one(recording, contestants, setting)
            on_progress()
        return runs
    pool = ProcessPoolExecutor(
        n_jobs, mp_context=get_context("spawn"), initializer=_leave_interrupts_to_the_parent
    )
    try:
        futures = [pool.submit(replay_one, one, contestants, setting) for one in recordings]
        for _ in as_completed(futures):
            on_progress()
        return [one for future in futures for one in future.result()]
    except BaseException:
        # What waits is dropped, and what runs is ended: an interrupt must not wait for its end.
        pool.shutdown(wait=False, cancel_futures=True)
        for process in active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown()


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def replay_one(
    recording: Recording, contestants: Sequence[Contestant], setting: Setting
) -> list[Run]:
    """Replay every contestant on one portfolio, in every order."""
    runs = []
    for order, stage in stages(recording, setting):
        reference, truth_of_reference = stage.reference()
        runs += [
            stage.run(contestant, order, reference, truth_of_reference)
            for contestant in contestants
        ]
    return runs


def stages(recording: Recording, setting: Setting) -> Iterator[tuple[int, Stage]]:
    """Draw the order of the learners and the choice of folds, once for each order."""
    for order in range(setting.n_orders):
        rng = np.random.default_rng(
            [setting.random_state, zlib.crc32(recording.dataset.encode()), order]
        )
        portfolio = recording
        if setting.n_learners is not None:
            portfolio = resized(recording, setting.n_learners, rng)
        learners = rng.permutation(len(portfolio.learners)).tolist()
        seeds = rng.choice(portfolio.n_seeds, setting.n_folds, replace=False)
        yield order, Stage(portfolio, learners, seeds, setting)


class Stage:
    """One portfolio, one order, one choice of folds: where contestants perform."""

    def __init__(
        self, recording: Recording, learners: list[int], seeds: np.ndarray, setting: Setting
    ) -> None:
        self.recording = recording
        self.learners = learners
        self.setting = setting
        self._seeds = seeds
        self._loss = recording.loss[:, :, seeds].tolist()
        self._seconds = recording.seconds[:, :, seeds].tolist()
        train = recording.train
        self._train = None if train is None else train[:, :, seeds].tolist()
        self._truth = recording.truth.tolist()
        self._position = {anchor: i for i, anchor in enumerate(recording.anchors)}
        self._with_training = False
        unknown = setting.unknown_scale
        self._n_test = None if unknown else recording.n_test
        self._with_rows = setting.row_losses and not unknown and recording.rows is not None
        noise, failures = recording.noise, recording.failures
        self._noise = None if noise is None or unknown else noise[:, :, seeds].tolist()
        self._failures = None if failures is None else failures[:, :, seeds].tolist()
        self._scale = Scale.unbounded() if unknown or not _is_rate(recording) else Scale()

    def reference(self) -> tuple[Cost, int]:
        """Run k-fold CV; give its cost and its choice."""
        search, cost = self.search(Contestant("kfold", KFoldCV()))
        return cost, _winner(search)

    def run(self, contestant: Contestant, order: int, reference: Cost, choice: int) -> Run:
        """Run a contestant and compare it."""
        search, cost = self.search(contestant)
        contenders = search.portfolio.contenders
        prunes = [
            contender.trace[-1].anchor
            for contender in contenders.values()
            if isinstance(contender.trace[-1], Prune)
        ]
        winner = _winner(search)
        return Run(
            self.recording.dataset,
            self.recording.target,
            contestant.label,
            order,
            cost,
            reference,
            self._truth[winner] - self._truth[choice],
            dict(Counter(prunes)),
            isinstance(contenders[choice].trace[-1], Prune),
            contenders[winner].curve.n(self.recording.target),
            self._last_gap(search, getattr(contestant.policy, "winners", 1)),
        )

    def _last_gap(self, search: Search, n_winners: int) -> float:
        """Compare the last of the winners with the last of as many in k-fold, by k-fold's means."""
        losses = [fmean(anchors[-1]) for anchors in self._loss]
        known = sorted(loss for loss in losses if math.isfinite(loss))
        ranked: list[Any] = sorted(
            (each for each in search.results.values() if math.isfinite(each.loss)), key=rank
        )
        places = [each.candidate for each in ranked if math.isfinite(losses[each.candidate])]
        worst = max(losses[place] for place in places[:n_winners])
        return worst - known[min(n_winners, len(known)) - 1]

    def search(self, contestant: Contestant) -> tuple[Search, Cost]:
        """Replay a contestant; give the search as it ended, and what it cost."""
        policy = contestant.policy
        self._with_training = demands_of(policy).train_scores
        schedule = policy.schedule(self.recording.target).among(self.recording.anchors)
        candidates: Iterator[int] | list[int] = self.learners
        search = Search(
            iter(candidates) if contestant.streaming else candidates,
            schedule=schedule,
            policy=policy,
            n_folds=self.setting.n_folds,
            scale=self._scale,
        )
        executor = ReplayExecutor(self._look_up, n_workers=self.setting.n_workers)
        if run(search, executor) is Ending.INTERRUPTED:
            raise KeyboardInterrupt
        cost = Cost(executor.busy_seconds, executor.clock, executor.n_rows, executor.n_tasks)
        return search, cost

    def _look_up(self, task: Task) -> Outcome:
        learner: Any = task.candidate
        anchor, fold = task.anchor, task.fold
        where = self._position[anchor]
        seconds = self._seconds[learner][where][fold]
        reason = None if self._failures is None else self._failures[learner][where][fold]
        if reason is not None:
            return Failure(task, reason, "so it was recorded", seconds)
        trained = None
        if self._train is not None and self._with_training:
            trained = {"score": self._scale.score(self._train[learner][where][fold])}
        noise = None if self._noise is None else self._noise[learner][where][fold]
        rows = None
        if self._with_rows:
            rows = self.recording.row_losses(learner, where, self._seeds[fold])
        return Observation(
            task,
            self._loss[learner][where][fold],
            seconds=seconds,
            n_test=self._n_test if rows is None else len(rows),
            noise=None if noise is None or math.isnan(noise) else noise,
            train_scores=trained,
            row_losses=rows,
        )


def _is_rate(recording: Recording) -> bool:
    """Whether the losses are error rates."""
    return recording.scoring in (None, "accuracy")


def _winner(search: Search) -> int:
    best = search.portfolio.best
    if best is None:
        raise RuntimeError("A replayed search ended without a winner.")
    return best.candidate  # type: ignore[return-value]


def resized(recording: Recording, n: int, rng: np.random.Generator) -> Recording:
    """Make a portfolio of n learners."""
    n_known = len(recording.learners)
    if n >= n_known:
        return enlarge(recording, n, rng)
    order = rng.permutation(n_known)
    chosen, able = order[:n], recording.finished
    if not able[chosen].any():
        # One of them has to finish: a search in which all fail has no winner.
        chosen[-1] = next(i for i in order if able[i])
    return recording.take(sorted(chosen.tolist()))


def enlarge(recording: Recording, n: int, rng: np.random.Generator) -> Recording:
    """Add perturbed copies until there are n learners."""
    n_known = len(recording.learners)
    n_copies = n - n_known
    if n_copies <= 0:
        return recording
    if not _is_rate(recording):
        raise InvalidParameterError(
            f"Data set {recording.dataset} has {n_known} learners: perturbed copies are made of "
            f"error rates, not of {recording.scoring}."
        )
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
        train=None,
        noise=None,
        failures=_with_copies(recording.failures, origin),
        rows=None if recording.rows is None else recording.rows.with_unknown(n_copies),
    )


def _with_copies(failures: Any, origin: np.ndarray) -> Any:
    """Let copies fail where the learners do that they are copies of."""
    return None if failures is None else np.concatenate([failures, failures[origin]])
