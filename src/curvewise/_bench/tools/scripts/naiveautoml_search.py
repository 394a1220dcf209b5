"""naiveautoml, which ends when it believes that nothing better is left, or at its timeout."""

from tool_request import asked


def main():
    """Search and predict."""
    from naiveautoml import NaiveAutoML

    request = asked()
    X, y, X_test = request.read()
    settings = {
        "task_type": request.task,
        "scoring": "accuracy" if request.classifies else "r2",
        "timeout_overall": request.seconds,
        "num_cpus": request.n_cores,
        "random_state": request.seed,
    }
    search = NaiveAutoML(**{**settings, **request.options})
    search.fit(X, y)
    request.answer_with(search.chosen_model, X_test, choice=repr(search.chosen_model))


if __name__ == "__main__":
    main()
