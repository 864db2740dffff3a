"""What a process that was killed leaves beside the files it wrote, and how to know that nobody needs it.

A temporary file carries in its name where it was written and by which process:

    .NAME.PLACE.PID.NUMBER.tmp     a file that is not complete; `.new`: a folder of them

PLACE stands for a host and its numbers of processes: those of another host or container mean nothing here.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import os
import re
import time
import zlib
from functools import cache
from pathlib import Path

__all__ = ["is_alive", "name_for", "place", "sweep"]

#: Threads of one process may write the same file at once.
_NUMBERS = itertools.count()

#: As above; without a place, as earlier phasemarks named them.
_NAME = re.compile(r"\.(?P<of>.+?)(?:\.(?P<place>[0-9a-f]{8}))?\.(?P<pid>\d+)\.\d+\.(?:tmp|new)", re.DOTALL)

#: What earlier phasemarks left: a probe, and a file to be locked.
_OLD = (".writable", ".changing")

#: Of another host nobody here can ask: who wrote so long ago writes no more, in seconds.
_LONG_AGO = 86_400.0

#: A process that began so much later than the file was written to is another one, in seconds.
_LATER = 60.0

#: Names have at most 255 bytes; what is added must fit, too.
_LONGEST = 180


def name_for(path: Path, kind: str = "tmp") -> Path:
    """A name beside `path` that no other process or thread takes."""
    of = os.fsdecode(os.fsencode(path.name)[:_LONGEST])
    return path.with_name(f".{of}.{place()}.{os.getpid()}.{next(_NUMBERS)}.{kind}")


def sweep(folder: Path, name: str | None = None) -> None:
    """Remove the temporary files in a folder whose process is gone; those of one file, or of all.

    Args:
        folder: may be absent.
        name: of the file; None: of any, and what earlier phasemarks left.
    """
    begin = "." if name is None else f".{os.fsdecode(os.fsencode(name)[:_LONGEST])}."
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.name.startswith(begin)]
    except (OSError, ValueError):
        return
    for entry in names:
        match = _NAME.fullmatch(entry)
        if match and name is not None and not entry.startswith(f"{begin}{match['place'] or match['pid']}."):
            continue
        if (match and _is_left(folder / entry, match)) or (name is None and entry in _OLD):
            _remove(folder / entry)


def is_alive(pid: int, before: float) -> bool:
    """Whether a process of this host is there that began before a time, in seconds since 1970."""
    try:
        os.kill(pid, 0)
    except PermissionError:
        pass
    except (OSError, OverflowError):
        return False
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2]
        state, ticks = fields.split()[0], int(fields.split()[19])
    except (OSError, LookupError, ValueError):
        return True
    age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    return state not in "ZX" and time.time() - age < before + _LATER


@cache
def place() -> str:
    """This host and its numbers of processes, in eight letters."""
    numbers = 0
    with contextlib.suppress(OSError):
        numbers = Path("/proc/self/ns/pid").stat().st_ino
    return f"{zlib.crc32(os.fsencode(f'{os.uname().nodename} {numbers}')):08x}"


def _is_left(path: Path, name: re.Match[str]) -> bool:
    try:
        written = path.lstat().st_mtime
    except OSError:
        return False
    if name["place"] not in (None, place()):
        return time.time() - written > _LONG_AGO
    return not is_alive(int(name["pid"]), written)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        if path.is_dir():
            import shutil  # rarely needed, and slow to load

            shutil.rmtree(path, ignore_errors=True)
        elif path.name != ".changing" or _is_free(path):
            path.unlink()


def _is_free(path: Path) -> bool:
    """Whether nobody holds an earlier phasemark's lock."""
    handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass
    finally:
        os.close(handle)
    return True
