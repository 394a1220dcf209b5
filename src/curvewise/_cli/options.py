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
    table_option(help="The column to predict, by name or position.", show_default="detected"),
]
Task = Annotated[
    str | None, table_option(help="classification or regression.", show_default="detected")
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
        help="A column that identifies rows: not a feature, but written beside predictions; may be "
        "repeated.",
    ),
]
Keep = Annotated[
    list[str] | None,
    table_option(
        "--keep",
        metavar="COLUMN",
        help="A column to use even if it looks like an identifier; may be repeated.",
    ),
]
Groups = Annotated[
    str | None,
    table_option(
        metavar="COLUMN",
        help="Rows with the same value are never divided between training and test rows; not a "
        "feature.",
    ),
]
Time = Annotated[
    str | None,
    table_option(
        metavar="COLUMN",
        help="Sort rows by it, and test on later rows than were trained on; not a feature without "
        "--keep.",
    ),
]
Weights = Annotated[
    str | None,
    table_option(metavar="COLUMN", help="How much each row counts; not a feature."),
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
    table_option(help="A sheet of an Excel file.", show_default="the first that is not empty"),
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
    search_option(
        help="The rules that drop candidates: race, lccv, kfold, ...; settings follow a colon, as "
        "in race:price=0.001."
    ),
]
Jobs = Annotated[int, search_option(help="Worker processes; -1 for all cores.")]
FreshWorkers = Annotated[
    str | None,
    search_option(
        help="After which candidates a worker process is replaced: unknown (whose code nobody "
        "knows), always or never.",
        show_default="unknown where workers are forked",
    ),
]
Seed = Annotated[
    int,
    search_option(
        min=0, max=LARGEST_SEED, help="The same seed gives the same candidates and folds."
    ),
]
Space = Annotated[
    str | None,
    search_option(
        help="The search space: today, paper, the name of a plug-in, or a file.",
        show_default="today",
    ),
]
LeaveOut = Annotated[
    list[str] | None, search_option(help="An algorithm to leave out; may be repeated.")
]
Run = Annotated[
    str | None, Option(help="A run of the store: its number or name.", show_default="the latest")
]
Store = Annotated[
    Path | None, output_option(help="Keep what was measured in this file, and continue from it.")
]
OutputFile = Annotated[Path, output_option("--output", "-o", help="The file to write.")]
OutputFolder = Annotated[Path, output_option("--output", "-o", help="The folder to write into.")]
Plot = Annotated[Path | None, output_option(help="Draw a picture into this file.")]
Json = Annotated[
    bool, output_option("--json", help="Print JSON, and nothing else on standard output.")
]
Quiet = Annotated[
    bool, output_option("--quiet", help="Show no progress; experiments print no tables either.")
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
    Option(help="A Parquet file of recorded learning curves; no model is fitted then."),
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
    bool, Option("--reduced", help="Smaller settings, for two cores and about an hour.")
]
Smoke = Annotated[
    bool, Option("--smoke", help="The smallest settings: bundled data, about a minute.")
]
Seeds = Annotated[int | None, Option(min=1, help="How many seeds.")]
QualityRepeats = Annotated[
    int | None, Option(min=1, help="How many splits measure the quality of a choice.")
]
Only = Annotated[
    list[str] | None,
    Option("--only", help="Only data sets with this in their name; may be repeated."),
]
Sequences = Annotated[
    list[Path] | None,
    Option(
        "--sequences",
        help="Pipelines to run instead of drawn ones: a file per seed, or a folder of them; "
        "may be repeated.",
    ),
]
RetryFailed = Annotated[bool, Option("--retry-failed", help="Run cells again that failed earlier.")]
ResultStore = Annotated[
    Path | None,
    output_option(
        "--store",
        help="Keep what was measured in this file, and continue from it.",
        show_default="results.db; smoke.db with --smoke",
    ),
]
ResultFolder = Annotated[
    Path | None,
    output_option("--output", "-o", help="Write tables, figures and a page into this folder."),
]
