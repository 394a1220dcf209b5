"""Advice on hardly any input, and on questions that make no sense."""

import json
import math

import pytest

import curvewise as cw
from tests.advice.curves import (
    ANCHORS,
    curve,
    of_losses,
    portfolio,
)
from tests.advice.test_advise import UNBOUNDED


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
        assert "1 of 2 candidates has both ends of the last step" in advice.explain()
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
