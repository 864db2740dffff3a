"""Opening URLs whose servers may be slow, but not slower than one has patience for."""

from __future__ import annotations

import http.client
import io
import socket
import time
import urllib.request
from functools import partial
from typing import Any

__all__ = ["SLOW", "opened"]

#: Bytes that must come within the time limit, each time anew.
SLOW = 100 * 1024


def opened(request: urllib.request.Request, timeout: float | None) -> Any:
    """Ask a server; its answer can be read, and closed.

    Args:
        request: what to ask for.
        timeout: seconds in which SLOW bytes must come, headers included, or the end; each time anew, so that
            the whole takes no longer than its size allows. None: any time.

    Raises:
        OSError: the server cannot be reached, or was too slow, now or while the answer is read.
        http.client.HTTPException: what it says is no answer.
    """
    return urllib.request.build_opener(_Plain, _Secure).open(request, timeout=timeout)


class _Reading(io.RawIOBase):
    """What comes from a socket, as long as enough comes."""

    def __init__(self, raw: io.RawIOBase, end: socket.socket) -> None:
        self._raw, self._socket = raw, end
        self._timeout = end.gettimeout()
        self._began, self._got = time.monotonic(), 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if self._timeout is not None:
            self._socket.settimeout(self._left(self._timeout))
        try:
            count = self._raw.readinto(buffer)
        except TimeoutError as error:
            self._got = 0 if self._got >= SLOW else self._got
            raise self._slow() from error
        self._got += count or 0
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()

    def _left(self, timeout: float) -> float:
        """Seconds until it is too slow."""
        now = time.monotonic()
        if now - self._began >= timeout:
            if self._got < SLOW:
                raise self._slow()
            self._began, self._got = now, 0
        # A socket that timed out cannot be read again: who sent enough has the next stretch, too.
        return self._began + timeout * (1 if self._got < SLOW else 2) - now

    def _slow(self) -> TimeoutError:
        return TimeoutError(f"only {self._got:,} bytes came in {self._timeout:.0f} s")


class _Answer(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, *arguments: Any, **named: Any) -> None:
        super().__init__(sock, *arguments, **named)
        self.fp = io.BufferedReader(_Reading(self.fp.detach(), sock))


def _connection(kind: Any, *arguments: Any, **named: Any) -> Any:
    made = kind(*arguments, **named)
    made.response_class = _Answer
    return made


class _Plain(urllib.request.HTTPHandler):
    def do_open(self, http_class: Any, req: urllib.request.Request, **named: Any) -> Any:
        return super().do_open(partial(_connection, http_class), req, **named)


class _Secure(urllib.request.HTTPSHandler):
    def do_open(self, http_class: Any, req: urllib.request.Request, **named: Any) -> Any:
        return super().do_open(partial(_connection, http_class), req, **named)
