"""``curvewise validate``: the model is named by its class."""

import pytest

from curvewise._cli.validate_command import build


def test_parameters_are_numbers_where_they_can_be_and_else_text():
    model = build("sklearn.svm:SVC", ["C=10", "kernel=poly"])

    assert (model.C, model.kernel) == (10, "poly")


@pytest.mark.parametrize("command", [("validate", "--model", "sklearn.svm:SVC"), ("advise",)])
def test_when_workers_are_replaced_reaches_other_commands_than_select_too(command, run):
    name, *options = command
    code, said = run(name, "sklearn:iris", *options, "--fresh-workers", "often")

    assert code == 2
    assert "--fresh-workers must be 'unknown', 'always' or 'never', got 'often'" in said
