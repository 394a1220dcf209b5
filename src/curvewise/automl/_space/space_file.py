"""A search space from a file, TOML or JSON, which never executes code.

::

    weights = "sum"

    [[slot]]
    name = "data"
    optional = true

    [[slot.component]]
    class = "sklearn.preprocessing.StandardScaler"

    [[slot]]
    name = "classifier"

    [[slot.component]]
    class = "sklearn.svm.SVC"
    name = "SVC(poly)"
    fixed = { kernel = "poly" }

    [slot.component.parameters]
    C = { low = 0.03125, high = 32768.0, log = true }     # a number
    degree = { low = 2, high = 5 }                        # a whole number: both bounds are
    shrinking = [true, false]                             # one of several values
    coef0 = { low = -1.0, high = 1.0, when = { shrinking = [true] } }

A component may also say ``dense``, ``needs_nonnegative``, ``gives_negative``, ``scale_target``,
``sized``, ``rounds`` and ``averaged`` (see `Component`); the first three also under a condition,
as in ``dense = { kernel = ["chi2"] }``. Combinations that are never to be drawn are
``forbidden = [{ metric = ["cosine"], linkage = ["ward"] }]``. The strings ``"True"``, ``"False"``
and ``"None"`` become values.

Rules of safety: a class comes from a public module of scikit-learn or of a package that the user
has named, has to be *defined* there, and has to be an estimator. Values are text, numbers, truth
values and lists of these. Arguments through which scikit-learn reads or writes files are refused.
"""

from __future__ import annotations

import inspect
import json
import tomllib
from collections.abc import Collection, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from curvewise._files import open_regular
from curvewise._packages import EXTRAS
from curvewise._text import cut_middle
from curvewise.automl._components.sized_by_data import RELATIVE
from curvewise.automl._space.component import N_SEEDS, VIEW, Component, When
from curvewise.automl._space.parameters import Categorical, Constant, Integer, Parameter, Real
from curvewise.automl._space.search_space import SearchSpace, Slot
from curvewise.automl._space.sklearn_names import ARGUMENTS, known_arguments
from curvewise.core._checks import known_keys
from curvewise.errors import InvalidParameterError, MissingExtraError

# A cache directory is read with pickle: whoever can name one can execute code. The input of a
# vectorizer may be names of files, which the table would then hold.
REFUSED = {"input", "memory"}
LARGEST_FILE = 10 * 2**20
# Of a line of TOML: reading a name takes the square of its parts, which points are between.
MOST_POINTS = 300
LONGEST_SENTENCE = 500
VALUES = {"True": True, "False": False, "None": None}
CONDITIONAL = ("dense", "needs_nonnegative", "gives_negative")
FLAGS = ("averaged", "rounds", "scale_target", "sized", *CONDITIONAL)
KEYS = {"class", "name", "parameters", "fixed", "forbidden", *FLAGS}


def load_space(path: str | Path, *, packages: Collection[str] = ()) -> SearchSpace:
    """Read a search space from a file; nothing in it is executed.

    Parameters
    ----------
    path
        A TOML or JSON file.
    packages
        Names of packages, besides scikit-learn, whose estimators may appear. None by default.

    Raises
    ------
    InvalidParameterError
        If the file cannot be read, or says something that makes no space, with a sentence that says
        what.
    MissingExtraError
        If a class is of a package that an extra brings, and that is not installed.

    Examples
    --------
    >>> import tempfile
    >>> text = '{"slot": [{"name": "classifier", "component": [{"class": "sklearn.svm.SVC"}]}]}'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "space.json"
    ...     _ = path.write_text(text)
    ...     load_space(path).sample(0)
    Pipeline(steps=[('classifier', SVC(random_state=...))])
    """
    path = Path(path)
    content = _parsed(path)
    try:
        return _space(content, frozenset({"sklearn", *packages}))
    except InvalidParameterError as error:
        sentence = cut_middle(str(error), LONGEST_SENTENCE)
        raise InvalidParameterError(f"{path}: {sentence}") from None
    except RecursionError:
        raise InvalidParameterError(f"{path}: lists are nested too deeply.") from None


def _parsed(path: Path) -> Any:
    try:
        with open_regular(path) as file:
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise InvalidParameterError(f"{path} is too large for a search space.")
        text = content.decode("utf-8")
        if path.suffix.lower() == ".json":
            return json.loads(text)
        if any(line.count(".") > MOST_POINTS for line in text.split("\n")):
            raise InvalidParameterError(
                f"{path} has a line with more than {MOST_POINTS} points: break it."
            )
        return tomllib.loads(text)
    except OSError as error:
        raise InvalidParameterError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, InvalidParameterError):
            raise
        raise InvalidParameterError(f"{path} is no valid TOML or JSON: {error}.") from None


def _space(content: Any, packages: Collection[str]) -> SearchSpace:
    known_keys(content, "The space", {"slot", "weights", "only_possible"})
    slots = []
    for entry in _entries(content, "slot", "The space"):
        known_keys(entry, "A slot", {"name", "optional", "component"})
        name = str(entry.get("name", ""))
        components = [
            _component(one, packages) for one in _entries(entry, "component", f"Slot {name!r}")
        ]
        slots.append(Slot(name, components, optional=_flag(entry, "optional")))
    for component in slots[-1].components:
        if not hasattr(component.load(), "predict"):
            raise InvalidParameterError(
                f"{component.name} predicts nothing, so it cannot come last."
            )
    return SearchSpace(
        slots,
        weights=content.get("weights", "sum"),
        only_possible=_flag(content, "only_possible"),
    )


def _component(entry: Any, packages: Collection[str]) -> Component:
    known_keys(entry, "A component", KEYS)
    target = entry.get("class")
    cls = _estimator_class(target, packages)
    name = str(entry.get("name", cls.__name__))
    component = read_component(entry, cls, name)
    if component.averaged and "random_state" not in known_arguments(cls):
        raise InvalidParameterError(
            f"{name}: {cls.__name__} takes no random_state, so several of it would be the same."
        )
    ours = {
        VIEW,
        *(RELATIVE if component.sized else ()),
        *([N_SEEDS] if component.averaged else []),
    }
    given = {**component.parameters, **component.fixed}.keys()
    _check_arguments(cls, [one for one in given if one not in ours], name)
    return component


def _check_arguments(cls: type, given: Collection[str], name: str) -> None:
    known = known_arguments(cls)
    for argument in given:
        if argument in REFUSED:
            raise InvalidParameterError(f"{name}: {argument} may not be set by a file.")
        if argument not in known and ARGUMENTS.get(argument) not in known:
            raise InvalidParameterError(f"{name}: {cls.__name__} takes no {argument!r}.")
    for argument, default in known.items():
        if default is inspect.Parameter.empty and argument not in given:
            raise InvalidParameterError(f"{name}: {cls.__name__} needs a value for {argument!r}.")


def _estimator_class(target: Any, packages: Collection[str]) -> type:
    if not isinstance(target, str):
        raise InvalidParameterError(f"A component needs a class, got {target!r}.")
    module, _, name = target.rpartition(".")
    parts = target.split(".")
    if parts[0] not in packages:
        raise InvalidParameterError(
            f"{target!r} is not allowed: only classes of {', '.join(sorted(packages))} are; "
            f"name the package to allow it."
        )
    if len(parts) < 2 or not all(one.isidentifier() and one[0] != "_" for one in parts):
        raise InvalidParameterError(f"{target!r} is no public class.")
    try:
        cls = getattr(import_module(module), name)
    except (Exception, SystemExit) as error:
        missing = isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0]
        if missing == parts[0] and missing in EXTRAS:
            raise MissingExtraError(target, EXTRAS[missing]) from None
        # The package is one that the user has named, and may be broken in any way.
        unknown = isinstance(error, ImportError | AttributeError)
        reason = "" if unknown else f": {type(error).__name__}: {error}"
        raise InvalidParameterError(f"{target!r} cannot be imported{reason}.") from None
    defined_in = getattr(cls, "__module__", None) or ""
    if (
        not isinstance(cls, type)
        or defined_in.partition(".")[0] not in packages
        or not (hasattr(cls, "fit") and hasattr(cls, "get_params"))
    ):
        raise InvalidParameterError(f"{target!r} is no estimator of {parts[0]}.")
    return cls


def read_component(entry: Mapping[str, Any], target: str | type, name: str) -> Component:
    """Make the component that an entry describes, of a class that the caller has looked up."""
    described = _table(entry, "parameters", name)
    options: dict[str, Any] = {}
    for key in FLAGS:
        if key in CONDITIONAL and isinstance(entry.get(key), Mapping):
            options[key] = _condition(entry[key], f"{name}: {key}")
        elif key in entry:
            options[key] = _flag(entry, key)
    if "forbidden" in entry:
        clauses = _entries(entry, "forbidden", name)
        options["forbidden"] = [_clause(clause, set(described), name) for clause in clauses]
    return Component(
        name=name,
        target=target,
        parameters={
            argument: _parameter(description, f"{name}: {argument}")
            for argument, description in described.items()
        },
        fixed={key: _value(value) for key, value in _table(entry, "fixed", name).items()},
        conditions={
            argument: _condition(description["when"], f"{name}: {argument}: when")
            for argument, description in described.items()
            if isinstance(description, Mapping) and "when" in description
        },
        **options,
    )


def _parameter(description: Any, where: str) -> Parameter:
    if isinstance(description, list):
        return Categorical([_value(one) for one in description])
    if not isinstance(description, Mapping):
        return Constant(_value(description))
    known_keys(description, where, {"low", "high", "log", "values", "when"})
    if "values" in description:
        return Categorical([_value(one) for one in _entries(description, "values", where)])
    if not {"low", "high"} <= description.keys():
        raise InvalidParameterError(f"{where} needs low and high, or a list of values.")
    low, high = description["low"], description["high"]
    for bound in (low, high):
        if isinstance(bound, bool) or not isinstance(bound, int | float):
            raise InvalidParameterError(f"{where}: bounds must be numbers, got {bound!r}.")
    kind = Integer if isinstance(low, int) and isinstance(high, int) else Real
    return kind(low, high, log=_flag(description, "log"))


def _condition(description: Any, where: str) -> When:
    if not isinstance(description, Mapping) or len(description) != 1:
        raise InvalidParameterError(f"{where} names one parameter and its values.")
    ((parameter, values),) = description.items()
    return When(parameter, _several(values))


def _clause(description: Any, arguments: set[str], name: str) -> dict[str, list[Any]]:
    known_keys(description, f"{name}: forbidden", arguments)
    return {argument: _several(values) for argument, values in description.items()}


def _several(values: Any) -> list[Any]:
    return [_value(one) for one in (values if isinstance(values, list) else [values])]


def _value(value: Any) -> Any:
    """Give the value that is meant; lists become tuples, which no estimator can change."""
    if isinstance(value, list):
        return tuple(_value(one) for one in value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return VALUES.get(value, value)
    raise InvalidParameterError(f"{value!r} is no text, number, truth value or list of these.")


def _flag(entry: Mapping[str, Any], key: str) -> bool:
    """Give a truth value of an entry; false if it has none."""
    value = entry.get(key, False)
    if not isinstance(value, bool):
        raise InvalidParameterError(f"{key} must be true or false, got {value!r}.")
    return value


def _entries(entry: Mapping[str, Any], key: str, where: str) -> list[Any]:
    """Give a list of an entry, which has to be there."""
    entries = entry.get(key)
    if not isinstance(entries, list) or not entries:
        raise InvalidParameterError(f"{where} needs a list called {key!r} that is not empty.")
    return entries


def _table(entry: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    """Give a table of an entry; an empty one if it has none."""
    table = entry.get(key, {})
    if not isinstance(table, Mapping):
        raise InvalidParameterError(f"{where}: {key} must be a table, got {table!r}.")
    return table
