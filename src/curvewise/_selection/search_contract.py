"""scikit-learn's contract of a search: parameters, the best estimator's methods, tags, metadata.

Without metadata routing ``groups`` goes to the splitter and everything else to ``fit``; with it,
everybody gets what was asked for.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple, Self

from sklearn import get_config
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import check_cv
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from curvewise._evaluation.metadata import make_router
from curvewise._evaluation.scorers import resolve_scoring
from curvewise._selection.candidates import candidates_at_hand, predicts_classes, prototype
from curvewise._selection.kept_predictions import check_keep
from curvewise.errors import InvalidParameterError
from curvewise.executors._execution import Execution
from curvewise.executors._limits import Limits

# What `refit` may be besides scikit-learn's: the cheapest of those that are as good as the best.
SIMPLEST = "simplest"


def limits_of(search: Any) -> Limits:
    """Give the limits of a search; an error if they make no sense."""
    return Limits(
        time_budget=search.time_budget,
        timeout_per_candidate=search.timeout_per_candidate,
        timeout_per_fit=search.timeout_per_fit,
        memory_limit=search.memory_limit,
    )


def execution_of(search: Any) -> Execution:
    """Say how a search is carried out; an error if that makes no sense."""
    return Execution(
        n_jobs=search.n_jobs,
        dask=search.dask,
        deterministic=search.deterministic,
        fresh_workers=search.fresh_workers,
    )


def check_parameters(search: Any) -> None:
    """Refuse what cannot work."""
    error_score, refit = search.error_score, search.refit
    if error_score != "raise" and not isinstance(error_score, numbers.Real):
        raise InvalidParameterError(
            f"error_score must be a number or 'raise', got {error_score!r}."
        )
    if not (isinstance(refit, bool | str) or callable(refit)):
        raise InvalidParameterError(
            f"refit must be True, False, the name of a metric, '{SIMPLEST}' or a callable, got "
            f"{refit!r}."
        )
    if isinstance(search.scoring, list | tuple | set | Mapping):
        check_refit_metric(refit, search.scoring)
    if search.run is not None and search.store is None:
        raise InvalidParameterError("run names a run in a store: give a file as store.")
    if search.store is not None and not isinstance(search.random_state, numbers.Integral):
        raise InvalidParameterError(
            "A search that can go on from a store needs a number as random_state, "
            f"got {search.random_state!r}."
        )
    check_keep(search.keep_predictions)
    limits_of(search), execution_of(search)


def check_refit_metric(refit: Any, metrics: Collection[str]) -> None:
    """Refuse several metrics of which none is to choose the best candidate."""
    if refit is False or callable(refit) or refit in metrics:
        return
    raise InvalidParameterError(
        "For multi-metric scoring, the parameter refit must be set to a scorer key or a "
        "callable to refit an estimator with the best parameter setting on the whole data, or "
        f"to False; {refit!r} was passed, and the metrics are {list(metrics)}."
    )


def forget_fit(search: Any) -> None:
    """Forget an earlier fit, so that nothing of it is taken for the next one's."""
    for name in [name for name in vars(search) if name.endswith("_") and name[0] != "_"]:
        delattr(search, name)


def best_has(name: str) -> Callable[[Any], bool]:
    """Make the condition under which a search has a method of its best estimator."""

    def check(search: Any) -> bool:
        check_refit(search, name)
        if hasattr(search, "best_estimator_"):
            getattr(search.best_estimator_, name)
            return True
        candidate = prototype(search.estimator)
        if candidate is not None:
            getattr(candidate, name)
        return True

    return check


def check_refit(search: Any, name: str) -> None:
    """Refuse what needs a refitted estimator."""
    if not search.refit:
        kind = type(search).__name__
        raise AttributeError(
            f"This {kind} instance was initialized with `refit=False`. {name} is available only "
            "after refitting on the best parameters. You can refit an estimator manually using "
            "the `best_params_` attribute."
        )


def take_tags(tags: Any, candidate: Any, listed: Sequence[Any]) -> None:
    """Let a search have the tags of its candidates; an array API is not among them."""
    own = get_tags(candidate)
    tags.estimator_type = own.estimator_type
    tags.classifier_tags = deepcopy(own.classifier_tags)
    tags.regressor_tags = deepcopy(own.regressor_tags)
    tags.target_tags = deepcopy(own.target_tags)
    tags.input_tags.pairwise = own.input_tags.pairwise
    tags.input_tags.sparse = all(get_tags(one).input_tags.sparse for one in listed)


def delegated(name: str, does: str) -> Any:
    """Make a method that the best estimator carries out."""

    def method(self: Any, X: Any) -> Any:
        check_is_fitted(self)
        return getattr(self.best_estimator_, name)(X)

    method.__name__ = name
    method.__qualname__ = f"Delegation.{name}"
    method.__doc__ = f"""{does} with the best estimator.

        Only available if the search refits and the candidates can do it.

        Parameters
        ----------
        X
            What the best estimator takes.
        """
    return available_if(best_has(name))(method)


class Delegation:
    """The methods and attributes of the best estimator, on the search itself."""

    estimator: Any
    refit: Any
    scorer_: Any
    best_estimator_: Any

    predict = delegated("predict", "Predict")
    predict_proba = delegated("predict_proba", "Predict class probabilities")
    predict_log_proba = delegated("predict_log_proba", "Predict logarithms of class probabilities")
    decision_function = delegated("decision_function", "Compute the decision function")
    score_samples = delegated("score_samples", "Score each row")
    transform = delegated("transform", "Transform")
    inverse_transform = delegated("inverse_transform", "Transform back")

    @property
    def classes_(self) -> Any:
        """The class labels, if classes are predicted."""
        best_has("classes_")(self)
        return self.best_estimator_.classes_

    @property
    def n_features_in_(self) -> int:
        """The number of features seen by the best estimator."""
        try:
            check_is_fitted(self)
        except NotFittedError as error:
            raise AttributeError(
                f"{type(self).__name__} object has no n_features_in_ attribute."
            ) from error
        return self.best_estimator_.n_features_in_

    @available_if(best_has("set_output"))
    def set_output(self, *, transform: str | None = None) -> Self:
        """Choose what ``transform`` gives: ``"default"``, ``"pandas"`` or ``"polars"``.

        Parameters
        ----------
        transform
            The kind of output; None leaves it as it is.
        """
        best = getattr(self, "best_estimator_", None)
        for one in [*candidates_at_hand(self.estimator), *candidates_at_hand(best)]:
            if hasattr(one, "set_output"):
                one.set_output(transform=transform)
        return self

    def score(self, X: Any, y: Any = None, **params: Any) -> float:
        """Score the best estimator, with the metric of the search.

        Parameters
        ----------
        X, y
            Data that it has not seen.
        **params
            What the scorer asked for; needs metadata routing.
        """
        check_refit(self, "score")
        check_is_fitted(self)
        scorer = self.scorer_
        if isinstance(scorer, Mapping):
            scorer = scorer[self.refit]
        score = scorer(self.best_estimator_, X, y, **score_params(self, params))
        return score[self.refit] if isinstance(score, Mapping) else score

    def get_metadata_routing(self) -> MetadataRouter:
        """Say who may be given metadata: the candidates, the splitter and the scorers."""
        return router_of(self, self._prototype())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        candidate = self._prototype()
        if candidate is not None:
            take_tags(tags, candidate, candidates_at_hand(self.estimator) or [candidate])
        return tags

    def _prototype(self) -> Any:
        """Give an estimator that stands for all candidates; of a sampler, the first drawn one."""
        known = prototype(self.estimator)
        return getattr(self, "_first", None) if known is None else known


class Routes(NamedTuple):
    """What splitting, evaluating and refitting get, each by name."""

    split: Mapping[str, Any]
    evaluate: Mapping[str, Any]
    refit: Mapping[str, Any]


def route(search: Any, params: Mapping[str, Any]) -> Routes:
    """Find out who gets what a search was given."""
    params = {name: value for name, value in params.items() if value is not None}
    if params and get_config()["enable_metadata_routing"]:
        routed = process_routing(search, "fit", **params)
        return Routes(routed["splitter"]["split"], params, routed["estimator"]["fit"])
    groups = params.pop("groups", None)
    return Routes({} if groups is None else {"groups": groups}, params, params)


def router_of(search: Any, candidate: Any) -> MetadataRouter:
    """Say who may be given metadata by a search."""
    # An iterator gives its folds once, and asks for nothing.
    cv = None if isinstance(search.cv, Iterator) else search.cv
    splitter = check_cv(cv, classifier=predicts_classes(candidate))
    scorer = resolve_scoring(search.scoring, estimator=candidate).consumer(candidate)
    return make_router(search, candidate, scorer=scorer, splitter=splitter)


def score_params(search: Any, params: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give the scorer what it asked for; refuse it without routing."""
    if not params:
        return {}
    if not get_config()["enable_metadata_routing"]:
        raise ValueError(
            f"Passing extra keyword arguments to {type(search).__name__}.score is only supported "
            "if enable_metadata_routing=True, which you can set using `sklearn.set_config`."
        )
    return process_routing(search, "score", **params)["scorer"]["score"]
