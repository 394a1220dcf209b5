"""Tables of hostile bytes: each has to be a table, or one sentence."""

import gzip
import random
from functools import partial

import numpy as np
import pandas as pd

from curvewise.automl import read_table
from curvewise.errors import CurvewiseError
from tests.attacks.attack import Attack
from tests.cli.runner import invoke

PIECES = (
    '"', "'", ",", ";", "\t", "|", "\n", "\r\n", " ", "\\", "{", "}", "?", "%", "\0", "\x7f", "a",
    "y", "é", "1", "-2.5", "3,5", "inf", "1e999", "9" * 30, "NaN", "True", "sep=;\n", "=cmd|' '!A1",
    "2024-01-01", "9999-99-99", "@data\n", "@relation r\n", "@attribute a numeric\n", "\x1b[2J",
    "@attribute 'b c' {x, 'y z'}\n", "@attribute d date 'yyyy'\n", "x,y\n1,2\n3,4\n", "\ufeff",
    "\u202e", "x" * 5_000, "1," * 500, '"' + "x\n" * 50,
    "0000-01-01", "'\\ud800'", " " * 2_000,
)  # fmt: skip
STEERING = "\x1b[2J\x1b]0;owned\x07 \u202eevil"
ENCODINGS = ("utf-8", "utf-16", "utf-32", "cp1252", "utf-7")


def good_tables(folder):
    """Write tables as they should be, one of each format."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "number": rng.normal(size=40),
            "whole": rng.integers(0, 9, 40),
            "word": rng.choice(["a", "b", "c d"], 40),
            "day": pd.date_range("2024-01-01", periods=40),
            "y": rng.choice(["yes", "no"], 40),
        }
    )
    frame.to_csv(folder / "good.csv", index=False)
    frame.to_parquet(folder / "good.parquet")
    frame.to_feather(folder / "good.feather")
    frame.to_excel(folder / "good.xlsx", index=False)
    (folder / "good.csv.gz").write_bytes(gzip.compress((folder / "good.csv").read_bytes()))
    names = "".join(f"@attribute {name} numeric\n" for name in ("number", "whole"))
    rows = frame[["number", "whole", "y"]].to_csv(index=False, header=False)
    text = f"@relation good\n{names}@attribute y {{yes,no}}\n@data\n{rows}"
    (folder / "good.arff").write_text(text)
    return sorted(folder.glob("good.*"))


def changed(content, chance):
    """Change, cut out, repeat or cut off bytes."""
    content = bytearray(content)
    for _ in range(chance.choice((1, 1, 4, 32))):
        place = chance.randrange(len(content))
        kind = chance.randrange(5)
        if kind < 3:
            content[place] = chance.choice((0, 255, content[place] ^ 1, chance.randrange(256)))
        elif kind == 3:
            del content[place : place + chance.randrange(1, 40)]
            content = content or bytearray(b"x")
        else:
            content[place:place] = content[place : place + chance.randrange(1, 400)]
    return bytes(content if chance.random() < 0.9 else content[: chance.randrange(len(content))])


def _read(path):
    try:
        table = read_table(path)
    except CurvewiseError as error:
        if "\n" in str(error):
            raise AssertionError(f"more than a sentence: {error!s:.100}") from None
        raise
    if not len(table.X) == len(table.y) >= 2:
        raise AssertionError("half a table")


def _look_at(path, target):
    """Let the command line speak of a table."""
    result = invoke(
        "validate", path, "--target", target, "--model", "sklearn.dummy:DummyClassifier"
    )
    if not {"\x1b", "\u202e"}.isdisjoint(result.output):
        raise AssertionError("the terminal is steered")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception


def steering_tables(folder):
    """Give tables whose names, or values, a terminal would obey, and their targets."""
    labels, numbers = ["yes", "no"] * 20, range(40)
    tables = {
        "column": ({STEERING: numbers, "y": labels}, "y"),
        "target": ({"a": numbers, STEERING: labels}, STEERING),
        "class": ({"a": numbers, "y": [STEERING, "no"] * 20}, "y"),
        "constant": ({"a": numbers, STEERING: [STEERING] * 40, "y": labels}, "y"),
        "wrong target": ({"a": numbers, STEERING: labels}, STEERING + "x"),
    }
    for what, (columns, target) in tables.items():
        path = folder / f"steering-{what}.csv"
        pd.DataFrame(columns).to_csv(path, index=False)
        yield what, path, target


def attacks(folder, n_cases):
    """Give texts of hostile pieces, and files whose bytes were changed."""
    for what, path, target in steering_tables(folder):
        yield Attack(f"table: a {what} that steers the terminal", partial(_look_at, path, target))
    good = good_tables(folder)
    for seed in range(n_cases):
        chance = random.Random(seed)
        if seed % 2:
            path = folder / f"pieces.{chance.choice(('csv', 'tsv', 'arff', 'txt'))}"
            text = "".join(chance.choices(PIECES, k=chance.randrange(40)))
            path.write_bytes(text.encode(chance.choice(ENCODINGS), errors="replace"))
            what = "pieces of text"
        else:
            example = chance.choice(good)
            path = folder / example.name.replace("good", "changed")
            path.write_bytes(changed(example.read_bytes(), chance))
            what = f"changed bytes of {example.name}"
        yield Attack(f"table: {what}, {seed}", partial(_read, path))
