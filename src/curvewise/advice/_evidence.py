"""What advice rests on, the curves that were handed over, and who leads among them.

One place knows in what users keep their curves: a list or a mapping of results or of curves, a
search (fitted or of the core), a comparison, an AutoML estimator, a run of a store. Rules:

1. A scale that is given counts. Else results know theirs. Curves alone do not: if every loss is
   between 0 and 1 they count as rates (accuracy, AUC and the like), else as losses without bounds.
2. A loss that is not finite is no observation; in a store, neither is an astronomical one.
3. The *target* is the largest training set of the search: what the store says, or a result that was
   pruned before it; else the largest that was seen. The data have more rows than that: those of the
   test part as well. Where the store or the observations tell how many, they are counted.

A search stops early where folds agree, drops candidates in the middle of their folds, and folds
fail. So candidates have different numbers of folds, and these are not equally hard. Who leads:

4. Among the candidates with the most folds at the largest anchor, the mean decides.
5. One with fewer folds leads if it is better than the best of these on the folds that both have; on
   the means, if there are none.
6. It has to be known well enough: its search completed it, or it was not pruned and has three folds
   or half of the most. A single fold may be luck, and is never enough where others have more. To
   lead with more rows, who was not seen at the largest anchor needs two folds where it was last.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from curvewise._text import LONGEST_NAME, cut, one_line
from curvewise.core._checks import whole_number
from curvewise.core._curve import LearningCurve
from curvewise.core._decisions import Prune
from curvewise.core._outcome import LARGEST_LOSS, Candidate, Observation, Outcome
from curvewise.core._portfolio import Status
from curvewise.core._result import ValidationResult
from curvewise.core._scale import Scale
from curvewise.errors import InvalidParameterError

# In what users keep their results, and in this order.
HOLDERS = ("results_", "search_", "results")
# So many folds are enough to lead where others have more (rule 6), as many as LCCV needs at
# least.
ENOUGH_FOLDS = 3


class FittedSearch(Protocol):
    """A search of the scikit-learn faces."""

    @property
    def results_(self) -> Sequence[ValidationResult]:
        """One for each candidate."""


class FittedAutoML(Protocol):
    """An AutoML estimator, which keeps its search."""

    @property
    def search_(self) -> FittedSearch:
        """The search."""


class HasResults(Protocol):
    """A search of the core, or a comparison."""

    @property
    def results(self) -> Mapping[Candidate, ValidationResult] | Sequence[ValidationResult]:
        """One for each candidate."""


class HasOutcomes(Protocol):
    """A run of a store."""

    def outcomes(self) -> Iterable[Outcome]:
        """What the evaluations gave."""


Curve = ValidationResult | LearningCurve
CurveSource = (
    Curve
    | Iterable[Curve]
    | Mapping[Candidate, Curve]
    | FittedSearch
    | FittedAutoML
    | HasResults
    | HasOutcomes
)


@dataclass(frozen=True, slots=True)
class CandidateCurve:
    """One candidate: its curve of finite losses, and how its validation ended, if that is known."""

    candidate: Candidate
    curve: LearningCurve
    status: Status | None = None


def name_of(candidate: Candidate) -> str:
    """Name a candidate in a sentence: in one line, not too long, and never empty."""
    text = f"Candidate {candidate}" if isinstance(candidate, int) else str(candidate)
    return cut(one_line(text), LONGEST_NAME) or repr(text)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Every candidate with at least one observation."""

    entries: tuple[CandidateCurve, ...]
    scale: Scale
    target: int
    rows: int
    n_without: int = 0


def gather(source: CurveSource, *, scale: Scale | None = None, rows: int | None = None) -> Evidence:
    """Find the curves in what was handed over."""
    if callable(getattr(source, "outcomes", None)) and hasattr(source, "terms"):
        entries, known, target, counted = _of_run(source)
    else:
        entries, known, target, counted = *_of_results(source), None
    seen = tuple(entry for entry in entries if len(entry.curve))
    if not seen:
        raise InvalidParameterError(
            f"There is no observation to advise on among {len(entries)} candidates."
            if entries
            else "There is no candidate to advise on."
        )
    largest = max(entry.curve.anchors[-1] for entry in seen)
    target = largest if target is None else max(target, largest)
    if rows is None:
        rows = max(target, counted or _count(seen, largest, target))
    elif whole_number("rows_now", rows) < target:
        raise InvalidParameterError(
            f"rows_now must be at least the {target} training rows, got {rows}."
        )
    return Evidence(seen, scale or known or _guess(seen), target, rows, len(entries) - len(seen))


def _of_run(run: Any) -> tuple[list[CandidateCurve], Scale | None, int | None, int | None]:
    """Read a stored run: its outcomes, how candidates ended, and what it was begun with."""
    statuses = {result.candidate: result.status for result in run.results()}
    cells: dict[Candidate, list[Observation]] = {candidate: [] for candidate in statuses}
    for outcome in run.outcomes():
        if isinstance(outcome, Observation):
            cells.setdefault(outcome.task.candidate, []).append(outcome)
    entries = [
        CandidateCurve(candidate, _comparable(own), statuses.get(candidate))
        for candidate, own in cells.items()
    ]
    return entries, run.terms.scale, run.terms.schedule.target, run.terms.n_rows


def _of_results(source: Any) -> tuple[list[CandidateCurve], Scale | None, int | None]:
    """Read results or curves from whatever holds them."""
    for name in HOLDERS:
        if hasattr(source, name):
            held = getattr(source, name)
            return _of_results(held() if callable(held) else held)
    if isinstance(source, (ValidationResult, LearningCurve)):
        source = [source]
    if isinstance(source, str | bytes) or not isinstance(source, Iterable):
        hint = ": call fit first" if hasattr(source, "fit") else ""
        raise InvalidParameterError(
            f"Advice needs results, curves or a fitted search, got {type(source).__name__}{hint}."
        )
    named = isinstance(source, Mapping)
    pairs = list(source.items() if isinstance(source, Mapping) else enumerate(source))
    entries: list[CandidateCurve] = []
    scale: Scale | None = None
    targets: list[int] = []
    for place, item in pairs:
        if isinstance(item, ValidationResult):
            scale = scale or item.scale
            key = place if named else item.candidate
            entries.append(CandidateCurve(key, _finite(item.curve), item.status))
            targets += [each.target for each in item.decisions if isinstance(each, Prune)]
        elif isinstance(item, LearningCurve):
            names = {cell.task.candidate for cell in item}
            key = next(iter(names)) if len(names) == 1 and not named else place
            entries.append(CandidateCurve(key, _finite(item)))
        else:
            raise InvalidParameterError(
                f"Advice needs results or learning curves, got {type(item).__name__}."
            )
    return _distinct(entries), scale, max(targets, default=None)


def _distinct(entries: list[CandidateCurve]) -> list[CandidateCurve]:
    """Number the candidates if two have the same name."""
    names = [entry.candidate for entry in entries]
    if len(set(names)) == len(names):
        return entries
    return [CandidateCurve(place, entry.curve, entry.status) for place, entry in enumerate(entries)]


def _finite(cells: Iterable[Observation]) -> LearningCurve:
    return LearningCurve(cell for cell in cells if math.isfinite(cell.loss))


def _comparable(cells: Iterable[Observation]) -> LearningCurve:
    """Take what a search would have taken: a store holds whatever was said."""
    return LearningCurve(cell for cell in cells if abs(cell.loss) < LARGEST_LOSS)


def _guess(entries: tuple[CandidateCurve, ...]) -> Scale:
    within = all(0 <= cell.loss <= 1 for entry in entries for cell in entry.curve)
    return Scale() if within else Scale.unbounded()


def _count(entries: tuple[CandidateCurve, ...], largest: int, target: int) -> int:
    """The rows of the data: a fold's training and test part together, where both are known."""
    return target + max(cell.n_test or 0 for each in entries for cell in each.curve.cells(largest))


def contenders(entries: Sequence[CandidateCurve]) -> set[Candidate]:
    """The candidates that are known well enough to lead, now or with more rows (rule 6)."""
    rows = max(entry.curve.anchors[-1] for entry in entries)
    most = max(entry.curve.n(rows) for entry in entries)
    return {entry.candidate for entry in entries if _able(entry, rows, most)}


def find_leader(entries: Sequence[CandidateCurve], rows: int) -> CandidateCurve:
    """Find the best candidate at the largest anchor."""
    best = min(entries, key=lambda entry: (-entry.curve.n(rows), entry.curve.mean(rows)))
    most = best.curve.n(rows)
    rivals = [
        entry for entry in entries if 0 < entry.curve.n(rows) < most and _able(entry, rows, most)
    ]
    # Among equals, the one with the most folds.
    return min([best, *rivals], key=lambda entry: _behind(entry.curve, best.curve, rows))


def _able(entry: CandidateCurve, rows: int, most: int) -> bool:
    """Whether a candidate is known well enough (rule 6)."""
    last = entry.curve.anchors[-1]
    n = entry.curve.n(last)
    if n == 1 or last < rows:
        return n > 1 or most == 1
    if n == most or entry.status is Status.COMPLETED:
        return True
    return entry.status is not Status.PRUNED and n >= min(ENOUGH_FOLDS, most / 2)


def _behind(curve: LearningCurve, best: LearningCurve, rows: int) -> float:
    """By how much a curve is behind another, on the folds that both have (rule 5)."""
    common = set(curve.folds(rows)) & set(best.folds(rows))
    if not common:
        return curve.mean(rows) - best.mean(rows)
    own, other = (math.fsum(losses_on(each, rows, common)) for each in (curve, best))
    return (own - other) / len(common)


def losses_on(curve: LearningCurve, anchor: int, folds: set[int]) -> list[float]:
    """List the losses at an anchor on some folds, in their order."""
    return [cell.loss for cell in curve.cells(anchor) if cell.task.fold in folds]
