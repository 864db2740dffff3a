"""How long work tells how far it has come."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Progress"]

#: Called with how much is done and of how much; the total may be an estimate that still grows.
Progress = Callable[[int, int], object]


def __dir__() -> list[str]:
    return sorted(__all__)
