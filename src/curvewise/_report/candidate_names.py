"""What a candidate is called, and which algorithm it is.

Runs of ``curvewise select`` say both (``parameters["text"]`` and ``["algorithm"]``). Elsewhere the
name is the description or the key, and the algorithm is read from the estimator's repr: the class
of the last step of a pipeline, or of the estimator itself. A repr that cannot be read, as those
that scikit-learn cuts in the middle, gives its first word.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from curvewise.executors._store import StoredResult

UNKNOWN = "unknown"
FIRST_WORD = re.compile(r"\s*([A-Za-z_][\w.]*)\s*\(")
LAST_STEP = re.compile(r"\(\s*'[^']*',\s*([A-Za-z_][\w.]*)\(")
# Reprs are at most some 700 characters; what is longer is not read as code.
LONGEST = 10_000


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
    >>> algorithm_of(StoredResult("c7", "", {"estimator": "SVC(C=10)"}, *rest))
    'SVC'
    """
    said = _text(result.parameters, "algorithm")
    if said is not None:
        return said
    recipe = recipe_of(result)
    return UNKNOWN if recipe is None else algorithm_in(recipe)


def algorithm_in(recipe: str) -> str:
    """Find the algorithm in an estimator's repr.

    Examples
    --------
    >>> algorithm_in("Pipeline(steps=[('scale', StandardScaler()), ('svc', SVC(C=10))])")
    'SVC'
    >>> algorithm_in("RandomForestClassifier(n_estimators=...")
    'RandomForestClassifier'
    >>> algorithm_in("<img src=x>")
    'unknown'
    """
    if len(recipe) <= LONGEST:
        try:
            found = _algorithm(ast.parse(recipe.strip(), mode="eval").body)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            found = None
        if found is not None:
            return found
    first = FIRST_WORD.match(recipe)
    if first is None:
        return UNKNOWN
    steps = LAST_STEP.findall(recipe[:LONGEST]) if first[1] == "Pipeline" else []
    return str(steps[-1] if steps else first[1])


def _algorithm(node: ast.expr) -> str | None:
    """The class that a call makes; of a pipeline, that of its last step."""
    if not isinstance(node, ast.Call):
        return None
    name = ast.unparse(node.func)
    for keyword in node.keywords:
        steps = keyword.value
        if name == "Pipeline" and keyword.arg == "steps" and isinstance(steps, ast.List):
            pairs = [each.elts for each in steps.elts if isinstance(each, ast.Tuple)]
            if pairs and len(pairs[-1]) == 2:
                return _algorithm(pairs[-1][1]) or name
    return name


def _text(parameters: Mapping[str, Any] | None, key: str) -> str | None:
    value = None if parameters is None else parameters.get(key)
    return value if isinstance(value, str) and value else None
