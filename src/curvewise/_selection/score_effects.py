"""What each row does to a candidate's score: how noisy that is, and who errs on the same rows.

The effects of a candidate are numbers whose sum of squares is the variance of its mean loss; the
sum of the products of two candidates' effects is their covariance.

Rules:

1. For metrics that are means over rows, or ratios of such, the effect of a row is what it moves
   them by, to first order.
2. For all others rows are left out in `N_BLOCKS` blocks, each of which has its share of every
   class: the jackknife. That takes a call of the metric for each block, of `CALLED_FOR` candidates,
   the first, on `MOST_CALLED` rows at the most.
3. Groups that stay whole in folds have one effect: their rows are no independent cases.
4. Rows count with their weights, if scores are weighted, and as often as they were tested.
5. More than `MOST_ROWS` rows are not looked at: a sample says how noisy all of them are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from curvewise._evaluation.prediction_scores import deciding_scorer, positive_column
from curvewise._evaluation.row_scores import LOSSES, SMALLEST
from curvewise._evaluation.rows import one_column
from curvewise._evaluation.scales import name_of
from curvewise._evaluation.scorers import Scoring, own_score
from curvewise._selection.kept_predictions import OutOfFold

Array = np.ndarray[Any, Any]

N_BLOCKS = 20
CALLED_FOR = 6
MOST_CALLED = 1_000
MOST_ROWS = 50_000
# With fewer groups, their effects say nothing about noise.
FEWEST_GROUPS = 10


@dataclass(frozen=True, slots=True)
class JudgedRows:
    """Rows that were tested.

    Parameters
    ----------
    rows
        Which of all rows are looked at.
    y
        What is true of these.
    counts
        How much each of them counts.
    groups
        The group of each; None if each is its own.
    n_rows
        How many were tested; of more than `MOST_ROWS` a sample is looked at.
    """

    rows: Array
    y: Array
    counts: Array
    groups: Array | None
    n_rows: int

    @classmethod
    def of(cls, one: OutOfFold, y: Any, weights: Any, groups: Any) -> JudgedRows:
        """Take the rows that a candidate has predictions for."""
        rows = np.flatnonzero(one.known)
        n = len(rows)
        if n > MOST_ROWS:
            rows = np.sort(np.random.default_rng(0).choice(rows, MOST_ROWS, replace=False))
        counts = one.n_folds[rows].astype(float)
        if weights is not None:
            counts *= np.asarray(weights, dtype=float)[rows]
        own = None if groups is None else np.unique(groups[rows], return_inverse=True)[1]
        return cls(rows, one_column(y)[rows], counts, own, n)

    def __getitem__(self, places: Array) -> JudgedRows:
        groups = None if self.groups is None else self.groups[places]
        rows, counts = self.rows[places], self.counts[places]
        return JudgedRows(rows, self.y[places], counts, groups, self.n_rows)


class Likeness(NamedTuple):
    """Variances of candidates' mean losses and their correlations; NaN for what is not known.

    Those of a few blocks are not ``exact``.
    """

    variances: Array
    correlations: Array
    exact: bool


def likeness(kept: Sequence[OutOfFold], tested: JudgedRows, scoring: Scoring) -> Likeness | None:
    """Say how noisy candidates' losses are and how alike; None if that cannot be told.

    The first has predictions for all tested rows; of those who have fewer, their correlations with
    others follow from the rows that both have.
    """
    if len(tested.rows) < 2:
        return None
    name, scorer = _deciding(scoring, kept[0])
    try:
        with np.errstate(all="ignore"):
            exact = _parts_and_wholes(name, kept[0], tested) is not None
            looked_at = kept if exact else kept[:CALLED_FOR]
            metric = name if exact else scorer
            found = [_effects(metric, one, tested) for one in looked_at]
    except Exception:
        # A metric may be the user's own and fail in any way, and noise is known without it too.
        return None
    effects = np.full((len(kept), len(found[0])), np.nan)
    effects[: len(found)] = found
    if not np.isfinite(effects[0]).all():
        return None
    known = np.isfinite(effects)
    squares = np.where(known, effects, 0.0) ** 2
    effects = np.where(known, effects, 0.0)
    shared = squares @ known.T
    scales = np.sqrt(shared * shared.T)
    with np.errstate(all="ignore"):
        correlations = np.where(scales > 0, effects @ effects.T / scales, np.nan)
    whole = known.all(axis=1)
    variances = np.where(whole, squares.sum(axis=1), np.nan) * len(tested.rows) / tested.n_rows
    return Likeness(variances, correlations, exact)


def _deciding(scoring: Scoring, one: OutOfFold) -> tuple[str, Any]:
    """Name the metric that decides, as scikit-learn does, and give its scorer."""
    scorer = deciding_scorer(scoring)
    if scorer is own_score:
        if one.classes is not None:
            return "accuracy", None
        # Several labels at once have a rate of their own kind.
        return ("r2" if scoring.scale.unit is None else ""), None
    return name_of(scorer), scorer


def _effects(metric: Any, one: OutOfFold, tested: JudgedRows) -> Array:
    """Give the effects of rows or groups, for the name of a metric, or of blocks, for a scorer.

    NaN where nothing was predicted.
    """
    places = np.flatnonzero(one.known[tested.rows])
    if not isinstance(metric, str):
        if len(places) < len(tested.rows):
            return np.full(N_BLOCKS, np.nan)
        return _jackknife(metric, one, tested)
    effects = np.full(len(tested.rows), np.nan)
    ratio = _parts_and_wholes(metric, one, tested[places])
    if ratio is not None:
        parts, wholes, root = ratio
        counts = tested.counts[places, None]
        whole = (counts * wholes).sum(axis=0)
        level = (counts * parts).sum(axis=0) / whole
        moved = counts * (parts - level * wholes) / whole
        if root:
            moved = moved / (2 * np.sqrt(np.maximum(level, SMALLEST)))
        effects[places] = moved.mean(axis=1)
    return _by_group(effects, tested.groups)


def _parts_and_wholes(
    name: str, one: OutOfFold, tested: JudgedRows
) -> tuple[Array, Array, bool] | None:
    """Give what rows add to both parts of a loss, and whether its root is taken (rule 1)."""
    rows, y = tested.rows, tested.y
    if one.classes is not None:
        lost = _lost(name, one, rows, np.searchsorted(one.classes, y))
        return None if lost is None else (lost[:, None], np.ones((len(rows), 1)), False)
    y, values = _columns(y), _columns(one.values[rows])
    if name == "r2":
        average = np.average(y, axis=0, weights=tested.counts)
        return (y - values) ** 2, (y - average) ** 2, False
    root = name.startswith("neg_root_mean_")
    loss = LOSSES.get(name.removeprefix("neg_root_mean_").removeprefix("neg_mean_"))
    return None if loss is None else (loss(y, values), np.ones(y.shape), root)


def _lost(name: str, one: OutOfFold, rows: Array, truth: Array) -> Array | None:
    """Give what each row loses; None for metrics that are no means of that."""
    if name == "accuracy" and one.places is not None:
        return (one.places[rows] != truth).astype(float)
    if one.method != "predict_proba":
        return None
    if name == "neg_log_loss":
        right: Array = one.values[rows, truth]
        return -np.log(np.clip(right, SMALLEST, 1.0))
    if name == "neg_brier_score":
        hits = truth[:, None] == np.arange(one.values.shape[1])
        squares: Array = ((one.values[rows] - hits) ** 2).sum(axis=1)
        return squares / 2 if hits.shape[1] == 2 else squares
    return None


def _jackknife(scorer: Any, one: OutOfFold, tested: JudgedRows) -> Array:
    """Leave out rows block by block (rule 2)."""
    rng = np.random.default_rng(0)
    places = np.arange(len(tested.rows))
    if len(places) > MOST_CALLED:
        places = np.sort(rng.choice(places, MOST_CALLED, replace=False))
    y, predicted = tested.y[places], _response(scorer, one, tested.rows[places])
    if tested.groups is not None:
        blocks = tested.groups[places] % N_BLOCKS
    else:
        # In the order of y, neighbours in different blocks: each has its share of every class.
        order = np.lexsort((rng.random(len(places)), y))
        blocks = np.empty(len(places), dtype=np.int64)
        blocks[order] = np.arange(len(places)) % N_BLOCKS
    sign, metric, options = scorer._sign, scorer._score_func, scorer._kwargs  # noqa: SLF001
    without = [
        sign * metric(y[blocks != block], predicted[blocks != block], **options)
        for block in range(N_BLOCKS)
    ]
    moved = np.asarray(without, dtype=float)
    share = (len(moved) - 1) / len(moved) * len(places) / len(tested.rows)
    effects: Array = (moved - moved.mean()) * np.sqrt(share)
    return effects


def _response(scorer: Any, one: OutOfFold, rows: Array) -> Array:
    """Give what a scorer wants to be predicted; an error if that was not kept."""
    wanted = scorer._response_method  # noqa: SLF001
    if one.classes is None:
        return one.values[rows]
    if wanted == "predict" and one.places is not None:
        labels: Array = one.classes[one.places[rows]]
        return labels
    if one.method not in ((wanted,) if isinstance(wanted, str) else wanted):
        raise ValueError(f"{wanted} was not kept")
    values: Array = one.values[rows]
    if len(one.classes) > 2:
        return values
    column = positive_column(scorer, one.classes)
    if values.ndim == 1:
        return values if column == 1 else -values
    return values[:, column]


def _by_group(effects: Array, groups: Array | None) -> Array:
    """Add up the effects of each group (rule 3)."""
    if groups is not None and groups.max() + 1 >= FEWEST_GROUPS:
        # Folds keep groups whole: of a group, all rows were predicted or none.
        effects = np.bincount(groups, weights=effects)
    n = len(effects)
    return effects * np.sqrt(n / (n - 1))


def _columns(values: Array) -> Array:
    return np.asarray(values, dtype=float).reshape(len(values), -1)
