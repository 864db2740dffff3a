"""The JSON in which gem5 keeps LoopPoint's regions: places in the code, from which no interval can be told.

{"1": {"simulation": {"start": {"pc", "global"}, "end": {"pc", "global", "relative"}}, "multiplier": 3.0}}
"""

from __future__ import annotations

import json
from pathlib import Path

from phasemark.errors import DataError, shown
from phasemark.formats.points.fields import number
from phasemark.formats.source import content
from phasemark.reading import RECORD

__all__ = ["read_multipliers"]


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
