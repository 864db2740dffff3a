"""How many threads the kernels may use. No result depends on it."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from phasemark.errors import UsageError, shown

if TYPE_CHECKING:
    from concurrent.futures import Future

#: The environment variable that bounds the threads.
VARIABLE = "PHASEMARK_THREADS"

_In = TypeVar("_In")
_Out = TypeVar("_Out")


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


def in_order(work: Callable[[_In], _Out], items: Iterable[_In]) -> Iterator[_Out]:
    """What `work` makes of each item, in order, some of them at a time where there are several threads.

    No more than one result a thread, and one, waits to be taken; so memory does not grow with the items.
    """
    threads = thread_count()
    if threads == 1:
        yield from map(work, items)
        return
    from concurrent.futures import ThreadPoolExecutor

    under_way: deque[Future[_Out]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for item in items:
                under_way.append(pool.submit(work, item))
                if len(under_way) > threads:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
