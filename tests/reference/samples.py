"""Samples as `perf script -F pid,tid,time,period,event,ip` prints them, line by line: the slow twin."""

from __future__ import annotations

import re

_LINE = re.compile(rb" *(\d{1,9})/(\d{1,9}) +(\d{1,9})\.(\d{1,9}): +(\d{1,15}) +([^ \n]+): +([0-9a-f]{1,16})")


def sample_lines(text: bytes, begin: int = 0) -> tuple[int, list[tuple[int, int, int, int, bytes, int]]]:
    """Where the first line begins that is another or has no end; and of each line before it pid, tid,
    nanoseconds, period, event and address.
    """
    at, rows = begin, []
    while (end := text.find(b"\n", at)) >= 0:
        found = _LINE.fullmatch(text[at:end])
        if found is None:
            break
        pid, tid, seconds, fraction, period, event, ip = found.groups()
        time = int(seconds) * 10**9 + int(fraction.ljust(9, b"0"))
        rows.append((int(pid), int(tid), time, int(period), event, int(ip, 16)))
        at = end + 1
    return at, rows
