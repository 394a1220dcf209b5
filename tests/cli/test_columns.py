"""What the options on columns do, from the table through a saved model to predictions."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.svm import SVC

from curvewise._report.report_facts import facts_of
from curvewise.automl import SavedModel, load_model, save_model
from curvewise.executors import RunStore
from tests.cli.runner import invoke

N_ROWS = 120
FEATURES = ["day", "size", "colour"]
TREE = """
[[slot]]
name = "classifier"

[[slot.component]]
class = "sklearn.tree.DecisionTreeClassifier"
fixed = { max_depth = 4 }

[[slot.component]]
class = "sklearn.svm.SVC"
"""


def rows(n=N_ROWS, seed=0):
    rng = np.random.RandomState(seed)
    days = pd.to_datetime("2023-01-01") + pd.to_timedelta(rng.randint(0, 360, n), unit="D")
    frame = pd.DataFrame(
        {
            "visit": [f"0{one}" for one in rng.permutation(10**5)[:n]],
            "patient": rng.randint(0, 12, n),
            "day": days.strftime("%d/%m/%Y"),
            "size": rng.rand(n),
            "colour": rng.choice(["red", "blue"], n),
            "weight": rng.rand(n),
        }
    )
    frame["label"] = np.where(frame["size"] + 0.3 * rng.rand(n) > 0.6, "yes", "no")
    return frame


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("columns")
    rows().to_csv(folder / "data.csv", index=False)
    (folder / "tree.toml").write_text(TREE)
    return folder / "data.csv"


@pytest.fixture(scope="module")
def select(source):
    """Search with some options, and give the model that was saved, and what was answered."""

    def select(name, *options, table=source):
        path = source.with_name(f"{name}.skops")
        settings = (
            "--target",
            "label",
            "--candidates",
            1,
            "--space",
            source.with_name("tree.toml"),
        )
        settings += ("--no-curve", "--no-importance")
        written = ("--store", source.with_name("runs.db"), "--run", name, "--save", path)
        answer = invoke("select", table, *settings, *written, "--json", *options)
        assert answer.exit_code == 0, answer.output
        return path, answer

    return select


@pytest.fixture(scope="module")
def grouped(select):
    """A model whose search had groups, weights and ids."""
    roles = ("--id", "visit", "--groups", "patient", "--weights", "weight")
    return select("grouped", *roles, "--leave-out", "SVC")


@pytest.fixture(scope="module")
def timed(select):
    """A model whose search was in the order of time, and needs probabilities."""
    drop = ("--drop", "patient", "--drop", "weight")
    return select("timed", "--time", "day", *drop, "--needs-probabilities")


def predict(model, table, *options):
    answer = invoke("predict", model, table, *options)
    assert answer.exit_code == 0, answer.output
    lines = [line.split(",") for line in answer.stdout.splitlines()]
    return pd.DataFrame(lines[1:], columns=lines[0])


def features(model):
    return list(load_model(model).columns)


def test_groups_and_weights_are_no_features_and_not_needed_again(grouped, tmp_path):
    model, answer = grouped
    rows(5, seed=1)[FEATURES].to_csv(tmp_path / "new.csv", index=False)

    assert features(model) == FEATURES
    assert json.loads(answer.stdout)["columns"] == len(FEATURES)
    assert "Rows are tested in the 12 groups of 'patient'." in answer.stderr
    assert "Rows count by their weights in 'weight'." in answer.stderr
    assert predict(model, tmp_path / "new.csv").columns.tolist() == ["label"]


def test_an_id_is_kept_beside_predictions_as_it_was_written(grouped, tmp_path):
    model, _ = grouped
    new = rows(6, seed=2)
    new.to_csv(tmp_path / "new.csv", index=False)
    predicted = predict(model, tmp_path / "new.csv")
    probable = predict(model, tmp_path / "new.csv", "--proba")
    other = predict(model, tmp_path / "new.csv", "--id", "patient", "--drop", "weight")

    assert predicted.columns.tolist() == ["visit", "label"]
    assert predicted["visit"].tolist() == new["visit"].tolist()
    assert probable.columns.tolist() == ["visit", "label=no", "label=yes"]
    assert other["patient"].tolist() == new["patient"].astype(str).tolist()


def test_dates_are_predicted_in_the_order_in_which_they_were_learnt(grouped, tmp_path):
    model, _ = grouped
    new = rows(4, seed=3)
    # All of these could as well be read with the month first.
    new["day"] = ["01/02/2023", "03/04/2023", "05/06/2023", "07/08/2023"]
    new.to_csv(tmp_path / "new.csv", index=False)
    new["day"] = ["2023-02-01", "2023-04-03", "2023-06-05", "2023-08-07"]
    new.to_csv(tmp_path / "iso.csv", index=False)

    assert load_model(model).date_orders == {"day": "day-first"}
    assert predict(model, tmp_path / "new.csv", "--proba").equals(
        predict(model, tmp_path / "iso.csv", "--proba")
    )


def test_time_orders_rows_and_is_not_needed_again(timed, tmp_path):
    model, answer = timed
    rows(5, seed=4)[["size", "colour"]].to_csv(tmp_path / "new.csv", index=False)

    assert features(model) == ["size", "colour"]
    assert "Rows are in the order of 'day', which is no feature" in answer.stderr
    assert "'visit' is left out as an identifier" in answer.stderr
    assert predict(model, tmp_path / "new.csv").shape == (5, 1)


def test_who_needs_probabilities_gets_some(timed, source):
    model, answer = timed

    assert "because they give no probabilities: SVC." in answer.stderr
    assert json.loads(answer.stdout)["best"].endswith("DecisionTreeClassifier")
    assert predict(model, source, "--proba").shape == (N_ROWS, 2)


@pytest.mark.usefixtures("grouped", "timed")
def test_folds_are_of_groups_or_in_the_order_of_time(source):
    with RunStore.read(source.with_name("runs.db")) as opened:
        splitters = [opened.run(name).terms.settings["splitter"] for name in ("grouped", "timed")]

    assert splitters[0].startswith("StratifiedGroupKFold(")
    assert splitters[1].startswith("TimeSeriesSplit(")


@pytest.mark.usefixtures("timed")
def test_a_report_can_say_which_columns_were_left_out_and_why(source):
    with RunStore.read(source.with_name("runs.db")) as opened:
        facts = facts_of(opened.run("timed"))

    assert facts["left_out"] == {
        "patient": "as was asked for (drop)",
        "weight": "as was asked for (drop)",
        "day": "order of rows (time)",
        "visit": "an identifier: another value in every row",
    }
    assert "columns left out" not in facts["notes"]


def test_a_sheet_with_numbers_that_are_dates_and_a_folder_are_tables_too(select, tmp_path):
    pytest.importorskip("openpyxl")
    frame = rows().assign(day=lambda one: pd.to_datetime(one["day"], dayfirst=True))
    frame["day"] = frame["day"].dt.strftime("%Y%m%d").astype(int)
    with pd.ExcelWriter(tmp_path / "data.xlsx") as book:
        frame.head(3).to_excel(book, sheet_name="About", index=False)
        frame.to_excel(book, sheet_name="Visits", index=False)
    frame.to_parquet(tmp_path / "data", partition_cols=["colour"], index=False)
    options = ("--sheet", "Visits", "--date", "day", "--keep", "visit", "--leave-out", "SVC")
    model, answer = select("excel", *options, table=tmp_path / "data.xlsx")

    assert "The sheet is 'Visits', as was asked for; there is also 'About'." in answer.stderr
    assert load_model(model).columns["day"] == "date"
    assert "visit" in features(model)
    assert len(predict(model, tmp_path / "data.xlsx", "--sheet", "Visits")) == N_ROWS
    assert len(predict(model, tmp_path / "data")) == N_ROWS


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--drop", "colours"), "no column 'colours' for drop; the nearest is 'colour'"),
        (("--groups", "patient", "--time", "day"), "--groups and --time cannot both be given"),
        (("--id", "label"), "'label' is the target"),
        (("--weights", "colour"), "holds no numbers"),
        (("--date-order", "dmy"), "day-first or month-first"),
        (("--date", "size"), "cannot be read as dates"),
        (("--sheet", "A"), "only Excel files do"),
        (("--groups", "colour"), "There are 2 groups in 'colour', and 5 folds"),
        (("--time", "size", "--folds", "200"), "too few for 200 folds"),
        (("--target", "size", "--needs-probabilities"), "the task is regression of 'size'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bad_input_is_one_sentence(run, source, arguments, sentence):
    target = () if "--target" in arguments else ("--target", "label")
    code, said = run("select", source, *target, *arguments)

    assert code == 2
    assert sentence in said


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--id", "vist"), "no column 'vist' for id; the nearest is 'visit'"),
        (("--drop", "size"), "Column 'size' of 'data.csv' cannot be dropped: the model was fitted"),
        (("--drop", "wait"), "no column 'wait' for drop"),
        (("--id", "label"), "'label' is what the model predicts"),
        (("--groups", "colour"), "'colour' cannot be for groups: the model was fitted on it"),
        (("--weights", "size"), "'size' cannot be for weights: the model was fitted on it"),
        (("--time", "label"), "'label' is what the model predicts, and cannot be for time"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_predict_refuses_what_cannot_be(run, grouped, source, arguments, sentence):
    code, said = run("predict", grouped[0], source, *arguments)

    assert code == 2
    assert sentence in said


def test_predict_takes_the_roles_of_columns_as_select_does_and_needs_none(grouped, tmp_path):
    model, _ = grouped
    new = rows(6, seed=7)
    new.to_csv(tmp_path / "all.csv", index=False)
    new[FEATURES].to_csv(tmp_path / "features.csv", index=False)
    roles = ("--groups", "patient", "--weights", "weight", "--time", "visited")
    plain = predict(model, tmp_path / "features.csv")

    assert predict(model, tmp_path / "all.csv", *roles)["label"].equals(plain["label"])
    assert predict(model, tmp_path / "features.csv", *roles).equals(plain)
    # Time may be a feature as well.
    assert predict(model, tmp_path / "features.csv", "--time", "day").equals(plain)


def test_predict_says_before_it_reads_rows_that_a_model_gives_no_probabilities(
    run, grouped, source, tmp_path
):
    svc = SVC().fit([[0.0], [1.0]], ["no", "yes"])
    path = tmp_path / "svc.skops"
    save_model(SavedModel(svc, {"size": "number"}, "label", "classification"), path)
    code, said = run("predict", path, tmp_path / "none.csv", "--needs-probabilities")
    kept = predict(grouped[0], source, "--needs-probabilities")

    assert code == 2
    assert said.endswith(
        f"The model in {path} gives no probabilities; leave out --needs-probabilities."
    )
    assert kept["label"].isin(["yes", "no"]).all()


def test_predict_refuses_dates_in_another_order(run, grouped, tmp_path):
    rows(4).assign(day="12/13/2023").to_csv(tmp_path / "new.csv", index=False)
    code, said = run("predict", grouped[0], tmp_path / "new.csv")

    assert code == 2
    assert "must hold dates (day-first)" in said


def test_one_model_is_validated_in_groups_with_weights(source):
    options = ("--target", "label", "--groups", "patient", "--weights", "weight")
    model = ("--model", "sklearn.tree:DecisionTreeClassifier", "--json")
    answer = invoke("validate", source, *options, *model)

    assert answer.exit_code == 0, answer.output
    assert json.loads(answer.stdout)["score"] > 0.7
