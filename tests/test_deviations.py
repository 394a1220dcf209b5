"""Where curvewise leaves the paper: the page and the code name the same places."""

import re
from pathlib import Path

HERE = Path(__file__).parents[1]
PAGE = HERE / "docs" / "explanation" / "deviations.md"


def rows():
    """The rows of the page's table, each as its fields."""
    lines = [
        line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")
    ]
    fields = [[field.strip() for field in line.strip("|").split("|")] for line in lines]
    return [each for each in fields if each[0].isdigit()]


def comments():
    """What stands behind each `Deviates:` of the code."""
    texts = [path.read_text(encoding="utf-8") for path in (HERE / "src").rglob("*.py")]
    return [found for text in texts for found in re.findall(r"Deviates:\s*(\S+)", text)]


def test_the_rows_are_numbered_without_gaps():
    assert [int(row[0]) for row in rows()] == list(range(1, len(rows()) + 1))


def test_every_row_says_what_differs_why_and_how_to_get_what_is_printed():
    assert all(len(row) == 5 and all(row) for row in rows())


def test_every_row_has_its_place_in_the_code_and_the_other_way_round():
    numbered = {row[0] + "." for row in rows()}

    assert set(comments()) == numbered
