"""One run of a `CurveSearchCV`: with its store, and with all who listen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from curvewise._evaluation.heard_predictions import classes_of
from curvewise._selection.candidates import Candidates, predicts_classes
from curvewise._selection.cv_results import may_be_several
from curvewise._selection.ended_run import is_over
from curvewise._selection.experiment import Experiment
from curvewise._selection.kept_predictions import PredictionKeeper
from curvewise._selection.proposer import Proposals
from curvewise._selection.run_notes import GIVEN, UNDER_WAY, RunNotes, given_for_readers
from curvewise._selection.search_contract import Routes, execution_of, limits_of
from curvewise._selection.search_listeners import Bar, FirstFailure, LeaderList
from curvewise.core._lead_changes import LeaderChange
from curvewise.core._outcome import Task
from curvewise.core._search import Search
from curvewise.executors import LiveRun, RunStore
from curvewise.executors._listener import Ending, Listener
from curvewise.executors._protocol import Executor

if TYPE_CHECKING:
    from curvewise._selection.search_cv import CurveSearchCV

# Where a store keeps what a proposal is made of.
CONFIGURATION = "configuration"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchExtras:
    """Who listens to a search, what its store is told, and how it ends.

    Parameters
    ----------
    listeners
        Who hears of what happens.
    notes
        What readers of the run's store should know of it.
    describe
        Takes a candidate's estimator and says what else the store should know of it.
    survives_interrupt
        Whether the best so far is taken after Ctrl-C, if there is any.
    refit_threads
        How many threads the final fit may use; None for no bound.
    begun
        When the time budget began to count, by `time.monotonic`; by default when the search does.
    reserve
        Says how many seconds of the budget are to be left for what comes after the search; by
        default none.
    explore
        Says, given the seconds that are left, whether new candidates go before further folds of
        those that are there; by default never.
    afterwards
        What comes after the final fit, while the workers are still there, one after the other: each
        is given what has fitted the best candidate. By default pictures of the model are noted in
        the run's store.
    lastly
        What comes after that and after learning curves, in the same way. By default nothing.
    deadline
        When the final fit should be over, by `time.monotonic`; by default it may take its time.
    announces
        Whether the search tells its listeners that it is fitted; an estimator around it may want to
        do so itself, when all is done.

    Examples
    --------
    >>> import curvewise as cw
    >>> from sklearn.svm import SVC
    >>> extras = cw.SearchExtras(notes={"data": "from March"}, survives_interrupt=True)
    >>> search = cw.CurveSearchCV(SVC(), {"C": [1, 10]}).equip(extras)
    """

    listeners: tuple[Listener, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)
    describe: Callable[[Any], Mapping[str, Any]] | None = None
    survives_interrupt: bool = False
    refit_threads: int | None = None
    begun: float | None = None
    reserve: Callable[[Search], float] | None = None
    explore: Callable[[Search, float], bool] | None = None
    afterwards: tuple[Callable[[Any], None], ...] = ()
    lastly: tuple[Callable[[Any], None], ...] = ()
    deadline: float | None = None
    announces: bool = True


class CarriedOut(NamedTuple):
    """A search that has ended: how, who led when, who carried it out, what is kept of it."""

    search: Search
    ending: Ending
    leaders: list[LeaderChange]
    told: list[Task]
    executor: Executor
    keeper: PredictionKeeper | None
    record: LiveRun | None
    notes: RunNotes


def experiment_for(given: CurveSearchCV, first: Any, X: Any, y: Any, routes: Routes) -> Experiment:
    """Put data, folds and metrics together as a search's user has set them."""
    named = may_be_several(given.scoring) and isinstance(given.refit, str)
    return Experiment(
        first,
        X,
        y,
        # An iterator gives its folds once.
        cv=list(given.cv) if isinstance(given.cv, Iterator) else given.cv,
        scoring=given.scoring,
        decide_by=str(given.refit) if named else None,
        split_params=routes.split,
        params=routes.evaluate,
        preprocess=given.preprocess,
        test_cap=given.test_cap,
        train_scores=given.return_train_score,
        random_state=given.random_state,
    )


def carry_out(
    given: CurveSearchCV,
    experiment: Experiment,
    candidates: Candidates,
    opened: ExitStack,
    *,
    extras: SearchExtras,
    listeners: Sequence[Listener],
) -> CarriedOut:
    """Carry a search out as its user has set it; workers and store stay open until all is done."""
    limits, execution = limits_of(given), execution_of(given)
    # Within a budget one by one: each is compared with a complete leader, and there is one in time.
    search = experiment.search(
        candidates.names if limits.time_budget is None else iter(candidates.names),
        policy=given.policy,
        limits=limits,
        count_rows=execution.deterministic,
    )
    record = _opened_record(given, experiment, candidates.proposals, extras, opened)
    over = record is not None and is_over(record, candidates, n_iter=given.n_iter)
    said = {} if over else {**extras.notes, GIVEN: _given(given, experiment)}
    notes = RunNotes(record, said)
    if record is not None and not over:
        notes.note(UNDER_WAY, "yes")
        opened.callback(notes.note, UNDER_WAY, None)
    keeper = _keeper(given, experiment, candidates, record)
    leaders = LeaderList()
    heard_by = [leaders, *listeners, *_own_listeners(given, candidates), *extras.listeners]
    if keeper is not None:
        heard_by.append(keeper)
    raise_errors = given.error_score == "raise"
    if raise_errors:
        # Last: after its error nobody hears anything more.
        heard_by.append(FirstFailure())
    # Only now: what is asked to be measured and kept goes to the workers.
    executor = experiment.executor(execution=execution, limits=limits)
    opened.enter_context(closing(executor))
    if record is not None and over:
        ending = experiment.read_again(search, candidates.__getitem__, record, listeners=heard_by)
        told = leaders.tasks
        return CarriedOut(search, ending, leaders.changes, told, executor, keeper, record, notes)
    begun = monotonic()
    ending = experiment.run(
        search,
        candidates.__getitem__,
        executor,
        execution=execution,
        limits=limits,
        record=record,
        listeners=heard_by,
        raise_errors=raise_errors,
        begun=extras.begun,
        reserve=extras.reserve,
        explore=extras.explore,
    )
    notes.add_seconds(monotonic() - begun)
    told = leaders.tasks
    return CarriedOut(search, ending, leaders.changes, told, executor, keeper, record, notes)


def _given(given: CurveSearchCV, experiment: Experiment) -> dict[str, Any]:
    """Say what the user of a search has set."""
    return given_for_readers(
        experiment,
        given._first,  # noqa: SLF001 - one of the search's own candidates
        scoring=given.scoring,
        execution=execution_of(given),
        seed=given.random_state,
        budget=given.time_budget,
        candidates=given.n_iter,
    )


def _own_listeners(given: CurveSearchCV, candidates: Candidates) -> Iterator[Listener]:
    """Give those who listen because of how a search is set."""
    if candidates.proposals is not None:
        yield candidates.proposals
    if given.verbose:
        yield Bar(verbose=given.verbose, n_candidates=candidates.n_known)


def _opened_record(
    given: CurveSearchCV,
    experiment: Experiment,
    proposals: Proposals | None,
    extras: SearchExtras,
    opened: ExitStack,
) -> LiveRun | None:
    """Begin or go on with the run of a search's store, if it has one."""
    if given.store is None:
        return None
    record = experiment.open_run(
        opened.enter_context(RunStore.open(given.store)),
        name=given.run,
        policy=given.policy,
        describe=_describing(extras.describe, proposals),
        limits=limits_of(given),
    )
    if proposals is not None:
        proposals.begin_with(_proposed(record))
    return record


def _keeper(
    given: CurveSearchCV, experiment: Experiment, candidates: Candidates, record: LiveRun | None
) -> PredictionKeeper | None:
    """Give who keeps predictions, if they are to be kept; the evaluation then hands them over."""
    if given.keep_predictions == "none":
        return None
    experiment.evaluate.keep_predictions = True
    classes = classes_of(experiment.y) if predicts_classes(candidates.first()) else None
    return PredictionKeeper(
        given.keep_predictions, experiment.folds, classes=classes, record=record
    )


def _describing(
    describe: Callable[[Any], Mapping[str, Any]] | None, proposals: Proposals | None
) -> Callable[[Any], Mapping[str, Any]] | None:
    """Let a store also know what a proposal is made of, to propose it again."""
    if proposals is None:
        return describe

    def described(estimator: Any) -> Mapping[str, Any]:
        facts = {} if describe is None else describe(estimator)
        return {**facts, CONFIGURATION: proposals.configuration(estimator)}

    return described


def _proposed(record: LiveRun) -> Iterator[Mapping[str, Any]]:
    """Give what a run that goes on had proposed, in its order."""
    for parameters in record.parameters:
        if CONFIGURATION in parameters:
            yield parameters[CONFIGURATION]
