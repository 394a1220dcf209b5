"""Scores of columns for univariate selection that scikit-learn computes with a hidden seed.

Mutual information adds a little noise to break ties; without a seed, two fits on the same rows
would differ.
"""

from __future__ import annotations

from typing import Any

from sklearn.feature_selection import mutual_info_classif, mutual_info_regression


def information_about_classes(X: Any, y: Any) -> Any:
    """How much each column tells about a class, the same in every call."""
    return mutual_info_classif(X, y, random_state=0)


def information_about_numbers(X: Any, y: Any) -> Any:
    """How much each column tells about a number, the same in every call."""
    return mutual_info_regression(X, y, random_state=0)
