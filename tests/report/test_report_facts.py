"""What the report says about runs of every kind; no browser is needed for that."""

import json
import math

import pytest

from curvewise import LCCV, Failure, KFoldCV, Observation, Reason, Scale
from curvewise._report.report_facts import facts_of
from curvewise.core._outcome import Task
from curvewise.executors import RunStatus, RunStore
from tests.report.samples import HOSTILE, N_FOLDS, NOTES, TARGET, hostile_run, search_on, stored


@pytest.fixture(scope="module")
def facts(tmp_path_factory):
    """A finished race of 60 candidates."""
    with stored(tmp_path_factory.mktemp("facts") / "run.db") as run:
        search_on(run, range(60))
        return facts_of(run)


def facts_after(path, outcomes=(), *, status=None, **terms):
    with stored(path / "run.db", **terms) as run:
        for outcome in outcomes:
            run.record(outcome)
        if status is not None:
            run.finish(status)
        return facts_of(run)


def as_json(facts):
    return json.loads(json.dumps(facts, allow_nan=False))


def test_the_winner_comes_first_with_its_score_and_interval(facts):
    winner = facts["candidates"][0]
    answer = facts["answer"]

    assert answer["kind"] == "winner"
    assert answer["place"] == winner["place"]
    assert answer["low"] < answer["score"] == winner["score"] < answer["high"] <= 1
    assert answer["n_folds"] == len(winner["folds"]) == N_FOLDS
    mean = math.fsum(score for _, score in winner["folds"]) / N_FOLDS
    assert winner["score"] == pytest.approx(mean, abs=1e-6)


def test_facts_are_json_and_the_same_for_the_same_run(tmp_path, facts):
    with stored(tmp_path / "run.db") as run:
        search_on(run, range(60))
        again = facts_of(run)
    for each in (facts, again):
        each["run"] = {**each["run"], "created": "", "updated": "", "clock": 0}

    assert as_json(facts) == as_json(again)


def test_every_candidate_has_its_curve_decisions_and_reason(facts):
    assert len(facts["candidates"]) == 60
    for entry in facts["candidates"]:
        assert entry["steps"][-1] == entry["why"]
        assert [point[0] for point in entry["points"]] == sorted(p[0] for p in entry["points"])
        assert entry["status"] in {"completed", "pruned", "failed", "stopped"}


def test_completed_candidates_come_before_pruned_and_those_before_failed_ones(facts):
    order = ["completed", "stopped", "running", "pruned", "failed"]
    ranks = [order.index(entry["status"]) for entry in facts["candidates"]]

    assert ranks == sorted(ranks)


def test_each_side_of_the_spending_adds_up_to_the_cost(facts):
    total = facts["answer"]["cost"]["seconds"]

    for side in facts["spending"].values():
        assert math.fsum(group["seconds"] for group in side) == pytest.approx(total, rel=1e-5)
    assert {group["name"] for group in facts["spending"]["fate"]} >= {"winner", "pruned", "failed"}
    assert "error" in {group["name"] for group in facts["spending"]["outcome"]}


def test_a_race_costs_less_than_the_estimate_of_kfold(facts):
    cost = facts["answer"]["cost"]
    kfold = cost["kfold"]

    assert cost["share"] == pytest.approx(cost["seconds"] / kfold["seconds"], rel=1e-5)
    assert cost["share"] < 0.5
    assert kfold["n_measured"] + kfold["n_projected"] + kfold["n_assumed"] == 60


def test_the_last_leader_is_the_winner(facts):
    seconds, _, place, score, n_folds = facts["leaders"][-1]

    assert place == facts["answer"]["place"]
    assert score == pytest.approx(facts["answer"]["score"])
    assert n_folds == N_FOLDS
    assert seconds <= facts["answer"]["cost"]["seconds"] * (1 + 1e-6)


def test_rivals_are_behind_and_say_their_chance(facts):
    rivals = facts["answer"]["rivals"]

    assert rivals
    assert all(rival["difference"] <= 0 for rival in rivals if rival["n_folds"] == N_FOLDS)
    assert any(rival.get("chance") is not None for rival in rivals)
    assert "together of at most" in facts["answer"]["certainty"]


def test_kfold_saves_nothing_against_itself(tmp_path):
    with stored(tmp_path / "run.db", policy=KFoldCV(), target=1000) as run:
        search_on(run, [0, 1, 2, 3], policy=KFoldCV())
        cost = facts_of(run)["answer"]["cost"]

    assert cost["kfold"]["seconds"] == pytest.approx(cost["seconds"])


def test_lccv_runs_have_a_point_at_every_anchor_that_was_reached(tmp_path):
    with stored(tmp_path / "run.db", policy=LCCV(), target=4000) as run:
        search_on(run, range(8), policy=LCCV())
        facts = facts_of(run)

    assert max(len(entry["points"]) for entry in facts["candidates"]) > 3
    assert facts["answer"]["kind"] == "winner"


def test_a_run_without_candidates_says_so(tmp_path):
    facts = facts_after(tmp_path)

    assert facts["answer"]["kind"] == "none"
    assert facts["answer"]["certainty"] == "No candidate has come yet."
    assert facts["candidates"] == facts["leaders"] == []
    assert as_json(facts)


def test_a_run_whose_candidates_wait_says_so(tmp_path):
    with stored(tmp_path / "run.db") as run:
        run.record_candidate("svc")
        run.finish(RunStatus.INTERRUPTED)
        facts = facts_of(run)

    assert facts["answer"]["certainty"] == "No candidate has been evaluated yet."
    assert facts["candidates"][0]["why"] == "has not begun"


@pytest.mark.parametrize("interrupted", [True, False])
def test_a_run_under_way_shows_who_leads(tmp_path, interrupted):
    outcomes = [
        Observation(Task("svc", TARGET, 0), 0.2, seconds=1.0),
        Observation(Task("forest", TARGET, 0), 0.1, seconds=1.0),
    ]
    status = RunStatus.INTERRUPTED if interrupted else None
    facts = facts_after(tmp_path, outcomes, status=status)

    answer = facts["answer"]
    assert answer["kind"] == "leading"
    assert facts["candidates"][0]["name"] == "forest"
    assert facts["candidates"][0]["place"] == answer["place"]
    assert (answer["score"], answer["low"]) == (0.9, None)
    assert ("ended before" in answer["certainty"]) is interrupted
    assert answer["cost"]["kfold"]["seconds"] == 2 * N_FOLDS
    assert answer["cost"]["share"] is None


@pytest.mark.parametrize("reason", [Reason.ERROR, Reason.TIMEOUT, Reason.MEMORY])
def test_a_run_in_which_everything_failed_names_the_reason(tmp_path, reason):
    def fail(task):
        return Failure(task, reason, "more than 4 GB", seconds=2.0)

    with stored(tmp_path / "run.db") as run:
        search_on(run, range(3), evaluated=fail)
        facts = facts_of(run)

    assert facts["answer"]["kind"] == "none"
    assert facts["answer"]["certainty"].startswith("Every candidate")
    assert f"“{reason.value}”" in facts["answer"]["certainty"]
    assert facts["candidates"][0]["failures"][0]["message"] == "more than 4 GB"


def test_scores_without_a_lower_end_are_negative_and_far_ones_lie_outside(tmp_path):
    def squared_error(task):
        loss = 1e9 if task.candidate == 3 else 2500 + 100 * task.candidate + 1e5 / task.anchor
        return Observation(task, loss + task.fold, seconds=0.5, n_test=100)

    with stored(tmp_path / "run.db", scale=Scale.unbounded(), target=1000) as run:
        search_on(run, range(8), evaluated=squared_error)
        facts = facts_of(run)

    assert facts["answer"]["score"] == pytest.approx(-2602.0)
    assert facts["answer"]["high"] < 0
    assert -1e9 < facts["floor"] < -2602


def test_a_loss_that_is_no_number_is_a_failure_here_as_it_was_in_the_search(tmp_path):
    outcomes = [Observation(Task("svc", TARGET, 0), math.nan, seconds=1.0)]
    facts = facts_after(tmp_path, outcomes)

    assert facts["candidates"][0]["points"] == []
    assert facts["spending"]["outcome"][0]["name"] == "error"
    assert as_json(facts)


def test_evaluations_without_seconds_give_no_cost_of_kfold(tmp_path):
    facts = facts_after(tmp_path, [Observation(Task("svc", TARGET, 0), 0.1)])

    assert facts["answer"]["cost"] == {"seconds": 0.0, "kfold": None, "share": None}


def test_notes_are_shown_and_numbers_in_them_that_are_none_become_text(tmp_path):
    with stored(tmp_path / "run.db") as run:
        facts = facts_of(hostile_run(run))

    assert facts["title"] == NOTES["data"]["name"]
    assert facts["data"]["classes"] == NOTES["data"]["classes"]
    assert facts["versions"]["python"] == "3.11.7"
    assert facts["notes"] == {"seconds_of_refit": "inf"}
    assert {entry["name"] for entry in facts["candidates"]} == set(HOSTILE)


def test_a_search_with_scikit_learn_names_its_algorithms(tmp_path):
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    from curvewise import CurveSearchCV

    pipeline = Pipeline([("scale", StandardScaler()), ("model", GaussianNB())])
    space = [
        {"model": [GaussianNB()]},
        {"model": [DecisionTreeClassifier(random_state=0)], "model__max_depth": [1, 3]},
    ]
    path = tmp_path / "run.db"
    search = CurveSearchCV(pipeline, space, cv=5, store=path, random_state=0)
    search.fit(*load_iris(return_X_y=True))
    with RunStore.read(path) as store:
        facts = facts_of(store.run(1))

    algorithms = {entry["algorithm"] for entry in facts["candidates"]}
    assert algorithms == {"GaussianNB", "DecisionTreeClassifier"}
    assert facts["answer"]["score"] == pytest.approx(search.best_score_, abs=1e-6)
    assert "Pipeline(" in facts["answer"]["recipe"]


def test_pipelines_of_one_make_have_names_that_differ(tmp_path):
    from sklearn.datasets import load_iris

    from curvewise.automl import CurveAutoMLClassifier

    path = tmp_path / "run.db"
    automl = CurveAutoMLClassifier(
        n_iter=3, store=path, random_state=0, timeout_per_candidate=None, keep_predictions="none"
    )
    automl.fit(*load_iris(return_X_y=True))
    with RunStore.read(path) as store:
        facts = facts_of(store.run(1))

    names = [entry["name"] for entry in facts["candidates"]]
    assert len(set(names)) == 3
    assert sum(name.startswith("LGBMClassifier (") for name in names) >= 1
