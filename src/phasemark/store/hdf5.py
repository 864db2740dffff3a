"""HDF5 files: written whole, and damage of any kind is one kind of error.

They are made in memory, then written in one go, and end in a digest of all that is before it, which HDF5
ignores: over damaged files its library may run for ever, or give other numbers.

The HDF5 library writes again while it closes a file, and crashes the process when the disk is full then.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py

from phasemark.errors import DataError, PhasemarkError
from phasemark.store import cache
from phasemark.store.atomic import replacing

#: What the library, and our code over it, raise about a damaged file, depending on where the damage is.
_DAMAGE = (
    OSError,
    RuntimeError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    MemoryError,
)

#: With which every HDF5 file begins.
SIGNATURE = b"\x89HDF\r\n\x1a\n"

_SEAL = b"\nphasemark blake2b "
_DIGEST_BYTES = 16
_SEAL_BYTES = len(_SEAL) + 2 * _DIGEST_BYTES


def write(path: str | Path, fill: Callable[[Any], None]) -> str:
    """Have `fill` fill an h5py.File; on success it takes path's place, else nothing changes.

    Returns:
        The file's seal: the digest of its content, in which it ends.

    Raises:
        WorkError: the file cannot be written (folder missing, no permission, disk full).
    """
    with replacing(path) as temporary:
        # The library takes files in memory with one name for one file, also those of another thread.
        name = f"{temporary} {threading.get_ident()}"
        with h5py.File(name, "w", driver="core", backing_store=False) as file:
            fill(file)
            file.flush()
            image = file.id.get_file_image()
        digest = _digest(image)
        temporary.write_bytes(image + _SEAL + digest)
    return digest.decode()


@contextmanager
def reading(path: str | Path, what: str, *, hint: str) -> Iterator[Any]:
    """Yield the h5py.File to read.

    Args:
        path: the file.
        what: what it should be, as `a profile`.
        hint: what to do about a damaged one.

    Raises:
        DataError: it is no HDF5 file, or reading it met damage; names the file.
    """
    try:
        _check_seal(Path(path), hint)
        with h5py.File(path, "r") as file:
            yield file
    except DataError as error:
        raise error.at(path) from error
    except PhasemarkError:
        raise
    except _DAMAGE as error:
        raise DataError(f"cannot be read as {what} ({error})", path=path, hint=hint) from error


def seal(path: str | Path) -> str | None:
    """The digest that a file of ours says it has; None of a file without one."""
    try:
        with Path(path).open("rb") as file:
            begin = file.read(len(SIGNATURE))
            file.seek(-_SEAL_BYTES, os.SEEK_END)
            end = file.read()
    except OSError:
        return None
    ours = begin == SIGNATURE and end.startswith(_SEAL)
    return end.removeprefix(_SEAL).decode("latin-1") if ours else None


def identity(path: str | Path) -> dict[str, Any] | None:
    """As `cache.identity`, and also of a file of ours that was just written: its seal says what it holds."""
    if not Path(path).is_file():
        return None  # to open a pipe is to wait for who writes to it
    sealed = seal(path)
    facts = cache.identity(path, settled=sealed is None)
    return facts and {**facts, "seal": sealed}


def _digest(content: bytes | memoryview) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).hexdigest().encode()


def _check_seal(path: Path, hint: str) -> None:
    """A file without a seal was rewritten by another program; HDF5 finds out itself if it was cut off."""
    content = path.read_bytes()
    end = len(content) - _SEAL_BYTES
    if end < 0 or content[end : end + len(_SEAL)] != _SEAL:
        return
    if _digest(memoryview(content)[:end]) != content[end + len(_SEAL) :]:
        raise DataError("is damaged: its content is not what was written", hint=hint)
