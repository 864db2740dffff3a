"""Headings of tables of results: the name and the unit that a column's heading means.

In names that are known, capitals, blanks, hyphens and underscores do not matter, and neither does which of
the usual spellings is used: `Interval`, `IPC`, `L1D misses`, `llc_accesses`, `Insts`. Others stay as they
are.
"""

from __future__ import annotations

import re

from phasemark.formats.metrics.readings import KEYS
from phasemark.model import RATIOS

__all__ = ["IDENTIFYING", "meaning", "named"]

#: The keys that say of what a row is.
IDENTIFYING = ("interval", "phase")

_HEADING = re.compile(r"([^\[(]+?)\s*(?:\[([^\]]+)\]|\(([^)]+)\))?")

#: Name -> its other spellings, without blanks, hyphens and underscores.
_SPELLINGS = {
    "interval": "index intervalid intervalindex intervalnumber",
    "phase": "phaseid",
    "thread": "threadid",
    "run": "runid",
    "instructions": (
        "instruction instrs instr insts inst insns insn numinsts instructioncount retiredinstructions "
        "committedinstructions committedinsts siminsts"
    ),
    "cycles": "cycle numcycles cyclecount cpucycles corecycles",
    "branches": "numbranches branchinstructions committedbranches",
    "branch_mispredictions": (
        "branchmisses branchmispredicts mispredictions mispredicts mispredictedbranches branchmispredicted"
    ),
    "branch_mpki": "branchmispredictionmpki mispredictionmpki",
    "cpi": "cyclesperinstruction",
    "ipc": "instructionspercycle",
}

_STRUCTURES = {
    "l1i": "l1i l1icache icache",
    "l1d": "l1d l1dcache dcache",
    "l2": "l2 l2c l2cache",
    "l3": "l3 l3cache llc",
    "itlb": "itlb",
    "dtlb": "dtlb",
}
_COUNTS = {
    "references": "references reference refs accesses access",
    "misses": "misses miss",
    "miss_rate": "missrate missratio",
    "mpki": "mpki",
}


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name).lower()


def _known() -> dict[str, str]:
    ratios = (name for r in RATIOS for name in (r.name, r.numerator, r.denominator))
    known = {_plain(name): name for name in (*KEYS, "ipc", *ratios)}
    for name, spellings in _SPELLINGS.items():
        known |= dict.fromkeys(spellings.split(), name)
    for structure, names in _STRUCTURES.items():
        for count, spellings in _COUNTS.items():
            for name in names.split():
                known |= {name + spelling: f"{structure}_{count}" for spelling in spellings.split()}
    return known


_KNOWN = _known()


def named(heading: str) -> str:
    """What a heading names: a key, a counter or a ratio of ours; empty where it is none of them."""
    found = _HEADING.fullmatch(heading.strip())
    return _KNOWN.get(_plain(found[1]), "") if found else ""


def meaning(heading: str) -> tuple[str, str]:
    """Name and unit of a column: `Energy [pJ]` is energy, in pJ; the unit may be empty."""
    found = _HEADING.fullmatch(heading.strip())
    if not found:
        return heading.strip(), ""
    return named(heading) or found[1], found[2] or found[3] or ""
