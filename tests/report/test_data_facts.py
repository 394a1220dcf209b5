"""What is taken for the profile of a table."""

import pytest

from curvewise._report.data_facts import is_profile
from curvewise.automl import read_table
from curvewise.automl._tables.table import profile
from tests.report.samples import PROFILE


@pytest.mark.parametrize("name", ["iris", "diabetes"])
def test_what_select_notes_is_a_profile(name):
    assert is_profile(profile(read_table(f"sklearn:{name}")))


@pytest.mark.parametrize(
    "change",
    [
        {"target": 7},
        {"target": {"classes": "abc"}},
        {"target": {"classes": [None], "n_classes": 1}},
        {"target": {"classes": [], "n_classes": None}},
        {"columns": None},
        {"kinds": None},
        {"kinds": {"number": {}}},
        {"features": "abc"},
        {"features": [7]},
        {"notes": {}},
    ],
)
def test_what_has_another_form_is_none(change):
    assert is_profile(PROFILE)
    assert not is_profile(PROFILE | change)
