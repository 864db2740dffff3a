"""Debug files from servers that tell them by build-id, as elfutils' client has them.

Nothing is asked without DEBUGINFOD_URLS. The variables and the cache are those of
debuginfod_find_debuginfo(3), so what GDB has downloaded is not downloaded again. A server that fails is not
asked again in this process.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import stat
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from phasemark.progress import waiting
from phasemark.symbols import patience

_PIECE = 1 << 16
_TIMEOUT = 90
_MISS_SECONDS = 600
_PATIENCE = 3.0  # seconds of a download without a word
_MIB = 1 << 20
_MAGIC = b"\x7fELF"

#: server -> why it is not asked any more
_failures: dict[str, str] = {}


class _NotThere(Exception):
    """The server does not have the file."""


class _Refused(Exception):
    """The file is larger than the user wants, or took longer."""


def is_on() -> bool:
    """Whether there are servers to ask."""
    return bool(_servers())


def notes() -> tuple[str, ...]:
    """What went wrong so far, one sentence a server."""
    return tuple(f"debuginfod: {server}: {reason}" for server, reason in _failures.items())


def find(build: str, name: str) -> Path | None:
    """The debug file of a build, from the cache or a server; None where there is none, or servers fail.

    Args:
        build: build-id in hexadecimal.
        name: of the module, for people.
    """
    if not is_on() or not re.fullmatch(r"[0-9a-f]{2,}", build):
        return None
    path = _cache() / build / "debuginfo"
    try:
        if (known := _cached(path)) is not None:
            return path if known else None
        return path if _download(build, path, name) else None
    except OSError as error:
        _failures[str(path.parent)] = f"the cache cannot be written: {error.strerror or error}"
        return None


def _servers() -> list[str]:
    words = os.environ.get("DEBUGINFOD_URLS", "").split()
    return [word for word in words if not word.startswith("ima:")]  # how signatures are checked


def _cache() -> Path:
    if path := os.environ.get("DEBUGINFOD_CACHE_PATH"):
        return Path(path)
    old = Path.home() / ".debuginfod_client_cache"
    if old.is_dir():
        return old
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "debuginfod_client"


def _number(variable: str, default: int) -> int:
    text = os.environ.get(variable, "")
    return int(text) if text.isdecimal() else default


def _cached(path: Path) -> bool | None:
    """Whether the cache holds the file; None where it does not know.

    That servers do not have it is kept as a file nobody may read, for as long as `cache_miss_s` says.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    if stat.S_IMODE(status.st_mode):
        os.utime(path, (time.time(), status.st_mtime))  # what is not used for long is removed by elfutils
        return True
    try:
        text = (path.parent.parent / "cache_miss_s").read_text()
    except OSError:
        text = ""
    seconds = int(text) if text.strip().isdecimal() else _MISS_SECONDS
    if time.time() - status.st_mtime < seconds:
        return False
    path.unlink()
    return None


def _download(build: str, path: Path, name: str) -> bool:
    is_nowhere = True
    for server in _servers():
        if server in _failures:
            is_nowhere = False
            continue
        try:
            _fetch(f"{server.removesuffix('/')}/buildid/{build}/debuginfo", path, name, server)
            return True
        except _NotThere:
            continue
        except _Refused as error:
            _failures[f"{server}, {name}"] = str(error)
        except (urllib.error.URLError, http.client.HTTPException, ValueError) as error:
            _failures[server] = _reason(error)
        except OSError as error:
            if error.filename is not None:  # of the cache
                raise
            _failures[server] = _reason(error)
        is_nowhere = False
    if is_nowhere:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0))
    return False


def _reason(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"answered {error.code} {error.reason}"
    reason = getattr(error, "reason", error)
    return f"cannot be asked: {getattr(reason, 'strerror', None) or reason}"


def _fetch(url: str, path: Path, name: str, server: str) -> None:
    """Download a file to its place, whole or not at all."""
    timeout, most = _number("DEBUGINFOD_TIMEOUT", _TIMEOUT), _number("DEBUGINFOD_MAXSIZE", 0)
    headers = {"X-DEBUGINFOD-MAXSIZE": str(most)} if most else {}
    with _opened(urllib.request.Request(url, headers=headers), timeout) as answer:
        size = _size(answer)
        if most and size > most:
            raise _Refused(f"its debug file has {size:,} bytes, more than DEBUGINFOD_MAXSIZE")
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, new = tempfile.mkstemp(prefix="debuginfo.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                for piece in _pieces(answer, most, f"{name} from {server}", size):
                    file.write(piece)
            _require_elf(Path(new))
            Path(new).replace(path)
        except BaseException:
            Path(new).unlink(missing_ok=True)
            raise


def _require_elf(path: Path) -> None:
    """See that it may be kept: networks that want a log-in answer everything with a page of their own."""
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise ValueError("what it sent is no debug file")


@contextlib.contextmanager
def _opened(request: urllib.request.Request, timeout: int) -> Iterator[Any]:
    try:
        with patience.opened(request, timeout or None) as answer:
            yield answer
    except urllib.error.HTTPError as error:
        with error:
            if error.code == 404:
                raise _NotThere from error
            if error.code == 406:  # a server that heeds X-DEBUGINFOD-MAXSIZE
                raise _Refused("its debug file is larger than DEBUGINFOD_MAXSIZE") from error
            raise
    except urllib.error.URLError as error:
        if isinstance(error.reason, FileNotFoundError):  # of file:///
            raise _NotThere from error
        raise


def _size(answer: Any) -> int:
    """Bytes to come, 0 where the server does not say; packed ones may be told apart."""
    texts = (answer.headers.get(key, "") for key in ("X-DEBUGINFOD-SIZE", "Content-Length"))
    return next((int(text) for text in texts if text.isdecimal()), 0)


def _pieces(answer: Any, most: int, what: str, size: int) -> Iterator[bytes]:
    began, told, got = time.monotonic(), 0.0, 0
    longest = _number("DEBUGINFOD_MAXTIME", 0)
    # What there is, not a whole piece: one that sends a byte now and then would be waited for without end.
    while piece := answer.read1(_PIECE):
        got += len(piece)
        seconds = time.monotonic() - began
        if most and got > most:
            raise _Refused("its debug file is larger than DEBUGINFOD_MAXSIZE")
        if longest and seconds > longest:
            raise _Refused(f"only {got:,} bytes of its debug file came in {seconds:.0f} s")
        if seconds - told > _PATIENCE:
            told = seconds + 2 * _PATIENCE
            of = f" of {size / _MIB:.0f}" if size else ""
            waiting(f"downloading debug information of {what}: {got / _MIB:.0f}{of} MiB")
        yield piece
    if size and got != size and answer.headers.get("Content-Length") == str(size):
        raise ValueError(f"only {got:,} of {size:,} bytes came")
