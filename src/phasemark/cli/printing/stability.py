"""How labels, k and points change over seeds."""

from __future__ import annotations

from typing import Any

from phasemark.phases import Stability


def summary(stability: Stability) -> dict[str, Any]:
    """Everything in one JSON object."""
    return {name: getattr(stability, name).tolist() for name in vars(stability)}


def lines(stability: Stability) -> list[str]:
    """One line a seed, and one over all."""
    table = stability.table()
    out = ["    seed    k  agreement with other seeds (lowest)  points  shared with others"]
    for seed, k, agreement, lowest, points, shared in zip(*table.values(), strict=True):
        out.append(f"{seed:8}  {k:3}  {agreement:26.3f} {f'({lowest:.3f})':>9}  {points:6}  {shared:18.0%}")
    mean = sum(table["agreement"]) / len(table["agreement"])
    shared = sum(table["shared_points"]) / len(table["shared_points"])
    return [
        *out,
        "",
        f"k from {min(table['k'])} to {max(table['k'])}; labels agree to {mean:.3f} on average, "
        f"{min(table['lowest_agreement']):.3f} at worst (adjusted Rand index, 1: the same phases); "
        f"two seeds share {shared:.0%} of their points",
    ]
