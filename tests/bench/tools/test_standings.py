import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curvewise._bench.tools.standings import (
    duels,
    frame_of,
    kept_budgets,
    measure_means,
    score_means,
    standings,
)
from tests.bench.tools.samples import result_of

TOOLS = ["ours", "flaml", "hgb"]


def frame(results, tools=TOOLS):
    return frame_of(results, tools)


def by_tool(records):
    return {record["tool"]: record for record in records}


def full(scores, *, n_splits=2, **changed):
    """Give each tool its score by table, on all splits."""
    return [
        result_of(tool, table=f"t{i}", split=split, score=score, **changed)
        for tool, own in scores.items()
        for i, score in enumerate(own)
        for split in range(n_splits)
    ]


def test_ranks_are_means_over_tables_with_intervals_around_them():
    scores = {"ours": [0.9, 0.9, 0.7], "flaml": [0.8, 0.8, 0.8], "hgb": [0.6, 0.6, 0.6]}
    found = by_tool(standings(frame(full(scores))))

    assert found["ours"]["rank_mean"] == pytest.approx(4 / 3)
    assert found["flaml"]["rank_mean"] == pytest.approx(5 / 3)
    assert (found["hgb"]["rank_low"], found["hgb"]["rank_high"]) == (3, 3)
    assert found["ours"]["rank_low"] == 1 < found["ours"]["rank_high"] <= 2
    assert found["ours"]["n_tables"] == 3


def test_rounds_of_a_single_tool_are_left_out_unless_there_are_no_others():
    alone = [result_of("ours", table="other", score=0.9)]
    results = [*full({"ours": [0.9], "flaml": [0.8]}), *alone]

    assert set(frame(results)["table"]) == {"t0"}
    assert set(frame(alone)["table"]) == {"other"}


def test_equal_scores_share_a_rank():
    found = by_tool(standings(frame(full({"ours": [0.8], "flaml": [0.8], "hgb": [0.7]}))))

    assert found["ours"]["rank_mean"] == found["flaml"]["rank_mean"] == 1.5


def test_a_normalised_score_is_0_for_the_constant_and_1_for_the_best():
    found = by_tool(standings(frame(full({"ours": [0.9], "flaml": [0.7], "hgb": [0.5]}))))

    assert found["ours"]["normalised_mean"] == 1
    assert found["flaml"]["normalised_mean"] == pytest.approx(0.5)
    assert found["hgb"]["normalised_mean"] == 0


def test_where_nobody_beats_the_constant_the_best_still_has_1():
    found = by_tool(standings(frame(full({"ours": [0.5], "flaml": [0.4], "hgb": [0.5]}))))

    assert [found[tool]["normalised_mean"] for tool in TOOLS] == [1, 0, 1]


def test_who_failed_has_the_worst_rank_and_the_score_of_the_constant():
    found = by_tool(standings(frame(full({"ours": [0.6], "flaml": [None], "hgb": [0.4]}))))

    assert found["flaml"]["rank_mean"] == 3
    assert found["flaml"]["normalised_mean"] == 0


def test_rounds_that_a_tool_has_not_run_are_not_ranked():
    results = full({"ours": [0.9, 0.2], "flaml": [0.8, 0.9], "hgb": [0.7]})
    found = by_tool(standings(frame(results)))
    two = by_tool(standings(frame(results, ["ours", "flaml"])))

    assert found["ours"]["n_tables"] == 1
    assert found["ours"]["rank_mean"] == 1
    assert two["ours"]["rank_mean"] == 1.5


def test_a_budget_that_a_tool_has_not_run_at_all_is_ranked_without_it():
    results = full({"ours": [0.9], "flaml": [0.8], "hgb": [0.7]})
    results += full({"ours": [0.9], "flaml": [0.8]}, budget=300.0)
    found = [each for each in standings(frame(results)) if each["budget"] == 300]

    assert [(each["tool"], each["rank_mean"]) for each in found] == [("ours", 1), ("flaml", 2)]


def test_without_a_common_round_nobody_is_ranked():
    apart = frame([result_of("ours", table="t"), result_of("flaml", table="u")])

    assert standings(apart) == duels(apart, "ours") == measure_means(apart) == []


@given(st.permutations(range(6)))
def test_the_order_of_results_changes_nothing(order):
    results = full({"ours": [0.9], "flaml": [0.8], "hgb": [0.7]})

    assert standings(frame([results[i] for i in order])) == standings(frame(results))


def test_duels_count_tables_and_a_tie_is_within_a_standard_error():
    scores = {"ours": [0.9, 0.8, 0.7], "flaml": [0.8, 0.805, 0.75]}
    (duel,) = duels(frame(full(scores)), "ours")

    assert (duel["wins"], duel["ties"], duel["losses"]) == (1, 1, 1)
    assert duel["not_worse_share"] == pytest.approx(2 / 3)
    assert duel["difference_worst"] == pytest.approx(-0.05)
    assert duel["worst_table"] == "t2"


def test_a_tie_is_at_least_two_thousandths_wide():
    for gap, ties in (0.0019, 1), (0.0025, 0):
        scores = {"ours": [0.9 - gap], "flaml": [0.9]}
        (duel,) = duels(frame(full(scores, score_error=0.0001)), "ours")

        assert duel["ties"] == ties


def test_who_failed_loses_a_duel_and_without_common_rounds_there_is_none():
    results = [*full({"ours": [0.9], "flaml": [None]}), result_of("hgb", table="other")]
    (duel,) = duels(frame(results), "ours")

    assert (duel["tool"], duel["wins"]) == ("flaml", 1)


def test_a_budget_is_kept_within_five_seconds_or_five_percent():
    late = {"a": 64.9, "b": 65.1}
    results = [result_of(tool, model_seconds=seconds) for tool, seconds in late.items()]
    results += [result_of(tool, budget=300.0, model_seconds=314.0) for tool in late]
    found = {(each["tool"], each["budget"]): each for each in kept_budgets(frame(results, "ab"))}

    assert found["a", 60]["kept_share"] == 1
    assert found["b", 60]["kept_share"] == 0
    assert found["a", 300]["kept_share"] == 1
    assert found["b", 60]["late_worst"] == pytest.approx(5.1)


def test_who_failed_has_not_kept_the_budget_however_quickly():
    results = [result_of("a", score=None, seconds=3.0), result_of("a", split=1)]
    (found,) = kept_budgets(frame(results, ["a"]))

    assert (found["kept_share"], found["n_failed"], found["n_cells"]) == (0.5, 1, 2)


def test_scores_by_table_are_means_of_the_splits_that_did_not_fail():
    results = [result_of("a", score=0.6), result_of("a", split=1, score=0.8)]
    results += [result_of("b", score=0.7), result_of("b", split=1, score=None)]
    (record,) = score_means(frame(results, ["a", "b"]))

    assert record["a"] == pytest.approx(0.7)
    assert record["b"] == 0.7
    assert record["n_failed"] == {"a": 0, "b": 1}


def test_measures_are_means_per_task():
    results = [result_of("a"), result_of("a", table="u", task="regression", r2=0.5, accuracy=None)]
    found = {each["task"]: each for each in measure_means(frame(results, ["a"]))}

    assert found["classification"]["auc"] == 0.9
    assert found["regression"]["r2"] == 0.5
    assert np.isnan(found["regression"]["accuracy"])
