"""ChampSim's `--json`: a list of phases of the simulation, each with the region of interest of every CPU.

    [{"name": "Simulation", "roi": {"cores": [...], "cpu0_L1D": {...}, "DRAM": [...]}, "sim": {...}}]

It counts mispredictions, and no branches. Source: src/json_printer.cc of ChampSim 2022 to 2025.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from phasemark.errors import DataError
from phasemark.formats.metrics.champsim_counters import Core, Region, readings
from phasemark.formats.metrics.readings import Readings
from phasemark.formats.source import content
from phasemark.reading import RECORD

__all__ = ["read", "regions", "sniff"]

_HINT = "name what ChampSim wrote with --json FILE, from a simulation that ended"

#: What versions without a JSON library write for a ratio of nothing to nothing.
_NO_NUMBER = re.compile(rb"(:\s*)-?(?:nan|inf)\b")

_PREFETCHES = {
    "prefetch requested": "prefetch.requested",
    "prefetch issued": "prefetch.issued",
    "useful prefetch": "prefetch.useful",
    "useless prefetch": "prefetch.useless",
}

#: What 64 bits hold.
_LARGEST = 2**63


def sniff(start: bytes) -> bool:
    """Whether a file that starts so is such JSON."""
    return start.lstrip().startswith(b"[") and b'"roi"' in start and b'"cores"' in start


def read(path: str | Path) -> Readings:
    """Read such a file, plain or gzip: one row a phase that is no warm-up.

    Raises:
        DataError: it is no JSON, or not of this form; names the file.
        WorkError: the file cannot be read.
    """
    try:
        return readings(regions(content(path, RECORD)), path)
    except DataError as error:
        raise error.at(path) from error


def regions(text: bytes) -> list[Region]:
    """The regions of interest.

    Raises:
        DataError: the text is no JSON, or not of this form.
    """
    try:
        phases = json.loads(_NO_NUMBER.sub(rb"\1null", text))
        found = [_region(phase) for phase in phases if phase["name"] != "Warmup"]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        what = "ends early, or is no JSON" if isinstance(error, ValueError) else "lacks or misnames a count"
        raise DataError(f"{what} ({str(error)[:80]})", hint=_HINT) from error
    if not found or not all(region.cores for region in found):
        raise DataError("holds no simulation", hint=_HINT)
    return found


def _region(phase: dict[str, Any]) -> Region:
    region, roi = Region(), phase["roi"]
    for number, core in enumerate(roi["cores"]):
        wrong = sum(map(_count, core["mispredict"].values())) if "mispredict" in core else None
        region.cores[number] = Core(_count(core["instructions"]), _count(core["cycles"]), wrong)
    for name, value in roi.items():
        if name == "DRAM":
            for channel, counts in enumerate(value):
                region.others |= {f"DRAM.{channel}.{key}": n for key, n in _whole(counts)}
        elif name != "cores":
            for kind, counts in value.items():
                if isinstance(counts, dict):
                    region.access(name, kind, {key: sum(map(_count, of)) for key, of in counts.items()})
                elif kind in _PREFETCHES:
                    region.others[f"{name}.{_PREFETCHES[kind]}"] = _count(counts)
    region.require_of_region(sum(_count(core["instructions"]) for core in phase["sim"]["cores"]))
    return region


def _whole(counts: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """The counts, under names without blanks; averages cannot be added up."""
    for key, value in counts.items():
        if isinstance(value, int) and not key.startswith("AVG"):
            yield key.replace(" ", "_"), _count(value)


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _LARGEST:
        raise ValueError(f"{str(value)[:40]} is no count")
    return value
