"""Every method on every case, for the portfolio and for each of its learners.

Calibration is cross-validated: data sets are dealt into groups, and what is said about a group
comes from numbers that were found on the others. No data set predicts itself. Few data sets are not
enough to calibrate on: below 30, intervals cover too little, and shipped numbers are better.

Methods: ``last`` (nothing changes), ``ipl`` (the paper's), ``curve`` (ours), ``curve-unbounded``
(ours, when it is not known that losses are error rates) and ``measured``: the ceiling, what one
would know after really having doubled the rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from curvewise._bench.doubled_rows.calibrator import calibrate, lessons_of
from curvewise._bench.doubled_rows.cases import Case
from curvewise.advice._outlook import Outlook
from curvewise.advice._prediction import LastTrend, PaperTrend, laws_of, numbers_for
from curvewise.advice._trend import Trend
from curvewise.core._extrapolation import FittedCurve
from curvewise.core._scale import Scale
from curvewise.errors import InvalidParameterError

METHODS = ("last", "ipl", "curve", "curve-unbounded", "measured")
LEVELS = ("portfolio", "learner")
N_GROUPS = 10
FEWEST_DATASETS = 30
DOUBLE = 2
SCALES = {"curve": Scale(), "curve-unbounded": Scale.unbounded()}


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a method said about doubling the rows, and what it brought."""

    method: str
    level: str
    dataset: str
    size: int
    rows: int
    learner: str
    outlook: Outlook
    gain: float


def forecast(
    cases: Sequence[Case],
    *,
    methods: Sequence[str] = METHODS,
    shipped: bool = False,
    on_progress: Callable[[], None] = lambda: None,
) -> list[Forecast]:
    """Let every method predict every case."""
    unknown = [method for method in methods if method not in METHODS]
    if unknown:
        raise InvalidParameterError(
            f"There is no method {unknown[0]!r}; choose from {', '.join(METHODS)}."
        )
    if any(case.measured is None for case in cases):
        methods = [method for method in methods if method != "measured"]
    laws = [_laws(case) for case in cases] if "ipl" in methods else []
    forecasts = []
    for level in LEVELS:
        for method in methods:
            if method in SCALES:
                outlooks = _by_trend(cases, level, SCALES[method], shipped=shipped)
            elif method == "ipl":
                outlooks = _by_law(cases, level, laws)
            else:
                outlooks = _plain(cases, level, measured=method == "measured")
            forecasts += _compare(cases, method, level, outlooks)
            on_progress()
    return forecasts


def _compare(
    cases: Sequence[Case], method: str, level: str, outlooks: Sequence[Outlook]
) -> list[Forecast]:
    """Put what was said beside what happened."""
    happened = [(case, learner, gain) for case in cases for learner, gain in _happened(case, level)]
    return [
        Forecast(method, level, case.dataset, case.size, case.rows, learner, outlook, gain)
        for (case, learner, gain), outlook in zip(happened, outlooks, strict=True)
    ]


def _happened(case: Case, level: str) -> list[tuple[str, float]]:
    """What doubling brought: to the portfolio, or to each learner over itself."""
    if level == "portfolio":
        return [("", case.now - float(case.truth.min()))]
    return list(zip(case.learners, (case.present - case.truth).tolist(), strict=True))


def _plain(cases: Sequence[Case], level: str, *, measured: bool) -> list[Outlook]:
    """What the loss at twice the rows, or the present one, says."""
    gains: list[float] = []
    for case in cases:
        now = case.present
        then = case.measured if measured and case.measured is not None else now
        best = float(then.min()) if measured else case.now
        gains += [case.now - best] if level == "portfolio" else (now - then).tolist()
    return [Outlook(gain, math.inf) for gain in gains]


def _laws(case: Case) -> list[tuple[FittedCurve, ...]]:
    """The power law of each learner; none if it has too few anchors."""
    return [laws_of([entry]) for entry in case.entries()]


def _by_law(
    cases: Sequence[Case], level: str, laws: Sequence[Sequence[tuple[FittedCurve, ...]]]
) -> list[Outlook]:
    """What the paper's power laws say."""
    outlooks = []
    for case, own in zip(cases, laws, strict=True):
        if level == "portfolio":
            everyone = tuple(law for each in own for law in each)
            whole = PaperTrend(case.now, case.rows, everyone) if everyone else LastTrend()
            outlooks.append(whole.look(DOUBLE))
            continue
        for loss, law in zip(case.present.tolist(), own, strict=True):
            trend = PaperTrend(loss, case.rows, law) if law else LastTrend()
            outlooks.append(trend.look(DOUBLE))
    return outlooks


def _by_trend(cases: Sequence[Case], level: str, scale: Scale, *, shipped: bool) -> list[Outlook]:
    """What a trend says, with numbers that were found on other data sets."""
    bounded = scale.unit is not None
    lessons = lessons_of(cases, level=level, scale=scale)
    if shipped:
        n = [len(case.learners) for case in cases] if level == "portfolio" else [1] * len(lessons)
        return [
            Trend(each.standing, scale, numbers_for(each.standing, own, scale)).look(DOUBLE)
            for each, own in zip(lessons, n, strict=True)
        ]
    groups = deal({case.dataset for case in cases})
    if len(groups) == 1:
        raise InvalidParameterError("A single data set cannot be calibrated on others.")
    found = {}
    for group in set(groups.values()):
        others = [each for each in lessons if groups[each.dataset] != group]
        found[group] = calibrate(others, bounded=bounded)
    return [
        Trend(each.standing, scale, found[groups[each.dataset]]).look(DOUBLE) for each in lessons
    ]


def deal(datasets: set[str], n_groups: int = N_GROUPS) -> dict[str, int]:
    """Deal data sets into groups."""
    return {name: i % n_groups for i, name in enumerate(sorted(datasets))}
