"""The script of the page on SLURM, with a stand-in for SLURM on this machine."""

import os
import re
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

pytest.importorskip(
    "dask_jobqueue", reason="dask-jobqueue is not installed: pip install 'curvewise[jobqueue]'"
)
pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "slurm.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)

# Jobs are sessions of their own, and their numbers those of their first processes.
SBATCH = """#!{python}
import shutil, subprocess, sys
folder = {folder!r}
lines = open(sys.argv[-1]).read()
log = open(folder + "/jobs.log", "a")
job = subprocess.Popen(["bash", "-c", lines], stdout=log, stderr=log, start_new_session=True)
open(folder + "/submitted", "a").write(f"{{job.pid}}\\n")
shutil.copy(sys.argv[-1], folder + "/job.sh")
print(f"Submitted batch job {{job.pid}}")
"""
SCANCEL = """#!{python}
import os, signal, sys
for job in sys.argv[1:]:
    open({folder!r} + "/cancelled", "a").write(job + "\\n")
    try:
        os.killpg(int(job), signal.SIGTERM)
    except ProcessLookupError:
        pass
"""


@pytest.fixture
def slurm(tmp_path):
    """A folder with commands of SLURM, and what they have noted."""
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, text in {"sbatch": SBATCH, "scancel": SCANCEL}.items():
        command = commands / name
        command.write_text(text.format(python=sys.executable, folder=str(tmp_path)))
        command.chmod(0o755)
    yield tmp_path
    for line in noted(tmp_path, "submitted"):
        for process in processes_of(int(line)):
            process.kill()


def noted(folder, name):
    file = folder / name
    return file.read_text().split() if file.exists() else []


def processes_of(session):
    """Every process that a job has started and that is still there."""
    for process in psutil.process_iter():
        try:
            if os.getsid(process.pid) == session:
                yield process
        except (ProcessLookupError, PermissionError):
            continue


def run_page(folder):
    [script] = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    program = folder / "search.py"
    program.write_text(script, encoding="utf-8")
    environment = {
        **os.environ,
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "OMP_NUM_THREADS": "1",
    }
    return subprocess.run(
        [sys.executable, program],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_script_of_the_page_submits_jobs_searches_and_cancels_them(slurm):
    answer = run_page(slurm)

    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.startswith("{'C': ")
    assert len(noted(slurm, "submitted")) == 2
    assert sorted(noted(slurm, "cancelled")) == sorted(noted(slurm, "submitted"))
    assert "#SBATCH -p short" in (slurm / "job.sh").read_text()
    assert (slurm / "search.db").exists()
