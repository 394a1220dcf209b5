"""From a raw table to the best pipeline: tables, search spaces, the estimators, saved models.

`CurveAutoMLClassifier` and `CurveAutoMLRegressor` search the `SearchSpace` that they are given,
made of `Slot` and `Component` objects or read by `load_space`; `RandomProposer`, `EvolvingProposer`
and `OptunaProposer` propose what to try of it. `SizedByData` gives an estimator the sizes that its
data allow, and `FoundRounds` finds the number of rounds of a booster. `read_table` reads what users
have, and `save_model` and `load_model` keep what was found.
"""

from typing import TYPE_CHECKING

from curvewise._lazy_names import lazy_names

if TYPE_CHECKING:
    from curvewise.automl._components.found_rounds import FoundRounds
    from curvewise.automl._components.sized_by_data import SizedByData
    from curvewise.automl._estimators import CurveAutoMLClassifier, CurveAutoMLRegressor
    from curvewise.automl._evolving_proposer import EvolvingProposer
    from curvewise.automl._proposers import OptunaProposer, RandomProposer
    from curvewise.automl._saved_model import SavedModel, load_model, save_model
    from curvewise.automl._space.component import Component, When
    from curvewise.automl._space.default_spaces import default_space, paper_space
    from curvewise.automl._space.parameters import Categorical, Constant, Integer, Parameter, Real
    from curvewise.automl._space.search_space import SearchSpace, Slot
    from curvewise.automl._space.space_file import load_space
    from curvewise.automl._table_preparation import TablePreparation
    from curvewise.automl._tables.row_reader import read_rows
    from curvewise.automl._tables.table import Table
    from curvewise.automl._tables.table_reader import read_table

__all__ = [
    "Categorical",
    "Component",
    "Constant",
    "CurveAutoMLClassifier",
    "CurveAutoMLRegressor",
    "EvolvingProposer",
    "FoundRounds",
    "Integer",
    "OptunaProposer",
    "Parameter",
    "RandomProposer",
    "Real",
    "SavedModel",
    "SearchSpace",
    "SizedByData",
    "Slot",
    "Table",
    "TablePreparation",
    "When",
    "default_space",
    "load_model",
    "load_space",
    "paper_space",
    "read_rows",
    "read_table",
    "save_model",
]

# Loaded when they are first used: reading a table needs no search, and a search no table.
LAZY = {
    "_components.found_rounds": ("FoundRounds",),
    "_components.sized_by_data": ("SizedByData",),
    "_estimators": ("CurveAutoMLClassifier", "CurveAutoMLRegressor"),
    "_evolving_proposer": ("EvolvingProposer",),
    "_proposers": ("OptunaProposer", "RandomProposer"),
    "_saved_model": ("SavedModel", "load_model", "save_model"),
    "_space.component": ("Component", "When"),
    "_space.default_spaces": ("default_space", "paper_space"),
    "_space.parameters": ("Categorical", "Constant", "Integer", "Parameter", "Real"),
    "_space.search_space": ("SearchSpace", "Slot"),
    "_space.space_file": ("load_space",),
    "_table_preparation": ("TablePreparation",),
    "_tables.table": ("Table",),
    "_tables.row_reader": ("read_rows",),
    "_tables.table_reader": ("read_table",),
}

__getattr__ = lazy_names(__name__, LAZY)


def __dir__() -> list[str]:
    return __all__
