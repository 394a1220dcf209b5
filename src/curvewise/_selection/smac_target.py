"""`CurveTargetFunction`: configurations of SMAC are validated against the best one so far.

SMAC can race over instances and budgets itself. Folds as instances and anchors as budgets would
leave the decisions to its intensifiers, which compare means and know no costs and no learning
curves. So one trial of SMAC is one whole validation here, and the policy decides how much of it is
carried out. Rules, beside those of `TrialValidation`:

1. *Cost.* COMPLETED costs its loss: 1 less the score for metrics whose best value is 1, the negated
   score for those whose best value is 0. SMAC knows no pruned trials, and its model has to hear of
   what is bad: PRUNED costs the estimate of its loss, which is always above the best loss. STOPPED
   and FAILED cost as much as the worst trial so far; an infinite cost, SMAC's own for what crashed,
   would break its model.
2. *Memory.* The function remembers its trials. SMAC may call a copy of it, in workers, in a fork
   with a limit, or in an earlier run. What a copy found out is in the run history, as the trial's
   additional information, and a callback takes it in. Nothing counts twice.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping
from types import CodeType
from typing import TYPE_CHECKING, Any

import numpy as np

from curvewise._evaluation.given_types import Estimator, FoldsGiven, ScoringGiven, Seed
from curvewise._packages import require
from curvewise._selection.candidates import describe
from curvewise._selection.trial_records import (
    RECORD,
    TrialMemory,
    TrialRecord,
    attributes_of,
    best_of,
    record_from,
)
from curvewise._selection.trial_validation import EndsWorkers, TrialValidation, check_define
from curvewise.core._curve import LearningCurve
from curvewise.core._policy import Policy
from curvewise.core._portfolio import Status
from curvewise.core._result import ValidationResult
from curvewise.core._scale import Scale
from curvewise.errors import InvalidParameterError, NoResultError
from curvewise.executors._limits import Limits

if TYPE_CHECKING:
    from smac import Callback
else:
    Callback = Any

logger = logging.getLogger("curvewise")


class CurveTargetFunction(EndsWorkers):
    """A target function for SMAC that stops validating a configuration when it cannot win.

    Parameters
    ----------
    define
        Takes a configuration and gives an unfitted estimator.
    X, y
        The data: arrays, data frames of pandas or polars, sparse matrices, lists; y may be None.
    cv
        A number of folds, any splitter of scikit-learn, or pairs of training and test rows; 5
        folds by default. A splitter that shuffles needs its own ``random_state``, or processes
        have different folds and do not compare their trials.
    scoring
        A metric or several, as scikit-learn's users write them; the first decides. By default the
        estimator's own score.
    policy
        The rules; by default a `Race`.
    groups
        The group of each row, for splitters that keep groups together.
    params
        What ``fit`` takes besides, such as sample weights.
    timeout_per_candidate
        Seconds for all fits of a configuration together.
    timeout_per_fit
        Seconds for each fit.
    memory_limit
        What a fit may claim: bytes, or text such as ``"4GB"``. With any of these limits, fits are
        carried out in a worker process.
    test_cap
        At inner anchors score no more than this many test rows.
    random_state
        The seed of the training subsets. Give a number where a run is resumed.

    Notes
    -----
    The scenario has to be deterministic, and to have one objective and neither instances nor
    budgets: ``Scenario(space, deterministic=True)`` with a facade such as
    ``HyperparameterOptimizationFacade``. Give the facade ``callbacks=[target.callback()]`` if there
    are several workers, if the scenario has limits of its own, or if a run is resumed: only so a
    trial can be compared with those of other processes.

    SMAC minimises: the cost of a completed trial is 1 less its score, or the negated score for
    metrics such as ``neg_mean_squared_error``. A trial that was pruned, stopped or failed costs
    more than the best one. Which it was stands in its additional information:
    ``curvewise_status`` ("completed", "pruned", "stopped", "failed"), ``curvewise_explanation``,
    ``curvewise_anchor`` (the most rows it was trained on), ``curvewise_training_rows`` and
    ``curvewise_seconds`` (of all its fits together), ``curvewise_record``, from which `curve` makes
    its learning curve, and ``curvewise_traceback`` if it failed.

    With limits, close the function, or use it as a context manager.

    Examples
    --------
    Called as SMAC calls it:

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> def define(config):
    ...     return DecisionTreeClassifier(max_depth=config["max_depth"], random_state=0)
    >>> target = CurveTargetFunction(define, *load_iris(return_X_y=True), random_state=0)
    >>> cost, info = target({"max_depth": 3}, seed=0)
    >>> round(cost, 4), info["curvewise_status"]
    (0.04, 'completed')
    >>> cost, info = target({"max_depth": 1}, seed=0)
    >>> round(cost, 4), info["curvewise_explanation"]
    (0.34, 'max_depth=1 pruned at 120 rows after 1 fold (...): 0.6667, to beat 0.9...')
    """

    def __init__(
        self,
        define: Callable[[Mapping[str, Any]], Estimator],
        X: Any,
        y: Any = None,
        *,
        scoring: ScoringGiven = None,
        cv: FoldsGiven = None,
        policy: Policy | None = None,
        groups: Any = None,
        params: Mapping[str, Any] | None = None,
        timeout_per_candidate: float | None = None,
        timeout_per_fit: float | None = None,
        memory_limit: int | str | None = None,
        test_cap: int | None = None,
        random_state: Seed = None,
    ) -> None:
        check_define(define, "configuration")
        self.define = define
        self._memory = TrialMemory()
        self._trials: TrialValidation = TrialValidation(
            X,
            y,
            scoring=scoring,
            cv=cv,
            policy=policy,
            limits=Limits(
                timeout_per_candidate=timeout_per_candidate,
                timeout_per_fit=timeout_per_fit,
                memory_limit=memory_limit,
            ),
            random_state=random_state,
            groups=groups,
            params=params,
            test_cap=test_cap,
        )

    def __call__(self, config: Mapping[str, Any], seed: int = 0) -> tuple[float, dict[str, Any]]:
        """Validate the estimator of a configuration; its cost, and what there is to know.

        Parameters
        ----------
        config
            A configuration: values by name.
        seed
            What SMAC gives; the folds do not depend on it.

        Raises
        ------
        NoResultError
            If it was stopped or failed, and there is no cost that it could have.
        """
        with self._trials.settings:
            estimator = self.define(config)
        digest = self._trials.prepare(estimator, "What define returns")
        earlier = self._memory.comparable(digest)
        best = best_of(earlier)
        result = self._trials.validate(
            describe(dict(config)), estimator, best=best, earlier=earlier, one_of=len(earlier) + 1
        )
        attributes = attributes_of(result, digest)
        self.remember(config, attributes)
        if result.status is Status.FAILED:
            logger.warning("%s", result.explain())
        return cost_of(result, best, earlier, self._trials.scale), attributes

    def callback(self) -> Callback:
        """Make a callback for the facade: it hears of the trials of other processes."""
        smac = require("smac", "A callback for SMAC", extra="smac")
        return callback_for(self, smac.Callback)

    def remember(self, config: Mapping[str, Any], info: Mapping[str, Any]) -> None:
        """Take in what is known of a trial, if a `CurveTargetFunction` validated it.

        Parameters
        ----------
        config
            Its configuration.
        info
            Its additional information.
        """
        if RECORD in info:
            values = dict(config)
            key = repr(sorted(values.items()))
            self._memory.take(key, record_from(describe(values), info))

    @staticmethod
    def curve(info: Mapping[str, Any]) -> LearningCurve:
        """Give the learning curve of a trial.

        Parameters
        ----------
        info
            Its additional information in SMAC's run history.
        """
        if RECORD not in info:
            raise InvalidParameterError("The trial was not validated by a CurveTargetFunction.")
        return record_from("the trial", info).curve

    @property
    def __code__(self) -> CodeType:
        """The code by which SMAC knows a target function again when it goes on with a run."""
        code = getattr(self.define, "__code__", None)
        return code if isinstance(code, CodeType) else type(self).__call__.__code__


def cost_of(
    result: ValidationResult, best: TrialRecord | None, earlier: list[TrialRecord], scale: Scale
) -> float:
    """Give SMAC the cost of a trial: its loss, or what it is taken for (rule 1)."""
    if result.status is Status.COMPLETED:
        return result.loss
    if result.status is Status.PRUNED:
        losses = [pruned_loss(result.curve, best)]
    else:
        curves = [record.curve for record in earlier if len(record.curve)]
        losses = [curve.mean(curve.anchors[-1]) for curve in curves]
        if not losses and scale.unit is not None:
            losses = [scale.unit]
    if not losses:
        message = result.failures[-1].message if result.failures else ""
        raise NoResultError(f"{result.explain()}\n{message}".rstrip())
    bound = -math.inf if best is None else best.as_result(scale).loss
    return max(*losses, math.nextafter(bound, math.inf))


def pruned_loss(curve: LearningCurve, best: TrialRecord | None) -> float:
    """Estimate the loss at the target of a trial that was pruned.

    At the target the difference to the best trial on the same folds is added to that one's mean:
    some folds are harder than others. At inner anchors it is the mean loss there.
    """
    anchor = curve.anchors[-1]
    if best is None or anchor != best.curve.anchors[-1]:
        return curve.mean(anchor)
    to_beat = dict(zip(best.curve.folds(anchor), best.curve.losses(anchor), strict=True))
    own = zip(curve.folds(anchor), curve.losses(anchor), strict=True)
    differences = [loss - to_beat[fold] for fold, loss in own if fold in to_beat]
    return best.curve.mean(anchor) + float(np.mean(differences))


def callback_for(target: CurveTargetFunction, kind: type) -> Callback:
    """Make a callback of SMAC's kind that tells a target function of all trials."""

    class Hears(kind):
        """Hears of every trial of a run, and of those that were there before."""

        def on_start(self, smbo: Any) -> None:
            """Refuse a scenario that cannot work, and read the run history."""
            scenario = smbo._scenario  # noqa: SLF001
            if not scenario.deterministic:
                raise InvalidParameterError(
                    "A CurveTargetFunction has the same folds for all seeds; use "
                    "Scenario(..., deterministic=True)."
                )
            for key, value in smbo.runhistory.items():
                config = smbo.runhistory.get_config(key.config_id)
                target.remember(config, value.additional_info)

        def on_tell_end(self, smbo: Any, info: Any, value: Any) -> None:
            """Take a trial in."""
            target.remember(info.config, value.additional_info)

    return Hears()
