"""How many threads the kernels may use. No result depends on it."""

from __future__ import annotations

import os

from phasemark.errors import UsageError, shown

#: The environment variable that bounds the threads.
VARIABLE = "PHASEMARK_THREADS"


def thread_count() -> int:
    """PHASEMARK_THREADS where it is set, else the number of processors this process may use.

    Raises:
        UsageError: PHASEMARK_THREADS is no whole number from 1.
    """
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not text.isdecimal() or not int(text):
        raise UsageError(
            f"{VARIABLE} is {shown(text)}, no whole number from 1",
            hint=f"set {VARIABLE}=1, 2 ... or unset it",
        )
    return min(int(text), 1024)
