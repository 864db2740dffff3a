"""The lines of `perf stat -x SEP` and `perf stat -j`, one count each.

    [TIME,][VALUE],[UNIT],EVENT,[CGROUP,][DEVIATION%,]RUNTIME,SHARE[,METRIC,UNIT OF THE METRIC]
    {"interval" : 0.1, "counter-value" : "9.000000", "unit" : "", "event" : "cycles", ...}

A line without an event is a metric that perf made of counts. Before the value, `-A` and `--per-*` say of what
the count is. perf writes numbers as the locale has them, which with `-x,` cannot be told from two fields.
Source: print_counter and printout in tools/perf/util/stat-display.c of Linux 4.20 to 6.12, and files recorded
with perf 6.1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from phasemark.errors import DataError
from phasemark.formats.source import lines
from phasemark.reading import TABLE

__all__ = ["HINT", "Count", "counts", "sniff"]

HINT = "record with `perf stat -I MS -x, -o FILE -e instructions:u,cycles:u -- PROGRAM`"

#: Bytes of a line.
_LONGEST = 1 << 20

#: What perf's counters hold.
_LARGEST = 2.0**63

_NOT_COUNTED, _NOT_SUPPORTED = "<not counted>", "<not supported>"
_VALUE = r"\d+(?:[.,]\d+)?|<not (?:counted|supported)>"
_IS_VALUE = re.compile(_VALUE)
_IS_TIME = re.compile(r"\d+\.\d+")
_NANOSECONDS = re.compile(r"\d+\.\d{9}")
_WHOLE_SHARES = frozenset(map(str, range(101)))
_IS_SHARE = re.compile(r"\d+[.,]\d+")

#: What `-A` and `--per-*` write before the value, and which of them it is; a thread is COMMAND-ID.
_APART = {
    r"CPU-?\d+": "-A",
    r"S\d+-(?:D\d+-)?C\d+": "--per-core",
    r"S\d+-D\d+-CLS\d+": "--per-cluster",
    r"S\d+-D\d+-L\d+-ID-?\d+": "--per-cache",
    r"S\d+-D\d+": "--per-die",
    r"S\d+": "--per-socket",
    r"N\d+": "--per-node",
    r".*-\d+": "--per-thread",
}

#: The same in JSON.
_APART_IN_JSON = {
    "cpu": "-A",
    **{name: f"--per-{name}" for name in ("core", "cluster", "cache", "die", "socket", "node", "thread")},
}

#: Begins a line whose next character parts fields.
_FIRST_FIELD = re.compile(rf"(?:summary|{'|'.join(list(_APART)[:-1])}|{_VALUE}|[^,;|\t\"{{]*?-\d+)([^\w. -])")

_OBJECT = re.compile(r"\{[^{}]*\}")
_PAIR = re.compile(r'"([^"]+)"\s*:\s*(?:"([^"]*)"|([^",{}\s]+))')
_COMMA_IN_NUMBER = re.compile(r':\s*"?\d+,\d')
_JSON_OF_PERF = ('"counter-value"', '"metric-value"', '"pcnt-running"')

#: Of the heading that stands over metrics alone.
_METRICS_ALONE = re.compile(r"\D*(?:insn per cycle|CPUs utilized|GHz)\b")

#: Of the text that perf writes for people.
_FOR_PEOPLE = re.compile(rb"^(?: Performance counter stats for |#\s+time\s+counts unit events)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Count:
    """What one line counts.

    Attributes:
        line: its number, from 1.
        time: the end of the interval, seconds, as perf writes it; empty: of the whole run.
        value: NaN where perf did not count.
        supported: False where perf says that it cannot count this.
        unit: may be empty.
        event: with PMU and modifiers, as perf writes it.
        runtime: nanoseconds that the counter ran.
        share: of the time, in percent.
        cgroup: that was counted; empty: everything.
        repeated: a mean of several runs (`-r`).
    """

    line: int
    time: str
    value: float
    supported: bool
    unit: str
    event: str
    runtime: float
    share: float
    cgroup: str = ""
    repeated: bool = False


def sniff(start: bytes) -> bool:
    """Whether a file that starts so is such output, or what perf stat writes for people."""
    text = start.decode("utf-8", "replace")
    said = (line.strip() for line in text.split("\n"))
    first = next((line for line in said if line and not line.startswith("#")), "")
    if first.startswith("{"):
        return any(key in first for key in _JSON_OF_PERF)
    known = _separator(first) is not None or _METRICS_ALONE.match(first) is not None
    return known or _FOR_PEOPLE.search(start) is not None


def counts(path: str | Path) -> Iterator[Count]:
    """The counts of a file, plain or gzip, in order; metrics that perf made of them are left out.

    Raises:
        DataError: a line of another form, or a count of a part of the machine alone; names file and line.
        WorkError: the file cannot be read.
    """
    separator: str | None = None
    for number, line in lines(path, TABLE, _LONGEST):
        text = line.decode("utf-8", "replace").strip()
        if text.startswith("#") or not text:
            continue
        try:
            if text.startswith("{"):
                yield from _of_json(text, number)
                continue
            separator = separator or _separator(text)
            if separator is None:
                raise _no_line(text)
            count = _of_fields([field.strip() for field in text.split(separator)], separator, number)
            if count is not None:
                yield count
        except DataError as error:
            raise DataError(error.reason, path=path, line=number, hint=error.hint or HINT) from error


def _separator(line: str) -> str | None:
    """What parts the fields of a line; None where it is no line of perf stat."""
    first = _FIRST_FIELD.match(line)
    if first is None:
        return None
    fields = [field.strip() for field in line.split(first[1])]
    # Points and weights have numbers alone.
    named = len(fields) > 4 and any(re.search("[a-z]", field) for field in fields)
    return first[1] if named and any(map(_is_running, pairwise(fields))) else None


def _is_running(pair: tuple[str, str]) -> bool:
    """Nanoseconds, and the share of the time; a decimal comma may have parted that."""
    return pair[0].isdecimal() and (_IS_SHARE.fullmatch(pair[1]) is not None or pair[1] in _WHOLE_SHARES)


def _of_fields(fields: list[str], separator: str, number: int) -> Count | None:
    time, fields = _time(fields)
    if not any(fields[:3]) and any(fields):
        return None
    if len(fields) < 5:
        raise _no_line(separator.join(fields))
    if switch := _switch(fields):
        raise _counted_apart(switch)
    value, unit, *tail = fields
    ran = next((i for i, pair in enumerate(pairwise(tail)) if i and _is_running(pair)), 0)
    if not ran or not tail[0]:
        raise _no_line(separator.join(fields))
    if not _IS_SHARE.fullmatch(tail[ran + 1]):
        raise _decimal_commas()
    names, repeated = tail[:ran], False
    if len(names) > 1 and names[-1].endswith("%"):
        names, repeated = names[:-1], True
    event, cgroup = _named(names, separator)
    share, runtime = _number(tail[ran + 1]), _number(tail[ran])
    return Count(
        number,
        time,
        *_counted(value),
        unit,
        event,
        runtime,
        share,
        cgroup,
        repeated,
    )


def _counted(value: str) -> tuple[float, bool]:
    """What perf counted, NaN where it did not, and whether it can."""
    return (math.nan if value in (_NOT_COUNTED, _NOT_SUPPORTED) else _number(value)), value != _NOT_SUPPORTED


def _time(fields: list[str]) -> tuple[str, list[str]]:
    """The end of the interval, and the fields after it; a summary of all intervals has none."""
    first, *others = fields
    if first == "summary":
        return "", others
    if _IS_TIME.fullmatch(first) and others:
        sure = _NANOSECONDS.fullmatch(first) or _IS_VALUE.fullmatch(others[0])
        if sure or _switch(others) or not any(others[:3]):
            return first, others
    return "", fields


def _switch(fields: Sequence[str]) -> str:
    """The switch for which perf counted parts of the machine apart; empty where it did not."""
    if not any(_IS_VALUE.fullmatch(field) for field in fields[1:3]):
        return ""
    return next((switch for form, switch in _APART.items() if re.fullmatch(form, fields[0])), "")


def _counted_apart(switch: str) -> DataError:
    part = {"-A": "CPU"}.get(switch, switch.removeprefix("--per-"))
    return DataError(
        f"counts each {part} apart ({switch})",
        hint=f"record without {switch}: perf then adds them up itself",
    )


def _decimal_commas() -> DataError:
    return DataError(
        "its numbers have decimal commas, which part fields too",
        hint="record with `LC_ALL=C perf stat ...`, or with another separator: -x\\;",
    )


def _no_line(text: str) -> DataError:
    if _METRICS_ALONE.match(text):
        return DataError("holds metrics alone, and no count", hint="record without --metric-only")
    if re.match(r"(?:\d+\.\d+\s+)?[\d.,]+\s+\w+[-\w]*|Performance counter stats for", text):
        return DataError(
            "is what perf stat writes for people", hint="record with -x, (or -j) to get what programs read"
        )
    return DataError(f"is no line of perf stat: {text[:40]!r}")


def _named(names: Sequence[str], separator: str) -> tuple[str, str]:
    """Event and cgroup; an event may hold the separator: `cpu/event=0x3c,umask=0x1/u`, `cycles:u`."""
    if separator == ":":
        return ":".join(names), ""
    event, *others = names
    while others and event.count("/") == 1:
        event += separator + others.pop(0)
    return event, separator.join(others)


def _number(text: str) -> float:
    value = float(text.replace(",", ".")) if re.fullmatch(r"\d+(?:[.,]\d+)?", text) else math.nan
    if not 0 <= value < _LARGEST:
        raise DataError(f"{text[:40]!r} is no count")
    return value


def _of_json(text: str, number: int) -> Iterator[Count]:
    """perf's JSON is not always JSON (`nan`, a last comma, several objects in a line), but always flat."""
    if _COMMA_IN_NUMBER.search(text):
        raise DataError("its numbers have decimal commas", hint="record with `LC_ALL=C perf stat ...`")
    if _OBJECT.sub("", text).strip(" ,\t"):
        raise _no_line(text)
    for one in _OBJECT.findall(text):
        said = {key: quoted or plain for key, quoted, plain in _PAIR.findall(one)}
        if switch := next((_APART_IN_JSON[key] for key in said if key in _APART_IN_JSON), ""):
            raise _counted_apart(switch)
        if "counter-value" in said and said.get("event"):
            yield _of_object(said, number)
        elif "metric-value" not in said:
            raise DataError("holds no count", hint="record without --metric-only")


def _of_object(said: dict[str, str], number: int) -> Count:
    value, time = said["counter-value"], said.get("interval", "")
    if time and not _IS_VALUE.fullmatch(time):
        raise DataError(f"{time[:40]!r} is no time")
    return Count(
        number,
        time,
        *_counted(value),
        said.get("unit", ""),
        said["event"],
        _number(said.get("event-runtime", "0")),
        _number(said.get("pcnt-running", "100")),
        said.get("cgroup", ""),
        "variance" in said,
    )
