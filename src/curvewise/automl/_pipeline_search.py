"""The search over sampled pipelines: what `CurveSearchCV` does, and what a store should know."""

from __future__ import annotations

import math
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from threadpoolctl import threadpool_limits

from curvewise._selection.candidates import Candidates
from curvewise._selection.experiment import Experiment
from curvewise._selection.search_cv import CurveSearchCV
from curvewise.automl._space import describe
from curvewise.core._search import Search
from curvewise.executors._factory import resolve_n_jobs
from curvewise.executors._store import LiveRun

PACKAGES = ("curvewise", "scikit-learn", "numpy", "scipy", "pandas")


class PipelineSearch(CurveSearchCV):
    """A search over pipelines that says what they are made of, and survives Ctrl-C.

    It is `CurveSearchCV` in all else; made by the estimators of this layer.
    """

    def note_for_readers(self, notes: Mapping[str, Any]) -> None:
        """Keep what readers of the store should know."""
        self._notes = dict(notes)

    def _keep(self, experiment: Experiment, candidates: Candidates, search: Search) -> None:
        super()._keep(experiment, candidates, search)
        self.pipelines_ = {each.candidate: candidates[each.candidate] for each in self.results_}

    def _refit(self, *args: Any) -> None:
        # Left to themselves, learners take a thread for each core, on a busy machine at many times
        # the cost of one: a boosted forest took a minute for what a worker did in three seconds.
        with threadpool_limits(resolve_n_jobs(self.n_jobs)):
            super()._refit(*args)

    def _describe(self, estimator: Any) -> Mapping[str, Any]:
        return describe(estimator)

    def _note(self, run: LiveRun) -> None:
        limits = {
            "seconds per candidate": self.timeout_per_candidate,
            "seconds per fit": self.timeout_per_fit,
            "memory": self.memory_limit,
        }
        known = {name: limit for name, limit in limits.items() if limit is not None}
        notes = {"versions": versions(), "limits": known, **getattr(self, "_notes", {})}
        for key, value in notes.items():
            run.note(key, value)

    def _interrupted(self) -> None:
        """Go on with the best so far, if there is any."""
        if all(math.isnan(result.score) for result in self.results_):
            raise KeyboardInterrupt


def versions() -> dict[str, str]:
    """Say which versions of what are installed.

    Examples
    --------
    >>> "scikit-learn" in versions()
    True
    """
    found = {"python": platform.python_version(), "system": platform.platform(terse=True)}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
