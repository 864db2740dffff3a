"""LoopPoint's `*.global.pinpoints.csv`, as its own scripts, Sniper and gem5 read it (we: pinpoints_csv).

Sniper is told image and offset, gem5 the address. gem5 splits lines at blanks first: there are as many as in
LoopPoint's own files.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from phasemark.formats.points.looppoint import Place, Region
from phasemark.store.atomic import write_text

__all__ = ["write"]

_HEADER = (
    "# comment,thread-id,region-id,start-pc, start-image-name, start-image-offset, start-pc-count,end-pc, "
    "end-image-name, end-image-offset, end-pc-count,end-pc-relative-count, region-length, region-weight, "
    "region-multiplier, region-type"
)


def write(path: str | Path, regions: Sequence[Region], *, coverage: float, instructions: int) -> None:
    """Write regions, and the warm-up of each after it.

    Args:
        path: the file.
        regions: in order of their numbers.
        coverage: share of the run that they stand for; below 1, a comment says it.
        instructions: of the whole run.

    Raises:
        WorkError: the file cannot be written.
    """
    lines = ["# Regions chosen by phasemark"]
    lines += [f"# Coverage = {float(coverage)!r}"] if coverage < 1 else []
    lines += [_HEADER]
    for region in regions:
        lines.append(
            f"# RegionId = {region.number} Slice = {region.interval} Length = {region.length} "
            f"Weight = {region.weight:.5f} Multiplier = {region.multiplier:.3f}"
        )
        lines.append(
            f"cluster {region.phase} from slice {region.interval},global,{region.number},"
            f"{_place(region.start)},{_place(region.end)},{region.relative},{region.length},"
            f"{region.weight:.6f},{region.multiplier:.6f},simulation"
        )
    for region in regions:
        if region.warmup is None:
            continue
        number = region.number + len(regions)
        lines.append(
            f"Warmup for regionid {region.number},global,{number},{_place(region.warmup)},"
            f"{_place(region.start)},{region.start.count},{region.warmup_length},0.00000,0.000,"
            f"warmup:{region.number}"
        )
    total = sum(region.length for region in regions)
    lines.append(f"# Total instructions in {len(regions)} regions = {total}")
    lines.append(f"# Total instructions in workload = {instructions}")
    write_text(path, "\n".join(lines) + "\n")


def _place(place: Place) -> str:
    return f"{place.address:#x},{place.image},{place.offset:#x},{place.count}"
