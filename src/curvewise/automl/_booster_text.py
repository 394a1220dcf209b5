"""A look at a model of LightGBM, which is text, before compiled code reads it.

That code trusts the text: sizes that are wrong let it read beyond the end, which ends the process,
and a child that points anywhere lets it predict from anywhere. So each tree has to stand where the
head says, its lists have to be as long as it has nodes and leaves, and whatever points to something
has to point to something that is there, and onwards: then following a tree comes to an end. The
number of classes stands in three places, and has to be the same in all of them: one says how much
room there is for predictions, another how many are written there.

Lines end where that code ends them, and nothing is a number here that it would read as another one.

How the text is laid out is seen from what LightGBM writes (``Booster.model_to_string``, version 4
of the format).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from curvewise.errors import UnsafeModelError

WRONG = "it holds a model of LightGBM that is not as one should be."
VERSION = "v4"
# How many values a list of a tree has, by its leaves, nodes (one less) and splits by categories.
PER_LEAF = ("leaf_value", "leaf_weight", "leaf_count")
PER_NODE = (
    "split_feature",
    "split_gain",
    "threshold",
    "decision_type",
    "left_child",
    "right_child",
    "internal_value",
    "internal_weight",
    "internal_count",
)
BY_CATEGORIES = ("cat_boundaries", "cat_threshold")
SINGLE = ("num_leaves", "num_cat", "is_linear", "shrinkage")
WHOLE = {
    "num_leaves",
    "num_cat",
    "is_linear",
    "split_feature",
    "decision_type",
    "left_child",
    "right_child",
    "leaf_count",
    "internal_count",
    *BY_CATEGORIES,
}
# Numbers as compiled code reads them.
WHOLE_NUMBER = re.compile(r"-?\d{1,10}", re.ASCII)
NUMBER = re.compile(r"-?(\d+(\.\d*)?(e[+-]?\d+)?|inf|nan)", re.ASCII)
# How an objective says for how many classes it writes.
CLASSES = "num_class"
# The bit of a decision that says: by categories.
CATEGORICAL = 1


def check_booster_text(text: str) -> None:
    """Refuse a text that compiled code would stumble over."""
    # It ends lines with these, and the text with a zero.
    _require(not {"\r", "\0"} & set(text))
    try:
        data = text.encode()
        head, _, _ = data.partition(b"\n\n")
        facts = _facts(head.removeprefix(b"tree\n"))
        sizes = [_whole(size) for size in facts["tree_sizes"].split(" ")]
        n_features = _whole(facts["max_feature_idx"]) + 1
        _check_head(facts, n_trees=len(sizes), n_features=n_features)
        position = len(head) + 2
        for number, size in enumerate(sizes):
            tree = data[position : position + size]
            title, _, rest = tree.partition(b"\n")
            _require(size > 0 and len(tree) == size and title == f"Tree={number}".encode())
            _check_tree(_facts(rest), n_features)
            position += size
        _require(data[position:].startswith(b"end of trees\n"))
    except (KeyError, ValueError):
        # What is missing, or should be a number and is none.
        raise UnsafeModelError(WRONG) from None


def _facts(lines: bytes) -> dict[str, str]:
    pairs = [line.partition("=") for line in lines.decode().split("\n") if line]
    _require(len({name for name, _, _ in pairs}) == len(pairs))
    return {name: value for name, _, value in pairs}


def _check_head(facts: Mapping[str, str], *, n_trees: int, n_features: int) -> None:
    n_classes = _whole(facts["num_class"])
    _require(facts["version"] == VERSION)
    _require(n_trees > 0 and n_features > 0)
    _require(1 <= n_classes <= n_trees and n_trees % n_classes == 0)
    _require(_whole(facts["num_tree_per_iteration"]) == n_classes)
    # Without one, predictions stay as they are; one without a name ends the process.
    objective, *said = facts.get("objective", "none").split(" ")
    _require(objective.isidentifier())
    _require({word for word in said if CLASSES in word} <= {f"{CLASSES}:{n_classes}"})
    for name in ("feature_names", "feature_infos"):
        _require(len(facts[name].split()) == n_features)


def _check_tree(facts: Mapping[str, str], n_features: int) -> None:
    _require(facts.keys() <= {*SINGLE, *PER_LEAF, *PER_NODE, *BY_CATEGORIES})
    for name, values in facts.items():
        pattern = WHOLE_NUMBER if name in WHOLE else NUMBER
        _require(all(pattern.fullmatch(value) for value in values.split(" ") if values))
    n_leaves, n_by_categories = _whole(facts["num_leaves"]), _whole(facts["num_cat"])
    _require(n_leaves >= 1 and n_by_categories >= 0 and facts["is_linear"] == "0")
    lists = {name: values.split() for name, values in facts.items() if name not in SINGLE}
    n_nodes = n_leaves - 1
    for names, length in ((PER_LEAF, n_leaves), (PER_NODE, n_nodes)):
        # A tree of one leaf has its value only.
        _require(all(len(lists[name]) in {length, 0} for name in names if name in lists))
    _require(len(lists["leaf_value"]) == n_leaves)
    for name in ("split_feature", "threshold", "decision_type", "left_child", "right_child"):
        _require(len(lists.get(name, ())) == n_nodes)
    if n_nodes:
        _check_nodes(lists, n_leaves, n_features)
        _check_categories(lists, n_by_categories)


def _check_nodes(lists: Mapping[str, list[str]], n_leaves: int, n_features: int) -> None:
    _require(all(0 <= int(feature) < n_features for feature in lists["split_feature"]))
    for name in ("left_child", "right_child"):
        for node, child in enumerate(map(int, lists[name])):
            # Leaves are counted from -1 downwards; nodes come after the one that they hang on.
            _require(-n_leaves <= child < 0 or node < child < n_leaves - 1)


def _check_categories(lists: Mapping[str, list[str]], n_splits: int) -> None:
    boundaries = [int(one) for one in lists.get("cat_boundaries", ["0"])]
    _require(len(boundaries) == n_splits + 1 and boundaries[0] == 0)
    _require(boundaries == sorted(boundaries))
    _require(boundaries[-1] == len(lists.get("cat_threshold", ())))
    for decision, threshold in zip(lists["decision_type"], lists["threshold"], strict=True):
        if int(decision) & CATEGORICAL:
            _require(0 <= float(threshold) < n_splits)


def _whole(value: str) -> int:
    _require(WHOLE_NUMBER.fullmatch(value) is not None)
    return int(value)


def _require(holds: bool) -> None:  # noqa: FBT001
    if not holds:
        raise UnsafeModelError(WRONG)
