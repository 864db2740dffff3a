"""The summary of a run, for people or for scripts."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from phasemark.phases import Stability

#: Heading, alignment, and the cell of a point.
Column = tuple[str, str, Callable[[dict[str, Any]], str]]


def show(summary: dict[str, Any], *, quiet: bool = False, as_json: bool = False) -> None:
    """Print what steps.summary says: as JSON, as text, or not at all."""
    if as_json:
        print(json.dumps(summary))
    elif not quiet:
        print("\n".join(lines(summary)))


def tell_discarded(said: Sequence[str], why: str) -> None:
    """Say on standard error what became of files that were made from earlier ones."""
    if said:
        print(f"phasemark: {why}: {', '.join(said)}", file=sys.stderr)


def plural(count: int, noun: str) -> str:
    """A count and its noun: `1 interval`, `2,000 intervals`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def error(relative: float) -> str:
    """A relative error with its sign, in percent; none of what rounds to 0."""
    text = f"{relative:+.2%}"
    return text[1:] if text in ("+0.00%", "-0.00%") else text


def finite(value: float) -> float | None:
    """A number as JSON holds it: null where it is not known or not bounded."""
    return value if math.isfinite(value) else None


def lines(summary: dict[str, Any]) -> list[str]:
    """The summary as lines of text: a table with a row per point, and what is to be noted.

    Where the summary holds `functions` (per phase, name -> share), each phase's hottest are shown.
    """
    run, simulated = summary["instructions"], summary["point_instructions"]
    points = sorted(summary["points"], key=lambda p: int(p["phase"]))
    return [
        f"{plural(run, 'instruction')}, {plural(summary['intervals'], 'interval')}, "
        f"{plural(summary['k'], 'phase')}",
        f"{plural(len(points), 'point')} of {plural(simulated, 'instruction')} ({simulated / run:.2%} of "
        f"the run) to stand for {summary['coverage']:.2%} of it",
        "",
        *table(_columns(summary, points), points),
        *(f"note: {note}" for note in summary["notes"]),
    ]


def _columns(summary: dict[str, Any], points: list[dict[str, Any]]) -> list[Column]:
    """The columns that tell something about this run."""
    columns: list[Column] = [
        ("phase", ">", lambda p: str(p["phase"])),
        ("share", ">", lambda p: f"{summary['shares'][p['phase']]:.2%}"),
        ("weight", ">", lambda p: f"{p['weight']:.4f}"),
        ("interval", ">", lambda p: f"{p['interval']:,}"),
        ("start", ">", lambda p: f"{p['start']:,}"),
        ("end", ">", lambda p: f"{p['end']:,}"),
    ]
    if any(p["thread"] for p in points):
        columns.insert(3, ("thread", ">", lambda p: str(p["thread"])))
    if any(p["warmup"] for p in points):
        columns.append(("warm-up", ">", lambda p: f"{p['warmup']:,}"))
    if "functions" in summary:
        columns.append(("hottest functions", "<", lambda p: _functions(summary["functions"][p["phase"]])))
    return columns


def table(columns: list[Column], points: list[dict[str, Any]]) -> list[str]:
    """Lines of text: the headings, then a row per point."""
    cells = [[heading for heading, _, _ in columns], *([cell(p) for _, _, cell in columns] for p in points)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    sides = [side for _, side, _ in columns]
    return [
        "  ".join(
            f"{text:{side}{width}}" for text, side, width in zip(row, sides, widths, strict=True)
        ).rstrip()
        for row in cells
    ]


def _functions(shares: dict[str, float]) -> str:
    return ", ".join(f"{name} {share:.0%}" for name, share in shares.items() if share >= 0.005)


def show_stability(stability: Stability, *, quiet: bool = False, as_json: bool = False) -> None:
    """Print how labels, k and points change over seeds: as JSON, as text, or not at all."""
    if as_json:
        print(json.dumps({name: getattr(stability, name).tolist() for name in vars(stability)}))
    elif not quiet:
        print("\n".join(stability_lines(stability)))


def stability_lines(stability: Stability) -> list[str]:
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
