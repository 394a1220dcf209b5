"""What users may import, and what is still wrong with a public name."""

import ast
import enum
import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from numpydoc.docscrape import ClassDoc, FunctionDoc

ROOT = Path(__file__).parents[1]
PLACES = (
    "curvewise",
    "curvewise.core",
    "curvewise.executors",
    "curvewise.automl",
    "curvewise.advice",
    "curvewise.errors",
)
# Where any value whatever is meant: the reason stands beside it.
ANY_IS_MEANT = {
    # Whatever scikit-learn's estimators take and give: arrays, frames, lists, sparse matrices.
    *("X", "y", "groups", "sample_weight"),
    # What metadata routing hands through, by the names that the user chose.
    *("params", "fit_params"),
}
# What these give is what the fitted estimator gives.
GIVES_ANYTHING = {
    *("predict", "predict_proba", "predict_log_proba", "decision_function", "score_samples"),
    *("transform", "inverse_transform", "fit_transform"),
}
# Classes whose subclasses have methods as they are documented there.
TO_BE_SUBCLASSED = ("Listener", "OutcomeRecord")
# Classes whose objects users are given and never make: their constructors are not documented.
GIVEN = {
    "Contender": "`Portfolio.contenders` has them",
    "Portfolio": "`Search.portfolio` is one",
    "LiveRun": "`RunStore.begin` gives it",
    "StoredRun": "`RunStore.run` gives it",
}


def modules() -> list[str]:
    """Every module of the package, by its dotted name."""
    source = ROOT / "src"
    files = sorted((source / "curvewise").rglob("*.py"))
    parts = [file.relative_to(source).with_suffix("").parts for file in files]
    return [".".join(part for part in each if part != "__init__") for each in parts]


@cache
def public_names() -> list[str]:
    """Every exported name, once, by the place where it stands first."""
    seen: dict[int, str] = {}
    for place in PLACES:
        module = import_module(place)
        for name in module.__all__:
            seen.setdefault(id(getattr(module, name)), f"{place}.{name}")
    return list(seen.values())


def find(name: str) -> object:
    """Give the object of a public name."""
    place, _, last = name.rpartition(".")
    return getattr(import_module(place), last)


def shortcomings(name: str) -> list[str]:
    """Say what the documentation and the annotations of a public name lack."""
    thing = find(name)
    if inspect.isclass(thing) and _ours(thing.__module__):
        found = list(_of_class(thing))
    elif inspect.isfunction(thing):
        found = list(_of_function(thing, FunctionDoc(thing)))
        found += [] if FunctionDoc(thing)["Examples"] else ["has no Examples"]
    else:
        # A type alias, a table or a constant documents itself where it is defined.
        found = []
    return found


def _of_class(kind: type) -> Iterator[str]:
    if not kind.__doc__:
        yield "has no docstring"
        return
    text = ClassDoc(kind, config={"show_class_members": False})
    is_error = issubclass(kind, Exception)
    if not text["Examples"] and not is_error:
        yield "has no Examples"
    made = not is_error and not issubclass(kind, enum.Enum) and not _is_protocol(kind)
    if made and kind.__name__ not in GIVEN:
        yield from _of_parameters(inspect.signature(kind), text)
    contract = set() if _is_contract(kind) else methods_of_protocols()
    for name, method in _methods(kind):
        if name in contract:
            continue
        if not method.__doc__:
            yield f".{name} has no docstring"
            continue
        yield from (f".{name} {said}" for said in _of_function(method, FunctionDoc(method)))


@cache
def methods_of_protocols() -> set[str]:
    """Name the methods of the public protocols: they are documented there, once."""
    protocols = [thing for thing in map(find, public_names()) if _is_contract(thing)]
    return {name for each in protocols for name in vars(each) if not name.startswith("_")}


def _is_contract(thing: object) -> bool:
    """Whether others have the methods of a class, documented here for all of them."""
    return _is_protocol(thing) or getattr(thing, "__name__", "") in TO_BE_SUBCLASSED


def _is_protocol(thing: object) -> bool:
    return inspect.isclass(thing) and getattr(thing, "_is_protocol", False)


def _methods(kind: type) -> Iterator[tuple[str, Callable]]:
    """Give the public methods that the package itself defines."""
    for name, member in inspect.getmembers(kind, callable):
        function = inspect.unwrap(getattr(member, "__func__", member))
        own = getattr(function, "__module__", None) or ""
        if not name.startswith("_") and inspect.isfunction(function) and _ours(own):
            yield name, function


def _ours(module: str) -> bool:
    return module.partition(".")[0] == "curvewise"


def _of_function(function: Callable, text: FunctionDoc) -> Iterator[str]:
    signature = inspect.signature(function)
    yield from _of_parameters(signature, text)
    returns = signature.return_annotation
    if returns is inspect.Signature.empty:
        yield "does not say the type of what it returns"
    elif is_any(str(returns)) and function.__name__ not in GIVES_ANYTHING:
        yield "says Any of what it returns"


def _of_parameters(signature: inspect.Signature, text: FunctionDoc) -> Iterator[str]:
    """Compare what is documented with what can be given."""
    taken = {
        name: parameter
        for name, parameter in signature.parameters.items()
        if name not in ("self", "cls") and not name.startswith("_")
    }
    documented = [
        name.strip().lstrip("*") for entry in text["Parameters"] for name in entry.name.split(",")
    ]
    if missing := [name for name in taken if name not in documented]:
        yield f"does not document {', '.join(missing)}"
    if unknown := [name for name in documented if name not in taken]:
        yield f"documents {', '.join(unknown)}, which it does not take"
    for name, parameter in taken.items():
        if parameter.annotation is inspect.Parameter.empty:
            yield f"gives no type for {name}"
        elif is_any(str(parameter.annotation)) and name not in ANY_IS_MEANT:
            yield f"gives the type Any for {name}"


def is_any(annotation: str) -> bool:
    """Say whether an annotation, or a part of its union, says nothing at all."""
    node = ast.parse(re.sub(r"<class '([^']*)'>", r"\1", annotation), mode="eval").body
    return _says_nothing(node)


def _says_nothing(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _says_nothing(node.left) or _says_nothing(node.right)
    last = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return last == "Any"


def private_imports(program: str) -> list[str]:
    """Name what a program imports from curvewise without a right to."""
    found = []
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Import):
            found += [each.name for each in node.names if _is_hidden(each.name)]
        elif isinstance(node, ast.ImportFrom) and _ours(node.module or ""):
            found += [
                f"{node.module}.{each.name}"
                for each in node.names
                if _is_hidden(node.module) or not _is_exported(node.module, each.name)
            ]
    return found


def _is_hidden(module: str) -> bool:
    return _ours(module) and module not in PLACES


def _is_exported(module: str, name: str) -> bool:
    return name in import_module(module).__all__ or f"{module}.{name}" in PLACES
