"""``curvewise predict``: a saved pipeline on new rows."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from curvewise.automl.saving import load_model
from curvewise.automl.tables import read_rows
from curvewise.bench.plotting import check_writable
from curvewise.errors import InvalidParameter

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
    proba: Annotated[
        bool, typer.Option("--proba", help="Class probabilities in the place of classes.")
    ] = False,
) -> None:
    """Predict with a saved pipeline."""
    check_writable(output)
    saved = load_model(model)
    rows = read_rows(source, saved.columns)
    from pandas import DataFrame

    if not proba:
        predicted = DataFrame({saved.target: saved.pipeline.predict(rows)})
    elif not hasattr(saved.pipeline, "predict_proba"):
        raise InvalidParameter(f"The model in {model} gives no probabilities; leave out --proba.")
    else:
        names = [f"{saved.target}={name}" for name in saved.pipeline.classes_]
        predicted = DataFrame(saved.pipeline.predict_proba(rows), columns=names)
    if output is None:
        predicted.to_csv(sys.stdout, index=False)
    else:
        predicted.to_csv(output, index=False)
