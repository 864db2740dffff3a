"""Events -> Intervals of variable length that follow the program's own structure, in a hierarchy."""

from __future__ import annotations

from phasemark import _lazy

#: Loaded when first named.
_MODULES: dict[str, str] = {}

__all__: list[str] = []


__getattr__ = _lazy.names(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted(__all__)
