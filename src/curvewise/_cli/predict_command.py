"""``curvewise predict``: a saved pipeline on new rows."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated, Any

from pandas import DataFrame, concat
from typer import Argument, Option

from curvewise._cli import options
from curvewise._cli.terminal import console_of, warnings_as_notes
from curvewise._files import check_outputs, write_whole
from curvewise._text import describe_error, visible
from curvewise.automl import SavedModel, load_model
from curvewise.automl._tables.row_reader import read_new_rows
from curvewise.errors import InvalidParameterError, NoResultError

# How text begins that a spreadsheet takes as a formula, also in full width, or as what separates
# its cells.
FORMULAS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r")
# Where text begins: many spreadsheets part cells at semicolons, and there quotes hold no cell
# together that is not the first of its line.
BEGINNING = re.compile(rf"(?:^|(?<=[;\t\r\n])\"*)(?=[{re.escape(''.join(FORMULAS))}])")

# What rows are tested in, by or with says nothing about their predictions.
PASSED_OVER = "What curvewise select was given as {}; changes nothing here."

EPILOG = """
**Examples**

    curvewise predict model.skops new.csv

    curvewise predict model.skops new.parquet --proba --output predictions.csv

    curvewise predict model.skops new.xlsx --sheet May --id customer

    curvewise predict model.skops new.csv --trust mypackage.models.MyClassifier

The table needs the columns that the model was fitted on, by name; others are ignored. The
predictions are written as CSV, after the columns of `--id`; by default these are the ones that
`curvewise select` was given, if the table has them. Dates are read with day and month in the same
order as then.

Groups, times and weights are not needed to predict. `--groups`, `--time` and `--weights` are there
so that the options of `curvewise select` can be given again; groups and weights are refused if the
model was fitted on them.

A spreadsheet takes text that begins with =, +, - or @ as a formula, which is a risk if the table
comes from a stranger. With --safe-csv such text gets an apostrophe in front, also behind what some
spreadsheets take for the end of a cell (a semicolon, a tab, the end of a line).

A model with a class that is not on curvewise's list is refused, unless you trust that class by name
with --trust. Its module is then imported.
"""


def predict_command(
    model: Annotated[Path, Argument(help="What `curvewise select --save` wrote.")],
    source: options.Source,
    output: Annotated[
        Path | None,
        options.output_option(
            "--output", "-o", help="The file to write.", show_default="standard output"
        ),
    ] = None,
    drop: options.Drop = None,
    ids: options.Ids = None,
    groups: Annotated[
        str | None, options.table_option(metavar="COLUMN", help=PASSED_OVER.format("--groups"))
    ] = None,
    time: Annotated[
        str | None,
        options.table_option(
            metavar="COLUMN", help=f"{PASSED_OVER.format('--time')} Rows stay in their order."
        ),
    ] = None,
    weights: Annotated[
        str | None, options.table_option(metavar="COLUMN", help=PASSED_OVER.format("--weights"))
    ] = None,
    sheet: options.Sheet = None,
    trust: Annotated[
        list[str] | None,
        Option(metavar="CLASS", help="A class that the model may contain; may be repeated."),
    ] = None,
    proba: Annotated[
        bool, Option("--proba", help="Predict class probabilities instead of classes.")
    ] = False,
    needs_probabilities: Annotated[
        bool, Option("--needs-probabilities", help="Refuse a model that gives no probabilities.")
    ] = False,
    safe_csv: Annotated[
        bool,
        Option("--safe-csv", help="Write text so that a spreadsheet takes none for a formula."),
    ] = False,
) -> None:
    """Predict with a saved pipeline."""
    check_outputs({"--output": output}, source=source)
    with warnings_as_notes(console_of(stderr=True)):
        saved = load_model(model, trusted=trust or ())
    if (proba or needs_probabilities) and not hasattr(saved.pipeline, "predict_proba"):
        option = "--proba" if proba else "--needs-probabilities"
        raise InvalidParameterError(
            f"The model in {model} gives no probabilities; leave out {option}."
        )
    _check_roles(saved, groups=groups, time=time, weights=weights)
    with warnings_as_notes(console_of(stderr=True)):
        rows, kept = read_new_rows(
            source,
            saved.columns,
            date_orders=saved.date_orders,
            sheet=sheet,
            drop=drop or (),
            ids=ids or (),
            usual_ids=saved.ids,
        )
    predicted = beside(kept, _predicted(saved, rows, model, proba=proba))
    if safe_csv:
        predicted = without_formulas(predicted)
    if output is None:
        _print(predicted.to_csv(index=False))
    else:
        write_whole(output, lambda draft: predicted.to_csv(draft, index=False))


def _predicted(saved: SavedModel, rows: DataFrame, path: Path, *, proba: bool) -> DataFrame:
    """Predict; a model that cannot, whatever it raises, is told in a sentence."""
    try:
        if not proba:
            return DataFrame({saved.target: saved.pipeline.predict(rows)})
        names = [f"{saved.target}={name}" for name in saved.pipeline.classes_]
        return DataFrame(saved.pipeline.predict_proba(rows), columns=names)
    except Exception as error:
        what = describe_error(error).splitlines()[0].rstrip(".")
        raise NoResultError(f"The model in {path} cannot predict these rows: {what}.") from error


def _print(text: str) -> None:
    """Print a table; classes and ids may come from a stranger, and a terminal obeys all.

    What goes to a file or a program stays as it is, or is refused.
    """
    if sys.stdout.isatty():
        sys.stdout.write(visible(text))
        return
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError as error:
        raise InvalidParameterError(
            f"Standard output cannot hold these predictions: {error.encoding} lacks the character "
            f"{text[error.start]!a}. Name a file with --output, which is written in UTF-8."
        ) from error
    sys.stdout.write(text)
    sys.stdout.flush()


def _check_roles(saved: SavedModel, **roles: str | None) -> None:
    """Refuse roles for columns that the model was fitted on; time may have been kept as a feature.

    A column that is not there is no error: none of these is needed to predict.
    """
    for role, name in roles.items():
        if name is None:
            continue
        if name == saved.target:
            raise InvalidParameterError(
                f"{name!r} is what the model predicts, and cannot be for {role}."
            )
        if role != "time" and name in saved.columns:
            raise InvalidParameterError(
                f"Column {name!r} cannot be for {role}: the model was fitted on it."
            )


def beside(kept: DataFrame, predicted: DataFrame) -> DataFrame:
    """Put the columns that identify rows before what is predicted for them."""
    for name in predicted.columns.intersection(kept.columns):
        raise InvalidParameterError(
            f"{name!r} is what the model predicts, so it cannot be kept beside it as an id."
        )
    return concat([kept, predicted], axis=1)


def without_formulas(table: DataFrame) -> DataFrame:
    """Put an apostrophe before all text, also in names, that a spreadsheet would calculate."""
    texts = table.select_dtypes(include=["object", "category", "string"])
    safe = table.astype(dict.fromkeys(texts, "object"))
    for name in texts:
        safe[name] = safe[name].map(_safe)
    return safe.rename(columns=_safe)


def _safe(value: Any) -> Any:
    return BEGINNING.sub(r"'\g<0>", value) if isinstance(value, str) else value
