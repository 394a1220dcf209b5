"""``curvewise validate``: one model on a table, perhaps against a score to beat."""

from __future__ import annotations

import ast
import json
import math
import warnings
from importlib import import_module
from typing import Annotated, Any

import typer
from sklearn.exceptions import FitFailedWarning
from sklearn.pipeline import make_pipeline

from curvewise._selection.candidates import check_estimator
from curvewise._selection.validate import validate
from curvewise.automl._splits import shuffled
from curvewise.automl._table_preparation import TablePreparation
from curvewise.automl._tables import read_table
from curvewise.core._policies.policy_text import parse_policy
from curvewise.core._portfolio import Status
from curvewise.errors import InvalidParameterError, NoResultError

EPILOG = """
**Examples**

    curvewise validate data.csv --target label --model sklearn.svm:SVC --best-score 0.91

    curvewise validate sklearn:digits --model sklearn.svm:SVC --param C=10 --policy lccv

The exit code is 0 for a score and for a prune, 1 if the model failed.
"""


def validate_command(
    source: Annotated[str, typer.Argument(help="A file, sklearn:NAME or openml:ID.")],
    model: Annotated[str, typer.Option(help="A class, as module:Class.")],
    param: Annotated[
        list[str] | None, typer.Option(help="A parameter, as name=value; may be repeated.")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(help="The column to predict, by name or position.", show_default="found out"),
    ] = None,
    task: Annotated[
        str | None, typer.Option(help="classification or regression.", show_default="found out")
    ] = None,
    best_score: Annotated[float | None, typer.Option(help="What has to be beaten.")] = None,
    metric: Annotated[
        str | None, typer.Option(help="A scorer of scikit-learn.", show_default="the model's own")
    ] = None,
    folds: Annotated[int, typer.Option(min=2, help="Folds.")] = 5,
    policy: Annotated[str, typer.Option(help="race, lccv, kfold, ... with knobs.")] = "race",
    jobs: Annotated[int, typer.Option(help="Fits at once; -1 for all cores.")] = 1,
    timeout: Annotated[
        float | None, typer.Option(help="Seconds for all fits.", show_default="no limit")
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, max=2**32 - 1, help="The seed of folds and training subsets.")
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Validate one model along its learning curve."""
    estimator = build(model, param or [])
    table = read_table(source, target=target, task=task)
    with warnings.catch_warnings():
        # What failed is said below, as the explanation.
        warnings.simplefilter("ignore", FitFailedWarning)
        result = validate(
            make_pipeline(TablePreparation(), estimator),
            table.X,
            table.y,
            cv=shuffled(folds, table.task, seed),
            best_score=best_score,
            scoring=metric,
            policy=parse_policy(policy),
            n_jobs=jobs,
            timeout_per_candidate=timeout,
            random_state=seed,
        )
    if as_json:
        typer.echo(json.dumps(_facts(result), indent=1))
    else:
        typer.echo(result.explain())
        for anchor in result.curve.anchors:
            score = result.scale.score(result.curve.mean(anchor))
            typer.echo(f"  {anchor:>9,} rows  {score:.4f}  ({result.curve.n(anchor)} folds)")
    if result.status is Status.FAILED:
        raise NoResultError("The model failed.")


def build(model: str, params: list[str]) -> Any:
    """Make an estimator from the name of its class and its parameters.

    Examples
    --------
    >>> build("sklearn.svm:SVC", ["C=10", "kernel=poly"])
    SVC(C=10, kernel='poly')
    """
    module, _, name = model.partition(":")
    try:
        kind = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError):
        raise InvalidParameterError(
            f"There is no class {model!r}; write module:Class, such as sklearn.svm:SVC."
        ) from None
    if not isinstance(kind, type):
        raise InvalidParameterError(f"{model!r} is no class.")
    values = {}
    for text in params:
        key, equals, value = text.partition("=")
        if not equals:
            raise InvalidParameterError(f"A parameter is written as name=value, got {text!r}.")
        values[key.strip()] = _value(value)
    try:
        estimator = kind(**values)
    except TypeError as error:
        raise InvalidParameterError(f"{model} cannot be made: {error}.") from None
    check_estimator(estimator, "model")
    return estimator


def _value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def _facts(result: Any) -> dict[str, Any]:
    return {
        "status": result.status.value,
        "score": result.score if math.isfinite(result.score) else None,
        "explanation": result.explain(),
        "curve": [
            {
                "rows": anchor,
                "score": result.scale.score(result.curve.mean(anchor)),
                "folds": result.curve.n(anchor),
            }
            for anchor in result.curve.anchors
        ],
        "training_rows": result.training_rows,
        "seconds": result.seconds,
    }
