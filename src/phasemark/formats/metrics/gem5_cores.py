"""What gem5's cores counted: instructions, cycles, branches, of those that committed any.

The others wait, or were switched out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phasemark.formats.metrics.gem5_names import Structure
from phasemark.formats.metrics.gem5_structures import Column, Counted, few

__all__ = ["Timing", "of_cores"]

#: How far more than there can be is rounding.
_EXCESS = 1.01


@dataclass(frozen=True)
class Timing:
    """When dumps were, float64 each.

    Attributes:
        ticks: that each lasted.
        period: ticks of the machine's fastest clock; NaN where the file does not say.
    """

    ticks: Column
    period: Column


def of_cores(
    counted: Mapping[Structure, Counted], simulated: Column | None, timing: Timing
) -> tuple[dict[str, Column], list[str]]:
    """Our counters of cores, and what a user should know of them.

    Args:
        counted: by structure.
        simulated: simInsts, which is not reset by every gem5, for dumps in which no core counts any.
        timing: of the dumps.
    """
    cores = {of.path: one for of, one in counted.items() if of.kind == "core"}
    zero = np.zeros(len(timing.ticks))
    committed = {path: _or(one.best("instructions"), zero) for path, one in cores.items()}
    ran = {path: values > 0 for path, values in committed.items()}
    any_ran = np.any([zero > 0, *ran.values()], axis=0)
    out: dict[str, Column] = {}
    if any_ran.any() or simulated is not None:
        total = _sum(committed, zero)
        others = zero if simulated is None else _since_the_reset(simulated, total)
        out["instructions"] = np.where(any_ran, total, others)
    cycles = {path: values for path, one in cores.items() if (values := one.best("cycles")) is not None}
    cycles, notes = _within(cycles, ran, timing)
    if cycles:
        working = {path: np.where(ran[path], values, 0.0) for path, values in cycles.items()}
        out["cycles"] = np.where(any_ran, _sum(working, zero), _sum(cycles, zero))
    for counter in ("branches", "branch_mispredictions"):
        known = {path: values for path, one in cores.items() if (values := one.best(counter)) is not None}
        if not known:
            continue
        lost = [path for path in cores if path not in known and ran[path].any()]
        missing = np.any([zero > 0, *(ran[path] for path in lost)], axis=0)
        out[counter] = np.where(missing, np.nan, _sum(known, zero))
        if lost:
            notes.append(f"{counter} are missing where {few(lost)} ran: gem5 does not count them there")
    return out, notes


def _since_the_reset(simulated: Column, committed: Column) -> Column:
    """simInsts of each dump. A gem5 that does not reset it counts more than its cores committed."""
    if not committed.any():
        return simulated
    kept = bool((simulated > committed * _EXCESS)[committed > 0].any())
    before = np.concatenate([[0.0], simulated[:-1]])
    return np.where((kept & (simulated >= before)) | (simulated == before), simulated - before, simulated)


def _within(
    cycles: Mapping[str, Column], ran: Mapping[str, NDArray[np.bool_]], timing: Timing
) -> tuple[dict[str, Column], list[str]]:
    """Cycles of each core, no more than the dump lasted.

    A core that wakes counts the cycles that it slept through, those before a reset too (`lastRunningCycle` of
    the O3 CPU). How many a dump may have is told by the fastest clock; else by the other cores, of one that
    counted less than they in the dump before.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        lasted = np.where(timing.ticks > 0, timing.ticks / timing.period, np.nan)
    out, late = dict(cycles), []
    for path, values in cycles.items():
        most = lasted
        if np.isnan(lasted).any():
            others = [other for name, other in cycles.items() if name != path]
            most = np.where(np.isnan(lasted), _most_of_others(values, others), lasted)
        over = (values > most * _EXCESS + 1) & ran[path]
        if over.any():
            row = int(np.argmax(over))
            dump = f"dump {row}, which" if len(values) > 1 else "a dump that"
            late.append(f"{path} counts {values[row]:,.0f} cycles in {dump} lasted {most[row]:,.0f}")
            out[path] = np.where(over, most, values)
    if not late:
        return out, []
    more = f" (so do {len(late) - 1} more)" if len(late) > 1 else ""
    why = "a core that wakes counts what it slept; what the dump lasted is taken"
    return out, [f"{late[0]}{more}: {why}"]


def _most_of_others(values: Column, others: list[Column]) -> Column:
    """The most cycles that another core counts, in dumps before which this one counted fewer; else NaN."""
    if not others or len(values) < 2:
        return np.full(len(values), np.nan)
    most = np.max(others, axis=0)
    slept = np.concatenate([[False], values[:-1] < most[:-1] / 2])
    return np.where(slept & (most > 0), most, np.nan)


def _sum(columns: Mapping[str, Column], zero: Column) -> Column:
    total: Column = np.sum([zero, *columns.values()], axis=0)
    return total


def _or(values: Column | None, other: Column) -> Column:
    return other if values is None else values
