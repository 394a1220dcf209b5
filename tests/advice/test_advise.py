"""From curves to an answer: what always holds, and input that is hardly any."""

import json
import math
from types import SimpleNamespace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import curvewise as cw
from curvewise.executors import RunStore
from tests.advice.curves import (
    ANCHORS,
    curve,
    of_losses,
    portfolio,
    portfolios,
    wavering,
)

RATES, UNBOUNDED = cw.Scale(), cw.Scale.unbounded()


def named(losses):
    return {f"learner{i}": of_losses(each, n_test=100) for i, each in enumerate(losses)}


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


class TestHardlyAnyInput:
    def test_a_single_anchor_rests_on_experience(self):
        advice = cw.advise([curve(anchors=(2048,))])

        assert advice.basis.kind == "one size"
        assert advice.step is None
        assert advice.probability == pytest.approx(advice.base_rate)

    def test_a_single_anchor_on_an_unknown_scale_tells_nothing(self):
        advice = cw.advise(of_losses({900: [25.0, 30.0]}))

        assert advice.answer == "cannot tell"
        assert math.isnan(advice.gain)
        assert "Cannot tell" in advice.explain()
        assert advice.facts()["gain"] is None
        assert advice.rows_for(-1.0).rows is None

    def test_two_anchors_are_a_step(self):
        assert cw.advise([curve(anchors=(1024, 2048))]).step.before == 1024

    @pytest.mark.parametrize("loss", [0.0, 0.1, 0.2])
    def test_a_flat_curve_whose_folds_are_the_same_stays_but_is_not_certain(self, loss):
        advice = cw.advise(of_losses({512: [loss] * 3, 1024: [loss] * 3}))

        assert advice.gain == 0.0
        assert advice.interval.low < -0.001
        assert advice.interval.high > 0.001 or loss == 0
        assert advice.answer == ("cannot tell" if loss else "no")

    def test_the_same_negative_loss_on_every_fold_tells_nothing_of_chance(self):
        advice = cw.advise(of_losses({512: [-3.0] * 5, 1024: [-3.0] * 5}))

        assert advice.answer == "cannot tell"
        assert "The noise is unknown because all folds are the same, so nothing" in advice.explain()

    def test_a_rising_error_is_not_expected_to_fall(self):
        advice = cw.advise(of_losses({512: [0.2, 0.21], 1024: [0.3, 0.29]}, n_test=1000))

        assert advice.gain == 0.0
        assert advice.last_gain < 0

    def test_folds_that_are_no_number_do_not_count(self):
        losses = {512: [0.2, math.nan, 0.21], 1024: [0.1, math.inf, 0.11]}
        advice = cw.advise(of_losses(losses, n_test=100))

        assert advice.step.n_folds == 2
        assert advice.score_now == pytest.approx(0.895)

    def test_one_fold_without_test_rows_rests_on_experience(self):
        advice = cw.advise(of_losses({512: [0.2], 1024: [0.1]}))

        assert advice.probability == pytest.approx(advice.base_rate)

    def test_all_candidates_pruned_at_the_first_anchor(self):
        curves = [curve(f"learner{i}", anchors=(64,), n_folds=3) for i in range(3)]
        advice = cw.advise(curves)

        assert advice.basis.kind == "one size"
        assert advice.answer in ("yes", "no", "cannot tell")

    def test_candidates_without_observations_are_counted(self):
        advice = cw.advise([curve(), cw.LearningCurve()])

        assert (advice.basis.n_candidates, advice.basis.n_without) == (1, 1)

    def test_partial_curves_say_so(self):
        whole, part = curve("whole"), curve("part", floor=0.3, anchors=(256, 512))
        advice = cw.advise([whole, part])

        assert advice.basis.kind == "partial"
        assert (
            "partial curves: 1 of 2 candidates has both ends of the last step" in advice.explain()
        )
        assert advice.predictions[-1].rows == 512

    def test_names_that_are_the_same_become_numbers(self):
        advice = cw.advise([curve("svc"), curve("svc", floor=0.2)])

        assert [each.candidate for each in advice.predictions] == [0, 1]

    def test_the_largest_losses_do_not_overflow(self):
        advice = cw.advise(of_losses({512: [1e99, 2e99], 1024: [5e98, 4e98]}))

        assert advice.gain > 0

    @pytest.mark.parametrize("method", ["curve", "ipl", "last"])
    def test_losses_whose_squares_overflow_are_answered(self, method):
        losses = {256: [9e307, 8e307], 512: [4e307, 5e307], 1024: [2e307, 3e307]}

        assert cw.advise(of_losses(losses), method=method).explain()

    @pytest.mark.parametrize("unit", [1e153, 1e154, 1e200, 1e305])
    def test_the_chance_of_large_losses_is_known(self, unit):
        def losses(unit):
            falling = {512: [9, 8, 9, 10, 9], 1024: [5, 4, 5, 6, 4]}
            return of_losses({rows: [unit * loss for loss in of] for rows, of in falling.items()})

        plain, large = (cw.advise(losses(each), min_gain=each) for each in (1.0, unit))

        assert large.gain == pytest.approx(unit * plain.gain)
        assert large.probability == pytest.approx(plain.probability)
        assert "full learning curves of 1 candidate, on 5 folds" in large.explain()

    @pytest.mark.parametrize("question", [{"n_rows": 500}, {"n_rows": 1}, {"factor": 1.0}])
    @pytest.mark.parametrize("method", ["curve", "ipl", "last"])
    @pytest.mark.parametrize("anchors", [ANCHORS, (2048,)], ids=["curves", "one size"])
    def test_rows_that_are_there_already_do_not_help(self, question, method, anchors):
        curves = portfolio(height=6.0, anchors=anchors)
        advice = cw.advise(curves, method=method, target_score=0.99, **question)

        assert (advice.answer, advice.probability) == ("no", 0.0)
        assert math.isnan(advice.gain) or advice.gain <= 0
        assert "no more than the 2,548 that there are" in advice.explain()
        assert advice.remedies == ()
        assert len(advice.path()) > 1
        json.dumps(advice.facts(), allow_nan=False)

    def test_fewer_rows_take_back_what_the_last_step_brought(self):
        advice = cw.advise(portfolio(height=6.0, wobble=0.0), factor=0.5)

        assert advice.gain == pytest.approx(-advice.last_gain)
        assert advice.predictions[0].gain < 0

    @pytest.mark.parametrize("factor", [0.25, 0.125])
    def test_fewer_rows_lead_back_to_what_was_seen(self, factor):
        curves = portfolio(height=2.0, wobble=0.0)
        advice = cw.advise(curves, factor=factor)

        seen = 1 - curves[0].mean(round(2048 * factor))
        assert advice.score_then == pytest.approx(seen, abs=0.015)

    @pytest.mark.parametrize("anchors", [ANCHORS, (2048,), (64,)], ids=str)
    def test_no_rate_is_worse_than_1(self, anchors):
        assert cw.advise(portfolio(height=6.0, anchors=anchors), n_rows=1).score_then >= 0

    def test_fewer_rows_may_cost_much_and_hardly_help(self):
        advice = cw.advise(of_losses({135: [0.05, 0.06, 0.05]}, n_test=15), n_rows=10)

        low, high = advice.interval
        assert low < advice.gain < 0
        assert advice.gain - low > high - advice.gain

    def test_candidates_that_were_pruned_early_tell_the_target(self):
        validation = cw.Validation("svc", schedule=9000, policy=cw.LCCV(), best_loss=0.01)
        while not validation.done:
            for task in validation.ask():
                validation.tell(cw.Observation(task, 0.4 + task.fold / 100, n_test=1000))
        advice = cw.advise([validation.result])

        assert (advice.rows_now, advice.rows_then) == (10_000, 20_000)
        assert (advice.training_rows_now, advice.training_rows_then) == (1024, 18_000)
        assert advice.basis.kind == "partial"
        assert "end at 1,024 of 9,000 training rows" in advice.explain()

    def test_one_fold_without_test_rows_says_that_chance_is_unknown(self):
        text = cw.advise(of_losses({512: [0.2], 1024: [0.1]})).explain()

        assert "The noise is unknown with a single fold, so the answer rests on other" in text

    def test_without_experience_none_is_claimed(self):
        for options in ({"scale": UNBOUNDED}, {"method": "ipl"}):
            text = cw.advise([curve(anchors=(2048,))], **options).explain()

            assert "No candidate was measured at two sizes" in text
            assert "experience" not in text

    def test_a_power_law_needs_three_sizes(self):
        advice = cw.advise([curve(anchors=(1024, 2048))], method="ipl")

        assert advice.answer == "cannot tell"
        assert math.isnan(advice.gain)
        assert "A power law needs results at three sizes" in advice.explain()


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


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_rows": 0}, "n_rows must be at least 1, got 0."),
        ({"factor": 0.0}, "factor must be above 0, got 0.0."),
        ({"factor": 1e300}, r"There are no 2.55e\+303 rows: ask about 1e\+15 at most."),
        ({"rows_now": 10}, "rows_now must be at least the 2048 training rows, got 10."),
        ({"scale": "accuracy"}, "scale must be a Scale, got 'accuracy'."),
        ({"target_score": "much"}, "target_score must be a finite number, got 'much'."),
        ({"factor": 2, "n_rows": 9000}, "Give n_rows or factor, not both."),
        ({"min_gain": -1}, "min_gain must be at least 0, got -1."),
        ({"method": "magic"}, "method must be one of curve, ipl, last, got 'magic'."),
        ({"sure": 0.3}, "sure must be between 0.5 and 1, got 0.3."),
        ({"level": 1.0}, "level must be between 0 and 1, got 1.0."),
    ],
    ids=[
        "rows",
        "factor",
        "huge",
        "now",
        "scale",
        "score",
        "both",
        "gain",
        "method",
        "sure",
        "level",
    ],
)
def test_questions_that_make_no_sense_get_a_sentence(options, message):
    with pytest.raises(cw.InvalidParameterError, match=f"^{message}$"):
        cw.advise([curve()], **options)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([], "There is no candidate to advise on."),
        ([cw.LearningCurve()], "There is no observation to advise on among 1 candidates."),
        (7, "Advice needs results, curves or a fitted search, got int."),
        ("run.db", "Advice needs results, curves or a fitted search, got str."),
        ([1.0], "Advice needs results or learning curves, got float."),
    ],
    ids=["nothing", "empty", "number", "text", "numbers"],
)
def test_sources_without_curves_get_a_sentence(source, message):
    with pytest.raises(cw.InvalidParameterError, match=f"^{message}$"):
        cw.advise(source)


@settings(max_examples=60, deadline=None)
@given(portfolios(), st.sampled_from([RATES, UNBOUNDED]), st.sampled_from(["curve", "ipl"]))
def test_any_curves_get_an_answer(losses, scale, method):
    advice = cw.advise(named(losses), scale=scale, method=method)

    assert advice.answer in ("yes", "no", "cannot tell")
    assert advice.explain()
    json.dumps(advice.facts(), allow_nan=False)
    if math.isfinite(advice.gain):
        assert advice.interval.low <= advice.gain <= advice.interval.high
    if scale is RATES and method == "curve":
        assert 0 <= advice.gain <= max(0.0, 1 - advice.score_now) + 1e-12


@settings(max_examples=40, deadline=None)
@given(portfolios(), st.floats(0, 0.2), st.floats(0, 0.2))
def test_a_larger_wish_is_never_more_probable(losses, one, other):
    curves = named(losses)
    small, large = sorted((one, other))

    assert (
        cw.advise(curves, min_gain=large).probability
        <= cw.advise(curves, min_gain=small).probability + 1e-12
    )


@settings(max_examples=40, deadline=None)
@given(portfolios(), st.floats(1.1, 8), st.floats(1.1, 8))
def test_more_rows_never_promise_less(losses, one, other):
    curves = named(losses)
    few, many = sorted((one, other))

    assert cw.advise(curves, factor=few).gain <= cw.advise(curves, factor=many).gain + 1e-12


@settings(max_examples=40, deadline=None)
@given(portfolios(), st.floats(0.5, 0.9), st.floats(0.9, 0.99))
def test_wider_intervals_contain_narrower_ones(losses, narrow, wide):
    curves = named(losses)
    inner, outer = (cw.advise(curves, level=level).interval for level in (narrow, wide))

    assert outer.low <= inner.low
    assert inner.high <= outer.high


@settings(max_examples=40, deadline=None)
@given(st.floats(1e-9, 1e9))
def test_the_unit_of_an_unbounded_loss_does_not_matter(unit):
    plain = cw.advise(wavering(1.0), scale=UNBOUNDED, min_gain=0.05)
    moved = cw.advise(wavering(unit), scale=UNBOUNDED, min_gain=0.05 * unit)

    assert moved.gain == pytest.approx(unit * plain.gain, rel=1e-6)
    assert moved.probability == pytest.approx(plain.probability, abs=1e-6)
    assert moved.answer == plain.answer


@settings(max_examples=40, deadline=None)
@given(st.floats(5, 1e3))
def test_negative_losses_have_no_end_and_may_be_shifted(shift):
    plain, moved = (
        cw.advise(wavering(1.0, shift=-each), scale=UNBOUNDED, min_gain=0.05)
        for each in (5.0, shift)
    )

    assert moved.gain == pytest.approx(plain.gain, rel=1e-6)
    assert moved.probability == pytest.approx(plain.probability, abs=1e-6)


@settings(max_examples=30, deadline=None)
@given(portfolios(), st.randoms())
def test_the_order_of_the_candidates_changes_nothing(losses, random):
    curves = list(named(losses).items())
    bests = [min(curve.mean(anchor) for _, curve in curves if anchor in curve.anchors)
             for anchor in {a for _, curve in curves for a in curve.anchors}]  # fmt: skip
    assume(len(bests) == len(set(bests)))
    shuffled = random.sample(curves, len(curves))

    one, other = cw.advise(dict(curves)), cw.advise(dict(shuffled))
    assert other.gain == pytest.approx(one.gain, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(portfolios(), st.floats(0, 1))
def test_the_rows_for_a_score_are_where_it_is_expected(losses, wish):
    advice = cw.advise(named(losses))
    need = advice.rows_for(wish)

    if need.rows is not None and wish > advice.score_now:
        then = cw.advise(named(losses), rows_now=advice.rows_now, n_rows=need.rows + 1)
        assert then.score_then >= wish - 1e-6
        assert need.rows <= need.farthest


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
