"""Tables that a plug-in loads."""

import importlib
import sys

import pytest

from curvewise.automl import read_table
from curvewise.errors import PlugInError, TableError
from tests.test_plug_ins import install

pd = pytest.importorskip("pandas")

LOADERS = """
import pandas as pd

def load(rest):
    if rest == "trouble":
        raise OSError("no such shelf\\nsecond line")
    if rest == "text":
        return "no frame"
    frame = pd.DataFrame({"a": range(20), "kind": ["x", "y"] * 10}, index=range(100, 120))
    if rest == "elsewhere":
        return frame, "nowhere"
    return (frame, "kind") if rest == "shelf" else frame
"""


@pytest.fixture(autouse=True)
def plugged(tmp_path, monkeypatch):
    points = "[curvewise.tables]\nstock = stocked.loaders:load\n"
    install(tmp_path, "stocked", {"loaders": LOADERS}, points)
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "stocked"]:
        del sys.modules[name]


def test_a_table_comes_from_the_plug_in_with_its_target():
    table = read_table("stock:shelf", keep=["a"])

    assert (table.name, table.target, table.n_rows) == ("shelf", "kind", 20)
    assert list(table.X.columns) == ["a"]


def test_the_target_may_be_said_by_the_user():
    assert read_table("stock:box", target="kind", keep=["a"]).target == "kind"


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("stock:trouble", "'stock' of stocked failed: OSError: no such shelf second line."),
        ("stock:text", "gave no data frame of pandas, but a str"),
        ("stock:elsewhere", "named a target that is no column: 'nowhere'"),
    ],
)
def test_what_goes_wrong_there_is_one_sentence(source, says):
    with pytest.raises(PlugInError, match=says):
        read_table(source)


def test_a_sheet_is_refused():
    with pytest.raises(TableError, match="stock:shelf has no sheets"):
        read_table("stock:shelf", sheet="a")


def test_a_scheme_that_nobody_knows_is_a_file_that_is_not_there():
    with pytest.raises(TableError, match="nobody:thing"):
        read_table("nobody:thing")
