"""How many threads the kernels may use. No result depends on it."""

from __future__ import annotations

import os
from _thread import start_new_thread
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from queue import SimpleQueue
from threading import Lock, Semaphore
from typing import Generic, TypeVar

from phasemark.errors import UsageError, shown

#: The environment variable that bounds the threads.
VARIABLE = "PHASEMARK_THREADS"

#: Seconds after which who waits for a thread does its work, if it has not begun.
_PATIENCE = 1.0

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
    Threads that cannot start, for want of memory, are done without.
    """
    threads = thread_count()
    if threads == 1:
        yield from map(work, items)
        return
    workers: _Workers[_Out] = _Workers(threads)
    under_way: deque[_Task[_Out]] = deque()
    try:
        for item in items:
            task = _Task(partial(work, item))
            under_way.append(task)
            workers.give(task)
            if len(under_way) > threads:
                yield workers.result(under_way.popleft())
        while under_way:
            yield workers.result(under_way.popleft())
    finally:
        for task in under_way:
            task.cancel()
        workers.dismiss()


class _Task(Generic[_Out]):
    """Work that is done by the first thread that comes to it."""

    _done: _Out
    _error: BaseException | None = None

    def __init__(self, work: Callable[[], _Out]) -> None:
        self._work = work
        self._free, self._under_way = Lock(), Lock()
        self._under_way.acquire()

    def run(self) -> bool:
        """Do it, if nobody has begun to; whether that was so."""
        if not self._free.acquire(blocking=False):
            return False
        try:
            self._done = self._work()
        except BaseException as error:
            self._error = error
        finally:
            self._under_way.release()
        return True

    def ended(self, patience: float = -1) -> bool:
        """Wait for whoever does it, some seconds or as long as it takes; whether it is done. Asked once."""
        return self._under_way.acquire(timeout=patience)

    def result(self) -> _Out:
        """What it made, or the error that it raised."""
        if self._error is not None:
            raise self._error
        return self._done

    def cancel(self) -> None:
        """Have nobody begin it, or wait for who has."""
        if not self._free.acquire(blocking=False):
            self.ended()


class _Workers(Generic[_Out]):
    """Threads that do tasks, started when there is one to do and nobody is idle; some may never come to life.

    threading.Thread waits for its thread to say that it began, for ever where that ends for want of memory.
    """

    def __init__(self, most: int) -> None:
        self._most, self._started = most, 0
        self._tasks: SimpleQueue[_Task[_Out] | None] = SimpleQueue()
        self._idle = Semaphore(0)
        self._patience = _PATIENCE

    def give(self, task: _Task[_Out]) -> None:
        """Have a task done: at once by the caller, where no thread can be started."""
        if not self._idle.acquire(blocking=False) and self._started < self._most:
            try:
                start_new_thread(self._serve, ())
                self._started += 1
            except RuntimeError:
                self._most = self._started
        if self._started:
            self._tasks.put(task)
        else:
            task.run()

    def result(self, task: _Task[_Out]) -> _Out:
        """What it made, or the error that it raised; the caller does it if nobody else does."""
        if not task.ended(self._patience):
            if task.run():
                self._patience = 0
            task.ended()
        return task.result()

    def dismiss(self) -> None:
        """Let them end."""
        for _ in range(self._started):
            self._tasks.put(None)

    def _serve(self) -> None:
        try:
            while (task := self._tasks.get()) is not None:
                task.run()
                del task
                self._idle.release()
        except MemoryError:
            pass  # what it did not begin to do is done by who waits
