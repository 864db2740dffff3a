"""`perf stat -I MS -x,`: time, value, unit, event, running time, share of it that the counter ran.

perf scales what was multiplexed to the whole interval itself, unless it was told `--no-scale`; the file
does not say which.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from phasemark.errors import DataError
from phasemark.formats.metrics.readings import Readings, of_rows
from phasemark.formats.source import chunks
from phasemark.model.metrics import default_unit

__all__ = ["read", "sniff"]

#: Events whose meaning is that of our counters, without modifiers.
_OURS = {
    "instructions": "instructions",
    "cycles": "cycles",
    "cpu-cycles": "cycles",
    "branches": "branches",
    "branch-instructions": "branches",
    "branch-misses": "branch_mispredictions",
}

#: What perf's counters hold.
_LARGEST = 2.0**63

_MISSING = ("<not counted>", "<not supported>")
_LINE = re.compile(rb"\s*\d+\.\d+,(?:\d|<not )")
_HINT = "record with `perf stat -I MS -x, -o FILE -e instructions:u,cycles:u -- PROGRAM`"


@dataclass(frozen=True)
class _Count:
    time: str
    value: float
    unit: str
    event: str
    ran: float


def sniff(start: bytes) -> bool:
    """Whether a file that starts so is such output."""
    lines = (line for line in start.split(b"\n") if line.strip() and not line.startswith(b"#"))
    return _LINE.match(next(lines, b"")) is not None


def read(path: str | Path, *, unscaled: bool = False) -> Readings:
    """Read such output: one row an interval of time in which instructions were counted.

    Args:
        path: the file, plain or gzip.
        unscaled: perf was told `--no-scale`: scale what was multiplexed here.

    Returns:
        Readings with the keys start and length, in instructions, from the event `instructions`.

    Raises:
        DataError: a line of another form, an event that stands twice in an interval, or no instructions;
            names file and line.
        WorkError: the file cannot be read.
    """
    intervals: dict[str, dict[str, float]] = {}
    units: dict[str, str] = {}
    modifiers: dict[str, str] = {}
    shared: dict[str, list[float]] = {}
    for number, count in _counts(path):
        name, modifier = _name(count.event)
        row = intervals.setdefault(count.time, {})
        if name in row:
            raise DataError(
                f"{count.event} stands twice at {count.time} s", path=path, line=number,
                hint="record without -A and --per-*, and name each event once",
            )  # fmt: skip
        row[name] = count.value * (100 / count.ran if unscaled and 0 < count.ran < 100 else 1)
        if count.unit or name not in units:  # what was not counted may come without one
            units[name] = count.unit or default_unit(name)
        if name in _OURS.values():
            modifiers[name] = modifier
        if 0 < count.ran < 100:
            shared.setdefault(name, []).append(count.ran)
    _require_alike(modifiers, path)
    return _placed(of_rows(list(intervals.values()), units, "perf stat"), shared, path)


def _counts(path: str | Path) -> Iterator[tuple[int, _Count]]:
    for number, raw in enumerate(b"".join(chunks(path)).split(b"\n"), 1):
        line = raw.decode("utf-8", "replace").strip()
        if not line or line.startswith("#"):
            continue
        fields = _fields(line)
        if _is_derived(fields):
            continue
        if len(fields) < 6 or not _LINE.match(raw):
            raise DataError(f"is no line of perf stat: {line[:40]!r}", path=path, line=number, hint=_HINT)
        time, value, unit, event = (field.strip() for field in fields[:4])
        yield number, _Count(time, _value(value, path, number), unit, event, _value(fields[5], path, number))


def _is_derived(fields: list[str]) -> bool:
    """A ratio that perf made of counters: a line of its own, without value and event."""
    return len(fields) > 6 and not any(field.strip() for field in fields[1:6])


def _fields(line: str) -> list[str]:
    """Of a line; an event may hold commas: `cpu/event=0x3c,umask=0x1/u`."""
    before, after = line.split(",")[:3], line.split(",")[3:]
    for end in range(1, len(after) + 1):
        event = ",".join(after[:end])
        if event.count("/") != 1:
            return [*before, event, *after[end:]]
    return [*before, *after]


def _value(text: str, path: str | Path, line: int) -> float:
    if text in _MISSING:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < _LARGEST:
        raise DataError(f"{text!r} is no count", path=path, line=line, hint=_HINT)
    return value


def _name(event: str) -> tuple[str, str]:
    """Our name of an event, else its own, and its modifier (`u`: user mode only)."""
    plain = re.fullmatch(r"(?:cpu(?:_core)?/)?([^/:]+)/?(?::?([a-zA-Z]*))", event)
    if plain and plain[1] in _OURS:
        return _OURS[plain[1]], plain[2]
    return event, ""


def _require_alike(modifiers: dict[str, str], path: str | Path) -> None:
    """Ratios of user mode to user and kernel mode together would mean nothing."""
    if len(set(modifiers.values())) > 1:
        modes = ", ".join(f"{name}{f':{m}' if m else ''}" for name, m in modifiers.items())
        raise DataError(
            f"its events are counted in unlike modes: {modes}", path=path,
            hint="record all with the same modifier: instructions:u,cycles:u",
        )  # fmt: skip


def _placed(readings: Readings, shared: dict[str, list[float]], path: str | Path) -> Readings:
    """The rows in which instructions were counted, one after the other."""
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
        raise DataError("counted no instructions", path=path, hint=_HINT)
    notes = [
        f"{name} was counted {np.mean(part):.0f}% of the time in {len(part)} of {len(readings)} intervals, "
        "and scaled to all of it"
        for name, part in shared.items()
    ]
    if gone := int((~ran).sum()):
        notes.append(f"intervals of time in which no instructions were counted, left out: {gone}")
    length = executed[ran].astype(np.int64)
    return Readings(
        {name: values[ran] for name, values in readings.counters.items()},
        readings.units,
        readings.source,
        {"start": np.cumsum(length) - length, "length": length},
        tuple(notes),
    )
