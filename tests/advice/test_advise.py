"""From curves to an answer: what always holds, and input that is hardly any."""

import json
import math
from types import SimpleNamespace

import pytest

import curvewise as cw
from curvewise.executors import RunStore
from tests.advice.curves import (
    ANCHORS,
    curve,
    of_losses,
    portfolio,
)

RATES, UNBOUNDED = cw.Scale(), cw.Scale.unbounded()


def test_a_steep_portfolio_gets_a_yes_and_a_flat_one_a_no():
    steep = cw.advise(portfolio(height=6.0, n_folds=10, n_test=5000))
    flat = cw.advise(portfolio(height=0.0, n_folds=10, n_test=5000))

    assert (steep.answer, flat.answer) == ("yes", "no")
    assert steep.probability > 0.9
    assert flat.probability < 0.1
    assert steep.explain().startswith("Yes: twice the rows")
    assert flat.explain().startswith("No: twice the rows")


def test_what_is_between_cannot_be_told_and_sure_moves_the_line():
    advice = cw.advise(portfolio(height=2.0, n_folds=3, n_test=100))
    bold = cw.advise(portfolio(height=2.0, n_folds=3, n_test=100), sure=0.51)

    assert advice.answer == "cannot tell"
    assert 0.2 < advice.probability < 0.8
    assert bold.answer in ("yes", "no")


def test_the_gain_of_a_power_law_is_near_the_truth():
    curves = portfolio(height=2.0, wobble=0.0)
    advice = cw.advise(curves)

    truth = 2.0 * (2048**-0.5 - 4096**-0.5)
    assert advice.gain == pytest.approx(truth, rel=0.25)
    assert advice.interval.low < truth < advice.interval.high


def test_rows_are_those_of_the_data():
    curves = [curve(n_test=512)]
    advice = cw.advise(curves, n_rows=5120)

    assert (advice.rows_now, advice.rows_then, advice.factor) == (2560, 5120, 2.0)
    assert (advice.training_rows_now, advice.training_rows_then) == (2048, 4096)
    assert cw.advise(curves, n_rows=5000, rows_now=2500).factor == 2.0


def test_the_answer_does_not_depend_on_what_holds_the_curves():
    search = cw.Search(["a", "b"], schedule=512, policy=cw.LCCV(prune=False, skip=False))
    while not search.done:
        for task in search.ask(4):
            search.tell(cw.Observation(task, 0.1 + 3 / task.anchor + task.fold / 1000, n_test=500))

    results = list(search.results.values())
    fitted = SimpleNamespace(results_=results)
    sources = [search, search.results, results, fitted, SimpleNamespace(search_=fitted)]

    gains = {cw.advise(source).gain for source in sources}

    curves = [result.curve for result in results]
    assert len(gains | {cw.advise(curves).gain}) == 1


@pytest.mark.parametrize("method", ["curve", "ipl", "last"])
def test_every_method_answers_and_says_all_of_it_as_json(method):
    advice = cw.advise(portfolio(), method=method, target_score=0.95)

    facts = json.loads(json.dumps(advice.facts(), allow_nan=False))
    assert facts["answer"] == advice.answer
    assert facts["method"] == method
    assert len(facts["candidates"]) == 5
    assert advice.need is not None
    assert advice.answer in repr(advice)
    assert "<strong>" in advice._repr_html_()


def test_the_paper_reads_its_power_laws_and_knows_no_probability():
    advice = cw.advise(portfolio(wobble=0.0), method="ipl")

    assert advice.gain == pytest.approx(2.0 * (2048**-0.5 - 4096**-0.5), rel=1e-3)
    assert math.isnan(advice.probability)
    assert advice.answer == "yes"


def test_the_last_value_expects_no_change():
    assert cw.advise(portfolio(), method="last").gain == 0.0


def test_a_runner_up_that_falls_faster_leads_then_and_is_worth_a_search():
    slow = curve("slow", floor=0.200, height=0.0, n_test=5000)
    fast = curve("fast", floor=0.105, height=4.5, n_test=5000)
    advice = cw.advise([slow, fast], factor=4)

    assert (advice.leader_now, advice.leader_then) == ("slow", "fast")
    assert [remedy.kind for remedy in advice.remedies if remedy.kind == "models"]
    assert (
        "slow is the best now; with so many rows fast is expected to be the best."
        in advice.explain()
    )


@pytest.mark.parametrize("anchors", [ANCHORS, ANCHORS[:-1]], ids=["there", "on the way"])
@pytest.mark.parametrize("method", ["curve", "last"])
def test_a_single_fold_that_was_easy_does_not_lead_then(anchors, method):
    lucky = curve("lucky", floor=0.01, height=1.0, anchors=anchors, n_folds=1)
    advice = cw.advise([curve("steady"), lucky], method=method)

    assert advice.predictions[0].candidate == "lucky"
    assert (advice.leader_now, advice.leader_then) == ("steady", "steady")


def test_among_single_folds_the_best_leads_then():
    slow = curve("slow", floor=0.200, height=0.0, n_folds=1)
    fast = curve("fast", floor=0.105, height=4.5, n_folds=1)

    assert cw.advise([slow, fast], factor=4).leader_then == "fast"


def texts(advice, kind):
    return [remedy.text for remedy in advice.remedies if remedy.kind == kind]


def test_a_flat_curve_is_sent_to_its_features():
    (text,) = texts(cw.advise(portfolio(height=0.0, n_test=5000)), "features")

    assert text.startswith("The curve has flattened at 0.9")


def test_a_curve_that_gets_worse_is_not_called_flat():
    losses = {rows: [i / 10 + fold / 1000 for fold in range(5)] for i, rows in enumerate(ANCHORS)}
    (text,) = texts(cw.advise(of_losses(losses, n_test=500_000)), "features")

    assert "flattened" not in text
    assert text.startswith("The best score got worse by 0.1 on the last step")


def test_a_curve_that_rises_by_less_than_the_wish_is_not_called_flat():
    advice = cw.advise(portfolio(height=4.0, n_folds=10, n_test=50_000), min_gain=0.06)
    (text,) = texts(advice, "features")

    assert advice.last_gain == pytest.approx(0.037, abs=0.001)
    assert "flattened" not in text
    assert "a doubling still brought +0.0368, less than the 0.06 asked for" in text


def test_of_a_single_fold_without_test_rows_no_shape_is_claimed():
    advice = cw.advise(of_losses({512: [0.2], 1024: [0.2]}), min_gain=0.1)

    assert advice.answer == "no"
    assert advice.remedies == ()


def test_a_curve_with_a_single_fold_needs_more_than_one():
    advice = cw.advise(of_losses({512: [0.21], 1024: [0.2]}, n_test=300))

    assert texts(advice, "evidence") == [
        "The noise of the folds is as large as the gain: more than 1 fold at each size would make "
        "the answer surer."
    ]


def test_an_overfitted_leader_is_sent_to_regularisation():
    cells = [
        cw.Observation(
            cw.Task("tree", anchor, fold), 0.3, n_test=1000, scores={"accuracy": 0.7, "auc": 0.8},
            train_scores={"accuracy": 1.0, "auc": 1.0},
        )
        for anchor in ANCHORS for fold in range(5)
    ]  # fmt: skip

    advice = cw.advise([cw.LearningCurve(cells)])

    assert "regularise" in [remedy.kind for remedy in advice.remedies]
    assert "0.3 better on its training rows" in advice.explain()


@pytest.mark.parametrize("factor", [2, 64, 1e6])
def test_no_score_is_better_than_the_best(factor):
    losses = {512: [2.0, 2.1, 1.9], 1024: [0.4, 0.3, 0.35]}
    advice = cw.advise(of_losses(losses), scale=cw.Scale.unbounded(best=1.0), factor=factor)

    assert advice.score_then <= 1.0
    assert advice.score_interval.high <= 1.0
    assert advice.predictions[0].high <= 1.0


def test_the_base_rate_says_on_what_sizes_it_is_known():
    usual, small = (cw.advise([curve(anchors=anchors)]) for anchors in (ANCHORS, (64, 128)))

    assert f"recorded searches of this size suggest {usual.base_rate:.0%}." in (usual.explain())
    assert "; recorded searches of 256 rows or more suggest " in small.explain()


@pytest.mark.parametrize("question", [{"factor": 3}, {"factor": 1000}, {"n_rows": 3000}], ids=str)
def test_only_doublings_were_recorded(question):
    advice = cw.advise([curve()], **question)

    assert math.isfinite(advice.base_rate)
    assert "recorded" not in advice.explain()


def test_a_search_that_ended_early_is_not_asked_about_a_doubling():
    validation = cw.Validation("svc", schedule=9000, policy=cw.LCCV(), best_loss=0.01)
    while not validation.done:
        for task in validation.ask():
            validation.tell(cw.Observation(task, 0.4 + task.fold / 100, n_test=1000))

    assert "recorded" not in cw.advise([validation.result], factor=2).explain()


def test_the_candidate_that_leads_then_is_said_to_be_predicted_by_itself():
    advice = cw.advise(portfolio())
    (text,) = [line for line in advice.explain().splitlines() if "by itself" in line]

    assert f"{advice.predictions[0].score_then:.4g}" != f"{advice.score_then:.4g}"
    assert text == (
        f"learner0 by itself is expected to reach {advice.predictions[0].score_then:.4g}: the "
        "curve of a single candidate continues less steadily than that of the best of all."
    )
    assert "by itself" not in cw.advise([curve()]).explain()


def test_a_leader_that_cannot_be_predicted_by_itself_is_not_said_to_be():
    # It has one size, and borrows the step of another.
    leader, other = curve("leader", floor=0.05, anchors=(2048,)), curve("other", floor=0.2)
    advice = cw.advise([leader, other], scale=UNBOUNDED)

    assert advice.gain > 0
    assert "by itself" not in advice.explain()


def test_a_scale_that_is_given_counts_for_results_too():
    validation = cw.Validation("svc", schedule=512, policy=cw.LCCV(prune=False, skip=False))
    while not validation.done:
        for task in validation.ask():
            validation.tell(cw.Observation(task, 0.1 + task.fold / 100, n_test=100))

    own, given = (cw.advise([validation.result], scale=scale) for scale in (None, UNBOUNDED))
    assert own.scale == validation.result.scale
    assert given.scale == UNBOUNDED
    assert given.score_now == pytest.approx(own.score_now - 1)


def test_far_ahead_is_said_to_be_far():
    far, near = (cw.advise(portfolio(), factor=factor).explain() for factor in (16, 8))

    assert "16 times the training rows" in far
    assert "tried out" not in near


@pytest.mark.parametrize(
    ("options", "kinds"),
    [
        ({"factor": 1.02}, []),
        ({"method": "last"}, []),
        ({"min_gain": 0.9}, []),
        ({"min_gain": 0.2}, ["features"]),
    ],
    ids=["few rows", "no method", "nothing left", "flat"],
)
def test_only_flat_curves_are_called_flat(options, kinds):
    advice = cw.advise(portfolio(height=6.0, n_folds=10, n_test=50_000), **options)

    assert advice.answer == "no"
    assert [remedy.kind for remedy in advice.remedies] == kinds


def test_candidates_that_a_limit_stopped_need_a_longer_limit_and_not_full_curves():
    validation = cw.Validation("slow", schedule=2048, policy=cw.LCCV(prune=False, skip=False))
    for task in validation.ask():
        validation.tell(cw.Observation(task, 0.25 + task.fold / 100, n_test=500))
    validation.stop()
    whole = {"whole": curve("whole", n_test=500), "slow": validation.result}
    advice = cw.advise(whole, sure=0.999)

    assert advice.answer == "cannot tell"
    assert "1 candidate was stopped or failed" in advice.explain()
    assert "WholeCurve" not in advice.explain()


def test_curves_that_cannot_be_longer_are_not_asked_to_be():
    assert "WholeCurve" in cw.advise([curve(anchors=(2048,))]).explain()
    assert "WholeCurve" not in cw.advise([curve(anchors=(100,))]).explain()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a\nb", "a b"),
        ("\x1b[31mred", "[31mred"),
        ("", "''"),
        (" \t", "' \\t'"),
        ("x" * 500, "xxx..."),
    ],
    ids=["lines", "escape", "empty", "blank", "long"],
)
def test_strange_names_stay_on_their_line(name, shown):
    text = cw.advise([curve(name), curve("other", floor=0.2)]).explain()

    (line,) = [line for line in text.splitlines() if "is the best now" in line]
    assert shown in line
    assert text.isprintable() or "\x1b" not in text
    assert len(line) < 200


def test_a_score_that_is_had_already_needs_no_more_rows():
    advice = cw.advise(portfolio())

    assert advice.rows_for(0.5).rows == advice.rows_now
    assert advice.rows_for(0.9999).rows is None
    assert "out of reach" in advice.rows_for(0.9999).explain()


def test_the_path_ends_where_it_was_asked_to():
    advice = cw.advise(portfolio(), factor=4)
    path = advice.path()

    assert path[0].score == advice.score_now
    assert path[0].low < path[0].score < path[0].high
    assert path[-1].rows == pytest.approx(advice.training_rows_then)
    assert path[-1].score == pytest.approx(advice.score_then)
    assert (path[-1].low, path[-1].high) == pytest.approx(advice.score_interval)


def test_a_stored_run_knows_its_rows_and_its_target(tmp_path):
    with RunStore.create(tmp_path / "run.db") as store:
        schedule = cw.Schedule((64, 800))
        run = store.begin({}, "1000x4-9f86", schedule=schedule, n_folds=5, n_rows=1000)
        for observation in curve(anchors=(64,)):
            run.record(observation)
        advice = cw.advise(store.run(1))

    assert (advice.rows_now, advice.rows_then) == (1000, 2000)
    assert (advice.training_rows_now, advice.training_rows_then) == (64, 1600)
    assert advice.predictions[0].status == "running"
