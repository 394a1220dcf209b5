"""`FoundRounds`: gradient boosting that finds its number of rounds while it is fitted.

A part of the training rows is held out, the loss on it is known after every round, and fitting ends
when it has not fallen for a while. So no round is fitted twice, and the number of rounds is no
parameter to search over. What was found can be given back: the final fit uses all rows.

Where there is time for it, several boosters predict together, each with a seed of its own: their
mean is better than one, and varies less. Only the first looks for the number of rounds; the others
are fitted on all rows with what it found.
"""

from __future__ import annotations

import math
import warnings
from numbers import Integral
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.model_selection import train_test_split

from curvewise.automl._components.fitted_clone import FittedClone
from curvewise.automl._components.lightgbm_scores import make_plain
from curvewise.automl._components.plain_booster import PlainBooster
from curvewise.automl._components.weighted_models import mean_of
from curvewise.core._checks import real_number, whole_number
from curvewise.errors import InvalidParameterError

# Of fewer rows none can be spared; then so many rounds are fitted as boosters have by default.
FEWEST_ROWS = 40
DEFAULT_ROUNDS = 100
# What each booster calls its number of rounds.
ROUNDS = {
    "HistGradientBoostingClassifier": "max_iter",
    "HistGradientBoostingRegressor": "max_iter",
    "LGBMClassifier": "n_estimators",
    "LGBMRegressor": "n_estimators",
}


class Parts(NamedTuple):
    """Rows to fit on, and rows to watch the loss on."""

    X: Any
    X_held_out: Any
    y: Any
    y_held_out: Any
    weights: Any = None
    weights_held_out: Any = None


class FoundRounds(FittedClone):
    """Gradient boosting whose number of rounds is found while it is fitted.

    Takes scikit-learn's histogram gradient boosting, LightGBM's, and XGBoost and CatBoost as the
    default space has them. All else (``predict``, ``classes_``, ...) is what the fitted estimator
    has.

    Parameters
    ----------
    estimator
        The booster, unfitted.
    rounds
        How many rounds to fit, on all rows. By default they are found.
    max_rounds
        How many rounds there may be while the best number is looked for.
    patience
        After how many rounds without a lower loss the fit ends.
    beyond
        How many times as many rounds as have the lowest loss are fitted. Probabilities grow too
        sure long before classes are told apart worse: for accuracy more rounds may be better.
        Only with LightGBM.
    held_out
        The share of the training rows on which the loss is watched.
    n_seeds
        How many boosters, each with a seed of its own, predict together by their mean.
    random_state
        The seed of which rows are held out.

    Attributes
    ----------
    estimator_
        The fitted booster, or the mean of several.
    rounds_
        The number of rounds that were found, or the one that was given.
    found_params_
        What was found, as parameters for a fit on all rows; empty if it was given.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import HistGradientBoostingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> booster = FoundRounds(HistGradientBoostingClassifier(random_state=0), random_state=0)
    >>> found = booster.fit(X, y).found_params_
    >>> 5 < found["rounds"] < 100
    True
    >>> final = booster.set_params(**found).fit(X, y)
    >>> final.rounds_ == final.estimator_.n_iter_ == found["rounds"]
    True
    """

    def __init__(
        self,
        estimator: BaseEstimator,
        *,
        rounds: int | None = None,
        max_rounds: int = 1000,
        patience: int = 20,
        beyond: int = 1,
        held_out: float = 0.1,
        n_seeds: int = 1,
        random_state: int | None = 0,
    ) -> None:
        self.estimator = estimator
        self.rounds = rounds
        self.max_rounds = max_rounds
        self.patience = patience
        self.beyond = beyond
        self.held_out = held_out
        self.n_seeds = n_seeds
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the number of rounds and fit, or fit the rounds that were given.

        Parameters
        ----------
        X, y
            The data.
        sample_weight
            How much each row counts, also where the loss is watched; all the same by default.

        Raises
        ------
        InvalidParameterError
            If the estimator is no booster that is known, or a parameter makes no sense.
        """
        parameter = self._check()
        booster = clone(self.estimator)
        weights = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
        parts = self._parts(X, y, weights) if self.rounds is None else None
        if parts is None:
            rounds = self.rounds_ = DEFAULT_ROUNDS if self.rounds is None else self.rounds
            self.found_params_: dict[str, int] = {}
            _fit_rounds(booster, parameter, rounds, X, y, weights)
        else:
            booster.set_params(**{parameter: self.max_rounds})
            self.rounds_ = max(1, self._fit_watched(booster, parts))
            # The rows that were held out come back: a few more rounds for so many more rows.
            rounds = math.ceil(self.rounds_ / (1 - self.held_out))
            self.found_params_ = {"rounds": rounds}
        boosters = [booster]
        for i in range(1, self.n_seeds):
            seed = (self.estimator.random_state or 0) + i
            further = clone(self.estimator).set_params(random_state=seed)
            boosters.append(_fit_rounds(further, parameter, rounds, X, y, weights))
        for one in boosters:
            make_plain(one)
        self.estimator_ = booster if len(boosters) == 1 else mean_of(boosters)
        return self

    def _fit_watched(self, booster: Any, parts: Parts) -> int:
        """Fit until the loss on the rows that were held out falls no more; give the best round."""
        if isinstance(booster, PlainBooster):
            return booster.fit_watched(
                parts.X,
                parts.y,
                parts.X_held_out,
                parts.y_held_out,
                patience=self.patience,
                weights=(parts.weights, parts.weights_held_out),
            )
        stops = ROUNDS[type(booster).__name__] == "max_iter"
        return (self._fit_histograms if stops else self._fit_lightgbm)(booster, parts)

    def _fit_histograms(self, booster: Any, parts: Parts) -> int:
        """Fit scikit-learn's booster until its loss falls no more; give the best round."""
        booster.set_params(early_stopping=True, scoring="loss", n_iter_no_change=self.patience)
        booster.fit(
            parts.X,
            parts.y,
            sample_weight=parts.weights,
            X_val=parts.X_held_out,
            y_val=parts.y_held_out,
            sample_weight_val=parts.weights_held_out,
        )
        return int(np.argmax(booster.validation_score_))

    def _fit_lightgbm(self, booster: Any, parts: Parts) -> int:
        """Fit LightGBM's booster until its loss falls no more, and beyond; give the rounds."""
        with warnings.catch_warnings():
            # What takes its place from 4.7 on does not encode classes that are text.
            warnings.filterwarnings("ignore", "The argument 'eval_set' is deprecated")
            booster.fit(
                parts.X,
                parts.y,
                sample_weight=parts.weights,
                eval_set=[(parts.X_held_out, parts.y_held_out)],
                eval_sample_weight=None if parts.weights is None else [parts.weights_held_out],
                callbacks=[_Watch(self.patience, beyond=self.beyond)],
            )
        return booster.best_iteration_ or booster.n_estimators_

    def _check(self) -> str:
        kind = type(self.estimator).__name__
        plain = isinstance(self.estimator, PlainBooster)
        if not plain and kind not in ROUNDS:
            known = ", ".join(ROUNDS)
            raise InvalidParameterError(f"estimator must be one of {known}, got {kind}.")
        for name in ("max_rounds", "patience", "beyond", "n_seeds"):
            whole_number(name, getattr(self, name), at_least=1)
        if self.rounds is not None:
            whole_number("rounds", self.rounds, at_least=1)
        seed = self.estimator.get_params()["random_state"]
        if self.n_seeds > 1 and seed is not None and not isinstance(seed, Integral):
            raise InvalidParameterError(
                f"With n_seeds above 1 the estimator needs a whole number as its random_state, or "
                f"None, got {seed!r}."
            )
        real_number("held_out", self.held_out, above=0)
        if self.held_out >= 1:
            raise InvalidParameterError(f"held_out must be below 1, got {self.held_out}.")
        return "n_estimators" if plain else ROUNDS[kind]

    def _parts(self, X: Any, y: Any, weights: np.ndarray | None) -> Parts | None:
        """Hold rows out; every class stays among the fitted ones. None if rows are too few."""
        y = np.asarray(y)
        rows = np.arange(len(y))
        alone = np.zeros(len(y), dtype=bool)
        strata = None
        if is_classifier(self.estimator):
            _, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
            alone = counts[codes] < 1 / self.held_out
            strata = codes[~alone]
        if np.count_nonzero(~alone) < FEWEST_ROWS:
            return None
        fitted, held_out = train_test_split(
            rows[~alone], test_size=self.held_out, random_state=self.random_state, stratify=strata
        )
        fitted = np.sort(np.concatenate([fitted, rows[alone]]))
        take = X.iloc.__getitem__ if hasattr(X, "iloc") else X.__getitem__
        parts = Parts(take(fitted), take(held_out), y[fitted], y[held_out])
        if weights is None:
            return parts
        return parts._replace(weights=weights[fitted], weights_held_out=weights[held_out])


def _fit_rounds(
    booster: Any, parameter: str, rounds: int, X: Any, y: Any, weights: np.ndarray | None
) -> Any:
    """Fit a booster so many rounds, whatever the loss does."""
    settings = {"early_stopping": False} if parameter == "max_iter" else {}
    booster.set_params(**{parameter: rounds}, **settings)
    return booster.fit(X, y, sample_weight=weights)


class _Watch:
    """Ends a fit of LightGBM some time after the loss on the rows that are held out was lowest."""

    def __init__(self, patience: int, *, beyond: int) -> None:
        self._patience, self._beyond = patience, beyond
        self._lowest = math.inf
        self._best = 0

    def __call__(self, env: Any) -> None:
        """Hear of a round."""
        from lightgbm.callback import EarlyStopException

        n_rounds = env.iteration + 1
        loss = env.evaluation_result_list[0][2]
        if loss < self._lowest:
            self._lowest, self._best = loss, n_rounds
        wanted = self._beyond * self._best
        waited = n_rounds - self._best >= self._patience and n_rounds >= wanted
        if waited or n_rounds == env.end_iteration:
            rounds = min(wanted, n_rounds)
            raise EarlyStopException(rounds - 1, env.evaluation_result_list)
