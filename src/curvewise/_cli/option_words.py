"""Messages in the words of the command line: ``--jobs``, where Python says ``n_jobs``.

Checks of values stand where Python's parameters are, once for both. Their sentences begin with the
name of a parameter or name it as ``name=value``; here it becomes the option. What stands in
quotation marks (columns, files, classes) is a user's own word and stays as it is.
"""

from __future__ import annotations

import re

# Names that mean the parameter wherever they stand.
CLEAR = {
    "fresh_workers": "--fresh-workers",
    "keep_predictions": "--keep-predictions",
    "pos_label": "--pos-label",
    "time_budget": "--budget",
    "timeout_per_candidate": "--timeout",
    "timeout_per_fit": "--timeout-per-fit",
    "tune_threshold": "--tune-threshold",
}
# Names that may be a word, or a parameter of a learner: only at the beginning of a message.
FIRST = {
    "best_score": "--best-score",
    "calibrate": "--calibrate",
    "ensemble": "--ensemble",
    "factor": "--factor",
    "memory_limit": "--memory",
    "method": "--method",
    "min_gain": "--min-gain",
    "n_iter": "--candidates",
    "n_jobs": "--jobs",
    "n_rows": "--rows",
    "proposer": "--proposer",
    "refit": "--refit",
    "scoring": "--scoring",
    "sure": "--sure",
    "target": "--target",
    "target_score": "--target-score",
    "task": "--task",
}
# What is said of a parameter: a file can have the name of one.
SAID = r"(?= must | needs | is for | can only |=)"
# Whole phrases that only Python understands.
PHRASES = {
    "(keep makes it one)": "(--keep makes it one)",
    "(keep uses it)": "(--keep uses it)",
    "(keep uses them)": "(--keep uses them)",
    "before the target is, drop it.": "before the target is, leave it out with --drop.",
    "; the date order day-first would": "; --date-order day-first would",
    "; the date order month-first would": "; --date-order month-first would",
    "run names a run in a store: give a file as store.": (
        "--run names a run in a store: give the file of one with --store."
    ),
    "groups and time cannot both be given": "--groups and --time cannot both be given",
    "An ensemble is not simple: give ensemble or refit.": (
        "An ensemble is not simple: give --ensemble or --refit simplest, not both."
    ),
    "name the package to allow it.": "--package allows those of another package.",
    "; see get_scorer_names().": "; scikit-learn's user guide lists them.",
    "; pass None.": "; leave it out.",
}
# Folds of a table come from a splitter that the command line has made.
SPLITTER = re.compile(r"^cv=\w+\(.*?\) (?=cannot split|gave no folds)")
TASK = re.compile(r"\btask='(classification|regression)'")
VALUE = r"(?:=(?:'([^']*)'|([^\s'\",;:)]+)))?"


def in_option_words(message: str) -> str:
    """Give a message with options in the place of Python's parameters."""
    for phrase, said in PHRASES.items():
        message = message.replace(phrase, said)
    message = TASK.sub(r"--task \1", message)
    if SPLITTER.match(message):
        message = SPLITTER.sub("--folds ", message).replace("n_splits=", "--folds ")
    first = re.match(rf"({'|'.join(FIRST)}|{'|'.join(CLEAR)})\b{SAID}", message)
    if first is not None:
        message = _without_none(message)
    message = re.sub(rf"^({'|'.join(FIRST)})\b{SAID}{VALUE}", _option, message)
    return re.sub(rf"(?<![\w'\".-])({'|'.join(CLEAR)})(?![\w'\"]){VALUE}", _option, message)


def _option(match: re.Match[str]) -> str:
    name, quoted, plain = match.groups()
    value = quoted if quoted is not None else plain
    option = (FIRST | CLEAR)[name]
    return option if value is None else f"{option} {value}"


def _without_none(message: str) -> str:
    """Leave out that None is possible: who wants that leaves out the option."""
    message = re.sub(r", ('[^']*') or None(?=, got )", r" or \1", message)
    return message.replace(" or None, got ", ", got ")
