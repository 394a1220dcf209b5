"""Folds of a table whose rows may be in any order.

Tables are often sorted: by a key, by the label, by every combination of their categories. Folds
that are blocks of such rows test on values that were never trained on. So rows are shuffled into
folds here, from the seed; scikit-learn's own default, also that of `CurveSearchCV`, is blocks.
Whoever has rows in the order of time or in groups gives a splitter.
"""

from __future__ import annotations

from numbers import Integral

from sklearn.model_selection import KFold, StratifiedKFold

from curvewise._evaluation.given_types import Seed


def shuffled_folds(
    task: str, *, n_folds: int = 5, random_state: Seed = None
) -> KFold | StratifiedKFold:
    """Give folds of shuffled rows; those for classes keep their shares.

    Examples
    --------
    >>> shuffled_folds("regression", n_folds=10, random_state=7)
    KFold(n_splits=10, random_state=7, shuffle=True)
    """
    kind = StratifiedKFold if task == "classification" else KFold
    # Each search has to have the same folds for all its candidates, also one without a seed.
    seed = int(random_state) if isinstance(random_state, Integral) else 0
    return kind(n_folds, shuffle=True, random_state=seed)
