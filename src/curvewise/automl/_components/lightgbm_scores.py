"""Boosters of LightGBM that can be saved: what they keep of their scores is made plain.

They keep it in dictionaries that call something when a key is missing; such are never loaded.
"""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator

# Fitted estimators hold others directly, in lists and in pairs; deeper than this none do.
DEEPEST = 12


def make_plain(booster: Any) -> None:
    """Let a booster hold plain dictionaries; what is no booster of LightGBM stays as it is."""
    if not hasattr(booster, "booster_"):
        return
    for holder, name in ((booster, "_best_score"), (booster.booster_, "best_score")):
        scores = {rows: dict(losses) for rows, losses in getattr(holder, name).items()}
        setattr(holder, name, scores)


def make_all_plain(model: Any, depth: int = 0) -> None:
    """Let all boosters in a fitted model hold plain dictionaries."""
    if depth > DEEPEST:
        return
    if isinstance(model, list | tuple):
        for one in model:
            make_all_plain(one, depth + 1)
    elif isinstance(model, BaseEstimator):
        if type(model).__module__.startswith("lightgbm.") and hasattr(model, "booster_"):
            make_plain(model)
        for one in vars(model).values():
            make_all_plain(one, depth + 1)
