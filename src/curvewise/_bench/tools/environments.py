"""Environments: a folder with a virtual environment for each tool, made from the package index.

The tools' pins contradict each other, so that no two of them need to agree. An environment counts
once its last step, the list of what was installed, is there; what was left half made is made anew.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from curvewise._bench.tools.tool_list import Tool
from curvewise._text import one_line
from curvewise.errors import InvalidParameterError

MARK = "installed.json"
VERSION = "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))"
# What would lead another interpreter to our packages.
OURS = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
# Without compiled files each process compiles all that it imports, for seconds of a tool's time.
SLOW = ("PYTHONDONTWRITEBYTECODE",)


@dataclass(frozen=True, slots=True)
class Environments:
    """The environments in a folder."""

    folder: Path

    def interpreter(self, tool: Tool) -> Path:
        """Find the interpreter that runs a tool's script."""
        if not tool.packages:
            return Path(sys.executable)
        return self.folder.resolve() / tool.environment / "bin" / "python"

    def variables(self, tool: Tool) -> dict[str, str]:
        """Give the environment variables of a tool's processes."""
        left_out = (*SLOW, *OURS) if tool.packages else SLOW
        return {name: value for name, value in os.environ.items() if name not in left_out}

    def is_ready(self, tool: Tool) -> bool:
        """Say whether a tool's environment is there, with the packages that it needs."""
        mark = self.folder / tool.environment / MARK
        if not tool.packages:
            return True
        try:
            return json.loads(mark.read_text(encoding="utf-8"))["packages"] == list(tool.packages)
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def check(self, tools: Iterable[Tool]) -> None:
        """Say before the work which environments are missing, and how to make them."""
        missing = [tool.name for tool in tools if not self.is_ready(tool)]
        if missing:
            raise InvalidParameterError(
                f"{self.folder} has no environment for {', '.join(missing)}: make it with "
                f"`curvewise bench automl --prepare --environments {self.folder}`, or name the "
                "tools that you want with --tool."
            )

    def prepare(self, tool: Tool, *, on_step: Callable[[str], None]) -> None:
        """Make a tool's environment if it is not there."""
        if self.is_ready(tool):
            return
        place = self.folder.resolve() / tool.environment
        on_step(f"{tool.environment}: installing {', '.join(tool.packages)}")
        if place.exists():
            shutil.rmtree(place)
        venv.create(place, with_pip=True)
        pip = [str(place / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
        self._run([*pip, "install", "--quiet", *tool.packages], tool)
        listed = self._run([*pip, "freeze"], tool)
        mark = {"packages": list(tool.packages), "installed": listed.split()}
        (place / MARK).write_text(json.dumps(mark, indent=1) + "\n", encoding="utf-8")

    def version(self, tool: Tool) -> str | None:
        """Ask the tool's interpreter which version of the tool it has."""
        if not tool.distribution:
            return None
        command = [str(self.interpreter(tool)), "-c", VERSION, tool.distribution]
        return self._run(command, tool).strip()

    def _run(self, command: list[str], tool: Tool) -> str:
        answer = subprocess.run(
            command, capture_output=True, text=True, check=False, env=self.variables(tool)
        )
        if answer.returncode:
            said = one_line(answer.stderr.strip()[-600:])
            raise InvalidParameterError(f"The environment of {tool.name} cannot be used: {said}")
        return answer.stdout
