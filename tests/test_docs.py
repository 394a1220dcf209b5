"""The code in the documentation runs."""

import re
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def test_the_examples_on_running_run(tmp_path):
    text = (DOCS / "execution.md").read_text(encoding="utf-8")
    program = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    script = tmp_path / "example.py"
    script.write_text(program, encoding="utf-8")

    for _ in range(2):
        answer = subprocess.run(
            [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert answer.returncode == 0, answer.stderr
        assert answer.stdout.startswith("svc 0.9")
