"""gem5's stats.txt, plain or gzip: how many instructions a simulation ran."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from phasemark.errors import DataError
from phasemark.formats.metrics.gem5_counters import BEGIN, OLD_NAMES
from phasemark.formats.source import chunks

__all__ = ["instructions"]

_WANTED = ("simInsts", "simTicks", "finalTick")


def instructions(path: str | Path) -> int:
    """Instructions simulated, over all dumps of the file.

    A dump counts since the last reset. finalTick is never reset, so simTicks tells whether there was one
    before a dump: then the dump's instructions add to those before, else they contain them.

    Raises:
        DataError: no stats file, or one without simInsts; names the file.
        WorkError: the file cannot be read.
    """
    before, current, ticks, final = 0, 0, 0, 0
    counted = False
    for dump in _dumps(path):
        if "simInsts" not in dump:
            continue
        now = dump.get("simTicks", 0), dump.get("finalTick", 0)
        if counted and now[0] != ticks + (now[1] - final):
            before += current
        current, (ticks, final), counted = dump["simInsts"], now, True
    if not counted:
        raise DataError(
            "holds no simInsts", path=path, hint="name the stats.txt of the run that was profiled"
        )
    return before + current


def _dumps(path: str | Path) -> Iterator[dict[str, int]]:
    dump: dict[str, int] = {}
    for number, line in enumerate(b"".join(chunks(path)).split(b"\n"), 1):
        if line.startswith(BEGIN):
            yield dump
            dump = {}
        elif line.startswith((b"sim", b"final")):
            fields = line.split()
            name = fields[0].decode("utf-8", "replace")
            name = OLD_NAMES.get(name, name)
            if name in _WANTED:
                dump[name] = _value(fields, path, number)
    yield dump


def _value(fields: list[bytes], path: str | Path, line: int) -> int:
    if len(fields) < 2 or not fields[1].isdigit():
        raise DataError(
            f"{fields[0].decode()} has no whole number", path=path, line=line, hint="write the stats again"
        )
    return int(fields[1])
