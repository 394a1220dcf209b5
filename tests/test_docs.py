"""The code in the documentation runs, and its links lead somewhere."""

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

import curvewise
from curvewise._bench.experiments.markdown_page import results_page
from curvewise._bench.experiments.results import read_all, read_studies
from curvewise._bench.tools.result_file import ResultFile
from curvewise._bench.tools.standings import frame_of
from curvewise._bench.tools.standings_tables import tables_of

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
# What stands outside of the site, which checks its own links.
OUTSIDE = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]


PARTS = DOCS / "how-to" / "parts.md"
# Tested with a stand-in for the scheduler.
SLURM = DOCS / "how-to" / "slurm.md"
# Pages about other tools, which need not be installed everywhere.
TOOLS = {
    "mlflow.md": "mlflow",
    "naiveautoml.md": "naiveautoml",
    "ray.md": "ray",
    "skore.md": "skore",
    "skrub.md": "skrub",
    "smac.md": "smac",
}


def test_no_page_has_the_marks_of_an_unfinished_merge():
    pages = [*(ROOT / name for name in OUTSIDE), *DOCS.glob("**/*.md")]
    marks = ("<<<<<<< ", ">>>>>>> ")

    assert not [
        page.name
        for page in pages
        if any(line.startswith(marks) for line in page.read_text(encoding="utf-8").splitlines())
    ]


def with_code():
    """All pages with code but two, which have their own tests."""
    pages = [DOCS / "index.md", *DOCS.glob("tutorial/*.md"), *DOCS.glob("how-to/*.md")]
    with_blocks = [page for page in pages if BLOCK.search(page.read_text(encoding="utf-8"))]
    return sorted(page for page in with_blocks if page not in (PARTS, SLURM))


# Runs scripts, each in a fork of a process that has loaded what is not ours and takes a second.
STARTER = """
import multiprocessing.process, os, runpy, sys
import numpy, pandas, scipy.stats, sklearn.model_selection

for folder in map(str.strip, sys.stdin):
    child = os.fork()
    if child == 0:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    sys.exit()
os.chdir(folder)
for name, stream in ("stdin", sys.stdin), ("stdout", sys.stdout), ("stderr", sys.stderr):
    flags = os.O_RDONLY if name == "stdin" else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    descriptor = os.open(os.devnull if name == "stdin" else name, flags)
    os.dup2(descriptor, stream.fileno())
    os.close(descriptor)
multiprocessing.process.ORIGINAL_DIR = sys.path[0] = folder
sys.argv = [os.path.join(folder, "page.py")]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.fixture(scope="module")
def starter():
    """A process that runs the script of a folder, and tells its exit code."""
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    with subprocess.Popen(
        [sys.executable, "-c", STARTER],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.stdin.close()


@pytest.fixture
def run_page(starter, tmp_path):
    """Run all blocks of a page in order, as one program."""

    def run_page(page):
        program = "\n".join(BLOCK.findall(page.read_text(encoding="utf-8")))
        (tmp_path / "page.py").write_text(program, encoding="utf-8")
        print(tmp_path, file=starter.stdin, flush=True)
        code = int(starter.stdout.readline())
        said = ((tmp_path / name).read_text(encoding="utf-8") for name in ("stdout", "stderr"))
        return subprocess.CompletedProcess("page.py", code, *said)

    return run_page


@pytest.mark.slow
@pytest.mark.parametrize("page", with_code(), ids=lambda page: str(page.relative_to(DOCS)))
def test_the_code_of_a_page_runs_without_warnings(page, run_page):
    if page.name in TOOLS:
        pytest.importorskip(TOOLS[page.name])
    answer = run_page(page)

    assert answer.returncode == 0, answer.stderr
    assert "Warning" not in answer.stderr


@pytest.mark.slow
def test_the_parts_put_together_choose_and_go_on_where_they_ended(run_page):
    answers = [run_page(PARTS) for _ in range(2)]

    for answer in answers:
        assert answer.returncode == 0, answer.stderr
        assert answer.stdout.startswith("svc 0.9")


@pytest.fixture(scope="module")
def readme():
    """The Python blocks of the README, and what it says that the first one prints."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    printed = re.search(r"^```text\n(.*?)^```$", text, re.DOTALL | re.MULTILINE).group(1)
    return BLOCK.findall(text), printed.splitlines()


@pytest.fixture(scope="module")
def first_of_readme(readme):
    """The names that the first block of the README leaves, and the lines that it prints."""
    (first, *_), _ = readme
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(first, names)
    return names, printed.getvalue().splitlines()


@pytest.mark.slow
def test_the_readme_prints_what_it_says(readme, first_of_readme):
    _, said = readme
    _, printed = first_of_readme
    fits = re.compile(r"(\d+) (fits instead of \d+)")
    # How many folds a candidate needed, and so its score and chance, depends a little on time.
    dropped = re.compile(r"(C=\S+, gamma=\S+ pruned at [\d,]+ rows) after (\d) folds? \((.*)\): .*")

    assert printed[0] == said[0]
    assert fits.fullmatch(printed[1])[2] == fits.fullmatch(said[1])[2]
    assert abs(int(fits.fullmatch(printed[1])[1]) - int(fits.fullmatch(said[1])[1])) <= 10
    assert dropped.fullmatch(printed[2])[1] == dropped.fullmatch(said[2])[1]
    assert len(printed) == len(said) == 3


@pytest.mark.slow
def test_the_readme_gives_the_choice_of_grid_search(first_of_readme):
    names, _ = first_of_readme
    grid = GridSearchCV(SVC(), names["space"], cv=5).fit(names["X"], names["y"])

    assert names["search"].best_params_ == grid.best_params_
    assert names["search"].best_score_ == pytest.approx(grid.best_score_, abs=1e-12)


def test_the_loop_of_the_readme_runs_with_an_evaluation_of_ones_own(readme, capsys):
    (_, loop), _ = readme

    def evaluate(candidate, anchor, fold):
        return 0.1 + candidate / 1000 + 5 / anchor + fold / 1000, anchor / 1000

    exec(loop, {"cw": curvewise, "evaluate": evaluate})
    candidate, score = capsys.readouterr().out.split()

    assert candidate == "0"
    assert float(score) == pytest.approx(1 - 0.1 - 5 / 9000 - 0.002)


def test_pages_use_plain_words():
    """What readers stumbled over, and what says the same."""
    puzzling = {"dearer": "costs more", "now and then, in": "now, and with more rows"}
    texts = {page.name: page.read_text(encoding="utf-8") for page in DOCS.rglob("*.md")}

    assert [(name, word) for name, text in texts.items() for word in puzzling if word in text] == []


@pytest.mark.parametrize("name", OUTSIDE)
def test_links_lead_to_files(name):
    links = LINK.findall((ROOT / name).read_text(encoding="utf-8"))
    paths = [link.partition("#")[0] for link in links if "://" not in link]

    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_every_file_that_the_architecture_names_exists():
    package = ROOT / "src" / "curvewise"
    bench = package / "_bench"
    places = (package, ROOT, bench / "experiments", bench / "tools")
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w./-]+(?:\.py|\.js|\.md|/))`", text)

    assert [name for name in named if not any((place / name).exists() for place in places)] == []


def test_what_is_promised_about_security_names_files_that_exist():
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    paths = re.findall(r"`((?:src|tests)/[^`]+)`", text)

    assert len(paths) >= 8
    assert [path for path in paths if not (ROOT / path).is_file()] == []


def test_the_page_of_results_is_what_its_command_makes():
    folder = ROOT / "benchmarks" / "results"
    notes = (folder / "notes.md").read_text(encoding="utf-8")
    page = results_page(read_all(folder), studies=read_studies(folder), notes=notes)
    published = (DOCS / "explanation" / "results.md").read_text(encoding="utf-8")

    def without_pictures(text):
        return [line for line in text.splitlines() if line and not line.startswith("![")]

    assert without_pictures(published) == without_pictures(page), "Run `make results`."


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("automl-tables.inc", ["hgb", "lightgbm", "flaml"]),
        ("automl-others.inc", ["ensemble", "autogluon", "naiveautoml"]),
        ("automl-parts.inc", ["paper-space", "rounds-drawn", "no-portfolio", "random-draws"]),
    ],
)
def test_the_tables_of_automl_tools_are_made_of_their_results(name, others):
    results = ResultFile(ROOT / "benchmarks" / "results" / "automl.jsonl").results
    grids = tables_of(frame_of(results, ["curvewise", *others]), reference="curvewise")
    page = (DOCS / "explanation" / name).read_text(encoding="utf-8")

    assert page == "\n".join(grid.markdown() for grid in grids), "Run `make results`."
