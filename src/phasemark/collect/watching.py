"""How far a run is, from raw streams that still grow."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from phasemark.collect.stream.framing import MAGIC, RECORD


@dataclass(frozen=True)
class Headway:
    """How far a run is.

    Attributes:
        seconds: since it began.
        instructions: recorded so far, of all processes.
        processes: process images seen so far.
        size: of what was collected, bytes.
        kept: share of it that was made into profile.h5 so far; None while the program runs.
    """

    seconds: float
    instructions: int
    processes: int
    size: int
    kept: float | None = None


class Watch:
    """Follows the raw streams in a folder; every byte is looked at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._began = time.monotonic()
        self._tails: dict[Path, _Tail] = {}

    def update(self) -> Headway:
        """Look at what was written since the last call."""
        for path in self._folder.glob("*.raw"):
            self._tails.setdefault(path, _Tail(path)).read_on()
        tails = self._tails.values()
        return Headway(
            time.monotonic() - self._began,
            sum(tail.instructions for tail in tails),
            len(tails),
            sum(tail.at for tail in tails),
        )


@dataclass
class _Tail:
    path: Path
    at: int = len(MAGIC)
    ends: dict[int, int] = field(default_factory=dict)  # thread -> its instructions so far

    @property
    def instructions(self) -> int:
        return sum(self.ends.values())

    def read_on(self) -> None:
        with self.path.open("rb") as file:
            file.seek(self.at)
            new = file.read()
        at = 0
        while at + RECORD.size <= len(new):
            kind, length = RECORD.unpack_from(new, at)
            payload = at + RECORD.size
            if payload + length > len(new):
                break
            if kind in b"IP":
                thread, start, instructions = _numbers(new, payload, 3)
                self.ends[thread] = start + instructions
            elif kind == ord("N"):
                thread, position = _numbers(new, payload, 2)
                self.ends[thread] = position
            at = payload + length
        self.at += at


def _numbers(data: bytes, at: int, count: int) -> list[int]:
    out = []
    for _ in range(count):
        value = shift = 0
        while data[at] & 0x80:
            value |= (data[at] & 0x7F) << shift
            shift += 7
            at += 1
        out.append(value | data[at] << shift)
        at += 1
    return out
