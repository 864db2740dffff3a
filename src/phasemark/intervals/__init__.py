"""Events -> Intervals of variable length that follow the program's own structure, in a hierarchy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from phasemark import _lazy

if TYPE_CHECKING:
    from phasemark.intervals.grammar import Grammar, Rules, sequitur

#: Loaded when first named.
_MODULES = {
    "Grammar": "grammar",
    "Rules": "grammar",
    "sequitur": "grammar",
}

__all__ = ["Grammar", "Rules", "sequitur"]


__getattr__ = _lazy.names(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted(__all__)
