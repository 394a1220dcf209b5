"""Metadata of a search: who gets sample weights, groups, and whatever else ``fit`` is given.

Without metadata routing ``groups`` goes to the splitter and everything else to ``fit``; with it,
everybody gets what was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sklearn import get_config
from sklearn.model_selection import check_cv
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from curvewise._evaluation.scorers import resolve_scoring
from curvewise._selection.candidates import predicts_classes


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


def make_router(owner: Any, candidate: Any, *, cv: Any, scoring: Any) -> MetadataRouter:
    """Say who may be given metadata: the candidates, the splitter and the scorers."""
    # An iterator gives its folds once, and asks for nothing.
    cv = None if isinstance(cv, Iterator) else cv
    to_fit = MethodMapping().add(caller="fit", callee="fit")
    to_split = MethodMapping().add(caller="fit", callee="split")
    to_score = MethodMapping().add(caller="score", callee="score").add(caller="fit", callee="score")
    router = MetadataRouter(owner=owner)
    router.add(estimator=candidate, method_mapping=to_fit)
    router.add(
        splitter=check_cv(cv, classifier=predicts_classes(candidate)), method_mapping=to_split
    )
    scorer = resolve_scoring(scoring, estimator=candidate).consumer(candidate)
    return router.add(scorer=scorer, method_mapping=to_score)


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
