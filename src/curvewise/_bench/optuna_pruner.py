"""Optuna's own ``WilcoxonPruner`` as a policy, to be replayed beside ours.

Candidates are trials of a study, folds are steps, and each fold's loss is reported. What is asked
is Optuna's object itself, with its defaults, not a copy of its rule: whether the trial is to be
pruned, given the best complete one. The core knows nothing of Optuna: so this policy lives here.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from curvewise._packages import require
from curvewise.core._checks import share, whole_number
from curvewise.core._decisions import Complete, Decision, Prune, Sample
from curvewise.core._policies import KFoldCV
from curvewise.core._policy import next_folds
from curvewise.core._portfolio import Contender, Portfolio

Reported = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OptunaWilcoxon(KFoldCV):
    """Let Optuna's ``WilcoxonPruner`` say who is dropped, fold by fold.

    ``p_threshold`` and ``n_startup_steps`` are its own knobs, with its defaults.
    """

    p_threshold: float = 0.1
    n_startup_steps: int = 2

    name = "optuna-wilcoxon"

    def __post_init__(self) -> None:
        share("p_threshold", self.p_threshold)
        whole_number("n_startup_steps", self.n_startup_steps, at_least=0)
        _optuna()

    def decide(self, portfolio: Portfolio, contender: Contender) -> Decision:
        """Ask for the next fold, or drop the candidate if Optuna would."""
        target, curve = portfolio.target, contender.curve
        folds = next_folds(portfolio, contender, target, portfolio.n_folds)
        losses, n = curve.losses(target), curve.n(target)
        if not folds:
            return Complete(target, curve.mean(target), n)
        leader = portfolio.leader
        if leader is None:
            return Sample(target, tuple((target, fold) for fold in folds), (contender.order,))
        own = tuple(zip(curve.folds(target), losses, strict=True))
        best = tuple(sorted(leader.losses.items()))
        if own and best and self._prunes(own, best):
            of_best = [leader.losses.get(fold, leader.loss) for fold, _ in own]
            return Prune(
                target, curve.mean(target), math.fsum(of_best) / n, target, "signed rank", n
            )
        return Sample(target, ((target, folds[0]),), (contender.order,))

    def _prunes(self, own: Reported, best: Reported) -> bool:
        """Ask Optuna about a running trial, in a study whose best trial is complete."""
        optuna = _optuna()
        trial = optuna.trial.create_trial(
            state=optuna.trial.TrialState.RUNNING, intermediate_values=dict(own)
        )
        pruner = _pruner(self.p_threshold, self.n_startup_steps)
        return bool(pruner.prune(_study_with(best), trial))


def _optuna() -> Any:
    return require("optuna", "Optuna's pruner", extra="optuna")


@lru_cache
def _pruner(p_threshold: float, n_startup_steps: int) -> Any:
    with warnings.catch_warnings():
        # It is marked as experimental.
        warnings.simplefilter("ignore")
        return _optuna().pruners.WilcoxonPruner(
            p_threshold=p_threshold, n_startup_steps=n_startup_steps
        )


@lru_cache(maxsize=64)
def _study_with(best: Reported) -> Any:
    """Make a study in memory whose best trial has reported these losses."""
    optuna = _optuna()
    verbosity = optuna.logging.get_verbosity()
    # Each study says that it was created.
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        study = optuna.create_study()
    finally:
        optuna.logging.set_verbosity(verbosity)
    mean = math.fsum(loss for _, loss in best) / len(best)
    study.add_trial(optuna.trial.create_trial(value=mean, intermediate_values=dict(best)))
    return study
