"""The separate debug file of a module, as distributions install it, or as a server has it.

Places and their order: GDB manual, "Debugging Information in Separate Files".
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from phasemark.symbols import debuginfod
from phasemark.symbols.elf import BROKEN, Elf

ROOT = Path("/usr/lib/debug")


def find(elf: Elf) -> Elf | None:
    """The debug file that belongs to `elf`; None where there is none.

    Here, by build-id or by name and checksum; else on the servers that the user names in DEBUGINFOD_URLS.
    """
    return _installed(elf) or _downloaded(elf)


def _downloaded(elf: Elf) -> Elf | None:
    path = debuginfod.find(elf.build_id, elf.path.name) if elf.build_id else None
    debug = _open(path) if path else None
    return debug if debug and debug.build_id == elf.build_id else None


def _installed(elf: Elf) -> Elf | None:
    if build := elf.build_id:
        path = ROOT / ".build-id" / build[:2] / f"{build[2:]}.debug"
        if (debug := _open(path)) and debug.build_id == build:
            return debug
    try:
        name, checksum = _link(elf)
    except BROKEN:
        return None
    folder = elf.path.resolve().parent
    for path in (folder / name, folder / ".debug" / name, ROOT / str(folder)[1:] / name):
        if name and path != elf.path.resolve() and (debug := _open(path)) and _belongs(debug, elf, checksum):
            return debug
    return None


def _open(path: Path) -> Elf | None:
    try:
        return Elf(path)
    except BROKEN:
        return None


def _link(elf: Elf) -> tuple[str, int]:
    """Name and checksum from .gnu_debuglink; an empty name where it is missing or malformed."""
    content = elf.section(".gnu_debuglink")
    name = content.split(b"\0")[0].decode("utf-8", "replace")
    if not name or "/" in name:
        return "", 0
    return name, int(struct.unpack(f"{elf.order}I", content[-4:])[0])


def _belongs(debug: Elf, elf: Elf, checksum: int) -> bool:
    if elf.build_id and debug.build_id:
        return elf.build_id == debug.build_id
    return zlib.crc32(debug.path.read_bytes()) == checksum
