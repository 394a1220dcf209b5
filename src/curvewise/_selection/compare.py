"""`compare`: a handful of estimators side by side, ranked, with their curves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sklearn.utils import indexable

from curvewise._evaluation.given_types import Estimator, FoldsGiven, ScoringGiven, Seed
from curvewise._packages import require
from curvewise._selection.best_candidate import warn_of_failed
from curvewise._selection.candidates import gather, is_estimator
from curvewise._selection.experiment import Experiment
from curvewise._selection.known_candidates import validate_known
from curvewise._selection.remembered_run import RememberedResults, RememberedRun, run_of_results
from curvewise._selection.short_ways import ShortWays
from curvewise._sketch import html_table
from curvewise.core._certainty import percent
from curvewise.core._difference import difference_of
from curvewise.core._policies.whole_curve import WholeCurve
from curvewise.core._policy import Policy, competes_partially
from curvewise.core._ranks import best_of, is_estimated, places, rank
from curvewise.core._result import ValidationResult
from curvewise.errors import InvalidParameterError
from curvewise.executors._execution import Execution
from curvewise.executors._limits import Limits
from curvewise.executors._workers.worker_loop import Fresh

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

    from curvewise._selection.pictures.curve_display import CurveDisplay

HEADINGS = {
    "rank": "rank",
    "candidate": "candidate",
    "score": "score",
    "low": "95% from",
    "high": "to",
    "n_folds": "folds",
    "difference": "difference",
    "chance": "chance",
    "status": "status",
    "training_rows": "rows trained",
    "seconds": "seconds",
}
# A difference that is rounded to nothing.
SMALLEST = 5e-5
LEGEND = "difference: to the best, on the folds that both have; chance: to be truly better than it"


@dataclass(frozen=True, slots=True)
class Comparison(ShortWays):
    """Estimators that were validated on the same folds.

    Parameters
    ----------
    results
        One result per estimator, in the order in which they were given.
    partial_results
        Whether who was stopped competes with its partial result, as its policy said.
    memory
        What its report says of how they were validated; `compare` fills it in.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> comparison = compare({"bayes": GaussianNB(), "dummy": DummyClassifier()}, X, y)
    >>> comparison.best.candidate, [row["rank"] for row in comparison.table]
    ('bayes', [1, 2])
    """

    results: list[ValidationResult]
    partial_results: bool = False
    memory: RememberedResults | None = field(default=None, repr=False, compare=False)

    @property
    def ranked(self) -> list[ValidationResult]:
        """The results, the best first; those without a score come last."""
        partial = self.partial_results
        return sorted(self.results, key=lambda one: rank(one, one.curve, partial_results=partial))

    @property
    def best(self) -> ValidationResult | None:
        """The best one that has a score; None if there is none."""
        return best_of(self.results, partial_results=self.partial_results)

    @property
    def table(self) -> list[dict[str, Any]]:
        """A row per estimator, the best first; equal scores share a rank.

        The rank of who was not completed is an estimate, from how far it came. ``low`` and ``high``
        are the 95% interval of the score, on ``n_folds`` folds. ``difference`` is to the best, on
        the ``common_folds`` that both have, with ``difference_low`` and ``difference_high``;
        ``chance`` is the chance to be truly better than the best. NaN where nothing is known.
        """
        rows = []
        ranked, best = self.ranked, self.best
        numbers = places([(one, one.curve) for one in ranked], partial_results=self.partial_results)
        for place, result in zip(numbers, ranked, strict=True):
            scale, interval = result.scale, result.interval
            high = scale.score(interval.low)
            rows.append(
                {
                    "rank": place,
                    "rank_estimated": is_estimated(result),
                    "candidate": result.candidate,
                    "score": result.score,
                    "low": scale.score(interval.high),
                    "high": min(scale.best, high) if math.isfinite(high) else high,
                    "n_folds": result.n_folds,
                    **against(best, result),
                    "status": result.status.value,
                    "training_rows": result.training_rows,
                    "seconds": result.seconds,
                    "reason": result.explain(),
                }
            )
        return rows

    def to_frame(self) -> DataFrame:
        """Give the table as a pandas data frame: a row per estimator, the best first.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        return require("pandas", "A data frame").DataFrame(self.table)

    def leaderboard(self) -> DataFrame:
        """Give the table as a pandas data frame, as `to_frame` does.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        return self.to_frame()

    def _run_to_read(self) -> RememberedRun:
        partial = self.partial_results
        return run_of_results(self.results, memory=self.memory, partial_results=partial)

    def _results_to_read(self) -> list[ValidationResult]:
        return self.results

    def plot(
        self,
        *,
        extrapolate: str | bool | None = None,
        until: int | None = None,
        score_name: str = "score",
        ax: Axes | None = None,
    ) -> CurveDisplay:
        """Draw the curves.

        Parameters
        ----------
        extrapolate, until, score_name, ax
            As for `CurveDisplay.from_results`.
        """
        from curvewise._selection.pictures import curve_display

        return curve_display.CurveDisplay.from_results(
            self.results, extrapolate=extrapolate, until=until, score_name=score_name, ax=ax
        )

    def __str__(self) -> str:
        rows = [list(HEADINGS.values()), *(_texts(row) for row in self.table)]
        widths = [max(len(row[i]) for row in rows) for i in range(len(HEADINGS))]
        lines = [
            "  ".join(
                text.ljust(width) if name in ("candidate", "status") else text.rjust(width)
                for name, text, width in zip(HEADINGS, row, widths, strict=True)
            ).rstrip()
            for row in rows
        ]
        return "\n".join([*lines, *([LEGEND] if len(self.results) > 1 else [])])

    def _repr_html_(self) -> str:
        return html_table(HEADINGS.values(), map(_texts, self.table))


def compare(
    estimators: Sequence[Estimator] | Mapping[str, Estimator],
    X: Any,
    y: Any = None,
    *,
    scoring: ScoringGiven = None,
    cv: FoldsGiven = None,
    policy: Policy | None = None,
    groups: Any = None,
    params: dict[str, Any] | None = None,
    n_jobs: int | None = None,
    time_budget: float | None = None,
    timeout_per_candidate: float | None = None,
    timeout_per_fit: float | None = None,
    memory_limit: int | str | None = None,
    dask: str | None = None,
    fresh_workers: Fresh | None = None,
    test_cap: int | None = None,
    return_train_score: bool = False,
    random_state: Seed = None,
) -> Comparison:
    """Compare a handful of estimators on the same folds: a ranked table and their whole curves.

    Parameters
    ----------
    estimators
        A list, or a dictionary by name.
    X, y
        The data: arrays, data frames of pandas or polars, sparse matrices, lists.
    policy
        The rules. By default `WholeCurve`: everybody gets a whole curve and a score, for up to
        twice the cost of k-fold. With a `Race` only the best one is sure to get
        a score, for far less.
    time_budget
        Seconds for all of them together.
    cv, scoring, groups, params, n_jobs, timeout_per_candidate, timeout_per_fit, memory_limit, \
dask, fresh_workers, test_cap, return_train_score, random_state
        As for `validate` and `CurveSearchCV`.

    Returns
    -------
    Comparison
        A result per estimator, ranked as text, as a table and as a picture.

    Raises
    ------
    InvalidParameterError
        If parameters or data make no sense.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> comparison = compare([SVC(), LogisticRegression(max_iter=1000)], X, y, random_state=0)
    >>> comparison.best.candidate, round(comparison.best.score, 4)
    ('LogisticRegression', 0.9733)
    """
    X, y, groups = indexable(X, y, groups)
    if is_estimator(estimators):
        raise InvalidParameterError(
            f"compare takes several estimators, as a list or by name, got {estimators!r}; "
            "validate() is for one."
        )
    candidates = gather(estimators)
    experiment = Experiment(
        candidates.first(),
        X,
        y,
        cv=cv,
        scoring=scoring,
        groups=groups,
        params=params,
        test_cap=test_cap,
        train_scores=return_train_score,
        random_state=random_state,
    )
    limits = Limits(
        time_budget=time_budget,
        timeout_per_candidate=timeout_per_candidate,
        timeout_per_fit=timeout_per_fit,
        memory_limit=memory_limit,
    )
    policy = WholeCurve() if policy is None else policy
    results, memory = validate_known(
        experiment,
        candidates,
        execution=Execution(n_jobs=n_jobs, dask=dask, fresh_workers=fresh_workers),
        limits=limits,
        scoring=scoring,
        seed=random_state,
        policy=policy,
    )
    warn_of_failed(results, kind="estimators", stacklevel=3)
    return Comparison(results, competes_partially(policy), memory)


def against(best: ValidationResult | None, result: ValidationResult) -> dict[str, Any]:
    """Compare a result with the best one, on the folds that both have; scores, not losses."""
    found = None
    if best is not None and best is not result and best.curve.anchors:
        target = best.curve.anchors[-1]
        found = difference_of(result.curve, best.curve, target=target, scale=best.scale)
    if found is None:
        nothing = dict.fromkeys(("difference", "difference_low", "difference_high"), math.nan)
        return {**nothing, "common_folds": 0, "chance": math.nan}
    low, high = found.interval()
    return {
        "difference": -found.mean,
        "difference_low": -high,
        "difference_high": -low,
        "common_folds": found.n_folds,
        "chance": math.nan if found.chance is None else found.chance,
    }


def _texts(row: dict[str, Any]) -> list[str]:
    texts = []
    for name in HEADINGS:
        value = row[name]
        if name == "rank":
            texts.append(f"~{value:,}" if row["rank_estimated"] else f"{value:,}")
        elif value is None or (isinstance(value, float) and not math.isfinite(value)):
            texts.append("")
        elif name == "seconds":
            texts.append(f"{value:.2f}")
        elif name == "difference":
            texts.append("0" if abs(value) < SMALLEST else f"{value:+.4f}")
        elif name == "chance":
            texts.append(percent(value))
        elif isinstance(value, float):
            texts.append(f"{value:.4f}")
        else:
            texts.append(f"{value:,}" if isinstance(value, int) else str(value))
    return texts
