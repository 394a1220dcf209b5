"""Metadata: what fitting and scoring take besides X and y, such as sample weights.

Rules, those of scikit-learn's ``cross_validate``:

1. Values with one entry per row are cut to the rows of the task; others are passed as they are.
2. Without metadata routing everything goes to ``fit`` and nothing to the scorers; with
   ``weigh_scores`` they get the sample weights, as in scikit-learn's searches from version 1.9 on.
   A pipeline, which would refuse sample weights then, hands them to its last step.
3. With metadata routing (``sklearn.set_config(enable_metadata_routing=True)``) the candidate, the
   scorers and the splitter get what they asked for, and what nobody asked for is an error. What a
   candidate asks for is found out once: that takes up to a millisecond.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from sklearn import get_config
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from curvewise._evaluation.rows import Indices, as_rows, per_row, take
from curvewise._evaluation.scorers import Scoring


class Route(NamedTuple):
    """Who gets what: for each argument of a method, the name of the metadata."""

    fit: Mapping[str, str]
    score: Mapping[str, str]


WEIGHTS = {"sample_weight": "sample_weight"}


class Metadata:
    """Named values, most with an entry per row, and where they go."""

    def __init__(
        self,
        params: Mapping[str, Any] | None,
        n_rows: int,
        *,
        scoring: Scoring,
        splitter: Any = None,
        weigh_scores: bool = False,
    ) -> None:
        given = {name: value for name, value in (params or {}).items() if value is not None}
        self._per_row = {
            name: as_rows(value) for name, value in given.items() if per_row(value, n_rows)
        }
        self._fixed = {name: value for name, value in given.items() if name not in self._per_row}
        self._names = {name: name for name in given}
        self._weigh = weigh_scores and "sample_weight" in given
        self._scoring = scoring
        self._splitter = splitter
        self._routes: WeakKeyDictionary[Any, Route] = WeakKeyDictionary()

    def route(self, candidate: Any) -> Route:
        """Find out who gets what."""
        if not self._names or not get_config()["enable_metadata_routing"]:
            weighs = self._weigh and self._scoring.takes_weights(candidate)
            return Route(for_fit(candidate, self._names), WEIGHTS if weighs else {})
        try:
            route = self._routes.get(candidate)
            if route is None:
                route = self._routes[candidate] = self._asked_for(candidate)
        except TypeError:  # It cannot be a key; or this is what routing says, then once more.
            route = self._asked_for(candidate)
        return route

    def _asked_for(self, candidate: Any) -> Route:
        """Ask the candidate, the scorers and the splitter."""
        scorer = self._scoring.consumer(candidate)
        router = make_router("curvewise", candidate, scorer=scorer, splitter=self._splitter)
        # The names travel in place of the values, which are cut later and only where needed.
        routed = process_routing(router, "fit", **self._names)
        return Route(routed["estimator"]["fit"], routed["scorer"]["score"])

    def take(self, names: Mapping[str, str], rows: Indices) -> dict[str, Any]:
        """Give values for some rows."""
        return {
            argument: take(self._per_row[name], rows)
            if name in self._per_row
            else self._fixed[name]
            for argument, name in names.items()
        }

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_routes"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._routes = WeakKeyDictionary()


def for_fit(candidate: Any, params: Mapping[str, Any]) -> dict[str, Any]:
    """Give what ``fit`` takes besides, with sample weights under the name of their step (rule 2).

    With metadata routing it stays as it is.
    """
    given = dict(params)
    if "sample_weight" not in given or get_config()["enable_metadata_routing"]:
        return given
    path = ""
    while isinstance(candidate, Pipeline):
        name, candidate = candidate.steps[-1]
        path += f"{name}__"
    given[f"{path}sample_weight"] = given.pop("sample_weight")
    return given


def make_router(owner: Any, candidate: Any, *, scorer: Any, splitter: Any) -> MetadataRouter:
    """Say who may be given metadata: a candidate, the scorers and the splitter."""
    router = MetadataRouter(owner=owner)
    router.add(estimator=candidate, method_mapping=MethodMapping().add(caller="fit", callee="fit"))
    if splitter is not None:
        to_split = MethodMapping().add(caller="fit", callee="split")
        router.add(splitter=splitter, method_mapping=to_split)
    to_score = MethodMapping().add(caller="score", callee="score").add(caller="fit", callee="score")
    return router.add(scorer=scorer, method_mapping=to_score)
