"""`perf stat` with `-x SEP` or `-j`: intervals of time (`-I MS`), or a whole run.

perf scales what was multiplexed to the whole interval itself, unless it was told `--no-scale`; the file
does not say which. Where a processor has cores of several kinds, each kind has its own PMU and counts what
ran there alone: an event is the sum over them (docs/adr/0030).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from phasemark.errors import DataError
from phasemark.formats.metrics.perf_lines import HINT, Count, counts, sniff
from phasemark.formats.metrics.readings import Readings, of_rows
from phasemark.model.metrics import default_unit

__all__ = ["read", "sniff"]

#: Events whose meaning is that of our counters, without modifiers.
OURS = {
    "instructions": "instructions",
    "cycles": "cycles",
    "cpu-cycles": "cycles",
    "branches": "branches",
    "branch-instructions": "branches",
    "branch-misses": "branch_mispredictions",
}

#: PMUs of cores; others have events of these names too, which are not the program's.
_OF_CORES = re.compile(r"cpu\w*|armv\d\w*|arm_cortex\w*|apple_\w+")
_EVENT = re.compile(r"(?:([\w.-]+)/)?([^/:,=]+)/?(?::?([a-zA-Z]*))")

#: Modifiers that say in which modes of the processor is counted; the others say how.
_MODES = "ukhGH"

#: Shares are cut to whole percents by some versions of perf: of each PMU, this much may be lost.
_ROUNDED = 1.0


@dataclass
class _Row:
    """The counts of an interval, name by name; of several PMUs, in order."""

    counts: dict[str, list[tuple[str, Count]]] = field(default_factory=dict)

    def add(self, name: str, pmu: str, count: Count) -> bool:
        """Whether it is the first of its name and PMU."""
        others = self.counts.setdefault(name, [])
        new = not others or (pmu != "" and all(other not in ("", pmu) for other, _ in others))
        others.append((pmu, count))
        return new


class _Table:
    """The intervals so far; of all but the last, the sums alone are held.

    Attributes:
        last: the time of the last interval; empty where there is none.
        pmus: of which there are several, in order.
    """

    def __init__(self, unscaled: bool) -> None:
        self.last = ""
        self.pmus: dict[str, None] = {}
        self._unscaled = unscaled
        self._open: dict[str, _Row] = {}
        self._sums: list[dict[str, _Sum]] = []

    def row(self, time: str) -> _Row:
        """The row of a time that is none before the last; without a time, of the run."""
        if time and time != self.last:
            if self.last:
                self._close(self.last)
            self.last = time
        return self._open.setdefault(time, _Row())

    def sums(self) -> list[dict[str, _Sum]]:
        """The sums of every interval; of the run, where there are none."""
        self._close(self.last)
        return self._sums

    def _close(self, time: str) -> None:
        row = self._open.pop(time, None) if time or not self._sums else None
        if row is None:
            return
        for parts in row.counts.values():
            if len(parts) > 1:
                self.pmus |= dict.fromkeys(pmu for pmu, _ in parts)
        self._sums.append(
            {
                name: _over_pmus([one for _, one in parts], unscaled=self._unscaled)
                for name, parts in row.counts.items()
            }
        )


def read(path: str | Path, *, unscaled: bool = False) -> Readings:
    """Read such output: one row an interval of time in which instructions were counted, or one for the run.

    Args:
        path: the file, plain or gzip.
        unscaled: perf was told `--no-scale`: scale what was multiplexed here.

    Returns:
        Readings; of intervals with the keys start and length, in instructions, from the event
        `instructions`.

    Raises:
        DataError: a line of another form, an event that stands twice in an interval, counts of several
            cgroups, runs or parts of the machine, or no instructions; names file and line.
        WorkError: the file cannot be read.
    """
    table = _Table(unscaled)
    units: dict[str, str] = {}
    modes: dict[str, str] = {}
    cgroups: dict[str, str] = {}
    repeated = False
    for count in counts(path):
        name, pmu, mode = _name(count.event)
        _require_order(table.last, count, path)
        if not table.row(count.time).add(name, pmu, count):
            raise DataError(
                f"{count.event[:60]} stands twice{f' at {count.time} s' if count.time else ''}",
                path=path,
                line=count.line,
                hint="name each event once, in one mode, and record each run into a file of its own",
            )
        if count.unit or name not in units:  # what was not counted may come without one
            units[name] = count.unit or default_unit(name)
        if name in OURS.values():
            modes[count.event] = mode
        cgroups.setdefault(count.cgroup, count.event)
        repeated |= count.repeated
    _require_alike(modes, path)
    _require_one_cgroup(cgroups, path)
    try:
        return _readings(table, units, path, repeated=repeated)
    except DataError as error:
        raise error if error.path is not None else error.at(path) from error


def _require_order(last: str, count: Count, path: str | Path) -> None:
    """Times ascend; `-r` mixes the runs in an interval, `--append` puts one run below another."""
    if count.time and (count.repeated or (last and float(count.time) < float(last))):
        raise DataError(
            "its intervals are of several runs",
            path=path,
            line=count.line,
            hint="record one run into each file: without -r and --append",
        )


def _name(event: str) -> tuple[str, str, str]:
    """Our name of an event, else its own; the PMU of a kind of cores; the modes (`u`: user mode only)."""
    plain = _EVENT.fullmatch(event)
    if plain and plain[2] in OURS and _OF_CORES.fullmatch(plain[1] or "cpu"):
        return OURS[plain[2]], plain[1] or "", "".join(mode for mode in _MODES if mode in plain[3])
    return event, "", ""


def _require_alike(modes: dict[str, str], path: str | Path) -> None:
    """Ratios of user mode to user and kernel mode together would mean nothing."""
    if len(set(modes.values())) > 1:
        named = ", ".join(event[:40] for event in [*modes][:6])
        raise DataError(
            f"its events are counted in unlike modes: {named}", path=path,
            hint="record all with the same modifier: instructions:u,cycles:u",
        )  # fmt: skip


def _require_one_cgroup(cgroups: dict[str, str], path: str | Path) -> None:
    if len(cgroups) > 1:
        first = [*cgroups.items()][:3]
        named = ", ".join(f"{event[:40]} of {group[:40] or 'everything'}" for group, event in first)
        raise DataError(
            f"counts several cgroups: {named}", path=path,
            hint="record one with `--for-each-cgroup NAME`, or each into a file of its own",
        )  # fmt: skip


def _readings(table: _Table, units: dict[str, str], path: str | Path, *, repeated: bool) -> Readings:
    sums = table.sums()
    values = [{name: one.value for name, one in row.items()} for row in sums]
    notes = _shared(sums) + _weighed(sums, [*table.pmus])
    if repeated:
        notes.append("perf ran the program several times (-r): these are the means")
    return _placed(of_rows(values, units, "perf stat"), notes, path, timed=bool(table.last))


@dataclass(frozen=True, slots=True)
class _Sum:
    """A count over all PMUs.

    Attributes:
        value: NaN where it is not known.
        share: of the time that was counted, in percent.
        weighed: the PMUs counted by turns, and perf had scaled each to the whole time.
    """

    value: float
    share: float
    weighed: bool = False


def _over_pmus(parts: Sequence[Count], *, unscaled: bool) -> _Sum:
    """The sum over PMUs: one that did not count adds nothing, one that cannot leaves it unknown.

    A task that moves between kinds of cores is counted by turns, and perf scales each count to the whole
    time as though the task had stayed: those are weighed by how long each counted.
    """
    counted = [part for part in parts if not math.isnan(part.value)]
    if not counted or not all(part.supported for part in parts):
        return _Sum(math.nan, 100.0)
    if len(counted) == 1:
        (one,) = counted
        return _Sum(one.value * (_scale(one.share) if unscaled else 1), one.share)
    shares = sum(part.share for part in counted)
    if shares <= 100 + _ROUNDED:
        whole = shares + _ROUNDED * len(counted) >= 100
        if unscaled:
            return _Sum(sum(part.value for part in counted) * (1 if whole else _scale(shares)), shares)
        weights = [part.runtime or part.share or 1.0 for part in counted]
        value = sum(w * part.value for w, part in zip(weights, counted, strict=True)) / sum(weights)
        return _Sum(value, 100.0 if whole else shares, weighed=True)
    value = sum(part.value * (_scale(part.share) if unscaled else 1) for part in counted)
    return _Sum(value, min(part.share for part in counted))


def _scale(share: float) -> float:
    return 100 / share if 0 < share < 100 else 1


def _shared(sums: Sequence[dict[str, _Sum]]) -> list[str]:
    shared: dict[str, list[float]] = {}
    for row in sums:
        for name, one in row.items():
            if 0 < one.share < 100:
                shared.setdefault(name, []).append(one.share)
    return [
        f"{name} was counted {np.mean(part):.0f}% of the time in {len(part):,} of {len(sums):,} intervals, "
        "and scaled to all of it"
        for name, part in shared.items()
    ]


def _weighed(sums: Sequence[dict[str, _Sum]], pmus: Sequence[str]) -> list[str]:
    """That counts are sums over PMUs, and how they were added up."""
    if not pmus:
        return []
    turns = sum(any(one.weighed for one in row.values()) for row in sums)
    notes = [f"counts are the sums over the kinds of cores: {', '.join(pmus)}"]
    if turns:
        notes.append(
            f"the kinds of cores counted by turns in {turns:,} of {len(sums):,} intervals; perf scales each "
            "count to the whole time, so they are weighed by how long each counted"
        )
    return notes


def _placed(readings: Readings, notes: list[str], path: str | Path, *, timed: bool) -> Readings:
    """The rows in which instructions were counted, of intervals one after the other."""
    nothing = np.full(len(readings), np.nan)
    executed = np.rint(readings.counters.get("instructions", nothing))
    ran = executed > 0
    if "instructions" in readings.counters and np.isnan(executed).all():
        raise DataError(
            "counted no instructions: perf says <not supported> or <not counted>, as it does in many virtual "
            "machines",
            path=path,
            hint="record where perf can count; `phasemark simulate --full` needs no hardware counters",
        )
    if not ran.any():
        raise DataError("counted no instructions", path=path, hint=HINT)
    if gone := int((~ran).sum()):
        notes.append(f"intervals of time in which no instructions were counted, left out: {gone}")
    length = executed[ran].astype(np.int64)
    return Readings(
        {name: values[ran] for name, values in readings.counters.items()},
        readings.units,
        readings.source,
        {"start": np.cumsum(length) - length, "length": length} if timed else {},
        tuple(notes),
    )
