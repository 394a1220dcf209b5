"""Options that several commands share: one word, one check and one sentence for each.

The word is Python's or its plain short form; the glossary in the documentation has them side by
side. A command says only what its default is, and has its own options where they stand alone. Those
of experiments come last.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

# The largest seed that numpy takes.
LARGEST_SEED = 2**32 - 1

table_option = partial(Option, rich_help_panel="The table")
search_option = partial(Option, rich_help_panel="The search")
output_option = partial(Option, rich_help_panel="What is shown and written")

Source = Annotated[
    str,
    Argument(
        help="A table: a file (CSV, Excel, Parquet, Feather, ARFF), a folder of Parquet files, "
        "sklearn:NAME, openml:ID, or NAME:REST of a plug-in.",
        show_default=False,
    ),
]
StoreFile = Annotated[
    Path, Argument(help="What `curvewise select --store` wrote.", show_default=False)
]
Target = Annotated[
    str | None,
    table_option(help="The column to predict, by name or position.", show_default="found out"),
]
Task = Annotated[
    str | None, table_option(help="classification or regression.", show_default="found out")
]
Drop = Annotated[
    list[str] | None,
    table_option("--drop", metavar="COLUMN", help="A column to leave out; may be repeated."),
]
Ids = Annotated[
    list[str] | None,
    table_option(
        "--id",
        metavar="COLUMN",
        help="A column that identifies rows: no feature, but kept beside predictions; may be "
        "repeated.",
    ),
]
Keep = Annotated[
    list[str] | None,
    table_option(
        "--keep",
        metavar="COLUMN",
        help="A column that is a feature even if it looks like an identifier; may be repeated.",
    ),
]
Groups = Annotated[
    str | None,
    table_option(
        metavar="COLUMN", help="Rows of one group are tested together; the column is no feature."
    ),
]
Time = Annotated[
    str | None,
    table_option(
        metavar="COLUMN",
        help="Rows are put into its order and tested on later ones; no feature without --keep.",
    ),
]
Weights = Annotated[
    str | None,
    table_option(metavar="COLUMN", help="How much each row counts; the column is no feature."),
]
Dates = Annotated[
    list[str] | None,
    table_option(
        "--date",
        metavar="COLUMN",
        help="A column of dates, even if they look like 20230629; may be repeated.",
    ),
]
DateOrder = Annotated[
    str | None,
    table_option(
        help="day-first or month-first, for dates that allow both.", show_default="by separator"
    ),
]
Sheet = Annotated[
    str | None,
    table_option(help="A sheet of an Excel file.", show_default="the first with anything in it"),
]
Candidates = Annotated[int | None, search_option(min=1, help="How many candidates to try.")]
Budget = Annotated[float | None, search_option(help="Seconds that the whole search may take.")]
Timeout = Annotated[
    float | None, search_option(help="Seconds that a candidate may take, all its fits together.")
]
TimeoutPerFit = Annotated[float, search_option(help="Seconds that each fit may take.")]
Memory = Annotated[str | None, search_option(help="Memory that a fit may take, such as 4GB.")]
Scoring = Annotated[
    str | None,
    search_option(
        help="What is measured: a scorer of scikit-learn.", show_default="accuracy or r2"
    ),
]
Folds = Annotated[int, search_option(min=2, help="Folds of cross-validation.")]
Policy = Annotated[
    str,
    search_option(help="The rules: race, lccv, kfold, ... with knobs, such as race:price=0.001."),
]
Jobs = Annotated[int, search_option(help="Worker processes; -1 for all cores.")]
Seed = Annotated[
    int,
    search_option(min=0, max=LARGEST_SEED, help="The same seed, the same candidates and folds."),
]
Space = Annotated[
    str | None,
    search_option(
        help="today, paper, the name of a plug-in, or a file with a search space.",
        show_default="today",
    ),
]
LeaveOut = Annotated[
    list[str] | None, search_option(help="An algorithm not to try; may be repeated.")
]
Run = Annotated[
    str | None, Option(help="A run of the store: its number or name.", show_default="the latest")
]
Store = Annotated[
    Path | None, output_option(help="Keep what was measured in this file, and go on from it.")
]
OutputFile = Annotated[Path, output_option("--output", "-o", help="The file to write.")]
OutputFolder = Annotated[Path, output_option("--output", "-o", help="The folder to write into.")]
Plot = Annotated[Path | None, output_option(help="Draw a picture into this file.")]
Json = Annotated[bool, output_option("--json", help="JSON, with nothing else on standard output.")]
Quiet = Annotated[
    bool, output_option("--quiet", help="Show no progress; of experiments no tables either.")
]

StoreOrFolder = Annotated[
    Path,
    Argument(
        help="What `curvewise bench` wrote, or a folder of exported experiments.",
        show_default=False,
    ),
]
Experiments = Annotated[
    list[str] | None,
    Option("--experiment", help="Which experiment; may be repeated.", show_default="all"),
]
Curves = Annotated[
    Path | None,
    Option(help="A Parquet file of recorded learning curves; then nothing is fitted."),
]
Data = Annotated[
    list[str] | None,
    Option(
        "--data",
        help="A folder of Parquet files (label in the column target), a file, sklearn:NAME or "
        "openml:ID; may be repeated.",
    ),
]
Reduced = Annotated[
    bool, Option("--reduced", help="The settings that fit two cores and an hour or so.")
]
Smoke = Annotated[bool, Option("--smoke", help="Bundled data, a minute.")]
Seeds = Annotated[int | None, Option(min=1, help="How many seeds.")]
QualityRepeats = Annotated[int | None, Option(min=1, help="Splits that measure quality.")]
Only = Annotated[
    list[str] | None, Option("--only", help="Part of a data set's name; may be repeated.")
]
Sequences = Annotated[
    list[Path] | None,
    Option(
        "--sequences",
        help="Pipelines to run in the place of drawn ones: a file per seed, or a folder of them; "
        "may be repeated.",
    ),
]
RetryFailed = Annotated[
    bool, Option("--retry-failed", help="Work on cells again that failed earlier.")
]
ResultStore = Annotated[
    Path | None,
    output_option(
        "--store",
        help="Keep what was measured in this file, and go on from it.",
        show_default="results.db; smoke.db with --smoke",
    ),
]
ResultFolder = Annotated[
    Path | None,
    output_option("--output", "-o", help="Write tables, figures and a page into this folder."),
]
