"""What ChampSim counts in a region of interest, as counters: ours where the meaning is equal, else its own.

References and misses are those of the program's own loads, stores and fetches, as for other simulators: no
prefetches, no page walks, no blocks written back from above. Source: CACHE and O3_CPU of ChampSim 2020 to
2025.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from phasemark.formats.metrics.readings import Readings, of_rows
from phasemark.model.metrics import default_unit

__all__ = ["Core", "Region", "readings"]

_STRUCTURES = {"l1i": "l1i", "l1d": "l1d", "l2": "l2c?", "l3": "l3c?|llc", "itlb": "itlb", "dtlb": "dtlb"}

#: Types of access that are demands; a WRITE is a store in the first level, and a block written back below it.
_DEMANDS = ("LOAD", "RFO")
_STORES = "WRITE"

#: By this share more instructions than in its region, a CPU ran on.
_RAN_ON = 0.01

_NOT_OF_REGIONS = (
    "counts of caches are of all that ran until the last CPU was done, not of the regions: left out"
)


@dataclass
class Core:
    """One CPU's counts.

    Attributes:
        mispredictions, branches: None where the file does not say.
    """

    instructions: int
    cycles: int
    mispredictions: int | None = None
    branches: int | None = None


@dataclass
class Region:
    """What was simulated in detail after a warm-up.

    Attributes:
        cores: by number.
        accesses: cache -> type of access -> `hit`, `miss`, `mshr_merge` -> count, of all CPUs.
        others: further counters, under ChampSim's names.
        notes: what the user should know.
    """

    cores: dict[int, Core] = field(default_factory=dict)
    accesses: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    others: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def require_of_region(self, ran: int) -> None:
        """Leave out the caches' counts where CPUs ran on after their regions: they count that too.

        Args:
            ran: instructions of all CPUs until the last was done.
        """
        if ran > (1 + _RAN_ON) * sum(core.instructions for core in self.cores.values()):
            self.accesses, self.others = {}, {}
            self.notes.append(_NOT_OF_REGIONS)

    def access(self, cache: str, kind: str, counts: Mapping[str, int]) -> None:
        """Add accesses of a type; a cache that CPUs share is written once for each."""
        held = self.accesses.setdefault(cache, {}).setdefault(kind, {})
        for name, count in counts.items():
            held[name] = held.get(name, 0) + count


def readings(regions: Sequence[Region], path: str | Path) -> Readings:
    """Regions as rows; where there is one, it is named after its file."""
    rows = [_counters(region) for region in regions]
    units = {name: default_unit(name) for row in rows for name in row}
    found = of_rows(rows, units, "ChampSim")
    notes = dict.fromkeys(note for region in regions for note in [*_of_cores(region), *region.notes])
    labels = (str(path),) if len(regions) == 1 else ()
    return Readings(found.counters, found.units, found.source, {}, tuple(notes), labels)


def _of_cores(region: Region) -> list[str]:
    return [f"{len(region.cores)} CPUs, added up"] if len(region.cores) > 1 else []


def _counters(region: Region) -> dict[str, float]:
    cores = region.cores.values()
    ours: dict[str, float | None] = {
        "instructions": sum(core.instructions for core in cores),
        "cycles": sum(core.cycles for core in cores),
        "branches": _sum([core.branches for core in cores]),
        "branch_mispredictions": _sum([core.mispredictions for core in cores]),
    }
    for name, form in _STRUCTURES.items():
        caches = [
            c for c in region.accesses if re.fullmatch(rf"(?:cpu\d+[_-]?)?(?:{form})", c, re.IGNORECASE)
        ]
        if caches:
            demands = [_demands(region.accesses[cache], first=name.startswith("l1")) for cache in caches]
            ours[f"{name}_references"] = sum(hits + misses for hits, misses in demands)
            ours[f"{name}_misses"] = sum(misses for _, misses in demands)
    own = {
        f"{cache}.{kind}.{name}": count
        for cache, kinds in region.accesses.items()
        for kind, counts in kinds.items()
        for name, count in counts.items()
    }
    return {**{name: value for name, value in ours.items() if value is not None}, **own, **region.others}


def _demands(kinds: Mapping[str, Mapping[str, int]], *, first: bool) -> tuple[int, int]:
    """Hits and misses."""
    wanted = (*_DEMANDS, _STORES) if first else _DEMANDS
    counts = [kinds.get(kind, {}) for kind in wanted]
    return sum(one.get("hit", 0) for one in counts), sum(one.get("miss", 0) for one in counts)


def _sum(values: Sequence[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
