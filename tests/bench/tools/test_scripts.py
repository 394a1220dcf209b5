"""The scripts that need no package but ours, run as they are run in a comparison."""

import numpy as np
import pandas as pd

from curvewise._bench.tools.tool_list import PACKAGE, Tool, read_tools
from tests.bench.tools.samples import run


def write_mixed(folder, n_rows=700):
    """Write a table with everything that columns can be; most levels of a text are rare."""
    rng = np.random.default_rng(0)
    number = rng.normal(size=n_rows)
    frame = pd.DataFrame(
        {
            "number": np.where(rng.random(n_rows) < 0.1, np.nan, number),
            "category": pd.Categorical(rng.choice(["a", "b", None], n_rows)),
            "many [levels]": [f"level {i // 2}" for i in rng.permutation(n_rows)],
            "flag": pd.array(rng.choice([True, False, None], n_rows), dtype="boolean"),
            "day": pd.date_range("2020-01-01", periods=n_rows, tz="UTC"),
            "target": np.where(number > 0, "yes", "no"),
        }
    )
    path = folder / "mixed.parquet"
    frame.to_parquet(path)
    return path


def test_a_single_model_takes_gaps_categories_dates_and_levels_that_it_has_not_seen(tmp_path):
    hgb = read_tools(names=["hgb"])["hgb"]
    here = Tool(name="hgb", script=hgb.script, options=hgb.options)
    (result,) = run(tmp_path, [here], [write_mixed(tmp_path)])

    assert result["error"] is None
    assert result["score"] > 0.85
    assert result["auc"] > 0.9
    assert result["choice"].startswith("HistGradientBoostingClassifier")
    assert 0 < result["model_seconds"] < result["seconds"]


def test_every_script_of_a_tool_comes_with_the_package():
    for tool in read_tools().values():
        assert PACKAGE.rpartition(".")[2] in tool.script.parts
