"""Folds of a table whose rows may be in any order.

Tables are often sorted: by a key, by the label, by every combination of their categories. Folds
that are blocks of such rows test on values that were never trained on. So a number of folds means
shuffled folds here, from the seed; scikit-learn's own default, also that of `CurveSearchCV`, is
blocks. Whoever has rows in the order of time or in groups gives a splitter.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

from sklearn.model_selection import KFold, StratifiedKFold

N_FOLDS = 5


def shuffled(cv: Any, task: str, random_state: Any = None) -> Any:
    """Turn a number of folds into a splitter that shuffles; a splitter stays as it is.

    Examples
    --------
    >>> shuffled(10, "regression", 7)
    KFold(n_splits=10, random_state=7, shuffle=True)
    >>> shuffled(KFold(3), "regression")
    KFold(n_splits=3, random_state=None, shuffle=False)
    """
    if cv is None:
        cv = N_FOLDS
    # A wrong number, or what is no number, is for others to complain about.
    if isinstance(cv, bool) or not isinstance(cv, Integral) or cv < 2:
        return cv
    kind = StratifiedKFold if task == "classification" else KFold
    seed = int(random_state) if isinstance(random_state, Integral) else 0
    return kind(int(cv), shuffle=True, random_state=seed)
