"""Whether a metric can judge a target at all: if not, every candidate would fail for hours."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import get_scorer, get_scorer_names

from curvewise.automl import Table
from curvewise.errors import InvalidParameterError


def check_scoring(scoring: str | None, table: Table) -> None:
    """Refuse a metric that fails even for a model that predicts the same for every row.

    Examples
    --------
    >>> from curvewise.automl import read_table
    >>> check_scoring("roc_auc", read_table("sklearn:iris"))
    Traceback (most recent call last):
    ...
    curvewise.errors.InvalidParameterError: The metric roc_auc cannot judge 'target': multi_class
    must be in ('ovo', 'ovr'); try roc_auc_ovo, roc_auc_ovo_weighted, roc_auc_ovr,
    roc_auc_ovr_weighted.
    """
    names = get_scorer_names()
    if scoring is None or scoring not in names:
        return
    objection = _objection(scoring, table)
    if objection is None:
        return
    family = scoring.partition("_")[0] if scoring.startswith("neg_") else scoring
    kin = [name for name in names if name.startswith(f"{family}_")]
    usable = [name for name in kin if _objection(name, table) is None]
    hint = f"; try {', '.join(usable[:4])}" if usable else ""
    reason = objection.splitlines()[0].rstrip(".")
    raise InvalidParameterError(
        f"The metric {scoring} cannot judge {table.target!r}: {reason}{hint}."
    )


def _objection(scoring: str, table: Table) -> str | None:
    dummy = DummyClassifier() if table.task == "classification" else DummyRegressor()
    X = np.zeros((len(table.y), 1))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            get_scorer(scoring)(dummy.fit(X, table.y), X, table.y)
    except (TypeError, ValueError) as error:
        return str(error) or type(error).__name__
    return None
