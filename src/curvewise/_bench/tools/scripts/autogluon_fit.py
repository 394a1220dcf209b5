"""AutoGluon's tabular predictor with a preset, on the CPU."""

from tool_request import asked


def main():
    """Fit and predict."""
    import pandas as pd
    from autogluon.tabular import TabularPredictor

    request = asked()
    train, test = pd.read_parquet(request.train), pd.read_parquet(request.test)
    kind = "regression"
    if request.classifies:
        kind = "binary" if train[request.target].nunique() == 2 else "multiclass"
    predictor = TabularPredictor(
        label=request.target,
        problem_type=kind,
        eval_metric="accuracy" if request.classifies else "r2",
        path="autogluon",
        verbosity=1,
    )
    settings = {"time_limit": request.seconds, "num_cpus": request.n_cores, "num_gpus": 0}
    predictor.fit(train, **{**settings, **request.options})
    request.model_stands()
    predictions = predictor.predict(test)
    if not request.classifies:
        request.answer(predictions, choice=predictor.model_best)
        return
    probabilities = predictor.predict_proba(test)
    classes = [str(name) for name in probabilities.columns]
    request.answer(predictions, probabilities, classes, predictor.model_best)


if __name__ == "__main__":
    main()
