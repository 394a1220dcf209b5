"""From a raw table to numbers without gaps, as every pipeline needs them.

As in the paper, missing numbers become the median and missing categories the most frequent one, and
categories are binarised. Besides:

=============================  ====================================================================
what                           what becomes of it
=============================  ====================================================================
number                         as it is; infinite values count as missing
boolean, two categories        one column of 0 and 1
category                       a column of 0 and 1 each, at most `max_categories`; what is rarer
                               shares one (`components/categories.py`)
date                           year, month, day, weekday, hour and days since 1970
duration, time of the day      seconds
objects, text                  one of the above, by their values (`components/values.py`)
identifier                     dropped: text, of which nearly every row has its own
constant, empty                dropped: one value only, or none
=============================  ====================================================================

All of it is learnt from the rows that `fit` gets, and said in `report_`. The result is a float64
array, or a sparse matrix where that pays.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from curvewise.automl._components.categories import place_levels
from curvewise.automl._components.column_kinds import read_dates, read_numbers
from curvewise.automl._components.dates import date_parts
from curvewise.automl._components.frames import open_frame
from curvewise.automl._components.gaps import by_columns, close_gaps, open_infinities
from curvewise.automl._components.table_plan import Plan, learn_plan, plan_numbers
from curvewise.core._checks import real_number, whole_number
from curvewise.errors import InvalidParameterError

# A dense matrix below this many cells (32 MiB) is quick to work with, whatever it holds.
FEWEST_CELLS = 2**22
# A number in a sparse matrix takes one and a half times the room, and more time than that.
MOST_DENSITY = 0.1


class TablePreparation(TransformerMixin, BaseEstimator):
    """Make numbers without gaps from a raw table.

    Parameters
    ----------
    max_categories
        The largest number of columns that one category may become.
    identifier_share
        Text with more distinct values than this share of the rows is dropped as an identifier.
    sparse_output
        Whether the result is a sparse matrix; ``"auto"`` for large results with few non-zeros.

    Attributes
    ----------
    report_
        For each column a dictionary: ``column``, its ``kind``, and the ``action`` that was taken.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": [30, None, 50], "sex": ["f", "m", None], "unit": "kg"})
    >>> preparation = TablePreparation()
    >>> preparation.fit_transform(table)
    array([[30.,  0.],
           [40.,  1.],
           [50.,  0.]])
    >>> preparation.get_feature_names_out()
    array(['age', 'sex_m'], dtype=object)
    >>> preparation.report_[2]
    {'column': 'unit', 'kind': 'constant', 'action': 'dropped: one value only'}
    """

    def __init__(
        self,
        *,
        max_categories: int = 50,
        identifier_share: float = 0.9,
        sparse_output: Any = "auto",
    ) -> None:
        self.max_categories = max_categories
        self.identifier_share = identifier_share
        self.sparse_output = sparse_output

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn what becomes of each column.

        Parameters
        ----------
        X
            Training rows: a pandas or polars frame, an array, a sparse matrix.
        y
            Not used.
        """
        self._learn(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Learn what becomes of each column, and do it.

        Parameters
        ----------
        X
            Training rows.
        y
            Not used.
        """
        return self._assemble(*self._learn(X))

    def transform(self, X: Any) -> Any:
        """Do to other rows what was learnt.

        Parameters
        ----------
        X
            Rows with the same columns in the same order.
        """
        check_is_fitted(self)
        plan = self.plan_
        frame = None if sparse.issparse(X) else open_frame(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        if frame is None:
            numbers = by_columns(X)[:, plan["numbers"]]
            places: list[np.ndarray] = []
        else:
            dates = [date_parts(read_dates(frame, i))[:, kept] for i, kept in plan["dates"]]
            numbers = np.hstack([read_numbers(frame, plan["numbers"]), *dates])
            places = [place_levels(*frame.values(i), levels) for i, levels in plan["levels"]]
        open_infinities(numbers)
        return self._assemble(close_gaps(numbers, plan["fill"]), places)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Name the columns of the result.

        Parameters
        ----------
        input_features
            Not used; it may repeat the names of the table's columns.
        """
        check_is_fitted(self)
        return np.array(self.plan_["names"], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        return tags

    def _learn(self, X: Any) -> tuple[Any, list[np.ndarray]]:
        """Learn from training rows, and give them as numbers and places of levels."""
        self._check_parameters()
        frame = None if sparse.issparse(X) else open_frame(X)
        validate_data(self, X, skip_check_array=True)
        if frame is None:
            plan, numbers = _plan_sparse(by_columns(X))
            places: list[np.ndarray] = []
        else:
            names = frame.names or [f"x{i}" for i in range(len(frame.kinds))]
            _check_size(frame.n_rows, len(names))
            plan, numbers, places = learn_plan(
                frame,
                names,
                max_categories=self.max_categories,
                identifier_share=self.identifier_share,
            )
        if not plan["names"]:
            one = " There is one sample only." if numbers.shape[0] == 1 else ""
            raise ValueError(f"No column is left: all are constant, empty or identifiers.{one}")
        self.report_ = plan.pop("report")
        self.plan_ = plan
        self.sparse_ = self._is_sparse(numbers, places)
        return numbers, places

    def _is_sparse(self, numbers: Any, places: list[np.ndarray]) -> bool:
        if self.sparse_output != "auto":
            return bool(self.sparse_output)
        if sparse.issparse(numbers):
            return True
        n_cells = numbers.shape[0] * len(self.plan_["names"])
        if n_cells < FEWEST_CELLS:
            return False
        n_set = np.count_nonzero(numbers) + sum(np.count_nonzero(one >= 0) for one in places)
        return bool(n_set <= MOST_DENSITY * n_cells)

    def _assemble(self, numbers: Any, places: list[np.ndarray]) -> Any:
        """Put numbers and binarised categories side by side."""
        n_rows, n_numbers = numbers.shape
        rows: list[np.ndarray] = []
        columns: list[np.ndarray] = []
        start = n_numbers
        for (_, levels), place in zip(self.plan_["levels"], places, strict=True):
            found = np.flatnonzero(place >= 0)
            rows.append(found)
            columns.append(place[found] + start)
            start += len(levels["names"])
        if not self.sparse_:
            dense = np.zeros((n_rows, start))
            dense[:, :n_numbers] = numbers.toarray() if sparse.issparse(numbers) else numbers
            for place, column in zip(rows, columns, strict=True):
                dense[place, column] = 1.0
            return dense
        if not places:
            return sparse.csr_array(numbers)
        # scikit-learn's C code takes 32 bits for positions only.
        where = (
            np.concatenate(rows).astype(np.int32),
            (np.concatenate(columns) - n_numbers).astype(np.int32),
        )
        binary = sparse.coo_array(
            (np.ones(len(where[0])), where), shape=(n_rows, start - n_numbers)
        )
        return sparse.csr_array(sparse.hstack([sparse.csr_array(numbers), binary], format="csr"))

    def _check_parameters(self) -> None:
        whole_number("max_categories", self.max_categories, at_least=2)
        real_number("identifier_share", self.identifier_share, at_least=0)
        if self.sparse_output not in ("auto", True, False):
            raise InvalidParameterError(
                f"sparse_output must be 'auto', True or False, got {self.sparse_output!r}."
            )


def _plan_sparse(numbers: Any) -> tuple[Plan, Any]:
    """Plan a sparse matrix: all of it are numbers."""
    n_rows, n_columns = numbers.shape
    _check_size(n_rows, n_columns)
    names = [f"x{i}" for i in range(n_columns)]
    plan: Plan = {"numbers": [], "dates": [], "levels": [], "names": []}
    report: list[dict[str, str]] = [{} for _ in names]
    blocks = [numbers]
    columns = list(range(n_columns))
    plan["fill"] = plan_numbers(plan, blocks, columns, ["number"] * n_columns, names, report)
    plan["report"] = [{"column": name, **one} for name, one in zip(names, report, strict=True)]
    return plan, close_gaps(blocks[0], plan["fill"])


def _check_size(n_rows: int, n_columns: int) -> None:
    if n_rows == 0:
        raise ValueError("Found array with 0 sample(s): there are no rows to learn from.")
    if n_columns == 0:
        raise ValueError(
            f"0 feature(s) (shape=({n_rows}, 0)) while a minimum of 1 is required: "
            f"the table has no columns."
        )
