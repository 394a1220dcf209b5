"""A search over pipelines for a table, with something to look at: for `select` and `advise`.

A metric that cannot judge the target is refused first: every candidate would fail, for hours.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Console
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import get_scorer, get_scorer_names
from sklearn.model_selection import cross_val_score

from curvewise._cli.live_display import SearchDisplay
from curvewise._cli.start import BEGUN
from curvewise._cli.table_folds import folds_for
from curvewise._cli.table_notes import show_notes
from curvewise._cli.terminal import console_of, print_line, warnings_as_notes
from curvewise.automl._curve_automl import CurveAutoML
from curvewise.automl._estimators import CurveAutoMLClassifier, CurveAutoMLRegressor
from curvewise.automl._learner_abilities import gives_probabilities, with_ability
from curvewise.automl._pipeline_search import space_for, whole_curves
from curvewise.automl._space.default_spaces import missing_packages
from curvewise.automl._tables.table import Table, profile
from curvewise.automl._tables.warning_note import WarningNote
from curvewise.core import Candidate, Decision, ValidationResult
from curvewise.core._decisions import Complete, Lead
from curvewise.errors import InvalidParameterError, NoResultError
from curvewise.executors import Ending, Listener

# Seconds for what comes after the final fit: the model's file, the report, the end of workers.
AFTERWARDS = 2.0
ESTIMATORS = {"classification": CurveAutoMLClassifier, "regression": CurveAutoMLRegressor}


def search_table(
    table: Table,
    console: Console,
    *,
    folds: int,
    listeners: Sequence[Listener] = (),
    **settings: Any,
) -> tuple[CurveAutoML, Stopwatch]:
    """Search on shuffled folds, with a live display in a terminal and plain lines elsewhere.

    What was found is given even if no pipeline could be fitted on all rows, or the user did not
    want to wait for that: there is no ``best_estimator_`` then.
    """
    check_scoring(settings["scoring"], table)
    size = f"{table.n_rows:,} rows, {len(table.X.columns):,} columns"
    print_line(console, f"{table.name}: {size}; {table.task} of {table.target!r}")
    missing = missing_packages() if settings.get("space") in (None, "today") else []
    show_notes(table, console, more=map(WarningNote, missing))
    cv = folds_for(table, n_folds=folds, random_state=settings["random_state"])
    model = ESTIMATORS[table.task](cv=cv, **settings)
    model.count_time_from(BEGUN, afterwards=AFTERWARDS)
    stopwatch = Stopwatch(BEGUN)
    for listener in (stopwatch, *listeners):
        model.add_listener(listener)
    stopwatch.baseline = baseline_score(table, cv, settings["scoring"])
    notes = {"data": profile(table), "source": table.source}
    notes |= {"columns left out": table.left_out} if table.left_out else {}
    model.note_for_readers({**notes, "score of a constant prediction": stopwatch.baseline})
    model.describe_rows(
        by=table.by,
        ids=table.row_names,
        id_column="" if table.row_names is None else str(table.row_names.name),
        numbers=table.row_numbers,
    )
    if not console.quiet:
        limits = {"n_candidates": settings["n_iter"], "seconds": settings["time_budget"]}
        model.add_listener(SearchDisplay(console, **limits))
    # Quiet hides progress, never a warning.
    with warnings_as_notes(console_of(stderr=True)):
        try:
            model.fit(table.X, table.y, **table.fit_params)
        except (KeyboardInterrupt, NoResultError) as error:
            if not hasattr(model, "leaderboard_"):
                raise
            warnings.warn(str(error) or "Interrupted: the best is not fitted.", stacklevel=1)
    return model, stopwatch


def without_probabilities(table: Table, space: Any, leave_out: tuple[str, ...]) -> tuple[str, ...]:
    """Name the learners of a space that give no probabilities, and note it at the table."""
    if table.task != "classification":
        raise InvalidParameterError(
            f"There are no probabilities to give: the task is regression of {table.target!r}."
        )
    left = space_for(table.task, space, leave_out=leave_out)
    names = with_ability(left, gives_probabilities, "gives probabilities")[1]
    if names:
        table.notes.append(f"Not searched, because they give no probabilities: {', '.join(names)}.")
    return tuple(names)


class Stopwatch(Listener):
    """Notes when something was first known, when the search ended, and what a baseline scores."""

    first: float | None = None
    last: float | None = None
    baseline: float | None = None

    def __init__(self, begun: float) -> None:
        self._begun = begun

    def decided(self, candidate: Candidate, decision: Decision) -> None:
        """Note when somebody first leads."""
        if isinstance(decision, Lead | Complete) and self.first is None:
            self.first = time.monotonic() - self._begun

    def finished(self, ending: Ending | None) -> None:
        """Note when the search was over."""
        self.last = time.monotonic() - self._begun


def baseline_score(table: Table, cv: Any, scoring: str | None) -> float | None:
    """Give the score of always predicting the commonest class, or the mean, on the same folds.

    None where folds or metric cannot be: the search itself says why.
    """
    X = np.zeros((len(table.y), 1))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if table.weights is None:
                scores = cross_val_score(
                    _dummy(table), X, table.y, cv=cv, scoring=scoring, groups=table.groups
                )
            else:
                scores = _weighted_scores(table, X, cv, scoring)
    except (TypeError, ValueError):
        return None
    return float(scores.mean()) if np.isfinite(scores).all() else None


def _weighted_scores(table: Table, X: Any, cv: Any, scoring: str | None) -> Any:
    """Score a constant prediction on each fold, as weighted rows are scored in the search."""
    weights: Any = table.weights
    default = "accuracy" if table.task == "classification" else "r2"
    scorer, scores = get_scorer(scoring or default), []
    for train, test in cv.split(X, table.y, table.groups):
        y, kept = table.y.iloc[train], weights.iloc[train]
        constant = _dummy(table).fit(X[train], y, sample_weight=kept)
        score = scorer(constant, X[test], table.y.iloc[test], sample_weight=weights.iloc[test])
        scores.append(score)
    return np.array(scores)


def _dummy(table: Table) -> DummyClassifier | DummyRegressor:
    return DummyClassifier() if table.task == "classification" else DummyRegressor()


def curves_of_best(
    table: Table, console: Console, *, n_best: int, **settings: Any
) -> list[ValidationResult]:
    """Find the best candidates, and evaluate them at the target, at half of it and so on."""
    model, _ = search_table(table, console, learning_curve=False, importance=False, **settings)
    search = model.search_
    best = search.results_[search.best_index_].candidate
    print_line(console, f"Best: {best}. Now measuring whole learning curves of the best {n_best}.")
    with warnings.catch_warnings():
        # What fails now has failed before, and was told.
        warnings.simplefilter("ignore")
        return whole_curves(search, table.X, table.y, n_best=n_best, **table.fit_params)


def check_scoring(scoring: str | None, table: Table) -> None:
    """Refuse a metric that fails even for a model that predicts the same for every row."""
    names = get_scorer_names()
    if scoring is None or scoring not in names:
        return
    objection = _objection(scoring, table)
    if objection is None:
        return
    family = scoring.partition("_")[0] if scoring.startswith("neg_") else scoring
    kin = [name for name in names if name.startswith(f"{family}_")]
    usable = [name for name in kin if _objection(name, table) is None]
    hint = f"; try {', '.join(usable[:4])}" if usable else ""
    reason = objection.splitlines()[0].rstrip(".")
    raise InvalidParameterError(
        f"The metric {scoring} cannot judge {table.target!r}: {reason}{hint}."
    )


def _objection(scoring: str, table: Table) -> str | None:
    dummy, X = _dummy(table), np.zeros((len(table.y), 1))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            get_scorer(scoring)(dummy.fit(X, table.y), X, table.y)
    except (TypeError, ValueError) as error:
        return str(error) or type(error).__name__
    return None
