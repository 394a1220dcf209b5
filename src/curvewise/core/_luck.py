"""How lucky the best of many is: by how much its loss is too low because it was chosen for it.

Whoever has the lowest loss on some rows is the best, or the luckiest, or both. Losses that are
means over many rows are nearly normal around what they would be on endless rows, with a covariance
that the rows show: candidates err on the same rows, so that their luck is mostly the same.

Rules:

1. Noise z is drawn with the covariance of the losses l. Then l + t z and l - z / t are independent
   of each other, whatever t: who is chosen by the first has no luck in the second. The mean of that
   over many draws is what a choice is worth that was made with 1 + t² times the noise.
2. With t = 1 this is the bootstrap of Tsamardinos, Greasidou & Borboudakis (2018), where a choice
   on the rows in the bag is measured on those out of it. Such a choice is as noisy as one on half
   of the rows, so that its worth is told too low. A small t chooses nearly as the search did, but
   its l - z / t is noisy. t = `STEP` is between.
3. Draws come in pairs, z and -z, so that luck is never negative. One candidate alone has none.
4. Who was dropped has some of its folds only. Its mean over all folds is projected: on its own
   folds it is compared with the best, and the best's other folds say how hard those were.
5. Where it is not known how two candidates err together, they do so as other pairs do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

# Rule 2. Chosen on 19 tables, and the same on 18 others (docs/explanation/honest-score.md).
STEP = 0.6
# How the losses of two candidates are usually correlated over rows; counts as so many pairs.
USUAL_CORRELATION = 0.62
PRIOR_PAIRS = 3
ROUNDING = 1e-12


def luck(losses: Array, covariance: Array, draws: Array, *, n_best: int = 1) -> float:
    """Give by how much the mean of the best losses is expected to be too low.

    Parameters
    ----------
    losses, covariance
        Of all candidates: what is seen, and how noisy that is.
    draws
        Independent standard normal numbers, a row per candidate.
    n_best
        How many of the best count together.

    Examples
    --------
    >>> draws = np.random.default_rng(0).standard_normal((2, 1000))
    >>> round(luck(np.array([0.1, 0.1]), np.diag([1e-4, 1e-4]), draws), 4)
    0.0091
    >>> luck(np.array([0.1, 0.4]), np.diag([1e-4, 1e-4]), draws)
    0.0
    """
    if n_best >= len(losses):
        return 0.0
    # In an order of their own, so that the order in which candidates came changes nothing.
    order = np.lexsort((np.diag(covariance), losses))
    losses, covariance = losses[order], covariance[np.ix_(order, order)]
    noise = _root(covariance) @ draws[: len(losses)]
    noise = np.concatenate([noise, -noise], axis=1)
    chosen = np.argsort(losses[:, None] + STEP * noise, axis=0, kind="stable")[:n_best]
    elsewhere = np.take_along_axis(losses[:, None] - noise / STEP, chosen, axis=0)
    return max(0.0, float(elsewhere.mean() - losses[:n_best].mean()))


def projected(table: Array, best: int, slopes: Array) -> Array:
    """Give each candidate's mean loss over all folds (rule 4).

    Parameters
    ----------
    table
        Losses by candidate and fold, NaN where there is none.
    best
        Who has the most folds.
    slopes
        How much of what the best's folds have in common with others each candidate shares.
    """
    known = ~np.isnan(table)
    mean = np.nanmean(table, axis=1)
    reference = table[best]
    shared = known & known[best]
    n_shared = np.maximum(shared.sum(axis=1), 1)
    there = np.where(shared, np.nan_to_num(reference), 0.0).sum(axis=1) / n_shared
    easier = np.where(shared.any(axis=1), there - np.nanmean(reference), 0.0)
    found: Array = mean - slopes * easier
    found[best] = mean[best]
    return found


def usual_correlation(correlations: Array) -> float:
    """Give the correlation of a pair of which nothing is known, from those that are (rule 5)."""
    upper = correlations[np.triu_indices(len(correlations), 1)]
    known = upper[~np.isnan(upper)]
    total = known.sum() + PRIOR_PAIRS * USUAL_CORRELATION
    return float(total / (len(known) + PRIOR_PAIRS))


def covariance_of(variances: Array, correlations: Array, *, usual: float) -> Array:
    """Put a covariance together; pairs without a correlation, NaN, get the usual one (rule 5)."""
    filled = np.where(np.isnan(correlations), usual, correlations)
    np.fill_diagonal(filled, 1.0)
    errors = np.sqrt(variances)
    covariance: Array = filled * np.outer(errors, errors)
    return covariance


def _root(covariance: Array) -> Array:
    """Give the symmetric matrix whose square is the covariance, as far as it is one."""
    values, vectors = np.linalg.eigh(covariance)
    # What is left of differences between candidates that are one and the same is rounding.
    values = np.where(values > ROUNDING * values[-1], values, 0.0)
    root: Array = (vectors * np.sqrt(values)) @ vectors.T
    return root
