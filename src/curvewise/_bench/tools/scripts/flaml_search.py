"""FLAML: its search for as long as it may, then the model that it fitted."""

from tool_request import asked


def main():
    """Search and predict."""
    from flaml import AutoML

    request = asked()
    X, y, X_test = request.read(renamed=True)
    settings = {
        "task": request.task,
        "metric": "accuracy" if request.classifies else "r2",
        "time_budget": request.seconds,
        "n_jobs": request.n_cores,
        "seed": request.seed,
        "verbose": 0,
    }
    model = AutoML()
    model.fit(X_train=X, y_train=y, **{**settings, **request.options})
    request.answer_with(model, X_test, choice=f"{model.best_estimator} {model.best_config}")


if __name__ == "__main__":
    main()
