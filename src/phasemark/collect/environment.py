"""The environment that a program is given: the one that we were started with."""

from __future__ import annotations

import os
from pathlib import Path

#: What Python makes of LC_CTYPE in the C locale as it starts, for all that it starts in turn (PEP 538).
_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")


def given() -> dict[str, str] | None:
    """Our environment without what Python put there; None: it put nothing there, and it is ours.

    Variables that were set since, as by os.environ, stay.
    """
    if os.environ.get("LC_CTYPE") not in _COERCED:
        return None
    try:
        entries = Path("/proc/self/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    before = [entry.removeprefix(b"LC_CTYPE=") for entry in entries if entry.startswith(b"LC_CTYPE=")]
    if before and os.fsdecode(before[0]) not in ("", "C", "POSIX"):
        return None
    environment = {name: value for name, value in os.environ.items() if name != "LC_CTYPE"}
    if before:
        environment["LC_CTYPE"] = os.fsdecode(before[0])
    return environment
