"""TPOT: genetic programming over pipelines until its minutes are over."""

from tool_request import asked


def main():
    """Search and predict."""
    import tpot

    request = asked()
    X, y, X_test = request.read()
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
    search.fit(X, y)
    request.answer_with(search, X_test, choice=repr(search.fitted_pipeline_))


if __name__ == "__main__":
    main()
