"""Profiles joined, instruction by instruction: slow, and without a thought of blocks until the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

#: An interval: offset of an instruction -> how often it was executed.
Executed = Mapping[int, int]


def joined(runs: Sequence[Sequence[Executed]], starts: Sequence[int]) -> list[dict[int, int]]:
    """Of each interval of each run: block -> instructions, a block being named by where it starts."""
    rows = []
    for run in runs:
        for interval in run:
            row: dict[int, int] = {}
            for offset, times in interval.items():
                block = max(start for start in starts if start <= offset)
                row[block] = row.get(block, 0) + times
            rows.append(row)
    return rows
