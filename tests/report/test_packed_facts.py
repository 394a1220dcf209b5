import json

from hypothesis import given
from hypothesis import strategies as st

from curvewise._report.packed_facts import packed, without_details
from curvewise._report.report_page import MOST, as_script

WORDS = st.sampled_from(["", "step", "went on to 64 rows", "pruned at 64 rows: 0.5, to beat 0.9"])
CANDIDATES = st.lists(
    st.fixed_dictionaries(
        {"algorithm": WORDS, "recipe": WORDS, "folds": st.lists(st.integers(), max_size=1)},
        optional={"brief": WORDS},
    ).flatmap(
        lambda each: st.builds(
            lambda steps, why: {**each, "steps": steps, "why": steps[-1] if steps else why},
            st.lists(WORDS, max_size=3),
            WORDS,
        )
    )
)


def unpacked(facts):
    """What `unpack` in text.js does."""
    texts = facts["texts"]

    def text(value):
        return texts[value] if isinstance(value, int) else value

    for each in facts["candidates"]:
        each["steps"] = [text(step) for step in each["steps"]]
        for field in ("algorithm", "recipe", "why"):
            if field in each:
                each[field] = text(each[field])
        each.setdefault("why", each["steps"][-1] if each["steps"] else None)
        if isinstance(each.get("brief"), int):
            each["brief"] = each["why"][: each["brief"]]
        each.setdefault("folds", [])
    return facts["candidates"]


@given(CANDIDATES)
def test_what_is_packed_comes_out_as_it_was(candidates):
    facts = json.loads(json.dumps(packed({"candidates": candidates})))

    assert unpacked(facts) == candidates


def test_what_many_say_is_there_once():
    why = "pruned at 1,250 rows after 1 fold (too far behind): 0.6, to beat 0.9"
    candidate = {
        "steps": ["went on to 1,250 rows", why],
        "why": why,
        "brief": why[:51],
        "folds": [],
    }
    text = json.dumps(packed({"candidates": [candidate] * 100}))

    assert text.count("went on") == 1
    assert text.count("too far behind") == 1


def candidates_of(n):
    """What a page has of each of many candidates, all different."""
    return [
        {
            "place": i,
            "name": f"max_depth={i % 50}, min_samples_leaf={i % 7}, max_features=0.{i:05}",
            "algorithm": "RandomForestClassifier",
            "recipe": f"Pipeline(steps=[('scale', StandardScaler()), ('forest', Forest({i}))])" * 3,
            "status": "pruned",
            "points": [[312, 0.6 + i / 1e6, None, None, 1], [1250, 0.7 + i / 1e6, None, None, 1]],
            "folds": [],
            "seconds": 2.1 + i / 1e4,
            "n_fits": 2,
            "why": f"pruned at 1,250 rows after 1 fold (too far behind): 0.{i:05}, to beat 0.9229",
            "brief": "pruned at 1,250 rows after 1 fold (too far behind)",
            "steps": [
                "evaluated 1 fold at 312 rows",
                "went on to 1,250 rows",
                f"pruned at 1,250 rows after 1 fold (too far behind): 0.{i:05}, to beat 0.9229",
            ],
        }
        for i in range(n)
    ]


def test_a_tenth_of_20_000_candidates_takes_a_tenth_of_the_room():
    text = as_script({"candidates": candidates_of(2_000)}, most=MOST // 10)

    assert len(text) <= MOST // 10
    assert len(json.loads(text)["candidates"]) == 2_000


def test_those_at_the_top_keep_their_details():
    facts = without_details({"candidates": candidates_of(10)}, 4)

    assert ["recipe" in each for each in facts["candidates"]] == [True] * 4 + [False] * 6
    assert all(each["steps"][-1] == each["why"] for each in facts["candidates"])
