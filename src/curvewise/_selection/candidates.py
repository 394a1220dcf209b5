"""Candidates: what users hand over, as unfitted estimators with names.

1. *An estimator and a space.* A dictionary of lists is a grid, all of which is tried. With a
   distribution in it, or with ``n_iter``, settings are drawn as scikit-learn's
   ``RandomizedSearchCV`` draws them: the same seed gives the same settings. A list of dictionaries
   works likewise.
2. *Ready estimators*: a list, or a dictionary by name.
3. *A proposer*, which is told how its proposals went (`proposer.py`).
4. *A sampler*: a callable that is given a random state and gives an unfitted estimator, or any
   iterable of estimators; it may be endless. If it has a method ``name_of``, that names them.

What is drawn without an end (no ``n_iter``) needs a time budget, and enters the search one by one.
Everything else is known in advance, which a race makes use of.

Names say what a candidate is (``C=0.1, kernel=rbf``); a name that comes again gets a number.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple, TypeVar

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.model_selection import ParameterGrid, ParameterSampler
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state

from curvewise._selection.proposer import Proposals, Proposer
from curvewise._text import LONGEST_NAME, LONGEST_VALUE, cut, one_line
from curvewise.core._checks import whole_number
from curvewise.errors import InvalidParameterError

# As many as scikit-learn draws if it is not told how many.
N_DRAWS = 10
# A value in the name of a candidate.
LONGEST_SETTING = 24
NEVER = object()

T = TypeVar("T")


class Entry(NamedTuple):
    """One candidate: its name, what it was set to, and how its unfitted estimator is made."""

    name: str
    params: Mapping[str, Any]
    make: Callable[[], Any]


class Candidates:
    """Named candidates, known in advance (a list of entries) or drawn one by one."""

    def __init__(self, entries: Iterable[Entry], *, proposals: Proposals | None = None) -> None:
        self.proposals = proposals
        self.known = isinstance(entries, list)
        self._drawn = iter(() if self.known else entries)
        self._entries = {entry.name: entry for entry in entries} if self.known else {}
        self._estimators: dict[str, Any] = {}

    @property
    def names(self) -> Iterable[str]:
        """The names: a list if all are known, an iterator that draws otherwise."""
        return list(self._entries) if self.known else self._draw()

    @property
    def n_known(self) -> int | None:
        """How many there are, if all are known."""
        return len(self._entries) if self.known else None

    def first(self) -> Any:
        """The first candidate's estimator; it stays to be drawn."""
        first = next(chain(self._entries.values(), self._drawn), None)
        if first is None:
            raise InvalidParameterError("There are no candidates: give at least one estimator.")
        if not self.known:
            self._drawn = chain([first], self._drawn)
        return first.make()

    def look_ahead(self, n: int) -> list[str]:
        """Name the first n; they stay to be drawn."""
        if self.known:
            return list(islice(self._entries, n))
        ahead = list(islice(self._drawn, n))
        self._drawn = chain(ahead, self._drawn)
        self._entries.update({entry.name: entry for entry in ahead})
        return [entry.name for entry in ahead]

    def _draw(self) -> Iterator[str]:
        for entry in self._drawn:
            self._entries[entry.name] = entry
            yield entry.name

    def __getitem__(self, name: Any) -> Any:
        """The unfitted estimator of a name; it is made once."""
        if name not in self._estimators:
            self._estimators[name] = self._entries[name].make()
        return self._estimators[name]

    def params(self, name: Any) -> dict[str, Any]:
        """What a candidate was set to."""
        return dict(self._entries[name].params)


def gather(
    estimator: Any,
    space: Any = None,
    *,
    n_iter: int | None = None,
    endless: bool = False,
    random_state: Any = None,
) -> Candidates:
    """Understand what a user gives as candidates."""
    if n_iter is not None:
        whole_number("n_iter", n_iter, at_least=1)
    if isinstance(estimator, Proposer) and space is None:
        return _from_proposer(estimator, n_iter)
    if space is not None:
        check_estimator(estimator, "estimator")
        entries = _from_space(estimator, space, n_iter, endless, random_state)
    elif is_estimator(estimator):
        raise InvalidParameterError(
            f"There is nothing to search over: give a space for {type(estimator).__name__}, or a "
            "list or a dictionary of estimators in its place."
        )
    elif n_iter is not None and isinstance(estimator, Mapping | list | tuple):
        raise InvalidParameterError("n_iter says how many to draw; ready candidates are all tried.")
    elif isinstance(estimator, Mapping):
        entries = [_ready(str(name), one) for name, one in estimator.items()]
    elif isinstance(estimator, list | tuple):
        named = _numbered((_kind(one), one) for one in estimator)
        entries = [_ready(name, one) for name, one in named]
    elif isinstance(estimator, str | bytes | type) or not (
        callable(estimator) or isinstance(estimator, Iterable)
    ):
        raise InvalidParameterError(_no_estimator("estimator", estimator))
    else:
        entries = _from_sampler(estimator, n_iter, endless, random_state)
    return Candidates(entries)


def prototype(estimator: Any) -> Any:
    """Give an estimator that stands for all candidates; None if a sampler has yet to draw one."""
    # Tags can also be asked of what cannot be fitted (yet).
    if hasattr(estimator, "__sklearn_tags__") and not isinstance(estimator, type):
        return estimator
    first = next(iter(candidates_at_hand(estimator)), None)
    return first if is_estimator(first) else None


def candidates_at_hand(estimator: Any) -> list[Any]:
    """List the estimators that are at hand: one, or several; of a sampler none is."""
    if isinstance(estimator, Mapping):
        return list(estimator.values())
    if isinstance(estimator, list | tuple):
        return list(estimator)
    return [estimator] if is_estimator(estimator) else []


def predicts_classes(estimator: Any) -> bool:
    """Whether an estimator is a classifier; one without tags is none."""
    return hasattr(estimator, "__sklearn_tags__") and is_classifier(estimator)


def is_estimator(thing: Any) -> bool:
    """Whether something is an estimator, and not a class of them."""
    return hasattr(thing, "fit") and not isinstance(thing, type)


def check_estimator(thing: Any, name: str) -> None:
    """Refuse what is no estimator."""
    if not is_estimator(thing):
        raise InvalidParameterError(_no_estimator(name, thing))


def _no_estimator(name: str, thing: Any) -> str:
    shown = repr(thing)
    if isinstance(thing, type):
        shown = f"the class {thing.__name__}; write {thing.__name__}()"
    return f"{name} must be an estimator, got {shown}."


def describe(params: Mapping[str, Any]) -> str:
    """Say in a few words what a candidate was set to."""
    text = ", ".join(f"{name}={_shown(value)}" for name, value in params.items())
    return cut(one_line(text), LONGEST_NAME) or "as given"


def _from_space(
    estimator: Any,
    space: Any,
    n_iter: int | None,
    endless: bool,  # noqa: FBT001
    random_state: Any,
) -> Iterable[Entry]:
    _check_space(space)
    several = [space] if isinstance(space, Mapping) else list(space)
    drawn = any(hasattr(values, "rvs") for part in several for values in part.values())
    settings: Iterable[Mapping[str, Any]]
    if n_iter is None and not drawn:
        settings = ParameterGrid(space)
    else:
        n = n_iter or (sys.maxsize if endless else N_DRAWS)
        settings = ParameterSampler(space, n, random_state=random_state)
    named = _numbered((_described(estimator, params), params) for params in settings)
    entries = (Entry(name, params, _setter(estimator, params)) for name, params in named)
    return entries if n_iter is None and drawn and endless else list(entries)


def _described(estimator: Any, params: Mapping[str, Any]) -> str:
    """Say what a candidate was set to; learners of skrub have better words for it themselves."""
    if hasattr(estimator, "describe_params"):
        return describe(_setter(estimator, params)().describe_params())
    return describe(params)


def _check_space(space: Any) -> None:
    parts = [space] if isinstance(space, Mapping) else space
    if not isinstance(parts, Sequence) or not all(isinstance(part, Mapping) for part in parts):
        raise InvalidParameterError(
            f"space must be a dictionary of lists or distributions, or a list of such, "
            f"got {cut(one_line(repr(space)), LONGEST_VALUE)}."
        )
    if not parts or not all(parts):
        raise InvalidParameterError(
            "space is empty: there is nothing to search over; validate() evaluates one estimator."
        )


def _from_sampler(
    sampler: Any,
    n_iter: int | None,
    endless: bool,  # noqa: FBT001
    random_state: Any,
) -> Iterable[Entry]:
    if callable(sampler):
        rng = check_random_state(random_state)
        drawn: Iterator[Any] = iter(lambda: sampler(rng), NEVER)
    else:
        drawn = iter(sampler)
    if n_iter is None and not endless:
        raise InvalidParameterError(
            "A sampler may go on for ever: say how many to draw (n_iter) or for how long "
            "(time_budget)."
        )
    name_of = getattr(sampler, "name_of", _kind)
    named = _numbered((name_of(one), one) for one in islice(drawn, n_iter))
    entries = (_ready(name, one) for name, one in named)
    return entries if n_iter is None else list(entries)


def _from_proposer(proposer: Proposer, n_iter: int | None) -> Candidates:
    """Take what is proposed, until there is nothing more; in advance, if nothing is learnt."""
    proposals = Proposals(proposer)
    named = _numbered((one.name, one) for one in islice(proposals, n_iter))
    entries: Iterable[Entry] = (_ready(name, proposals.enter(name, one)) for name, one in named)
    if n_iter is not None and not proposer.learns:
        entries = list(entries)
    return Candidates(entries, proposals=proposals)


def _ready(name: str, estimator: Any) -> Entry:
    check_estimator(estimator, f"The candidate {name!r}")
    return Entry(name, {"candidate": name}, lambda: estimator)


def _setter(estimator: Any, params: Mapping[str, Any]) -> Callable[[], Any]:
    """Make the estimator later, when its turn comes; values may be estimators themselves."""
    return lambda: clone(estimator).set_params(**clone(dict(params), safe=False))


def _numbered(named: Iterable[tuple[str, T]]) -> Iterator[tuple[str, T]]:
    """Give a number to a name that comes again."""
    seen: Counter[str] = Counter()
    for given, thing in named:
        name = given
        seen[name] += 1
        while seen[name] > 1:
            name = f"{name} ({seen[name]})"
            seen[name] += 1
        yield name, thing


def _kind(estimator: Any) -> str:
    if isinstance(estimator, Pipeline):
        return " > ".join(_kind(step) for _, step in estimator.steps)
    if isinstance(estimator, str):
        return estimator
    return (estimator if isinstance(estimator, type) else type(estimator)).__name__


def _shown(value: Any) -> str:
    if isinstance(value, float | np.floating):
        return f"{value:.4g}"
    if is_estimator(value):
        return _kind(value)
    return cut(one_line(str(value)), LONGEST_SETTING)
