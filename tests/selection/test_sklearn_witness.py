"""scikit-learn's own tests of its searches pass on ours; see `tests.selection.witness`."""

from pathlib import Path

import pytest
import sklearn
import sklearn.model_selection

from tests.selection import witness

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "sklearn-tests.md"
SUITE = witness.load()

# As strict as scikit-learn is itself; what a metric or a solver warns of is not our business.
pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.filterwarnings("error::DeprecationWarning"),
    pytest.mark.filterwarnings("error::FutureWarning"),
]

globals().update(witness.tests(SUITE))


@pytest.fixture(autouse=True)
def ours(request):
    """Every test of scikit-learn that runs is about one of our searches."""
    before = witness.Used.times
    yield

    about_a_search = getattr(SUITE, request.function.__name__, None) is request.function
    assert witness.Used.times > before or not about_a_search


def test_the_searches_of_the_loaded_tests_are_ours():
    assert SUITE.GridSearchCV is witness.GridSearchCV
    assert SUITE.RandomizedSearchCV is witness.RandomizedSearchCV


def test_scikit_learns_own_names_are_untouched():
    original = pytest.importorskip(witness.SUITE)

    assert original is not SUITE
    assert original.GridSearchCV is sklearn.model_selection.GridSearchCV
    assert not issubclass(sklearn.model_selection.GridSearchCV, witness.Adapter)


def test_every_test_that_is_listed_exists():
    assert set(witness.DIFFERENT | witness.PENDING) <= set(witness.names(SUITE))


def test_the_page_about_these_tests_is_up_to_date():
    text = PAGE.read_text(encoding="utf-8")
    if f"scikit-learn {sklearn.__version__} " not in text:
        pytest.skip(f"the page is about another version than {sklearn.__version__}")

    assert text == witness.page()
