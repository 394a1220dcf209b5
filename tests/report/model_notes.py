"""What stores note of models: of two classes, of several, of numbers, with hostile names."""

import numpy as np

from curvewise._selection.diagnosis.importance import ColumnImportance, Importances
from curvewise._selection.diagnosis.level_scores import scores_by_level
from curvewise._selection.diagnosis.picture_note import RowNames, _levels, pictures
from tests.report.samples import HOSTILE
from tests.selection.diagnosis.rows import of_classes, of_numbers

COLUMNS = [HOSTILE[0], HOSTILE[2], "age", "income"]


def noted(rows, *, n_members=1, names=None, by=None):
    """The notes of a search whose model has predicted these rows."""
    found = pictures(rows, names or RowNames())
    model = {"candidate": HOSTILE[0], "n_members": n_members}
    levels = {} if by is None else {"by": _levels(scores_by_level(rows, by, column=HOSTILE[2]))}
    return {"model pictures": {"model": model, **found, **levels}, "importance": importance()}


def importance():
    columns = tuple(
        ColumnImportance(name, 0.1 / (i + 1) - 0.02 * (i > 2), 0.01, 0.2, 5)
        for i, name in enumerate(COLUMNS)
    )
    return Importances("svc", "accuracy", columns, 6, 900, 1.25, "").facts()


def of_two_classes():
    rows = of_classes(400, 2, labels=sorted(HOSTILE[:2]))
    ids = [f"{HOSTILE[1]} {i}" for i in range(400)]
    by = np.array(HOSTILE)[np.arange(400) % 3]
    return noted(rows, names=RowNames(ids=ids, id_column=HOSTILE[0]), by=by)


def of_several_classes():
    return noted(of_classes(1_000, 10), n_members=3)


def of_a_regression():
    return noted(of_numbers(3_000), by=np.arange(3_000.0))
