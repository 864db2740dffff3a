"""Names of code: which function, file and line a block is, read from ELF and DWARF.

Only a report or a summary asks for names; nothing here runs on the way from a program to its points.
`annotate` fills a Blocks table, `annotate_sites` one of Sites; `addresses` says where code is as it was
linked; `build_id` tells one build of a module from another, and `rebuilt` names the modules of a program
whose builds differ. `is_named`, `is_there` and `advice` tell what lacks names and what to do about it,
`notes` what servers of debug files failed at; `original` is the function that a compiler made a copy of;
`regions` finds the blocks, loops and functions of a file.

Modules are loaded when their names are first asked for: recording a program needs build-ids alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from phasemark import _lazy

if TYPE_CHECKING:
    from phasemark.symbols.annotating import annotate, annotate_sites, is_named
    from phasemark.symbols.builds import build_id, rebuilt
    from phasemark.symbols.copies import original
    from phasemark.symbols.debuginfod import notes
    from phasemark.symbols.locating import Addresses, addresses
    from phasemark.symbols.module import is_there
    from phasemark.symbols.packages import advice
    from phasemark.symbols.static_regions import Regions, regions

#: Name -> the module that has it.
_MODULES = {
    **dict.fromkeys(("Addresses", "addresses"), "locating"),
    **dict.fromkeys(("annotate", "annotate_sites", "is_named"), "annotating"),
    **dict.fromkeys(("build_id", "rebuilt"), "builds"),
    "notes": "debuginfod",
    "original": "copies",
    "is_there": "module",
    "advice": "packages",
    **dict.fromkeys(("Regions", "regions"), "static_regions"),
}

__all__ = [
    "Addresses",
    "Regions",
    "addresses",
    "advice",
    "annotate",
    "annotate_sites",
    "build_id",
    "is_named",
    "is_there",
    "notes",
    "original",
    "rebuilt",
    "regions",
]


__getattr__ = _lazy.names(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted(__all__)
