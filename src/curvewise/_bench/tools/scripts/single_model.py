"""One model with its defaults: scikit-learn's HistGradientBoosting, or LightGBM.

Categories stay categories and gaps stay gaps; text becomes categories, dates become days.
"""

import pandas as pd
from tool_request import asked

# More levels than this HistGradientBoosting does not take; the rarest are then missing.
MOST_LEVELS = 254


def prepared(train, test, most_levels=None):
    """Give both tables columns of numbers and categories, learnt from the training rows."""
    columns = [_column(train[name], test[name], most_levels) for name in train.columns]
    named = dict(zip(train.columns, columns, strict=True))
    return tuple(pd.DataFrame({name: pair[i] for name, pair in named.items()}) for i in (0, 1))


def _column(train, test, most_levels):
    if isinstance(train.dtype, pd.DatetimeTZDtype) or train.dtype.kind == "M":
        zero = train.min()
        return tuple((column - zero).dt.total_seconds() / 86_400 for column in (train, test))
    if pd.api.types.is_numeric_dtype(train.dtype):
        return tuple(column.astype("float64") for column in (train, test))
    levels = train.astype("string").value_counts().index[:most_levels]
    kind = pd.CategoricalDtype(sorted(levels))
    return tuple(column.astype("string").astype(object).astype(kind) for column in (train, test))


def histogram_boosting(request):
    """Make scikit-learn's model."""
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    kinds = (HistGradientBoostingRegressor, HistGradientBoostingClassifier)
    return kinds[request.classifies](categorical_features="from_dtype", random_state=request.seed)


def light_gbm(request):
    """Make LightGBM's model."""
    from lightgbm import LGBMClassifier, LGBMRegressor

    kinds = (LGBMRegressor, LGBMClassifier)
    return kinds[request.classifies](
        n_jobs=request.n_cores, random_state=request.seed, verbosity=-1
    )


def main():
    """Fit the model and predict."""
    request = asked()
    X, y, X_test = request.read(renamed=True)
    model = {"hgb": histogram_boosting, "lightgbm": light_gbm}[request.options["model"]](request)
    is_hgb = request.options["model"] == "hgb"
    X, X_test = prepared(X, X_test, MOST_LEVELS if is_hgb else None)
    model.fit(X, y)
    request.answer_with(model, X_test, choice=repr(model))


if __name__ == "__main__":
    main()
