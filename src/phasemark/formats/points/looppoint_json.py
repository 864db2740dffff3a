"""The JSON in which gem5 keeps LoopPoint's regions: places in the code, from which no interval can be told.

{"1": {"simulation": {"start": {"pc", "global"}, "end": {"pc", "global", "relative"}}, "multiplier": 3.0,
       "warmup": {"start": {"pc", "count"}, "end": {"pc", "count"}}}}
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from phasemark.errors import DataError, shown
from phasemark.formats.points.fields import number
from phasemark.formats.points.looppoint import Place, Region
from phasemark.formats.source import content
from phasemark.reading import RECORD
from phasemark.store.atomic import write_text

__all__ = ["read_multipliers", "write"]


def read_multipliers(path: Path) -> dict[str, float]:
    """How many times each region stands for its own instructions.

    Raises:
        DataError: it is no such file.
    """
    held = content(path, RECORD)
    try:
        regions = json.loads(held)
        return {
            str(name): number(str(region["multiplier"]), path)
            for name, region in regions.items()
            if region["simulation"]
        }
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"is no JSON of LoopPoint's regions ({shown(str(error), 200)})", path=path) from error


def write(path: str | Path, regions: Sequence[Region]) -> None:
    """Write regions, whose places are all in one file: an address alone tells no other.

    Raises:
        WorkError: the file cannot be written.
    """
    text = {str(region.number): _entry(region) for region in regions}
    write_text(path, json.dumps(text, indent=4) + "\n")


def _entry(region: Region) -> dict[str, object]:
    end = {"pc": region.end.address, "global": region.end.count, "relative": region.relative}
    entry: dict[str, object] = {
        "simulation": {"start": {"pc": region.start.address, "global": region.start.count}, "end": end},
        "multiplier": region.multiplier,
    }
    if region.warmup is not None:
        entry["warmup"] = {"start": _pair(region.warmup), "end": _pair(region.start)}
    return entry


def _pair(place: Place) -> dict[str, int]:
    return {"pc": place.address, "count": place.count}
