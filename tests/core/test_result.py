"""The small picture of a result is well-formed whatever happened, and says what the result says."""

import math
import xml.etree.ElementTree as ET

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curvewise import (
    LCCV,
    Failure,
    Interval,
    LearningCurve,
    Observation,
    Reason,
    Scale,
    Status,
    Task,
    Validation,
    ValidationResult,
)
from curvewise._sketch import NOT_IN_XML, draw_svg
from curvewise.core._decisions import Advance, Complete, Fail, Hold, Lead, Prune, Revive, Skip, Stop
from curvewise.core._result import picture_of
from tests.play import power_law

SVG = "{http://www.w3.org/2000/svg}"

# Every character there is, control characters and lone surrogates included.
texts = st.text(st.characters(exclude_categories=()), max_size=20)
names = texts | st.integers() | st.tuples(texts, st.floats())
anchors = st.integers(1, 10**12)
losses = st.floats(-1e99, 1e99) | st.sampled_from([0.0, 0.1, 0.1 + 1e-17, 5e-324, math.nan])
numbers = st.floats()


@st.composite
def decisions(draw, failure):
    anchor, wants = draw(anchors), ((draw(anchors), 0),)
    rule = draw(st.sampled_from(["bound", "chance"]))
    return draw(
        st.sampled_from(
            [
                Advance(anchor, wants, (), draw(numbers), draw(numbers)),
                Skip(anchor, wants, (), "ipl", draw(numbers), draw(numbers)),
                Hold(),
                Lead(draw(numbers), 1),
                Revive(draw(names)),
                Prune(anchor, draw(numbers), draw(numbers), draw(anchors), rule, 2),
                Complete(anchor, draw(numbers), 3),
                Stop(draw(texts), draw(numbers), draw(texts)),
                Fail(failure, 2),
            ]
        )
    )


@st.composite
def results(draw):
    name = draw(names)
    cells = draw(st.dictionaries(st.tuples(anchors, st.integers(0, 9)), losses, max_size=12))
    curve = LearningCurve(Observation(Task(name, *cell), loss) for cell, loss in cells.items())
    failure = Failure(Task(name, draw(anchors), 0), Reason.ERROR, draw(texts))
    return ValidationResult(
        name,
        draw(st.sampled_from(Status)),
        draw(numbers),
        Interval(-math.inf, math.inf),
        curve,
        tuple(draw(st.lists(decisions(failure), max_size=4))),
        draw(st.sampled_from([(), (failure,), (failure, failure)])),
        draw(st.sampled_from([Scale(), Scale.unbounded(), Scale.unbounded(best=-1e30)])),
    )


def svg_of(result):
    return draw_svg(picture_of(result), title=result.explain())


def validated(name, learner, *, failing=(), policy=None, **knobs):
    validation = Validation(name, policy=policy or LCCV(), **knobs)
    while not validation.done:
        for task in validation.ask():
            if task.anchor in failing:
                validation.tell(Failure(task, Reason.ERROR, "<no> rows"))
            else:
                validation.tell(Observation(task, learner(task.anchor, task.fold)))
    return validation.result


@pytest.fixture
def pruned():
    return validated("svc", power_law(0.2, wobble=0.01), schedule=9000, best_loss=0.05)


def texts_of(svg):
    return [element.text for element in ET.fromstring(svg).iter(f"{SVG}text")]


@given(results())
def test_any_result_gives_well_formed_pictures_with_escaped_names(result):
    svg = ET.fromstring(svg_of(result))
    page = ET.fromstring(result._repr_html_())

    # Reading XML turns every end of line into a newline.
    sentence = NOT_IN_XML.sub("\ufffd", result.explain()).replace("\r\n", "\n").replace("\r", "\n")
    assert svg.find(f"{SVG}title").text == sentence
    assert page.find("p/strong").text == sentence
    assert len(page.findall("details/ol/li")) == len(result.decisions)


def half_known():
    """A fold at a size whose mean is not known, and a failure at another size."""
    cells = [Observation(Task("svc", 1, fold), loss) for fold, loss in enumerate((0.1, math.nan))]
    failure = Failure(Task("svc", 2, 0), Reason.ERROR)
    unknown = Interval(-math.inf, math.inf)
    curve = LearningCurve(cells)
    return ValidationResult("svc", Status.FAILED, math.nan, unknown, curve, (), (failure,), Scale())


@given(results())
@example(half_known())
def test_nothing_is_drawn_outside_of_the_picture(result):
    root = ET.fromstring(svg_of(result))
    points = [
        tuple(map(float, pair.split(",")))
        for line in root.iter(f"{SVG}polyline")
        for pair in line.get("points").split()
    ]
    points += [
        (float(circle.get("cx")), float(circle.get("cy"))) for circle in root.iter(f"{SVG}circle")
    ]

    assert all(0 <= x <= 340 and 0 <= y <= 150 for x, y in points)


def test_the_optimistic_line_of_a_prune_ends_at_its_bound(pruned):
    picture = picture_of(pruned)
    prune = pruned.decisions[-1]

    assert picture.optimistic[0][0] == prune.anchor
    assert picture.optimistic[-1] == (9000, pruned.scale.score(prune.bound))
    assert picture.ending == f"pruned at {prune.anchor:,}"


def test_a_result_is_printed_as_its_sentence_and_without_losses(pruned):
    assert str(pruned) == pruned.explain()
    assert "loss" not in str(pruned)


def test_a_prune_names_what_had_to_be_beaten(pruned):
    assert picture_of(pruned).threshold == 0.95
    assert "to beat: 0.95" in texts_of(svg_of(pruned))


def test_the_threshold_of_a_race_belongs_to_its_anchor():
    prune = Prune(200, 0.3, 0.1, 9000, "behind at the same anchor", 1)
    curve = LearningCurve([Observation(Task("a", 200, 0), 0.3)])
    interval = Interval(-math.inf, math.inf)
    result = ValidationResult("a", Status.PRUNED, math.nan, interval, curve, (prune,), (), Scale())

    assert picture_of(result).threshold_anchor == 200
    assert picture_of(result).optimistic == ()
    assert "to beat at 200: 0.9" in texts_of(svg_of(result))


def test_a_single_observation_has_no_interval():
    result = validated("a", power_law(0.1), schedule=900, n_folds=1)

    assert [point.low for point in picture_of(result).points] == [-math.inf]
    # The axes and the curve, which is a point; no threshold and no interval.
    assert svg_of(result).count("<polyline") == 2


def test_failures_are_crosses_on_the_axis():
    policy = LCCV(prune=False, skip=False)
    result = validated("a", power_law(0.1), schedule=900, failing=(64,), policy=policy)

    assert set(picture_of(result).failures) == {64}
    assert svg_of(result).count("<path") == 1


def test_messages_of_learners_are_escaped():
    result = validated("<b>a</b>", power_law(0.1), schedule=900, failing=(900,))
    page = result._repr_html_()

    assert "<b>a</b>" not in page
    assert "&lt;no&gt; rows" in page


def test_a_page_has_the_facts(pruned):
    page = "".join(ET.fromstring(pruned._repr_html_()).itertext())

    assert pruned.explain() in page
    assert "status pruned" in page
    assert "score none" in page
    assert f"training rows {pruned.training_rows:,}" in page
