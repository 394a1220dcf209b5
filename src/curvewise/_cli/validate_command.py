"""``curvewise validate``: one model on a table, perhaps against a score to beat."""

from __future__ import annotations

import ast
import warnings
from importlib import import_module
from typing import Annotated, Any, cast

from sklearn.exceptions import FitFailedWarning
from sklearn.pipeline import make_pipeline
from typer import Option

from curvewise._cli import options
from curvewise._cli.table_folds import folds_for
from curvewise._cli.table_notes import show_notes
from curvewise._cli.table_options import TableOptions, with_table_options
from curvewise._cli.table_search import check_scoring
from curvewise._cli.terminal import console_of, print_json, say
from curvewise._plug_ins import policy_of
from curvewise._selection.candidates import check_estimator
from curvewise._selection.validate import validate
from curvewise._text import counted
from curvewise.automl import TablePreparation
from curvewise.core import Status, ValidationResult
from curvewise.errors import InvalidParameterError, NoResultError
from curvewise.executors._workers.worker_loop import Fresh

EPILOG = """
**Examples**

    curvewise validate data.csv --target label --model sklearn.svm:SVC --best-score 0.91

    curvewise validate sklearn:digits --model sklearn.svm:SVC --param C=10 --policy lccv

The exit code is 0 if the model got a score or was pruned, and 1 if it failed.
"""


@with_table_options
def validate_command(
    source: options.Source,
    model: Annotated[str, Option(help="The model's class, as module:Class.")],
    table_options: TableOptions,
    param: Annotated[
        list[str] | None, Option(help="A parameter of the model, as name=value; may be repeated.")
    ] = None,
    best_score: Annotated[
        float | None, Option(help="A score to beat: the model is pruned when it cannot reach it.")
    ] = None,
    scoring: options.Scoring = None,
    folds: options.Folds = 5,
    policy: options.Policy = "race",
    jobs: options.Jobs = 1,
    fresh_workers: options.FreshWorkers = None,
    timeout: options.Timeout = None,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Evaluate one model, perhaps against a score to beat."""
    estimator = build(model, param or [])
    table = table_options.read(source)
    show_notes(table, console_of(quiet=True))
    check_scoring(scoring, table)
    with warnings.catch_warnings():
        # What failed is said below, as the explanation.
        warnings.simplefilter("ignore", FitFailedWarning)
        result = validate(
            make_pipeline(TablePreparation(), estimator),
            table.X,
            table.y,
            cv=folds_for(table, n_folds=folds, random_state=seed),
            groups=table.groups,
            params=None if table.weights is None else {"sample_weight": table.weights},
            best_score=best_score,
            scoring=scoring,
            policy=policy_of(policy),
            n_jobs=jobs,
            fresh_workers=cast("Fresh | None", fresh_workers),
            timeout_per_candidate=timeout,
            random_state=seed,
        )
    _show(_facts(result), as_json=as_json)
    if result.status is Status.FAILED:
        raise NoResultError("The model failed.")


def build(model: str, params: list[str]) -> Any:
    """Make an estimator from the name of its class and its parameters."""
    module, _, name = model.partition(":")
    try:
        kind = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError):
        raise InvalidParameterError(
            f"There is no class {model!r}; write module:Class, such as sklearn.svm:SVC."
        ) from None
    if not isinstance(kind, type):
        raise InvalidParameterError(f"{model!r} is no class.")
    try:
        estimator = kind(**dict(map(_parameter, params)))
    except TypeError as error:
        raise InvalidParameterError(f"{model} cannot be made: {error}.") from None
    check_estimator(estimator, "model")
    return estimator


def _parameter(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise InvalidParameterError(f"A parameter is written as name=value, got {text!r}.")
    try:
        return name.strip(), ast.literal_eval(value)
    except (SyntaxError, ValueError):
        return name.strip(), value


def _facts(result: ValidationResult) -> dict[str, Any]:
    curve, scale = result.curve, result.scale
    return {
        "status": result.status.value,
        "score": result.score,
        "explanation": result.explain(),
        "curve": [
            {"rows": rows, "score": scale.score(curve.mean(rows)), "folds": curve.n(rows)}
            for rows in curve.anchors
        ],
        "training_rows": result.training_rows,
        "seconds": result.seconds,
    }


def _show(facts: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(facts)
        return
    say(facts["explanation"])
    for point in facts["curve"]:
        folds = counted(point["folds"], "fold")
        say(f"  {point['rows']:>9,} rows  {point['score']:.4f}  ({folds})")
