"""SimPoint 3.2's own command line, on phasemark's kernels.

`command` is the way in; `parsing` reads a command line into `flags`, by `values` and `rules`; `light` does
what scripts usually ask for without NumPy, whose import takes longer than clustering a small file; `full`
does everything; `telling` prints for both. Both give the same files
(docs/adr/0021-two-paths-of-the-drop-in.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from phasemark import _lazy

if TYPE_CHECKING:
    from phasemark.simpoint.command import run_command
    from phasemark.simpoint.flags import Flags
    from phasemark.simpoint.parsing import parse

#: Loaded when first named: each path of the command loads what it needs.
_MODULES = {"Flags": "flags", "parse": "parsing", "run_command": "command"}

__all__ = ["Flags", "parse", "run_command"]


__getattr__ = _lazy.names(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted(__all__)
