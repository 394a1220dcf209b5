"""Folds from any scikit-learn splitter, and training subsets nested inside each of them.

Rules:

1. Fold i is the same for every candidate and every anchor: the splitter is asked once, here.
2. The target is the size of the smallest training part. At the target a fold gives the splitter's
   own training rows in the splitter's own order, so that a candidate that is never pruned has had
   scikit-learn's cross-validation. Folds of k-fold differ by a row; those of a time series differ
   more, and at the target each still is the whole training part.
3. Below the target a fold gives a subset of its training part, inside the subset of every larger
   anchor, with its rows in the order of the training part. Which rows: see
   `curvewise._evaluation.priority`. Time order comes before groups, groups before classes.
4. Groups stay whole when they are given and the splitter itself never divides one between training
   and test part. A subset then has at most as many rows as the anchor says, unless its first group
   alone has more.
5. The test part is the fold's own. On demand it is, at an inner anchor, all rows of the fold that
   are not trained on there (Mohr & van Rijn 2023, Sec. IV-D). Not in the order of time: what comes
   before the training rows is no test.
6. Chance comes from one seed. Folds draw independently of each other, and subsets and samples of
   test rows do too.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from operator import index
from typing import Any

import numpy as np
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
    check_cv,
)
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import type_of_target

from curvewise._evaluation.given_types import FoldsGiven
from curvewise._evaluation.priority import (
    Priority,
    at_random,
    in_proportion,
    latest_first,
    whole_groups,
)
from curvewise._evaluation.rows import Indices, n_rows
from curvewise.errors import InvalidParameterError

STRATIFIED = (
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)


class Folds:
    """Training and test rows by fold and anchor.

    Parameters
    ----------
    X
        The data; only its number of rows matters, unless the splitter looks at it.
    y
        What is to be predicted, or None.
    cv
        A number of folds, any splitter of scikit-learn, or (training rows, test rows) pairs.
    groups
        The group of each row, for splitters that keep groups together.
    classifier
        Whether classes are predicted: a number of folds is then stratified, and so are subsets.
        Splitters that stratify have stratified subsets in any case.
    ordered
        Whether rows are in the order of time, so that subsets have to be the latest rows; by
        default they are if the splitter is a `TimeSeriesSplit`.
    random_state
        The seed of the subsets. Splitters have their own.
    params
        What else the splitter takes.

    Attributes
    ----------
    splitter
        What splits: ``cv`` as scikit-learn understands it.
    n_rows
        The number of rows of the data.
    target
        The size of the smallest training part: the largest anchor.
    seed
        The number that all chance follows from.

    Examples
    --------
    >>> X, y = np.zeros((100, 2)), np.repeat([0, 1], [80, 20])
    >>> folds = Folds(X, y, cv=5, classifier=True, random_state=0)
    >>> len(folds), folds.target
    (5, 80)
    >>> np.bincount(y[folds.train(0, anchor=20)])
    array([16,  4])
    >>> set(folds.train(0, anchor=10)) < set(folds.train(0, anchor=20))
    True
    """

    def __init__(
        self,
        X: Any,
        y: Any,
        *,
        cv: FoldsGiven = 5,
        groups: Any = None,
        classifier: bool = False,
        ordered: bool | None = None,
        random_state: int | np.random.RandomState | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> None:
        self.n_rows = n_rows(X)
        if self.n_rows < 2:
            raise InvalidParameterError(
                f"X must have at least 2 rows, got n_samples={self.n_rows}."
            )
        for name, values in (("y", y), ("groups", groups)):
            if values is not None and n_rows(values) != self.n_rows:
                raise InvalidParameterError(
                    f"{name} must have as many rows as X, got {n_rows(values)} for {self.n_rows}."
                )
        try:
            # Deviates: 17. The paper does not say that folds are stratified.
            self.splitter = check_cv(cv, y, classifier=classifier)
            given = {**(params or {}), **({} if groups is None else {"groups": groups})}
            parts = list(self.splitter.split(X, y, **given))
            self._classes = _classes(y, known=classifier or isinstance(self.splitter, STRATIFIED))
        except (TypeError, ValueError) as error:
            raise InvalidParameterError(
                f"cv={_shown(cv)} cannot split the data: {error}"
            ) from error
        if not parts:
            raise InvalidParameterError(
                f"cv={_shown(cv)} gave no folds; it must give at least one."
            )
        # Deviates: 13. In the paper every evaluation draws rows of its own.
        self._train = [self._rows(train, fold, "training") for fold, (train, _) in enumerate(parts)]
        self._test = [self._rows(test, fold, "test") for fold, (_, test) in enumerate(parts)]
        self._groups = None if groups is None else self._whole(groups)
        self._ordered = isinstance(self.splitter, TimeSeriesSplit) if ordered is None else ordered
        self.target = min(len(train) for train in self._train)
        self.seed = int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
        self._forget()

    def __len__(self) -> int:
        return len(self._test)

    @property
    def whole_groups(self) -> Indices | None:
        """The group of each row, numbered from 0, if folds keep groups whole; else None."""
        return self._groups

    def digest(self) -> str:
        """Give a short text that differs for other training or test rows of any fold."""
        hasher = blake2b(digest_size=8)
        for fold in range(len(self)):
            for rows in (self.train(fold, self.target), self.test(fold)):
                hasher.update(np.ascontiguousarray(rows, dtype="<i8").tobytes())
                hasher.update(b"|")
        return hasher.hexdigest()

    def train(self, fold: int, anchor: int) -> Indices:
        """Give the training rows of a fold at an anchor.

        Parameters
        ----------
        fold
            Which fold, counted from 0.
        anchor
            How many rows; from the target on, the whole training part.

        Examples
        --------
        >>> Folds(np.zeros(6), None, cv=3).train(1, anchor=4)
        array([0, 1, 4, 5])
        """
        if anchor >= self.target:
            return self._train[fold]
        if index(anchor) < 1:
            raise InvalidParameterError(f"An anchor must be at least 1 row, got {anchor}.")
        return self._first(anchor, fold, of_test=False)

    def test(self, fold: int, *, at_most: int | None = None, outside: int | None = None) -> Indices:
        """Give the test rows of a fold.

        Parameters
        ----------
        fold
            Which fold, counted from 0.
        at_most
            Give a sample if there are more rows than this, always the same one; it has the classes
            in proportion.
        outside
            An anchor: give all rows of the fold outside of the training rows there, its own test
            part first.

        Examples
        --------
        >>> Folds(np.zeros(6), None, cv=3).test(1)
        array([2, 3])
        >>> len(Folds(np.zeros(6), None, cv=3).test(1, outside=1))
        5
        """
        if at_most is not None and at_most < 1:
            raise InvalidParameterError(f"at_most must be at least 1 row, got {at_most}.")
        if outside is not None and outside < self.target and not self._ordered:
            return self._rest(fold, outside, at_most)
        if at_most is None or len(self._test[fold]) <= at_most:
            return self._test[fold]
        return self._first(at_most, fold, of_test=True)

    def _rest(self, fold: int, anchor: int, at_most: int | None) -> Indices:
        """Give the rows of a fold that are not trained on at an anchor, or a sample of them."""
        key = (fold, anchor, at_most)
        if key not in self._rests:
            part = self._train[fold]
            unused = part[~np.isin(part, self.train(fold, anchor))]
            rows = np.concatenate([self._test[fold], unused])
            if at_most is not None and at_most < len(rows):
                rng = np.random.default_rng((self.seed, fold, 1, anchor))
                rows = rows[self._priority(rows, rng, independent=True).first(at_most)]
            self._rests[key] = rows
        return self._rests[key]

    def _first(self, n: int, fold: int, *, of_test: bool) -> Indices:
        """Give the n rows of a part that come first; found out once."""
        rows = (self._test if of_test else self._train)[fold]
        if (fold, of_test) not in self._priorities:
            rng = np.random.default_rng((self.seed, fold, int(of_test)))
            self._priorities[fold, of_test] = self._priority(rows, rng, independent=of_test)
        if (n, fold, of_test) not in self._subsets:
            self._subsets[n, fold, of_test] = rows[self._priorities[fold, of_test].first(n)]
        return self._subsets[n, fold, of_test]

    def _priority(self, rows: Indices, rng: np.random.Generator, *, independent: bool) -> Priority:
        """Order rows: by time, in whole groups, by class in proportion, or at random (rule 3)."""
        if self._ordered and not independent:
            return latest_first(rows)
        classes = None if self._classes is None else self._classes[rows]
        if self._groups is not None and not independent:
            return whole_groups(self._groups[rows], rng, classes=classes)
        return at_random(len(rows), rng) if classes is None else in_proportion(classes, rng)

    def _rows(self, part: Any, fold: int, name: str) -> Indices:
        """Check one part of one fold; a mask becomes row numbers."""
        rows = np.asarray(part)
        if rows.dtype == bool and len(rows) == self.n_rows:
            rows = np.flatnonzero(rows)
        if rows.size == 0:
            raise InvalidParameterError(
                f"cv gave fold {fold} without {name} rows; it must have some."
            )
        if rows.dtype.kind not in "iu" or rows.min() < 0 or rows.max() >= self.n_rows:
            raise InvalidParameterError(
                f"cv gave fold {fold} {name} rows that are no row numbers "
                f"from 0 to {self.n_rows - 1}."
            )
        return rows

    def _whole(self, groups: Any) -> Indices | None:
        """Number the groups, if the splitter never divides one; else None."""
        numbers = _numbered(groups)
        for train, test in zip(self._train, self._test, strict=True):
            trained_on = np.zeros(numbers.max() + 1, dtype=bool)
            trained_on[numbers[train]] = True
            if trained_on[numbers[test]].any():
                return None
        return numbers

    def _forget(self) -> None:
        """Empty what can be computed again."""
        self._priorities: dict[tuple[int, bool], Priority] = {}
        self._subsets: dict[tuple[int, int, bool], Indices] = {}
        self._rests: dict[tuple[int, int, int | None], Indices] = {}

    def __getstate__(self) -> dict[str, Any]:
        computed = ("_priorities", "_subsets", "_rests")
        return {name: value for name, value in vars(self).items() if name not in computed}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._forget()


def _classes(y: Any, *, known: bool) -> Indices | None:
    """Number the classes, if there are any and each row has one; else None."""
    if not known or y is None or type_of_target(y) not in ("binary", "multiclass"):
        return None
    return _numbered(y)


def _numbered(values: Any) -> Indices:
    """Number the distinct values from 0."""
    return np.unique(np.asarray(values).ravel(), return_inverse=True)[1]


def _shown(cv: Any) -> str:
    """Show a splitter in a message, where lists of row numbers would fill pages."""
    shown = repr(cv)
    return shown if len(shown) <= 100 else type(cv).__name__
