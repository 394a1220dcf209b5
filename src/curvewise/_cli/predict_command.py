"""``curvewise predict``: a saved pipeline on new rows."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Annotated

import typer

from curvewise._cli.output_paths import check_outputs
from curvewise._files import write_whole
from curvewise.automl._saved_model import load_model
from curvewise.automl._tables import read_rows
from curvewise.errors import InvalidParameterError

EPILOG = """
**Examples**

    curvewise predict model.skops new.csv

    curvewise predict model.skops new.parquet --proba --output predictions.csv

The table needs the columns that the model was fitted on, by name; others are ignored.
"""


def predict_command(
    model: Annotated[Path, typer.Argument(help="What `curvewise select --save` wrote.")],
    source: Annotated[str, typer.Argument(help="A table with the same columns.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write a CSV.", show_default="here")
    ] = None,
    package: Annotated[
        list[str] | None,
        typer.Option(help="A package whose classes the model may hold; may be repeated."),
    ] = None,
    proba: Annotated[
        bool, typer.Option("--proba", help="Class probabilities in the place of classes.")
    ] = False,
) -> None:
    """Predict with a saved pipeline."""
    check_outputs({"--output": output}, source=source)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        saved = load_model(model, packages=package or ())
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        typer.echo(f"Note: {text}", err=True)
    rows = read_rows(source, saved.columns)
    from pandas import DataFrame

    if not proba:
        predicted = DataFrame({saved.target: saved.pipeline.predict(rows)})
    elif not hasattr(saved.pipeline, "predict_proba"):
        raise InvalidParameterError(
            f"The model in {model} gives no probabilities; leave out --proba."
        )
    else:
        names = [f"{saved.target}={name}" for name in saved.pipeline.classes_]
        predicted = DataFrame(saved.pipeline.predict_proba(rows), columns=names)
    if output is None:
        predicted.to_csv(sys.stdout, index=False)
    else:
        write_whole(output, lambda draft: predicted.to_csv(draft, index=False))
