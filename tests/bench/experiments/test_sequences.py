import pytest
from sklearn.datasets import load_iris

from curvewise._bench.experiments.plan_file import read_suite
from curvewise._bench.experiments.sequences import (
    build,
    digest_of,
    find_sequences,
    read_sequence,
)
from curvewise._bench.experiments.work.group import draw
from curvewise.errors import InvalidParameterError

# Of the form that the paper's authors publish; a value of every kind.
LINES = """\
1: PCA ({'keep_variance': 0.75, 'whiten': 'False'}), LinearDiscriminantAnalysis ({'shrinkage': 'auto', 'tol': 1.9e-05})
2: StandardScaler ({}), MultinomialNB ({'alpha': 1.0, 'fit_prior': 'True'})
3: RobustScaler ({'q_max': 0.93, 'q_min': 0.26}), RandomForestClassifier ({'bootstrap': 'False', 'criterion': 'entropy', 'max_depth': 'None', 'max_features': 0.78, 'min_samples_leaf': 3, 'min_samples_split': 14})
4: SVC ({'C': 495.4, 'coef0': -0.87, 'gamma': 0.12, 'kernel': 'sigmoid', 'max_iter': -1, 'shrinking': 'False', 'tol': 4.8e-05})
5: MinMaxScaler ({}), GenericUnivariateSelect ({'alpha': 0.18, 'score_func': 'mutual_info_classif'}), GradientBoostingClassifier ({'early_stop': 'train', 'l2_regularization': 4.3e-10, 'learning_rate': 0.24, 'loss': 'auto', 'max_bins': 255, 'max_depth': 'None', 'max_leaf_nodes': 112, 'min_samples_leaf': 2, 'scoring': 'loss', 'tol': 1e-07, 'n_iter_no_change': 11})
6: FeatureAgglomeration ({'affinity': 'cosine', 'linkage': 'average', 'n_clusters': 3, 'pooling_func': 'median'}), SGDClassifier ({'alpha': 0.001, 'average': 'True', 'learning_rate': 'optimal', 'loss': 'log', 'penalty': 'l1', 'tol': 0.001})
7: FastICA ({'algorithm': 'parallel', 'fun': 'exp', 'whiten': 'True', 'n_components': 100}), PassiveAggressiveClassifier ({'C': 0.1, 'average': 'False', 'fit_intercept': 'True', 'loss': 'hinge', 'tol': 0.001})
"""  # noqa: E501


@pytest.fixture
def folder(tmp_path):
    for number in (10, 2):
        (tmp_path / f"pipelines-{number}.txt").write_text(LINES)
    return tmp_path


def steps(pipeline):
    return dict(pipeline.steps)


def test_a_line_is_a_pipeline_with_todays_names(folder):
    first, _, third, fourth, fifth, *_ = build(read_sequence(folder / "pipelines-2.txt"), seed=0)

    assert steps(first)["feature"].n_components == 0.75
    assert steps(first)["classifier"].solver == "lsqr"
    assert steps(third)["data"].quantile_range == pytest.approx((26, 93))
    assert steps(third)["classifier"].max_features_exponent == 0.78
    assert steps(fourth)["classifier"].kernel == "sigmoid"
    assert steps(fourth)["classifier"].shrinking is False
    assert steps(fifth)["classifier"].loss == "log_loss"


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_all_but_the_impossible_can_be_fitted(folder):
    X, y = load_iris(return_X_y=True)
    sequence = read_sequence(folder / "pipelines-2.txt")

    for drawn, pipeline in zip(sequence, build(sequence, seed=0), strict=True):
        if drawn.can_work:
            assert len(pipeline.fit(X, y).predict(X)) == len(y)
        else:
            with pytest.raises(ValueError, match="Negative values"):
                pipeline.fit(X, y)
    assert [drawn.can_work for drawn in sequence].count(False) == 1


def test_files_of_a_folder_come_by_their_numbers(folder):
    names = [file.name for file in find_sequences([folder])]

    assert names == ["pipelines-2.txt", "pipelines-10.txt"]
    assert digest_of(find_sequences([folder])) != digest_of(find_sequences([folder])[:1])


def test_a_suite_runs_sequences_in_the_place_of_draws(folder):
    plan = read_suite(
        "paper-80", scale="smoke", overrides={"sequences": [folder], "candidates": 4, "seeds": 2}
    )

    pipelines = draw(plan.settings, 1)

    assert [list(steps(one))[-1] for one in pipelines] == ["classifier"] * 4
    assert steps(pipelines[3])["classifier"].C == 495.4


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1: NoSuchThing ({})", "has no NoSuchThing"),
        ("1: SVC ({'kernel': 'rbf', 'C': print()})", "is no pipeline"),
        ("1: SVC ({'kernel': 'rbf', 'D': 1.0})", "a parameter is unknown"),
        ("SVC(kernel='rbf')", "write its steps"),
        ("1: SVC ({'kernel': 'rbf'}), PCA ({'keep_variance': 0.5})", "in this order"),
        ("1: PCA ({'keep_variance': 0.5})", "in this order"),
    ],
)
def test_what_is_no_pipeline_is_named_with_its_line(line, message, tmp_path):
    file = tmp_path / "pipelines.txt"
    file.write_text(f"\n{line}\n")

    with pytest.raises(InvalidParameterError, match=f"Line 2 of .*{message}"):
        read_sequence(file)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"seeds": 3}, "3 seeds need as many sequences, got 2"),
        ({"seeds": 2, "candidates": 8}, "8 candidates are asked for"),
        ({"seeds": 1, "leave_out": ["SVC"]}, "exclude each other"),
    ],
)
def test_too_few_pipelines_are_one_sentence(settings, message, folder):
    with pytest.raises(InvalidParameterError, match=message):
        read_suite("paper-80", scale="smoke", overrides={"sequences": [str(folder)], **settings})
    with pytest.raises(InvalidParameterError, match="no sequence of pipelines"):
        find_sequences([folder / "nowhere"])
