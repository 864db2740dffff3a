"""What was computed from a file and can be computed again, kept so that the next run need not.

One entry a file, in a folder of the user's caches:

    phasemark cache 1\n
    one line of JSON: key, facts, sizes of the parts; blanks up to a multiple of 64 bytes, which ends it
    the parts
    32 bytes: BLAKE2b of all before

An entry counts only if its key fits and nothing in it is damaged. A folder that cannot be written means no
cache, not an error.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phasemark.errors import PhasemarkError, WorkError
from phasemark.reading import Limit, content
from phasemark.store import leftovers
from phasemark.store.atomic import replacing

#: Names the folder, where it is not the usual one.
VARIABLE = "PHASEMARK_CACHE"

#: The oldest entries go when all together are larger.
LARGEST = 2**30

_MAGIC = b"phasemark cache 1\n"
_ALIGNED = 64
_DIGEST = 32
_LONGEST_HEADER = 2**20
_LIMIT = Limit("what is kept", LARGEST + _LONGEST_HEADER, 0)

#: A file written to so lately may change again without its time saying so.
_SETTLED = 2.0


@dataclass(frozen=True)
class Entry:
    """What was kept.

    Attributes:
        facts: as they were saved.
        parts: as they were saved, bytes for bytes.
    """

    facts: dict[str, Any]
    parts: tuple[memoryview, ...]


def identity(path: str | Path, *, settled: bool = True) -> dict[str, Any] | None:
    """What tells a file and its content from any other, as far as the system says; None where it may not.

    That is: for a file that is not there, is no regular one, or (`settled`) was changed within the last
    seconds.
    """
    try:
        status = Path(path).stat()
        if not Path(path).is_file() or (settled and time.time() - status.st_mtime < _SETTLED):
            return None
        where = os.path.realpath(path)
    except OSError:
        return None
    return {
        "path": where,
        "device": status.st_dev,
        "inode": status.st_ino,
        "size": status.st_size,
        "mtime_ns": status.st_mtime_ns,
        "ctime_ns": status.st_ctime_ns,
    }


def load(name: str, key: Mapping[str, Any]) -> Entry | None:
    """The entry of a name, if there is one, whole, for this key."""
    try:
        held = memoryview(content(_path(name), _LIMIT))
        if held[: len(_MAGIC)] != _MAGIC or held[-_DIGEST:] != _digest(held[:-_DIGEST]):
            return None
        line = bytes(held[len(_MAGIC) : _LONGEST_HEADER]).partition(b"\n")[0]
        header = json.loads(line)
        facts, sizes = dict(header["facts"]), [int(size) for size in header["sizes"]]
        at, parts = len(_MAGIC) + len(line) + 1, []
        if header["key"] != dict(key) or min(sizes, default=0) < 0 or at + sum(sizes) != len(held) - _DIGEST:
            return None
        for size in sizes:
            parts.append(held[at : at + size])
            at += size
        return Entry(facts, tuple(parts))
    except (PhasemarkError, OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError):
        return None  # RuntimeError: there is no home; or JSON without end


def save(name: str, key: Mapping[str, Any], facts: Mapping[str, Any], parts: Sequence[memoryview]) -> None:
    """Keep an entry, in place of the one that had its name; or do nothing, where that cannot be."""
    plain: list[Any] = [part.cast("B") for part in parts]
    sizes = [len(part) for part in plain]
    if sum(sizes) > LARGEST:
        return
    header = {"key": dict(key), "facts": dict(facts), "sizes": sizes}
    head = _MAGIC + json.dumps(header, sort_keys=True).encode("ascii")
    pieces = [head.ljust(_aligned(len(head) + 1) - 1) + b"\n", *plain]
    try:
        path = _path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(path) and not stat.S_ISREG(path.lstat().st_mode):
            return  # a pipe would wait for who reads it
        with replacing(path) as temporary, temporary.open("wb") as file:
            for piece in pieces:
                file.write(piece)
            file.write(_digest(*pieces))
        leftovers.sweep(path.parent)
        _make_room(path.parent)
    except (OSError, WorkError, RuntimeError):  # RuntimeError: there is no home
        return


def folder() -> Path:
    """Where entries are kept: $PHASEMARK_CACHE, or phasemark in $XDG_CACHE_HOME or ~/.cache."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "phasemark"


def _path(name: str) -> Path:
    return folder() / f"{hashlib.blake2b(os.fsencode(name), digest_size=16).hexdigest()}.cache"


def _digest(*pieces: bytes | memoryview) -> bytes:
    digest = hashlib.blake2b(digest_size=_DIGEST)
    for piece in pieces:
        digest.update(piece)
    return digest.digest()


def _aligned(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED


def _make_room(kept: Path) -> None:
    entries = sorted(((path.stat(), path) for path in kept.glob("*.cache")), key=lambda e: -e[0].st_mtime)
    total = 0
    for status, path in entries:
        total += status.st_size
        if total > LARGEST:
            path.unlink(missing_ok=True)
