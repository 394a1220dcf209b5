import pytest

from curvewise._bench.tools.result_file import ResultFile, ToolCell, reason_of
from curvewise.errors import InvalidParameterError
from tests.bench.tools.samples import result_of


def test_what_was_appended_is_there_again(tmp_path):
    path = tmp_path / "r.jsonl"
    ResultFile(path).append(result_of("a"))
    ResultFile(path).append(result_of("b", score=None))

    file = ResultFile(path)

    assert [result["tool"] for result in file.results] == ["a", "b"]
    assert file.done() == {ToolCell("a", "t", 0, 60.0), ToolCell("b", "t", 0, 60.0)}
    assert file.done(failed=False) == {ToolCell("a", "t", 0, 60.0)}


def test_the_last_result_of_a_cell_counts(tmp_path):
    file = ResultFile(tmp_path / "r.jsonl")
    file.append(result_of("a", score=None))
    file.append(result_of("a", score=0.9))

    for each in file, ResultFile(file.path):
        assert [result["score"] for result in each.results] == [0.9]


def test_a_line_that_was_cut_off_counts_as_not_there_and_harms_no_other(tmp_path):
    path = tmp_path / "r.jsonl"
    file = ResultFile(path)
    file.append(result_of("a"))
    file.append(result_of("b"))
    path.write_bytes(path.read_bytes()[:-30])

    file = ResultFile(path)
    file.append(result_of("c"))

    assert [result["tool"] for result in ResultFile(path).results] == ["a", "c"]


def test_numbers_that_json_has_not_become_null(tmp_path):
    file = ResultFile(tmp_path / "r.jsonl")
    file.append(result_of("a", rmse=float("nan")))

    assert "NaN" not in file.path.read_text()
    assert ResultFile(file.path).results[0]["rmse"] is None


@pytest.mark.parametrize("text", ["size,kind\n1,2\n", '{"tool": "a"}\n', "[1]\n"])
def test_a_file_of_something_else_is_refused_and_kept(tmp_path, text):
    path = tmp_path / "table.csv"
    path.write_text(text)

    with pytest.raises(InvalidParameterError, match="no result of a comparison"):
        ResultFile(path)

    assert path.read_text() == text


CHANGES = {
    "n_cores": ({"n_cores": 4}, "another n_cores"),
    "seed": ({"seed": 1}, "another seed"),
    "definition": ({"definitions": {"a": {"options": 1}}}, "another tool a"),
    "fingerprint": ({"fingerprints": {"t": "g"}}, "another table t"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_results_that_cannot_be_compared_are_refused(tmp_path, change):
    file = ResultFile(tmp_path / "r.jsonl")
    file.append(result_of("a"))
    same = {"n_cores": 2, "seed": 0, "definitions": {"a": {}}, "fingerprints": {"t": "f"}}
    file.check(**same)
    changed, sentence = CHANGES[change]

    with pytest.raises(InvalidParameterError, match=sentence):
        file.check(**{**same, **changed})


def test_two_do_not_write_at_once(tmp_path):
    path = tmp_path / "r.jsonl"
    with (
        ResultFile(path).locked(),
        pytest.raises(InvalidParameterError, match="Another command"),
        ResultFile(path).locked(),
    ):
        pass


REASONS = {
    "ended after 9 s, because its time was up.": "ended after 9 s, because its time was up.",
    "It exited.\nTraceback:\n  x\nValueError: no": "ValueError: no",
    "Traceback:\na.b.SomeError: why\n - a hint\n": "a.b.SomeError: why",
    "": "",
}


@pytest.mark.parametrize("error", REASONS)
def test_the_reason_is_what_was_raised_or_the_last_line(error):
    assert reason_of(error) == REASONS[error]
