"""What a candidate is called, and which algorithm it is.

A store says which algorithm it is (``parameters["algorithm"]``), and runs of ``curvewise select``
what it is called (``parameters["text"]``). Elsewhere the name is the description or the key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curvewise.executors._store import StoredResult

UNKNOWN = "unknown"


def name_of(result: StoredResult) -> str:
    """Give the name under which a candidate is shown.

    Examples
    --------
    >>> import math
    >>> from curvewise.core._intervals import UNKNOWN as NO_INTERVAL
    >>> from curvewise.core._portfolio import Status
    >>> rest = (Status.PRUNED, math.nan, NO_INTERVAL, 1, 0, 0.5)
    >>> name_of(StoredResult("c7", "", {"text": "PCA > SVC(rbf)"}, *rest))
    'PCA > SVC(rbf)'
    >>> name_of(StoredResult(("svc", 1), "", None, *rest))
    "('svc', 1)"
    """
    text = _text(result.parameters, "text")
    return text or result.description or str(result.candidate) or "(no name)"


def recipe_of(result: StoredResult) -> str | None:
    """Give the estimator as code, None if the store does not say it.

    Examples
    --------
    >>> import math
    >>> from curvewise.core._intervals import UNKNOWN as NO_INTERVAL
    >>> from curvewise.core._portfolio import Status
    >>> rest = (Status.PRUNED, math.nan, NO_INTERVAL, 1, 0, 0.5)
    >>> recipe_of(StoredResult("c7", "", {"estimator": "SVC(C=10)"}, *rest))
    'SVC(C=10)'
    """
    return _text(result.parameters, "estimator")


def algorithm_of(result: StoredResult) -> str:
    """Give the algorithm of a candidate, for grouping.

    Examples
    --------
    >>> import math
    >>> from curvewise.core._intervals import UNKNOWN as NO_INTERVAL
    >>> from curvewise.core._portfolio import Status
    >>> rest = (Status.PRUNED, math.nan, NO_INTERVAL, 1, 0, 0.5)
    >>> algorithm_of(StoredResult("c7", "", {"algorithm": "SVC"}, *rest))
    'SVC'
    """
    return _text(result.parameters, "algorithm") or UNKNOWN


def _text(parameters: Mapping[str, Any] | None, key: str) -> str | None:
    value = None if parameters is None else parameters.get(key)
    return value if isinstance(value, str) and value else None
