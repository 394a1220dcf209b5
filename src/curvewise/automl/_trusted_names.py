"""What a file of a model may name: an exact list, and nothing by prefix.

A file in the format of skops is a tree of nodes. Each names a *loader*, which says how something is
made of it, and mostly a class or function. What may appear is a pair of both: a class that may be
made from its saved state (``ObjectNode``) may not be called for that.

- `NEEDED`: what the pipelines of our search spaces hold and skops does not trust by itself. A test
  makes this list anew by fitting and saving every component: nothing is missing, nothing too much.
- `DEFAULTS`: what skops trusts by itself and we do, too: plain data, and parts of scikit-learn's
  estimators. Functions are not among it.
- Besides, every public estimator of scikit-learn may be made from its saved state, for spaces that
  name others than ours; but not those in `READERS`.

Functions stand in `NEEDED` only if a component of ours holds them as a parameter.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache

from sklearn.utils import all_estimators

NEEDED: Mapping[str, frozenset[str]] = {
    "FunctionNode": frozenset(
        {
            "curvewise.automl._components.column_scores.information_about_classes",
            "curvewise.automl._components.column_scores.information_about_numbers",
            "numpy.max",
            "numpy.mean",
            "numpy.median",
            "sklearn.feature_selection._univariate_selection.chi2",
            "sklearn.feature_selection._univariate_selection.f_classif",
            "sklearn.feature_selection._univariate_selection.f_regression",
        }
    ),
    "ObjectNode": frozenset(
        {
            "curvewise.automl._components.dense.Dense",
            "curvewise.automl._components.sized_by_data.SizedByData",
            "curvewise.automl._table_preparation.TablePreparation",
            "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
            "sklearn.metrics._dist_metrics.EuclideanDistance64",
            "sklearn.metrics._dist_metrics.ManhattanDistance64",
            "sklearn.neighbors._kd_tree.KDTree",
            "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
        }
    ),
    "SparseMatrixNode": frozenset(
        {"scipy.sparse._csr.csr_array", "scipy.sparse._csr.csr_matrix"},
    ),
    "TreeNode": frozenset({"sklearn.tree._tree.Tree"}),
}

_SCALARS = frozenset(
    f"numpy.{name}"
    for name in (
        *("bool", "bool_", "bytes_", "str_", "datetime64", "timedelta64"),
        *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("float16", "float32", "float64", "complex64", "complex128"),
    )
)

DEFAULTS: Mapping[str, frozenset[str]] = {
    "BytearrayNode": frozenset({"builtins.bytearray"}),
    "BytesNode": frozenset({"builtins.bytes"}),
    "DictNode": frozenset({"builtins.dict", "collections.OrderedDict"}),
    "JsonNode": frozenset({"builtins.str"}),
    "ListNode": frozenset({"builtins.list"}),
    "LossNode": frozenset(
        {
            "sklearn._loss._loss.CyAbsoluteError",
            "sklearn._loss._loss.CyExponentialLoss",
            "sklearn._loss._loss.CyHalfBinomialLoss",
            "sklearn._loss._loss.CyHalfGammaLoss",
            "sklearn._loss._loss.CyHalfMultinomialLoss",
            "sklearn._loss._loss.CyHalfPoissonLoss",
            "sklearn._loss._loss.CyHalfSquaredError",
            "sklearn._loss._loss.CyHuberLoss",
            "sklearn._loss._loss.CyPinballLoss",
            "sklearn.linear_model._sgd_fast.EpsilonInsensitive",
            "sklearn.linear_model._sgd_fast.Hinge",
            "sklearn.linear_model._sgd_fast.ModifiedHuber",
            "sklearn.linear_model._sgd_fast.SquaredEpsilonInsensitive",
            "sklearn.linear_model._sgd_fast.SquaredHinge",
        }
    ),
    # The module of masked arrays has another name in numpy 1 than in numpy 2.
    "MaskedArrayNode": frozenset({"numpy.ma.MaskedArray", "numpy.ma.core.MaskedArray"}),
    "NdArrayNode": frozenset({"numpy.ndarray", *_SCALARS}),
    "ObjectNode": frozenset(
        {
            "sklearn._loss.link.HalfLogitLink",
            "sklearn._loss.link.IdentityLink",
            "sklearn._loss.link.Interval",
            "sklearn._loss.link.LogLink",
            "sklearn._loss.link.LogitLink",
            "sklearn._loss.link.MultinomialLogit",
            "sklearn._loss.loss.AbsoluteError",
            "sklearn._loss.loss.ExponentialLoss",
            "sklearn._loss.loss.HalfBinomialLoss",
            "sklearn._loss.loss.HalfGammaLoss",
            "sklearn._loss.loss.HalfMultinomialLoss",
            "sklearn._loss.loss.HalfPoissonLoss",
            "sklearn._loss.loss.HalfSquaredError",
            "sklearn._loss.loss.HuberLoss",
            "sklearn._loss.loss.PinballLoss",
            "sklearn.ensemble._hist_gradient_boosting.binning._BinMapper",
        }
    ),
    "RandomGeneratorNode": frozenset({"numpy.random._generator.Generator"}),
    "RandomStateNode": frozenset({"numpy.random.mtrand.RandomState"}),
    "SetNode": frozenset({"builtins.set"}),
    "SliceNode": frozenset({"builtins.slice"}),
    "TupleNode": frozenset({"builtins.tuple"}),
    "TypeNode": frozenset(
        {"builtins.bool", "builtins.float", "builtins.int", "builtins.str", *_SCALARS}
    ),
}

# A state of a random generator names its class once more, as text.
BIT_GENERATORS = frozenset({"MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64"})

# Estimators that open the files whose names they are given.
READERS = frozenset(
    f"sklearn.feature_extraction.text.{name}"
    for name in ("CountVectorizer", "HashingVectorizer", "TfidfVectorizer")
)


def is_trusted(loader: str, name: str) -> bool:
    """Whether any file may let a loader of skops make this class or function.

    >>> is_trusted("ObjectNode", "sklearn.svm._classes.SVC")
    True
    >>> is_trusted("FunctionNode", "numpy.testing.runstring")
    False
    """
    name = _full_name(name)
    if name in NEEDED.get(loader, ()) or name in DEFAULTS.get(loader, ()):
        return True
    return loader == "ObjectNode" and name.startswith("sklearn.") and name in _estimators()


def _full_name(name: str) -> str:
    """Give the name of a compiled loss with its package.

    In older versions of scikit-learn its classes call their module ``_loss``, and are found under
    that name. Any other module of that name is a stranger's.
    """
    short, full = (sys.modules.get(module) for module in ("_loss", "sklearn._loss._loss"))
    if name.startswith("_loss.") and short is not None and short is full:
        return f"sklearn._loss.{name}"
    return name


@cache
def _estimators() -> frozenset[str]:
    """Name the public estimators of scikit-learn, by the modules in which they are defined."""
    names = {f"{cls.__module__}.{cls.__name__}" for _, cls in all_estimators()}
    return frozenset(name for name in names if name.startswith("sklearn.")) - READERS
