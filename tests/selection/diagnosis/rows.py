"""Predicted rows to look at, made of formulas."""

import numpy as np

from curvewise._selection.diagnosis.predicted_rows import rows_of_predictions


def of_classes(n, n_classes, *, seed=0, digits=None, labels=None):
    """Rows with probabilities that are somewhat right."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_classes, size=n)
    values = rng.uniform(size=(n, n_classes)) + 0.6 * np.eye(n_classes)[truth]
    if digits is not None:
        values = values.round(digits) + 1e-6
    values /= values.sum(axis=1, keepdims=True)
    classes = np.arange(n_classes) if labels is None else np.array(labels)
    return rows_of_predictions(classes[truth], values, classes)


def of_numbers(n, *, seed=0, noise=1.0):
    """Rows with numbers that are somewhat right."""
    rng = np.random.default_rng(seed)
    y = rng.normal(10, 5, size=n)
    return rows_of_predictions(y, y + noise * rng.normal(size=n))
