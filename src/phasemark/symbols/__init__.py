"""Names of code: which function, file and line a block is, read from ELF and DWARF.

Only a report or a summary asks for names; nothing here runs on the way from a program to its points.
`annotate` fills a Blocks table, `annotate_sites` one of Sites; `addresses` says where code is as it was
linked; `build_id` tells one build of a module from another, and `rebuilt` names the modules of a program
whose builds differ. `is_named`, `is_there` and `advice` tell what lacks names and what to do about it,
`notes` what servers of debug files failed at.
"""

from phasemark.symbols.addresses import Addresses, addresses
from phasemark.symbols.annotate import annotate, annotate_sites, is_named
from phasemark.symbols.debuginfod import notes
from phasemark.symbols.elf import build_id, rebuilt
from phasemark.symbols.module import is_there
from phasemark.symbols.packages import advice

__all__ = [
    "Addresses",
    "addresses",
    "advice",
    "annotate",
    "annotate_sites",
    "build_id",
    "is_named",
    "is_there",
    "notes",
    "rebuilt",
]


def __dir__() -> list[str]:
    return sorted(__all__)
