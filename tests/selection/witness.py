"""scikit-learn's own tests of its searches, run on `CurveSearchCV`.

A fresh copy of ``sklearn.model_selection.tests.test_search`` is loaded from the scikit-learn that
is installed, and while it is executed, ``GridSearchCV`` and ``RandomizedSearchCV`` are ours:
adapters with their constructors, on a `CurveSearchCV` with k-fold as its policy. Nothing is copied,
and the original module stays as it is.

What does not apply stands in `DIFFERENT`, each with its reason, and what is still to be done in
`PENDING`; all else has to pass.
``python -m tests.selection.witness > docs/reference/sklearn-tests.md`` writes the page about it.
"""

import math
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from types import FunctionType, ModuleType
from typing import Any
from unittest.mock import patch

import pytest
import sklearn
import sklearn.model_selection

import curvewise as cw

SUITE = "sklearn.model_selection.tests.test_search"

# What only our table has; scikit-learn's tests list all columns that they expect.
OWN_COLUMNS = (
    "status",
    "reason",
    "anchor",
    "n_folds",
    "bound",
    "estimate",
    "training_rows",
    "seconds",
    "rank",
    "rank_estimated",
)

NO_SEARCH = "is about ParameterGrid and ParameterSampler, and has no search in it"
PRIVATE = "is about private helpers of scikit-learn"
SUBCLASSES = "is about subclasses of the private BaseSearchCV"
WORDS = "wants scikit-learn's very words; ours say it per candidate: "
CALLBACKS = (
    "counts a task for every fold of every candidate; how many folds a candidate will get is not "
    "known here, so that callbacks hear of candidates: "
)
NAN = "a score that is NaN makes the candidate a failed one here: "

# Names of tests, and why they do not apply.
DIFFERENT = {
    "test_validate_parameter_input": NO_SEARCH,
    "test_parameter_grid": NO_SEARCH,
    "test_param_sampler": NO_SEARCH,
    "test_parameters_sampler_replacement": NO_SEARCH,
    "test_yield_masked_array_for_each_param": PRIVATE,
    "test_yield_masked_array_no_runtime_warning": PRIVATE,
    "test_custom_run_search": SUBCLASSES,
    "test__custom_fit_no_run_search": SUBCLASSES,
    "test_array_api_search_cv_classifier": "is about arrays of other libraries, "
    "with which this search is not tested",
    "test_search_html_repr": "what is drawn inside the diagram is chosen by a private hook; ours "
    "shows the estimator that was searched over",
    "test_search_cv_verbose_3": "wants scikit-learn's lines on the standard output; ours are on "
    "the standard error",
    "test_grid_search_no_score": "wants a TypeError if there is no score; here it is an "
    "InvalidParameterError, which is a ValueError",
    "test_grid_search_failing_classifier": WORDS + "1 of 3 candidates failed",
    "test_callable_multimetric_error_failing_clf": WORDS + "1 of 3 candidates failed",
    "test_grid_search_classifier_all_fits_fail": WORDS + "No candidate gave a result",
    "test_callable_multimetric_clf_all_fits_fail": WORDS + "No candidate gave a result",
    "test_empty_cv_iterator_error": "wants scikit-learn's very words; ours: cv=... gave no folds",
    "test_random_search_bad_cv": "folds are what the splitter's split() gives; get_n_splits() is "
    "not asked, and so cannot contradict it",
    "test_predict_proba_disabled": "searches an empty space, which is refused here: validate() "
    "evaluates one estimator",
    "test_searchcv_raise_warning_with_non_finite_score": NAN + "it has its own warning",
    "test_search_cv_results_none_param": NAN + "with one test row in each fold R² always is, and "
    "nothing is left to choose from",
    "test_unsupported_sample_weight_scorer": NAN + "its first metric takes no estimator, so that "
    "no candidate gets a score",
    "test_search_callbacks_no_propagation": CALLBACKS + "1 + 1 + 3 tasks instead of 1 + 1 + 6",
    "test_search_callbacks_propagation": CALLBACKS + "and only the refit hands callbacks on",
    "test_search_callbacks_receive_sample_weight": CALLBACKS + "their tasks have another name",
    "test_search_callbacks_with_partial_fit_failures": CALLBACKS + "1 + 1 + 2 tasks",
}

# What should pass and does not yet: expected to fail, so that it is noticed when it passes.
PENDING: dict[str, str] = {}

# These start worker processes.
SLOW = {"test_search_with_2d_array"}


class Used:
    """Counts how often one of the adapters was made or fitted."""

    times = 0


class Adapter(cw.CurveSearchCV):
    """What the two adapters have in common: a space of another name, and no columns of our own."""

    space_name = ""

    @property
    def space(self) -> Any:
        return getattr(self, self.space_name)

    @space.setter
    def space(self, space: Any) -> None:
        Used.times += 1
        setattr(self, self.space_name, space)

    def fit(self, X: Any, y: Any = None, **params: Any) -> Any:
        Used.times += 1
        super().fit(X, y, **params)
        for column in OWN_COLUMNS:
            del self.cv_results_[column]
        return self


class GridSearchCV(Adapter):
    """`CurveSearchCV` with the constructor of scikit-learn's search of this name."""

    space_name = "param_grid"

    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: Any = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: Any = "2*n_jobs",
        error_score: Any = math.nan,
        return_train_score: bool = False,
    ) -> None:
        super().__init__(
            estimator,
            param_grid,
            scoring=scoring,
            n_jobs=n_jobs,
            refit=refit,
            cv=cv,
            policy=cw.KFoldCV(),
            verbose=verbose,
            error_score=error_score,
            return_train_score=return_train_score,
        )
        self.pre_dispatch = pre_dispatch


class RandomizedSearchCV(Adapter):
    """`CurveSearchCV` with the constructor of scikit-learn's search of this name."""

    space_name = "param_distributions"

    def __init__(
        self,
        estimator: Any,
        param_distributions: Any,
        *,
        n_iter: int = 10,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: Any = True,
        cv: Any = None,
        verbose: int = 0,
        pre_dispatch: Any = "2*n_jobs",
        random_state: Any = None,
        error_score: Any = math.nan,
        return_train_score: bool = False,
    ) -> None:
        super().__init__(
            estimator,
            param_distributions,
            n_iter=n_iter,
            scoring=scoring,
            n_jobs=n_jobs,
            refit=refit,
            cv=cv,
            policy=cw.KFoldCV(),
            verbose=verbose,
            random_state=random_state,
            error_score=error_score,
            return_train_score=return_train_score,
        )
        self.pre_dispatch = pre_dispatch


def load() -> ModuleType:
    """Load the tests with our adapters in the place of scikit-learn's searches."""
    origin = find_spec(SUITE).origin
    spec = spec_from_file_location("sklearn_search_tests_on_curvewise", origin)
    module = module_from_spec(spec)
    # Learners that are defined in it have to be found when they are unpickled.
    sys.modules[spec.name] = module
    # The decorators of tests make searches, so the names have to be ours from the beginning.
    ours = {"GridSearchCV": GridSearchCV, "RandomizedSearchCV": RandomizedSearchCV}
    with patch.multiple(sklearn.model_selection, **ours):
        spec.loader.exec_module(module)
    return module


def names(module: ModuleType) -> list[str]:
    """List the tests, in their order."""
    return [
        name
        for name, thing in vars(module).items()
        if name.startswith("test_") and isinstance(thing, FunctionType)
    ]


def tests(module: ModuleType) -> Iterator[tuple[str, Callable[..., None]]]:
    """Give the tests that apply, and in the place of each other one a test that says why not."""
    for name in names(module):
        if name in DIFFERENT:
            yield name, _skipped(DIFFERENT[name])
            continue
        test = getattr(module, name)
        if name in PENDING:
            test = pytest.mark.xfail(strict=True, reason=PENDING[name])(test)
        test.pytestmark = [_without_halving(mark) for mark in getattr(test, "pytestmark", [])]
        yield name, pytest.mark.slow(test) if name in SLOW else test


def _skipped(reason: str) -> Callable[[], None]:
    @pytest.mark.skip(reason=reason)
    def test() -> None:
        """Does not apply."""

    return test


def _without_halving(mark: pytest.Mark) -> pytest.Mark:
    """Leave out the cases of scikit-learn's halving searches, which are not ours."""
    if mark.name != "parametrize":
        return mark
    arguments, values = mark.args
    ours = [value for value in values if "Halving" not in repr(value)]
    return pytest.mark.parametrize(arguments, ours, **mark.kwargs).mark


def page() -> str:
    """Write down which tests pass and which do not apply."""
    everything = names(load())
    passing = [name for name in everything if name not in DIFFERENT | PENDING]
    different = [name for name in everything if name in DIFFERENT]
    pending = [name for name in everything if name in PENDING]
    lines = [
        "# scikit-learn's own tests",
        "",
        "<!-- Written by `python -m tests.selection.witness`; a test checks that it is up to date."
        " -->",
        "",
        f"scikit-learn {sklearn.__version__} tests its searches with {len(everything)} tests, in",
        f"`{SUITE}`.",
        "Our test suite takes that file as it is installed, puts `CurveSearchCV` with",
        "`policy=cw.KFoldCV()` in the place of `GridSearchCV` and `RandomizedSearchCV`, and runs",
        f"it: {len(passing)} tests pass, {len(pending)} do not pass yet, and {len(different)} do "
        "not apply.",
        "",
        "Two things are adapted: the names of the constructor's arguments, and the columns of",
        "`cv_results_` that only curvewise has are taken out. Cases for scikit-learn's halving",
        "searches are left out.",
        "",
        *_table("What does not apply, and why", different, DIFFERENT),
        *(_table("What does not pass yet", pending, PENDING) if pending else ()),
        "## What passes",
        "",
        *(f"- `{name}`" for name in passing),
    ]
    return "\n".join(lines) + "\n"


def _table(title: str, rows: list[str], reasons: dict[str, str]) -> list[str]:
    cells = [f"| `{name}` | {reasons[name]} |" for name in rows]
    return [f"## {title}", "", "| test | reason |", "|---|---|", *cells, ""]


if __name__ == "__main__":
    print(page(), end="")  # noqa: T201 (this is a script, too)
