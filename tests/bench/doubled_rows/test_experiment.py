"""The experiment of Sec. V-B: cases, forecasts, what they are worth, and the figures."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import curvewise as cw
from curvewise._bench.blank_figure import check_figures
from curvewise._bench.doubled_rows.advice_figures import draw_figures
from curvewise._bench.doubled_rows.calibrator import calibrate, experience_of, lessons_of
from curvewise._bench.doubled_rows.cases import collect, common_learners, seen_case
from curvewise._bench.doubled_rows.forecast_summary import chosen, summarise
from curvewise._bench.doubled_rows.forecasts import METHODS, deal, forecast
from curvewise.advice._evidence import CandidateCurve
from curvewise.advice._outlook import Outlook
from curvewise.core._scale import Scale
from curvewise.errors import UnreadableCurvesError
from curvewise.executors._recordings import read_recordings
from tests.bench.doubled_rows.recorded import written


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    return read_recordings(written(tmp_path_factory.mktemp("curves")))


@pytest.fixture(scope="module")
def cases(recordings):
    return collect(recordings, n_folds=5)


@pytest.fixture(scope="module")
def forecasts(cases):
    return forecast(cases)


def by_kind(forecasts):
    return {(each["method"], each["level"]): each for each in summarise(forecasts)}


def test_a_case_is_a_power_of_two_with_three_anchors_and_its_double(cases):
    assert {case.rows for case in cases} == {256, 512}
    for case in cases:
        curves = [entry.curve for entry in case.entries()]
        assert len(curves) == 6
        assert {curve.anchors[0] for curve in curves} == {64}
        assert {curve.n(anchor) for curve in curves for anchor in curve.anchors} == {5}


def test_the_truth_is_the_test_loss_at_twice_the_rows(cases):
    case = next(case for case in cases if case.dataset == "set0" and case.rows == 512)

    assert case.truth[0] == pytest.approx(0.1 + 1024**-0.5)


def test_the_same_seed_draws_the_same_folds(recordings):
    one, same, other = (collect(recordings, n_folds=3, random_state=seed) for seed in (0, 0, 1))

    assert all(np.array_equal(a.present, b.present) for a, b in zip(one, same, strict=True))
    assert any(not np.array_equal(a.present, b.present) for a, b in zip(one, other, strict=True))


def test_draws_multiply_the_cases(recordings, cases):
    assert len(collect(recordings, n_folds=5, n_draws=3)) == 3 * len(cases)


def test_too_many_folds_leave_no_case(recordings):
    with pytest.raises(UnreadableCurvesError, match="on 7 common seeds"):
        collect(recordings, n_folds=7)


def test_learners_with_the_fewest_seeds_are_left_out_until_enough_are_common():
    whole = np.array([[True, True], [True, True], [True, False]])

    assert common_learners(whole, 2) == [0, 1]
    assert chosen([], "all") == []


def test_every_method_predicts_every_case_on_both_levels(cases, forecasts):
    kinds = by_kind(forecasts)

    assert set(kinds) == {(m, level) for m in METHODS for level in ("portfolio", "learner")}
    assert kinds["curve", "portfolio"]["n"] == len(cases)
    assert kinds["curve", "learner"]["n"] == 6 * len(cases)


def test_looking_ahead_is_better_than_not_and_measuring_better_still(forecasts):
    kinds = by_kind(forecasts)
    errors = [kinds[method, "portfolio"]["mae"] for method in ("measured", "curve", "last")]

    assert errors == sorted(errors)


def test_the_last_value_always_says_no(forecasts):
    last = by_kind(forecasts)["last", "portfolio"]

    assert last["accuracy"] == last["always_no"]
    assert last["coverage_90"] is None
    for gain, no in last["always_no"].items():
        assert no + last["always_yes"][gain] == pytest.approx(1)


def test_the_figures_are_plain_json_with_the_promised_names(forecasts):
    text = json.dumps(summarise(forecasts), allow_nan=False)
    names = {
        "method", "level", "mae", "within_01", "within_025", "within_07", "accuracy", "always_no",
        "always_yes", "coverage_90", "coverage_by_size", "sure_share", "sure_accuracy",
        "cannot_tell", "correlation",
    }  # fmt: skip

    assert all(names <= set(each) for each in json.loads(text))


def test_no_data_set_predicts_itself(cases):
    # What happened on one data set changes nothing that is said about it.
    told = [replace(c, truth=c.truth + 0.3) if c.dataset == "set0" else c for c in cases]
    before, after = (forecast(each, methods=["curve"]) for each in (cases, told))

    pairs = list(zip(before, after, strict=True))
    assert all(a.outlook == b.outlook for a, b in pairs if a.dataset == "set0")
    assert any(a.outlook != b.outlook for a, b in pairs if a.dataset != "set0")


def test_a_single_data_set_is_not_calibrated_on_itself(cases):
    alone = [case for case in cases if case.dataset == "set0"]

    with pytest.raises(cw.InvalidParameterError, match="A single data set"):
        forecast(alone, methods=["curve"])
    assert forecast(alone, methods=["curve"], shipped=True)


def test_curves_that_never_differ_are_calibrated_as_well(cases):
    flat = cw.LearningCurve(
        cw.Observation(cw.Task("a", anchor, fold), 0.0) for anchor in (64, 128) for fold in (0, 1)
    )
    perfect = [
        replace(case, truth=0 * case.truth, entries=lambda: [CandidateCurve("a", flat)])
        for case in cases
    ]
    lessons = lessons_of(perfect, level="portfolio", scale=Scale.unbounded())

    table = calibrate(lessons, bounded=False).table
    assert list(table) == sorted(set(table))


def test_shipped_numbers_depend_on_no_case(cases):
    few, all_of_them = (
        forecast(each, methods=["curve"], shipped=True) for each in (cases[:2], cases)
    )

    assert [f.outlook for f in few if f.level == "portfolio"] == [
        f.outlook for f in all_of_them if f.level == "portfolio"
    ][:2]


def test_data_sets_are_dealt_evenly():
    groups = list(deal({f"set{i}" for i in range(25)}).values())

    assert {groups.count(group) for group in set(groups)} == {2, 3}


def test_an_unknown_method_is_named(cases):
    with pytest.raises(cw.InvalidParameterError, match="There is no method 'magic'"):
        forecast(cases, methods=["magic"])


@pytest.mark.parametrize("bounded", [True, False], ids=["rates", "unbounded"])
def test_calibrating_finds_how_falls_go_on(cases, bounded):
    scale = Scale() if bounded else Scale.unbounded()
    calibration = calibrate(lessons_of(cases, level="portfolio", scale=scale), bounded=bounded)

    # These curves are power laws: a doubling brings the root of a half of the one before.
    usual = calibration.carry + calibration.room * 0.2
    assert usual == pytest.approx(math.sqrt(0.5), abs=0.1)
    assert list(calibration.table) == sorted(set(calibration.table))


def test_experience_is_by_size(cases):
    classes = experience_of(lessons_of(cases, level="portfolio", scale=Scale()))

    assert [each.below for each in classes] == [512, 2048]
    assert all(0 < share < 1 for each in classes for share in each.shares)


def test_results_on_half_of_a_table_are_a_case():
    validation = cw.Validation("svc", schedule=1024, policy=cw.LCCV(prune=False, skip=False))
    while not validation.done:
        for task in validation.ask():
            loss = 0.1 + task.anchor**-0.5 + task.fold / 1000
            validation.tell(cw.Observation(task, loss, n_test=100))
    case = seen_case("table", 2048, [validation.result], {"svc": 0.12})

    kinds = by_kind(forecast([case], shipped=True))

    assert "measured" not in {method for method, _ in kinds}
    assert kinds["last", "portfolio"]["mae"] == pytest.approx(case.now - 0.12)
    assert kinds["curve", "portfolio"]["mae"] < kinds["last", "portfolio"]["mae"]


def test_intervals_and_sure_answers_are_counted(forecasts):
    first = next(each for each in forecasts if (each.method, each.level) == ("curve", "portfolio"))
    right = replace(first, outlook=Outlook(0.02, 0.001), gain=0.0205)
    wrong = replace(first, outlook=Outlook(0.02, 0.001), gain=-0.02)

    (figures,) = summarise([right, right, right, wrong])

    assert figures["coverage_90"] == 0.75
    assert figures["sure"]["0.005"] == {"share": 1.0, "accuracy": 0.75}
    assert figures["accuracy"]["0.005"] == 0.75
    assert figures["cannot_tell"]["0.005"] == 0.0


def test_the_figures_of_the_paper_are_drawn(forecasts, tmp_path):
    drawn = draw_figures(forecasts, tmp_path / "figures")

    assert [path.name for path in drawn] == ["improvement.png", "tolerance.png", "decisions.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in drawn)


def test_figures_go_into_a_folder_that_can_be_made(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(cw.InvalidParameterError, match="is a file"):
        check_figures(tmp_path / "file")
    with pytest.raises(cw.InvalidParameterError, match="There is no folder"):
        check_figures(tmp_path / "none" / "figures")
