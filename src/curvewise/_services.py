"""What a lower room may ask of a higher one, by name.

A fitted search can write its report and show itself while it runs; those who do that stand above
it, and it must not know them. So it asks for them here, by what they do, when a user wants it: the
one place that says who answers. Everything else imports downwards only.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

SERVICES = {
    "report": ("curvewise._report", "write_report"),
    "watch": ("curvewise._watch", "watch"),
}


def service(name: str) -> Callable[..., Any]:
    """Find who answers to a name, and load it."""
    module, function = SERVICES[name]
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found
