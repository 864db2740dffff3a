"""The lines that `perf script` prints, taken apart.

A sample is `comm pid/tid [cpu] time: period event: ip symbol+offset (module)`, of which comm, cpu, period,
time, symbol and module may be missing. With call stacks the line ends after the event, and each frame has a
line, the innermost first, up to a blank one. Records of mappings, threads and losses stand between samples.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

#: Numbers have no more digits than what they mean can have: with a damaged one a line is none of perf's.

#: With a time, which nearly all have; it is what tells a sample's line from a frame's.
_TIMED = re.compile(
    rb"\s*(?:(?P<comm>\S.*?)\s+)?(?P<pid>-?\d{1,9})(?:/(?P<tid>-?\d{1,9}))?\s+(?:\[\d+\]\s+)?(?:[.\w]{4,6}\s+)?"
    rb"(?P<seconds>\d{1,9})\.(?P<fraction>\d{1,9}):\s+(?P<rest>\S.*)"
)
_UNTIMED = re.compile(
    rb"(?:(?P<comm>\S.*?)\s+)?(?P<pid>-?\d{1,9})(?:/(?P<tid>-?\d{1,9}))?\s+(?:\[\d+\]\s+)?"
    rb"(?P<rest>(?:\d+\s+)?[A-Za-z][^\s()]*:(?:\s.*)?|PERF_RECORD_.*)"
)
_EVENT = re.compile(
    rb"(?:(?P<period>\d{1,18})\s+)?(?P<event>[A-Za-z{][^\s]*?):\s*(?:(?P<ip>[0-9a-f]{1,16})(?P<where>\s.*)?)?"
)
_FRAME = re.compile(rb"\s+(?P<ip>[0-9a-f]{1,16})(?P<where>\s.*)?")
_WHERE = re.compile(
    rb"\s*(?P<symbol>.*?)(?:\+0x[0-9a-f]+)?(?:\s+\((?P<module>[^()]*(?:\(deleted\))?[^()]*)\))?\s*"
)
_MAPPING = re.compile(
    rb"PERF_RECORD_MMAP2? (-?\d{1,9})/(-?\d{1,9}): \[(?:0x)?([0-9a-f]{1,16})\((?:0x)?([0-9a-f]{1,16})\) @ "
    rb"(?:0x)?([0-9a-f]{1,16})"
    rb"(?: <([0-9a-f]*)>| [^]]*)?\]: (\S+) (.*)"
)
_TASK = re.compile(rb"PERF_RECORD_(FORK|EXIT)\((\d{1,9}):(\d{1,9})\):\((\d{1,9}):(\d{1,9})\)")
_NAME = re.compile(rb"PERF_RECORD_COMM( exec)?: (.*):(\d{1,9})/(\d{1,9})")
_LOST = re.compile(rb"PERF_RECORD_LOST(?:_SAMPLES)?\b\D*(\d{1,18})?")

#: Frames and samples of which perf knows no more.
_NOTHING = (b"", b"[unknown]", b"unknown")


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a sample, or of a record.

    Attributes:
        pid: of the process; None where the line has but one number, the thread's.
        tid: of the thread.
        comm: what the system calls it; empty where not said.
        time: nanoseconds; None where the line has none.
        rest: what follows.
    """

    pid: int | None
    tid: int
    comm: bytes
    time: int | None
    rest: bytes


@dataclass(frozen=True, slots=True)
class Where:
    """Where a sample or a frame is.

    Attributes:
        ip: the address.
        symbol, module: as perf names them; empty where it does not.
    """

    ip: int
    symbol: bytes = b""
    module: bytes = b""


@dataclass(frozen=True, slots=True)
class Sampled:
    """What was sampled.

    Attributes:
        event: its name.
        period: how much of it the sample stands for; None where not said.
        where: None where frames follow.
    """

    event: bytes
    period: int | None
    where: Where | None


@dataclass(frozen=True, slots=True)
class Mapping:
    """A record of a mapping; `build` is the build-id, where the record has it."""

    pid: int
    start: int
    size: int
    offset: int
    name: bytes
    build: str
    executable: bool


@dataclass(frozen=True, slots=True)
class Task:
    """A record of a thread's begin or end."""

    begins: bool
    pid: int
    tid: int
    parent: int
    parent_tid: int


@dataclass(frozen=True, slots=True)
class Name:
    """A record of a new name, and whether another program was executed."""

    executed: bool
    name: bytes
    pid: int
    tid: int


@dataclass(frozen=True, slots=True)
class Lost:
    """A record of how many events were lost; 0 where it does not say."""

    count: int


def header(line: bytes) -> Header | None:
    """A sample's first line, or a record's; None for any other."""
    found = _TIMED.fullmatch(line)
    time = None
    if found is not None:
        time = int(found["seconds"]) * 10**9 + int(found["fraction"].ljust(9, b"0"))
    elif line[:1].isspace() or (found := _UNTIMED.fullmatch(line)) is None:
        return None
    pid, tid = found["pid"], found["tid"]
    alone = tid is None
    number = int(pid if alone else tid)
    return Header(None if alone else int(pid), number, found["comm"] or b"", time, found["rest"])


def sampled(rest: bytes) -> Sampled | None:
    """What follows the time of a sample; None where it is nothing of the kind."""
    found = _EVENT.fullmatch(rest)
    if found is None:
        # A tracepoint, whose line goes on with its fields.
        found = re.match(
            rb"(?:(?P<period>\d{1,18})\s+)?(?P<event>[a-z_0-9]+:[a-z_0-9]+):(?P<ip>$)?(?P<where>$)?", rest
        )
        if found is None:
            return None
    period = int(found["period"]) if found["period"] else None
    return Sampled(found["event"], period, _where(found) if found["ip"] else None)


def frame(line: bytes) -> Where | None:
    """A line of a call stack; None for any other."""
    found = _FRAME.fullmatch(line)
    return None if found is None else _where(found)


def record(rest: bytes) -> Mapping | Task | Name | Lost | None:
    """A record; None for one that says nothing of samples.

    Raises:
        ValueError: one of these, but not as perf writes it.
    """
    kind = rest[len(b"PERF_RECORD_") :]
    if kind.startswith(b"MMAP"):
        return _mapping(_found(_MAPPING, rest))
    if kind.startswith((b"FORK", b"EXIT")):
        found = _found(_TASK, rest)
        return Task(found[1] == b"FORK", *(int(number) for number in found.groups()[1:]))
    if kind.startswith(b"COMM"):
        found = _found(_NAME, rest)
        return Name(found[1] is not None, found[2], int(found[3]), int(found[4]))
    if kind.startswith(b"LOST"):
        return Lost(int(_found(_LOST, rest)[1] or 0))
    return None


def _found(pattern: re.Pattern[bytes], rest: bytes) -> re.Match[bytes]:
    found = pattern.match(rest)
    if found is None:
        raise ValueError("is no record as perf writes it")
    return found


def _mapping(found: re.Match[bytes]) -> Mapping:
    protection = found[7]
    return Mapping(
        int(found[1]),
        int(found[3], 16),
        int(found[4], 16),
        int(found[5], 16),
        found[8].removesuffix(b" (deleted)"),
        (found[6] or b"").decode("ascii"),
        b"x" in protection,
    )


def _where(found: re.Match[bytes]) -> Where:
    ip, text = int(found["ip"], 16), found["where"]
    place = _WHERE.fullmatch(text) if text else None
    if place is None:
        return Where(ip)
    symbol, module = place["symbol"] or b"", (place["module"] or b"").removesuffix(b" (deleted)")
    return Where(ip, b"" if symbol in _NOTHING else symbol, b"" if module in _NOTHING else module)
