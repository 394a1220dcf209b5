"""The choice of a search: who is the best, its fit on all data, and what comes after that.

A part of `CurveSearchCV` as methods, not as functions: warnings name the caller's file by their
stack level.
"""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from curvewise._selection.best_candidate import FRAMES, check_results, choose
from curvewise._selection.diagnosis.importance import add_importance
from curvewise._selection.diagnosis.picture_note import note_pictures
from curvewise._selection.estimator_code import CODE_NOTE, code_of
from curvewise._selection.honest_choice import add_honest_score
from curvewise._selection.learning_curves import add_learning_curves
from curvewise._selection.refit import TAKEN, Refit, known_score
from curvewise._selection.search_contract import SIMPLEST
from curvewise._selection.search_run import SearchExtras
from curvewise._selection.simplest import simplest
from curvewise.core._outcome import Candidate
from curvewise.core._result import ValidationResult
from curvewise.core._search import Search
from curvewise.errors import CurvewiseError, StoreError


class SearchChoice:
    """Takes one of a search's results as the best, fits it, and adds what one asks of it."""

    refit: bool | str | Callable[[Mapping[str, Any]], int]
    time_budget: float | None
    learning_curve: bool
    importance: bool
    results_: list[ValidationResult]
    cv_results_: dict[str, Any]
    multimetric_: bool
    _deciding: str
    _extras: SearchExtras

    def _choose(self, search: Search, *, fitted_with: Sequence[str]) -> None:
        """Find the best candidate; an error if there is none."""
        best = check_results(
            self.results_, search.best, time_budget=self.time_budget, params=fitted_with
        )
        if self.multimetric_ and not self.refit:
            return
        chosen = choose(
            self.results_,
            self.cv_results_,
            self._deciding,
            best=best,
            choose_by=self.refit if callable(self.refit) else None,
        )
        self._take(*chosen)
        if self.refit == SIMPLEST:
            index, self.refit_reason_ = simplest(self.results_, self.best_index_)
            self._take(index, known_score(self.results_[index]))

    def _best_known(self, search: Search) -> Candidate | None:
        """Name who was chosen; with several metrics and no refit, who led."""
        if hasattr(self, "best_index_"):
            return self.results_[self.best_index_].candidate
        return None if search.best is None else search.best.candidate

    def _simplest_note(self) -> dict[str, str] | None:
        """Say for readers of the store who is the simplest, and why."""
        if self.refit != SIMPLEST:
            return None
        simplest_one = self.results_[self.best_index_].candidate
        return {"candidate": str(simplest_one), "reason": self.refit_reason_}

    def _take(self, index: int, score: float | None) -> None:
        """Take a candidate as the best; one that was chosen by a callable has no score."""
        self.best_index_ = index
        self.best_params_ = self.cv_results_["params"][index]
        if score is not None:
            self.best_score_ = score

    def _refit(self, refit: Refit) -> None:
        """Fit the best candidate on all data; if it cannot be, the next best takes its place."""
        refit.note(TAKEN, self._simplest_note())
        index, self.best_estimator_, self.refit_time_ = refit.fit(
            self.best_index_, alternatives=not callable(self.refit)
        )
        if index != self.best_index_:
            self._take(index, known_score(self.results_[index]))
        if hasattr(self.best_estimator_, "feature_names_in_"):
            self.feature_names_in_ = self.best_estimator_.feature_names_in_
        refit.note(CODE_NOTE, code_of(self.best_estimator_))

    def _add_what_comes_after(self, refit: Refit) -> None:
        """Add what is nice to have, step by step: what fails costs a warning, never the answer."""
        extras, steps = self._extras, list[Callable[[Refit], None]]()
        if self.refit:
            steps += extras.afterwards or (note_pictures,)
        if self.learning_curve:
            steps.append(add_learning_curves)
        if self.importance:
            steps.append(add_importance)
        for step in (*steps, add_honest_score, *extras.lastly):
            try:
                step(refit)
            except Exception as error:
                if isinstance(error, CurvewiseError) and not isinstance(error, StoreError):
                    # Said on purpose, such as of a parameter that does not suit the data.
                    raise
                name = getattr(getattr(step, "func", step), "__name__", repr(step))
                what = "".join(traceback.format_exception_only(error)).strip()
                warnings.warn(
                    f"The search has its answer, but {name!r}, which came after it, failed: {what}",
                    stacklevel=FRAMES - 1,
                )
