"""What is said where there is not enough memory: that, and no fault."""

from __future__ import annotations

import errno
import resource

from phasemark.errors import WorkError

#: KiB of address space below which the libraries for numbers and files cannot be loaded; one of them then
#: ends the process, or sends it a signal.
LEAST = 200_000


def require() -> None:
    """See that the address space is large enough for our libraries.

    Raises:
        WorkError: it is limited to less.
    """
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if 0 <= limit < LEAST << 10:
        raise WorkError(
            f"only {limit >> 10:,} KiB of memory may be used (ulimit -v), and phasemark needs {LEAST:,}",
            hint="raise the limit for phasemark; for a program alone: "
            f"phasemark ... -- sh -c 'ulimit -v {limit >> 10}; exec PROGRAM'",
        )


def lacks(error: BaseException | None) -> bool:
    """Whether an error, or what it came of, says that there is not enough memory."""
    while error is not None:
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
            return True
        if isinstance(error, ImportError) and "failed to map segment" in str(error):
            return True
        if isinstance(error, RuntimeError) and "start new thread" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False
