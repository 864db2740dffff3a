"""The hottest places of each group, counted one by one."""

from __future__ import annotations

from collections import Counter


def hottest(
    counts: list[list[int]], groups: list[int], of_block: list[int], top: int
) -> list[list[tuple[int, float]]]:
    """(place, share) of each group, most instructions first, earlier place on ties."""
    found = []
    for group in range(max(groups) + 1):
        rows = [row for row, g in zip(counts, groups, strict=True) if g == group]
        total, places = sum(map(sum, rows)), Counter[int]()
        for row in rows:
            for block, count in enumerate(row):
                if of_block[block] >= 0 and count:
                    places[of_block[block]] += count
        ranked = sorted(places.items(), key=lambda item: (-item[1], item[0]))
        found.append([(place, count / total) for place, count in ranked[:top]])
    return found
