"""Half of a table and all of it: whether more data helps, on real data (paper, Sec. V-B).

Of a table, two nested samples are taken whose training parts (90%) are powers of two: d_full the
largest there is, d_half one half of it. The portfolio gets whole learning curves on d_half (every
split at every size, nobody pruned) and its true score on d_full. Everything goes into a run store,
two runs per table, so that what was interrupted goes on.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.model_selection import ShuffleSplit

from curvewise._bench.doubled_rows.cases import Case, seen_case
from curvewise._selection.search_cv import CurveSearchCV
from curvewise.automl._table_preparation import TablePreparation
from curvewise.core._policies import MonteCarloCV, WholeCurve
from curvewise.core._policy import Policy
from curvewise.core._portfolio import Status
from curvewise.core._result import ValidationResult
from curvewise.errors import UnfitDataError

if TYPE_CHECKING:
    import pandas as pd

TRAIN_SHARE = 0.9
# Below this, d_half has fewer than the three anchors that a power law needs.
LEAST_TARGET = 512


def target_sizes(n_rows: int) -> tuple[int, int]:
    """Give the training rows of d_half and d_full: the largest powers of two that there are."""
    full = 2 ** math.floor(math.log2(TRAIN_SHARE * n_rows))
    return full // 2, full


def double_table(
    name: str,
    X: pd.DataFrame,
    y: Any,
    portfolio: Mapping[str, Any],
    *,
    store: Path,
    n_splits: int = 10,
    timeout_per_fit: float | None = 60.0,
    n_jobs: int = 1,
    random_state: int = 0,
) -> Case:
    """Run the protocol on one table."""
    half, full = target_sizes(len(X))
    if full < LEAST_TARGET:
        raise UnfitDataError(
            f"{name} has {len(X)} rows: half of it must leave {LEAST_TARGET // 2} for training."
        )
    order = np.random.default_rng(random_state).permutation(len(X))
    found: dict[int, list[ValidationResult]] = {}
    policies: dict[int, Policy] = {half: WholeCurve(), full: MonteCarloCV()}
    for target, policy in policies.items():
        rows = order[: round(target / TRAIN_SHARE)]
        search = CurveSearchCV(
            dict(portfolio),
            cv=ShuffleSplit(
                n_splits, train_size=target, test_size=len(rows) - target, random_state=random_state
            ),
            policy=policy,
            scoring="accuracy",
            preprocess=TablePreparation(),
            timeout_per_fit=timeout_per_fit,
            n_jobs=n_jobs,
            store=store,
            run=f"{name}, {target} training rows" + (", whole curves" if target == half else ""),
            refit=False,
            return_train_score=target == half,
            random_state=random_state,
        )
        with warnings.catch_warnings():
            # Learners that cannot work on a table are expected, and counted by their absence.
            warnings.simplefilter("ignore")
            search.fit(_take(X, rows), _take(y, rows))
        found[target] = [each for each in search.results_ if each.status is Status.COMPLETED]
    known = {result.candidate for result in found[half]}
    truth = {each.candidate: each.loss for each in found[full] if each.candidate in known}
    return seen_case(name, len(X), found[half], truth)


def _take(table: Any, rows: Any) -> Any:
    return table.iloc[rows] if hasattr(table, "iloc") else table[rows]
