"""`MLflowListener`: a search as a run of MLflow.

What is logged:

1. *Parameters*: how the search was set, and what the winner was set to (``best.C``).
2. *Metrics*: while the search runs, the score of whoever leads, by the number of fits so far; at
   the end the winner's score with its interval, what the fits took, how many candidates ended how.
3. *Candidates*: one table (``candidates.json``), or a nested run for each, with its learning curve
   as a metric whose steps are training rows.
4. *The model*: the winner, fitted on all rows, with its signature and five rows of the data.

A run of MLflow that is active is used and left open; otherwise one is started, and ended with the
status that the search has. Whatever MLflow does, the search goes on: a listener's error is a
warning.
"""

from __future__ import annotations

import math
import re
import warnings
from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal

from curvewise._packages import require
from curvewise._selection.compare import Comparison
from curvewise._selection.logged_model import log_model
from curvewise._text import cut, one_line
from curvewise.core._decisions import Complete, Decision, Lead
from curvewise.core._outcome import Candidate, Outcome
from curvewise.core._policy import competes_partially
from curvewise.core._result import ValidationResult
from curvewise.core._search import Search
from curvewise.errors import InvalidParameterError
from curvewise.executors._listener import Listener

WAYS = ("table", "nested", "none")
# MLflow takes names of these characters, and values up to a length that has grown over time.
OTHER_CHARACTERS = re.compile(r"[^\w\-. /:]")
LONGEST_VALUE = 500
# Of the settings of a search, those that are no settings of it: candidates, and where it writes.
NOT_SETTINGS = {"estimator", "space", "store", "run", "verbose"}


class MLflowListener(Listener):
    """Logs a search to MLflow: settings, scores, candidates and the model.

    Parameters
    ----------
    experiment
        The experiment of MLflow; by default the one that is active there.
    run_name
        The name of the run, if one is started; by default MLflow makes one up.
    candidates
        ``"table"`` logs all candidates as one table, ``"nested"`` as nested runs with their
        learning curves, ``"none"`` not at all.
    log_model
        Whether to log the winner, with its signature.
    register_as
        The name under which the model is registered; by default it is not.
    tags
        Tags of the run.

    Raises
    ------
    MissingExtraError
        If MLflow is not installed.
    InvalidParameterError
        If ``candidates`` is none of the three.

    Examples
    --------
    >>> import curvewise as cw
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> search = cw.CurveSearchCV(SVC(), {"C": [0.1, 1, 10]}, random_state=0)
    >>> listener = cw.MLflowListener(experiment="flowers")  # doctest: +SKIP
    >>> search.add_listener(listener).fit(X, y)  # doctest: +SKIP
    """

    def __init__(
        self,
        *,
        experiment: str | None = None,
        run_name: str | None = None,
        candidates: Literal["table", "nested", "none"] = "table",
        log_model: bool = True,
        register_as: str | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        if candidates not in WAYS:
            raise InvalidParameterError(
                f"candidates must be 'table', 'nested' or 'none', got {candidates!r}."
            )
        self._mlflow = require("mlflow", "Logging to MLflow", extra="mlflow")
        self._experiment = experiment
        self._run_name = run_name
        self._candidates = candidates
        self._log_model = log_model
        self._register_as = register_as
        self._tags = dict(tags or {})
        self._run: Any = None
        self._own = False

    def started(self, search: Search) -> None:
        """Start a run of MLflow, unless one is active."""
        mlflow = self._mlflow
        self._search, self._n_fits, self._best = search, 0, -math.inf
        self._run = mlflow.active_run()
        self._own = self._run is None
        if self._own:
            if self._experiment is not None:
                mlflow.set_experiment(self._experiment)
            self._run = mlflow.start_run(run_name=self._run_name)
        if self._tags:
            mlflow.set_tags(self._tags)

    def told(self, outcome: Outcome) -> None:
        """Count the fits."""
        self._n_fits += 1

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Log the score of who leads, when it gets better."""
        if self._run is None or not isinstance(decision, Lead | Complete):
            return
        best = self._search.best
        if best is not None and best.score > self._best:
            self._best = best.score
            self._mlflow.log_metric("leader_score", best.score, step=self._n_fits)

    def fitted(self, estimator: object, X: Any, y: Any) -> None:
        """Log all that is known now, and end the run if it is ours."""
        if self._run is None:
            return
        face: Any = estimator
        search = getattr(face, "search_", face)
        mlflow = self._mlflow
        mlflow.log_params(_settings(face, search))
        mlflow.log_metrics(_figures(face, search))
        mlflow.set_tag("curvewise.ending", search.ending_.value)
        if self._candidates == "table":
            self._log_table(search)
        elif self._candidates == "nested":
            for result in search.results_:
                self._log_candidate(search, result)
        if self._log_model and hasattr(face, "best_estimator_"):
            log_model(mlflow, face.best_estimator_, X, register_as=self._register_as)
        self._end("FINISHED")

    def failed(self, error: BaseException) -> None:
        """End the run, if it is ours, with what went wrong."""
        if self._run is None:
            return
        self._mlflow.set_tag("curvewise.error", cut(one_line(str(error)), LONGEST_VALUE))
        self._end("KILLED" if isinstance(error, KeyboardInterrupt) else "FAILED")

    def _end(self, status: str) -> None:
        if self._own:
            self._mlflow.end_run(status)
        self._run = None

    def _log_table(self, search: Any) -> None:
        rows = Comparison(search.results_, partial_results=competes_partially(search.policy)).table
        columns = {key: [_plain(row[key]) for row in rows] for key in rows[0]}
        with warnings.catch_warnings():
            # What MLflow says about its own table is nothing that a user could change.
            warnings.simplefilter("ignore")
            self._mlflow.log_table(columns, "candidates.json")

    def _log_candidate(self, search: Any, result: ValidationResult) -> None:
        """Log one candidate as a nested run; its curve's steps are training rows."""
        mlflow, curve = self._mlflow, result.curve
        name = cut(str(result.candidate), LONGEST_VALUE)
        index = search.results_.index(result)
        with mlflow.start_run(run_name=name, nested=True):
            mlflow.log_params(_texts(search.cv_results_["params"][index]))
            mlflow.set_tag("curvewise.status", result.status.value)
            mlflow.set_tag("curvewise.reason", cut(result.explain(), LONGEST_VALUE))
            for anchor in curve.anchors:
                score = result.scale.score(curve.mean(anchor))
                mlflow.log_metric("curve_score", score, step=anchor)
            own = {"score": result.score, "seconds": result.seconds}
            mlflow.log_metrics(_finite(own | {"training_rows": result.training_rows}))


def _settings(face: Any, search: Any) -> dict[str, str]:
    """Give what the search was set to, and what the winner was."""
    own = {
        name: value
        for name, value in face.get_params(deep=False).items()
        if value is not None and name not in NOT_SETTINGS
    }
    best = getattr(search, "best_params_", {})
    return _texts(own) | _texts({f"best.{name}": value for name, value in best.items()})


def _figures(face: Any, search: Any) -> dict[str, float]:
    """Give the figures of the whole search."""
    results = search.results_
    figures: dict[str, float] = {
        "n_candidates": len(results),
        "fit_seconds": sum(result.seconds for result in results),
        "training_rows": sum(result.training_rows for result in results),
        "refit_seconds": getattr(search, "refit_time_", math.nan),
    }
    for status, n in Counter(result.status.value for result in results).items():
        figures[f"n_{status}"] = n
    if hasattr(face, "best_score_"):
        figures["best_score"] = face.best_score_
    if hasattr(search, "best_index_"):
        winner = results[search.best_index_]
        figures["best_score_low"] = winner.scale.score(winner.interval.high)
        figures["best_score_high"] = min(winner.scale.best, winner.scale.score(winner.interval.low))
    return _finite(figures)


def _finite(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: float(value) for name, value in figures.items() if math.isfinite(value)}


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    return {
        OTHER_CHARACTERS.sub("_", str(name)): cut(one_line(str(value)), LONGEST_VALUE)
        for name, value in values.items()
    }


def _plain(value: Any) -> Any:
    """Give a value that JSON can express."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, bool | int | float | str) else str(value)
