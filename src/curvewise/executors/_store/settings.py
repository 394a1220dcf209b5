"""What a run was begun with, and whether it may be resumed with what there is now.

Outcomes are reused only if they would come out the same: other settings, other data, another
schedule, other folds or another scale are refused, with what differs and both values.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from curvewise._text import LONGEST_VALUE, cut
from curvewise.core._policy import competes_partially
from curvewise.core._scale import Scale
from curvewise.core._schedule import Schedule
from curvewise.executors._store.checked_values import (
    LARGEST_NUMBER,
    LARGEST_WHOLE,
    damaged,
    shown,
    table_of,
    text,
    whole,
)
from curvewise.executors._store.json_values import from_json, frozen, plain, to_json

SHOWN = 3
LONGEST_REASON = 160


@dataclass(frozen=True, slots=True)
class Terms:
    """What has to be the same when a run is resumed."""

    settings: Mapping[str, Any]
    fingerprint: str
    schedule: Schedule
    n_folds: int
    scale: Scale
    # Rows of the whole data set; None if nobody said. The fingerprint tells whether they differ.
    n_rows: int | None = None

    @property
    def partial_results(self) -> bool:
        """Whether who was stopped competes with its partial result, as the policy says."""
        policy = self.settings.get("policy")
        if isinstance(policy, Mapping):
            return bool(policy.get("partial_results", False))
        return competes_partially(policy)

    def row(self) -> tuple[str, str, str, int, str, int | None]:
        """The values of the columns settings, fingerprint, schedule, n_folds, scale and n_rows."""
        return (
            to_json(self.settings, what="settings"),
            self.fingerprint,
            to_json(self.schedule.anchors),
            int(self.n_folds),
            to_json([self.scale.best, self.scale.unit]),
            None if self.n_rows is None else int(self.n_rows),
        )

    @classmethod
    def of_row(cls, row: Sequence[Any]) -> Terms:
        """Read what `row` wrote."""
        settings, fingerprint, schedule, n_folds, scale, n_rows = row
        return cls(
            table_of("settings", from_json(settings)),
            text("fingerprint", fingerprint),
            _schedule(from_json(schedule)),
            whole("n_folds", n_folds, at_least=1),
            _scale(from_json(scale)),
            None if n_rows is None else whole("n_rows", n_rows, at_least=1),
        )

    def against(self, now: Terms) -> str:
        """Say what differs from the terms that there are now; nothing if they are the same."""
        differences = [
            *_differences(from_json(self.row()[0]), from_json(now.row()[0]), ""),
            *_differences(self._known(), now._known(), ""),
        ]
        shown = [
            f"{key} {_shown('was', before)} and {_shown('is', after)} now"
            for key, before, after in (_focused(*item) for item in differences[:SHOWN])
        ]
        if len(differences) > SHOWN:
            shown.append(f"and {len(differences) - SHOWN} more")
        return ", ".join(shown)

    def _known(self) -> dict[str, Any]:
        """Everything but the settings, by the name that a message gives it."""
        return {
            "the fingerprint of the data": self.fingerprint,
            "schedule": list(self.schedule.anchors),
            "n_folds": self.n_folds,
            "scale": plain(self.scale),
        }


def _schedule(anchors: Any) -> Schedule:
    try:
        schedule = Schedule(frozen(anchors))
    except (TypeError, ValueError) as error:
        raise damaged(f"the schedule is impossible: {cut(str(error), LONGEST_REASON)}") from None
    if schedule.target > LARGEST_WHOLE:
        raise damaged(f"the schedule ends at {shown(schedule.target)} rows.")
    return schedule


def _scale(parts: Any) -> Scale:
    try:
        best, unit = parts
        scale = Scale(best, unit)
    except (TypeError, ValueError) as error:
        raise damaged(f"the scale is impossible: {cut(str(error), LONGEST_REASON)}") from None
    if max(abs(scale.best), scale.unit or 0.0) > LARGEST_NUMBER:
        raise damaged(f"the scale is impossible: {shown(parts)}.")
    return scale


_NOTHING = object()


def _differences(before: Any, now: Any, key: str) -> Iterator[tuple[str, Any, Any]]:
    """The innermost places at which two settings differ."""
    if isinstance(before, dict) and isinstance(now, dict):
        dot = "." if key else ""
        for name in [*before, *(name for name in now if name not in before)]:
            inner = before.get(name, _NOTHING), now.get(name, _NOTHING)
            yield from _differences(*inner, f"{key}{dot}{name}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for i, inner in enumerate(zip(before, now, strict=True)):
            yield from _differences(*inner, f"{key}[{i}]")
    elif before is _NOTHING or now is _NOTHING or to_json(before) != to_json(now):
        yield key, before, now


def _focused(key: str, before: Any, now: Any) -> tuple[str, Any, Any]:
    """Cut the beginning that two long texts have in common."""
    if (
        isinstance(before, str)
        and isinstance(now, str)
        and max(len(before), len(now)) > LONGEST_VALUE
    ):
        same = os.path.commonprefix([before, now])  # noqa: RUF071 - by characters is meant
        start = max(0, len(same) - LONGEST_VALUE // 3)
        cut = "..." if start else ""
        return key, f"{cut}{before[start:]}", f"{cut}{now[start:]}"
    return key, before, now


def _shown(verb: str, value: Any) -> str:
    return f"{verb} {'not set' if value is _NOTHING else cut(repr(value), LONGEST_VALUE)}"
