import numpy as np

from curvewise.automl._components.frames import PARTS, find_kinds, open_frame, read_date_parts


def test_lists_of_numbers_are_a_frame():
    assert open_frame([[1.0, 2.0]]).kinds == ["number", "number"]


def test_objects_are_coded_and_kinds_come_from_their_values():
    frame = open_frame(np.array([["1.5", "a"], [None, "b"]], dtype=object))

    assert frame.kinds == ["object", "object"]
    assert frame.values(1)[1] == ["a", "b"]
    assert find_kinds(frame) == ["number", "category"]


def test_a_date_is_what_calendar_and_clock_say():
    dates = np.array([["2024-02-29T12:00"], ["NaT"]], dtype="datetime64[us]")
    parts = read_date_parts(open_frame(dates), 0)

    assert dict(zip(PARTS, parts[0].tolist(), strict=True)) == {
        "year": 2024,
        "month": 2,
        "day": 29,
        "weekday": 3,
        "hour": 12,
        "days": 19782.5,
    }
    assert np.isnan(parts[1]).all()
