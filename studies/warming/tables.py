"""The study's table, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from comparing import COUNTERS

#: Programs that do not do the same twice: they are no part of the means.
VARYING = ("lua5.4", "ruby")

TITLES = ("CPI", "L1I", "L1D", "L2", "L3", "DTLB", "branches")


def every(results: Mapping[str, Mapping[str, Any]]) -> str:
    """One row a program, those that vary at the end, and what they make together."""
    steady = [name for name in results if name not in VARYING]
    varying = [name for name in results if name in VARYING]
    lines = [
        "| | " + " | ".join(TITLES) + " | median | largest | L3 MPKI | CPU time | of everything |",
        "|" + "---|" * (len(TITLES) + 6),
        *(_row(name, results[name]) for name in steady),
    ]
    if steady:
        lines.append(_together([results[name] for name in steady]))
    lines += [_row(f"({name})", results[name]) for name in varying]
    return "\n".join(lines) + "\n"


def _row(name: str, result: Mapping[str, Any]) -> str:
    share = result["cpu_seconds"] / result["full_cpu_seconds"]
    level = result["mpki"].get("l3_misses")
    cells = [
        *(_signed(result["bias"].get(counter)) for counter in COUNTERS),
        f"{result['median']:.2%}",
        f"{result['largest']:.1%}",
        "" if level is None else f"{level:.3f}",
        f"{result['cpu_seconds']:.1f} s",
        f"{share:.2f}",
    ]
    return f"| {name} | " + " | ".join(cells) + " |"


def _together(results: list[Mapping[str, Any]]) -> str:
    """Means without signs, and the median share of the CPU time."""
    means = []
    for counter in COUNTERS:
        known = [abs(r["bias"][counter]) for r in results if r["bias"].get(counter) is not None]
        means.append(f"{np.mean(known):.2%}" if known else "")
    seconds = sum(r["cpu_seconds"] for r in results)
    share = np.median([r["cpu_seconds"] / r["full_cpu_seconds"] for r in results])
    return "| **mean, without signs** | " + " | ".join(means) + f" | | | | {seconds:.0f} s | {share:.2f} |"


def _signed(share: float | None) -> str:
    return "" if share is None else f"{share:+.2%}"
