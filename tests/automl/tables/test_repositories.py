import urllib.error
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn import datasets
from sklearn.utils import Bunch

from curvewise.automl import read_table
from curvewise.automl._tables.repositories import BUNDLED
from curvewise.errors import TableError


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_sets_need_no_network(name):
    table = read_table(f"sklearn:{name}")

    assert (table.name, table.target) == (name, "target")
    assert table.task == ("regression" if name == "diabetes" else "classification")
    assert table.n_rows == len(table.X) > 100


def test_an_unknown_bundled_set_lists_the_known():
    with pytest.raises(TableError, match=r"no data set 'irs' .* the nearest is 'iris'\."):
        read_table("sklearn:irs")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (urllib.error.URLError("Name or service not known"), "OpenML cannot be reached"),
        (TimeoutError("timed out"), "OpenML cannot be reached"),
        (urllib.error.HTTPError("u", 412, "no", None, None), "OpenML has no data set openml:61"),
        (urllib.error.HTTPError("u", 503, "no", None, None), "HTTP 503"),
        (ValueError("bad data\nmore"), "openml:61 cannot be fetched: bad data"),
    ],
)
def test_a_failing_fetch_is_explained(monkeypatch, error, sentence):
    def fail(**settings):
        raise error

    monkeypatch.setattr(datasets, "fetch_openml", fail)

    with pytest.raises(TableError) as caught:
        read_table("openml:61")
    assert sentence in str(caught.value)
    assert str(caught.value).count("\n") == 0


@pytest.mark.parametrize("number", ["", "iris", "-1", "1.5", "²"])
def test_openml_needs_a_number(number):
    with pytest.raises(TableError, match="named by its id"):
        read_table(f"openml:{number}")


def test_openml_declares_its_target_and_warns_in_notes(monkeypatch):
    frame = pd.DataFrame({"kind": ["a", "b", "a"], "x": [1, 2, 3]})

    def fetch(**settings):
        warnings.warn("Version 1 is inactive.\nTry another.", stacklevel=1)
        return Bunch(frame=frame, target_names=["kind"])

    monkeypatch.setattr(datasets, "fetch_openml", fetch)
    table = read_table("openml:7")

    assert table.target == "kind"
    assert table.notes[:2] == [
        "OpenML: Version 1 is inactive.",
        "The target is 'kind', as the source declares.",
    ]


def test_sparse_openml_sets_become_dense(monkeypatch):
    bunch = Bunch(
        frame=None,
        data=sparse.csr_matrix(np.eye(3)),
        feature_names=["a", "b", "c"],
        target=np.array(["p", "q", "p"], dtype=object),
        target_names=["y"],
    )
    monkeypatch.setattr(datasets, "fetch_openml", lambda **settings: bunch)
    table = read_table("openml:7")

    assert table.X.to_numpy().tolist() == np.eye(3).tolist()
    assert table.y.tolist() == ["p", "q", "p"]
