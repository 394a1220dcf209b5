import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from curvewise._packages import require
from curvewise.errors import MissingExtraError

ROOT = Path(__file__).parents[1]
NAMES = {"MissingExtraError": 1, "require": 2}


def named_extras():
    """Every extra that the package tells users to install, as it stands in the code."""
    for file in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in NAMES:
                given = [word.value for word in node.keywords if word.arg == "extra"]
                given += node.args[NAMES[node.func.id] :]
                yield from (each.value for each in given if isinstance(each, ast.Constant))


def test_every_extra_that_a_message_names_exists():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = set(named_extras())

    assert {"bench", "dask", "plot", "replay", "report", "smac"} <= named
    # What `require` names by default is one of them, too.
    assert named | {"select"} <= set(project["optional-dependencies"])


def test_a_missing_package_is_named_by_the_command_that_installs_it():
    with pytest.raises(MissingExtraError, match=r"Flying needs .*'curvewise\[wings\]'"):
        require("no_such_package", "Flying", extra="wings")


# A compiled module may take an interrupt for a package that is missing, or for nothing.
DEAF = """
import os, signal
try:
    os.kill(os.getpid(), signal.SIGINT)
    done = True
except KeyboardInterrupt:
    raise ImportError("multiarray failed to import") from None
"""


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
def test_who_interrupts_an_import_is_heard_when_it_is_complete(tmp_path, monkeypatch):
    (tmp_path / "deaf_module.py").write_text(DEAF)
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(KeyboardInterrupt):
        require("deaf_module")
    assert sys.modules.pop("deaf_module").done


def test_what_a_package_imports_later_is_imported_with_it():
    program = "from curvewise._packages import require; require('pyarrow'); import sys; "
    program += "assert 'pandas' in sys.modules"

    subprocess.run([sys.executable, "-c", program], check=True)
