"""Work on a thread of its own, a little ahead of who asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

__all__ = ["ahead"]

Item = TypeVar("Item")


def ahead(items: Iterable[Item], depth: int = 4) -> Iterator[Item]:
    """The same items, or the same error, each made up to `depth` before it is asked for.

    Whoever stops asking waits for the item that is being made, not for more.
    """
    import threading
    from queue import SimpleQueue

    made: SimpleQueue[Item | _End] = SimpleQueue()
    room = threading.Semaphore(depth)
    wanted = True

    def make() -> None:
        end = _End(None)
        try:
            for item in items:
                room.acquire()
                if not wanted:
                    return
                made.put(item)
        except BaseException as error:
            end = _End(error)
        made.put(end)

    maker = threading.Thread(target=make, daemon=True)
    try:
        maker.start()
    except RuntimeError:  # the system gives no thread, for want of memory
        yield from items
        return
    try:
        while not isinstance(item := made.get(), _End):
            room.release()
            yield item
        if item.error is not None:
            raise item.error
    finally:
        wanted = False
        room.release()
        maker.join()


class _End:
    """No item follows."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error
