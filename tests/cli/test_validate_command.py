"""``curvewise validate``: the model is named by its class."""

from curvewise._cli.validate_command import build


def test_parameters_are_numbers_where_they_can_be_and_else_text():
    model = build("sklearn.svm:SVC", ["C=10", "kernel=poly"])

    assert (model.C, model.kernel) == (10, "poly")
