"""HDF5 files: written whole, and damage of any kind is one kind of error.

They are made in memory, then written in one go, and end in a digest of all that is before it, which HDF5
ignores: over damaged files its library may run for ever, or give other numbers. Files without it are not read
here, but by `store.resealing`. What a file declares is held against what it stores (`store.stored`) before
anything is made of that size.

The HDF5 library writes again while it closes a file, and crashes the process when the disk is full then.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO

import h5py

from phasemark.errors import DataError, PhasemarkError, printable
from phasemark.reading import opened, reading_as
from phasemark.store import cache
from phasemark.store.atomic import replacing
from phasemark.store.stored import Group, Whole

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
_PIECE = 1 << 20


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
        temporary.write_bytes(sealed_content(image))
    return _digest(image).decode()


def write_large(path: str | Path, fill: Callable[[Any], None]) -> str:
    """As `write`, straight into the file: for what may be larger than memory."""
    with replacing(path) as temporary, temporary.open("w+b") as content:
        medium = _Medium(content)
        try:
            with h5py.File(medium, "w", driver="fileobj") as file:
                fill(file)
        except _DAMAGE:
            medium.require_written()
            raise
        medium.require_written()
        content.seek(0)
        digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
        while piece := content.read(_PIECE):
            digest.update(piece)
        seal = digest.hexdigest()
        content.write(_SEAL + seal.encode())
    return seal


class _Medium:
    """A file that HDF5 writes to and that never fails it: the library crashes the process if it does."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._error: OSError | None = None

    def require_written(self) -> None:
        """See that all was written.

        Raises:
            OSError: it was not.
        """
        try:
            self._file.flush()
        except OSError as error:
            self._error = self._error or error
        if self._error:
            raise self._error

    def write(self, data: Any) -> int:
        try:
            self._file.write(data)
        except OSError as error:
            self._error = self._error or error
        return len(data)

    def read(self, size: int = -1) -> bytes:
        return self._file.read(size)

    def readinto(self, buffer: Any) -> int:
        try:
            return self._file.readinto(buffer)  # type: ignore[attr-defined, no-any-return]
        except OSError as error:
            self._error = self._error or error
            return len(buffer)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        try:
            return self._file.seek(offset, whence)
        except OSError as error:
            self._error = self._error or error
            return offset

    def tell(self) -> int:
        return self._file.tell()

    def truncate(self, size: int | None = None) -> int:
        try:
            return self._file.truncate(size)
        except OSError as error:
            self._error = self._error or error
            return size or 0

    def flush(self) -> None:
        """What could not be written is told at the end."""


def sealed_content(image: bytes) -> bytes:
    """The content of a file of HDF5, and its digest."""
    return image + _SEAL + _digest(image)


@contextmanager
def reading(path: str | Path, what: str, *, hint: str, sealed: bool = True) -> Iterator[Group]:
    """Yield the file to read, from its root.

    Args:
        path: the file.
        what: what it should be, as `a profile`.
        hint: what to do about a damaged one.
        sealed: refuse one that does not end in its digest. Over others the HDF5 library may run for ever or
            take any amount of memory: they are read by a process that is stopped then (`store.resealing`).

    Raises:
        DataError: it is no HDF5 file of ours, or reading it met damage; names the file.
        WorkError: it cannot be read.
    """
    with reading_as(path, what, hint=hint), opened(path) as file:
        if sealed:
            _require_seal(path, file, hint)
        with _damage(what, hint), h5py.File(path, "r") as opened_file:
            yield Group(opened_file, Whole(file, trusted=sealed), hint)


@contextmanager
def reading_on(path: str | Path, what: str, *, hint: str) -> Iterator[None]:
    """As `reading` translates errors, for what is read of a file that stays open.

    Raises:
        DataError, WorkError: as `reading`.
    """
    with reading_as(path, what, hint=hint), _damage(what, hint):
        yield


@contextmanager
def _damage(what: str, hint: str) -> Iterator[None]:
    """What the library, and our code over it, raise about a damaged file, as one kind of error."""
    try:
        yield
    except PhasemarkError:
        raise
    except _DAMAGE as error:
        reason = printable(str(error.args[0] if isinstance(error, KeyError) and error.args else error))
        raise DataError(f"cannot be read as {what} ({reason[:200]})", hint=hint) from error


def seal(path: str | Path) -> str | None:
    """The digest that a file of ours says it has; None of a file without one."""
    try:
        with opened(path) as file:
            begin = file.read(len(SIGNATURE))
            end = _end(file)
    except (PhasemarkError, OSError):
        return None
    return end.decode("latin-1") if begin == SIGNATURE and end is not None else None


def identity(path: str | Path) -> dict[str, Any] | None:
    """As `cache.identity`, and also of a file of ours that was just written: its seal says what it holds."""
    if not Path(path).is_file():
        return None  # to open a pipe is to wait for who writes to it
    sealed = seal(path)
    facts = cache.identity(path, settled=sealed is None)
    return facts and {**facts, "seal": sealed}


def _digest(content: bytes | memoryview) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).hexdigest().encode()


def _end(file: BufferedReader) -> bytes | None:
    """The digest in which an open file ends; None where it ends in none."""
    size = os.fstat(file.fileno()).st_size
    if size < _SEAL_BYTES:
        return None
    file.seek(size - _SEAL_BYTES)
    end = file.read(_SEAL_BYTES)
    return end.removeprefix(_SEAL) if end.startswith(_SEAL) else None


def _require_seal(path: str | Path, file: BufferedReader, hint: str) -> None:
    said = _end(file)
    file.seek(0)
    if file.read(len(SIGNATURE)) != SIGNATURE:
        raise DataError("is no HDF5 file", hint=hint)
    if said is None:
        raise DataError(
            "does not end in the digest of its content: another program wrote it, or it is cut off",
            hint=f"`phasemark check --repair {shlex.quote(str(path))}` reads it with care and adds the "
            f"digest; else, {hint}",
        )
    file.seek(0)
    digest, left = hashlib.blake2b(digest_size=_DIGEST_BYTES), os.fstat(file.fileno()).st_size - _SEAL_BYTES
    while left > 0 and (piece := file.read(min(left, _PIECE))):
        digest.update(piece)
        left -= len(piece)
    if digest.hexdigest().encode() != said:
        raise DataError("is damaged: its content is not what was written", hint=hint)
