"""What a store notes of the model, checked when it is read."""

import copy
import json
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from curvewise import CurveSearchCV
from curvewise._report.model_facts import NOTHING, UNFINISHED, model_of
from curvewise.executors import RunStatus, RunStore
from tests.report.model_notes import of_a_regression, of_several_classes, of_two_classes
from tests.report.samples import HOSTILE

KINDS = {
    "two": of_two_classes(),
    "several": of_several_classes(),
    "numbers": of_a_regression(),
}
PIECES = {
    "two": {"confusion", "classes", "rankings", "reliability", "hardest", "by", "importance"},
    "several": {"confusion", "classes", "rankings", "reliability", "hardest", "importance"},
    "numbers": {"residuals", "hardest", "by", "importance"},
}


def facts_of(notes, status=RunStatus.FINISHED):
    notes = json.loads(json.dumps(notes))
    return model_of(SimpleNamespace(notes=notes, summary=SimpleNamespace(status=status)))


@pytest.mark.parametrize("kind", KINDS)
def test_every_picture_that_was_noted_is_shown(kind):
    facts = facts_of(KINDS[kind])
    pieces = {name for name in (*PIECES["two"], "residuals") if facts[name] is not None}

    assert pieces == PIECES[kind]
    assert facts["why"] is None


@pytest.mark.parametrize("kind", KINDS)
def test_pictures_are_small(kind):
    assert len(json.dumps(facts_of(KINDS[kind]))) < 120_000


def test_a_run_without_notes_says_why():
    assert facts_of({})["why"] == NOTHING
    assert facts_of({}, RunStatus.RUNNING)["why"] == UNFINISHED
    noted = {"model pictures": {"model": {"candidate": "svc", "n_members": 1}, "why": "Not kept."}}
    assert facts_of(noted)["why"] == "Not kept."


@pytest.mark.parametrize("weighted", [True, False])
def test_it_is_said_that_scores_are_weighted_and_pictures_are_not(weighted, tmp_path):
    X, y = load_iris(return_X_y=True)
    params = {"sample_weight": 1.0 + y} if weighted else {}
    search = CurveSearchCV(
        {"bayes": GaussianNB()}, keep_predictions="best", store=tmp_path / "run.db", random_state=0
    )
    search.fit(X, y, **params)
    with RunStore.read(tmp_path / "run.db") as store:
        facts = facts_of(store.run().notes())

    assert facts["weighted"] is weighted
    assert sum(facts["confusion"]["counts"]) == 150


def test_an_observed_share_has_an_interval_that_holds_it():
    for one in facts_of(KINDS["two"])["reliability"]["bins"]:
        assert 0 <= one["least"] <= one["observed"] <= one["most"] <= 1


def test_a_piece_of_another_form_is_left_out_and_the_others_stay():
    for piece in ("confusion", "classes", "rankings", "reliability", "hardest", "by"):
        for wrong in (None, 3, "text", [], {}, [1], {"rows": 1}, [None]):
            notes = copy.deepcopy(KINDS["two"])
            notes["model pictures"][piece] = wrong
            facts = facts_of(notes)

            assert not facts[piece]
            assert facts["importance"] is not None


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (("confusion", "counts"), [1, 2, 3]),
        (("confusion", "counts"), [1, 2, 3, -4]),
        (("confusion", "counts"), [1, 2, 3, True]),
        (("confusion", "labels"), ["a"]),
        (("rankings", 0, "roc", "y"), [0.5]),
        (("rankings", 0, "roc", "area"), 1.5),
        (("reliability", "bins", 0, "observed"), "much"),
        (("hardest", "rows", 0, "row"), 1.5),
        (("by", "levels", 0, "score"), 10**400),
    ],
    ids=str,
)
def test_a_number_that_cannot_be_is_not_shown(path, wrong):
    notes = copy.deepcopy(KINDS["two"])
    place = notes["model pictures"]
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = wrong

    assert facts_of(notes)[path[0]] is None


def test_text_is_on_one_line_and_short():
    notes = copy.deepcopy(KINDS["two"])
    notes["model pictures"]["model"]["candidate"] = f"{HOSTILE[4]}\n{HOSTILE[6]}"
    candidate = facts_of(notes)["candidate"]

    assert len(candidate) <= 60
    assert candidate.isprintable()


json_values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["model", "n_rows", "method", "why", "rows", "columns", "candidate"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=100)
@given(json_values, json_values)
def test_whatever_is_noted_the_report_goes_on(pictures, importance):
    facts = model_of(
        SimpleNamespace(
            notes={"model pictures": pictures, "importance": importance},
            summary=SimpleNamespace(status=RunStatus.FINISHED),
        )
    )

    assert isinstance(facts["why"], str) or facts["why"] is None
    json.dumps(facts, allow_nan=False)
