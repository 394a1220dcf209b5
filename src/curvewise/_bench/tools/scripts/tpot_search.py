"""TPOT: genetic programming over pipelines until its minutes are over."""

from tool_request import asked


def as_objects(X):
    """Make every column that holds no numbers one of objects: it takes no others for categories."""
    kinds = {name: object for name in X.columns if X[name].dtype.kind not in "iufb"}
    return X.astype(kinds)


def main():
    """Search and predict."""
    import numpy as np
    import tpot

    request = asked()
    X, y, X_test = request.read(renamed=True)
    settings = {
        "max_time_mins": request.seconds / 60,
        "scorers": ["accuracy" if request.classifies else "r2"],
        "scorers_weights": [1],
        "n_jobs": request.n_cores,
        "random_state": request.seed,
        "preprocessing": True,
        "verbose": 0,
    }
    kind = tpot.TPOTClassifier if request.classifies else tpot.TPOTRegressor
    search = kind(**{**settings, **request.options})
    if not request.classifies:
        search.fit(as_objects(X), y)
        request.answer_with(search, as_objects(X_test), choice=repr(search.fitted_pipeline_))
        return
    # It answers with numbers of classes, whatever they are called.
    classes, numbers = np.unique(y, return_inverse=True)
    search.fit(as_objects(X), numbers)
    request.model_stands()
    predictions = classes[np.asarray(search.predict(as_objects(X_test)), dtype=int)]
    probabilities = known = None
    if hasattr(search, "predict_proba"):
        probabilities = search.predict_proba(as_objects(X_test))
        known = classes[np.asarray(search.classes_, dtype=int)]
    request.answer(predictions, probabilities, known, repr(search.fitted_pipeline_))


if __name__ == "__main__":
    main()
