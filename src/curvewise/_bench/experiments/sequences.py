"""Sequences of pipelines from files, such as the ten that the paper's authors published.

A line is a pipeline, its steps in their order, with the parameters of the paper's space::

    4: VarianceThreshold ({}), LinearDiscriminantAnalysis ({'shrinkage': 'auto', 'tol': 0.01})

Rules:

1. Nothing in a file is run: names are looked up in the paper's space, and parameters are literals.
2. Names and values that are called differently today are translated, as the space does when it
   draws them. What the space leaves to scikit-learn is passed on.
3. A pipeline that cannot work is a candidate like any other.
4. Seed i takes the i-th file; a folder stands for its text files, in the order of their numbers.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from curvewise.automl._space.default_spaces import paper_space
from curvewise.automl._space.search_space import DrawnPipeline, DrawnStep
from curvewise.automl._space.space_file import VALUES
from curvewise.errors import InvalidParameterError

STEP = re.compile(r"(\w+) \((\{[^{}]*\})\)")
LINE = re.compile(rf"\s*\d+: ({STEP.pattern}(, {STEP.pattern})*)\s*")
COMPONENTS = {"GradientBoostingClassifier": "HistGradientBoostingClassifier"}
# How the paper's files call what our space calls differently, by component or for all.
PARAMETERS = {
    ("PCA", "keep_variance"): "n_components",
    ("ExtraTreesClassifier", "max_features"): "max_features_exponent",
    ("RandomForestClassifier", "max_features"): "max_features_exponent",
}
FUNCTIONS = dict.fromkeys(("mutual_info", "mutual_info_classif"), "information about classes")


def find_sequences(places: Iterable[str | Path], *, folder: Path | None = None) -> list[Path]:
    """Give the files of sequences, in the order of the seeds."""
    if isinstance(places, str):
        raise InvalidParameterError(
            f"sequences must be a list of files or folders, got {places!r}."
        )
    files: list[Path] = []
    for place in places:
        path = ((folder or Path()) / place).resolve()
        found = sorted(path.glob("*.txt"), key=_number) if path.is_dir() else [path]
        if not found or not all(file.is_file() for file in found):
            raise InvalidParameterError(f"there is no sequence of pipelines in {path}.")
        files += found
    return files


def _number(file: Path) -> tuple[int, str]:
    return int((re.findall(r"\d+", file.stem) or ["0"])[-1]), file.name


def digest_of(files: Iterable[str | Path]) -> str:
    """Tell sequences apart by their content, wherever they lie."""
    content = b"".join(blake2b(Path(file).read_bytes()).digest() for file in files)
    return blake2b(content, digest_size=12).hexdigest() if content else ""


def read_sequence(file: str | Path) -> list[DrawnPipeline]:
    """Read the pipelines of a file."""
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidParameterError(f"The sequence {file} cannot be read: {error}") from None
    pipelines = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                pipelines.append(_pipeline(line))
            except ValueError as error:
                message = f"Line {number} of {file} is no pipeline: {error}"
                raise InvalidParameterError(message) from None
    return pipelines


def build(pipelines: Iterable[DrawnPipeline], seed: int) -> list[Pipeline]:
    """Make the pipelines of a sequence; what is random in them is drawn by the seed."""
    rng = np.random.RandomState(seed)
    return [pipeline.build(rng) for pipeline in pipelines]


def _pipeline(line: str) -> DrawnPipeline:
    matched = LINE.fullmatch(line)
    if matched is None:
        raise ValueError("write its steps as Name ({'parameter': value}), ...")
    steps = [_step(name, ast.literal_eval(text)) for name, text in STEP.findall(matched[1])]
    slots = [slot.name for slot in paper_space("classification").slots]
    places = [slots.index(step.slot) for step in steps]
    if places != sorted(set(places)) or places[-1] != len(slots) - 1:
        raise ValueError(
            f"steps are one each of {', '.join(slots)} in this order, the last always."
        )
    drawn = DrawnPipeline(tuple(steps))
    try:
        drawn.build(np.random.RandomState(0))
    except (TypeError, KeyError) as error:
        raise ValueError(f"a parameter is unknown or missing ({error}).") from None
    return drawn


def _step(name: str, given: dict[str, Any]) -> DrawnStep:
    values = {PARAMETERS.get((name, key), key): _meant(value) for key, value in given.items()}
    name = COMPONENTS.get(name, name)
    if name == "SVC":
        name = f"SVC({values.get('kernel')})"
    for slot in paper_space("classification", kernels="all").slots:
        for component in slot.components:
            if component.name == name:
                return DrawnStep(slot.name, component, values)
    raise ValueError(f"the paper's space has no {name}.")


def _meant(value: Any) -> Any:
    if isinstance(value, str):
        return VALUES.get(value, FUNCTIONS.get(value, value))
    return value
