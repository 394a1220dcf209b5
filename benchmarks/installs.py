"""What an installation brings: packages and megabytes, without extras and with each extra alone.

    python benchmarks/installs.py dist/curvewise-0.1.0-py3-none-any.whl [EXTRA ...]

Each extra gets an environment of its own, made by uv, which has to be installed. Sizes are those of
the files of each package, as its metadata lists them, without compiled Python.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = {"dev", "docs"}
SIZES = """
import json
from importlib.metadata import distributions
from pathlib import Path
def size(one):
    found = [Path(one.locate_file(file)) for file in one.files or () if file.suffix != ".pyc"]
    return sum(file.stat().st_size for file in found if file.exists())
print(json.dumps({one.name: size(one) for one in distributions()}))
"""


def packages(requirement: str, folder: Path) -> dict[str, int]:
    """Install a requirement, and give the bytes of each package by name."""
    uv = shutil.which("uv") or sys.exit("uv is not installed: pip install uv")
    python = folder / "bin" / "python"
    subprocess.run([uv, "venv", "--quiet", str(folder)], check=True)
    install = [uv, "pip", "install", "--quiet", "--python", str(python), requirement]
    subprocess.run(install, check=True)
    answer = subprocess.run([python, "-c", SIZES], check=True, capture_output=True, text=True)
    sizes: dict[str, int] = json.loads(answer.stdout)
    shutil.rmtree(folder)
    return sizes


def row(name: str, found: dict[str, int]) -> str:
    """Make the row of a table: how many packages, how large, and the five largest."""
    largest = sorted(found, key=found.__getitem__, reverse=True)[:5]
    listed = ", ".join(f"{one} {found[one] / 1e6:.0f}" for one in largest)
    return f"| {name} | {len(found)} | {sum(found.values()) / 1e6:.0f} | {listed} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("extras", nargs="*")
    options = parser.parse_args()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = options.extras or [
        extra for extra in project["optional-dependencies"] if extra not in LEFT_OUT
    ]
    wheel = options.wheel.resolve()
    with tempfile.TemporaryDirectory(prefix="curvewise-installs-") as folder:
        plain = packages(str(wheel), Path(folder) / "plain")
        print("| | packages | MB | the largest, in MB |\n|---|---|---|---|")
        print(row("no extra", plain), flush=True)
        for extra in extras:
            found = packages(f"{wheel}[{extra}]", Path(folder) / extra)
            added = {name: size for name, size in found.items() if name not in plain}
            print(row(f"`{extra}` adds", added), flush=True)
    print(f"\nNo extra: {', '.join(sorted(plain, key=str.lower))}.")


if __name__ == "__main__":
    main()
