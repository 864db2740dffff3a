"""Build-ids, against pyelftools and against damaged files."""

from __future__ import annotations

import struct
import sys
from itertools import islice
from pathlib import Path

import h5py
import numpy as np
import pytest

from phasemark.symbols import build_id
from phasemark.symbols.elf import BROKEN, Elf


def elf_files():
    """Programs and libraries of this machine, and compiled modules of Python packages."""
    packages = Path(np.__file__).parent, Path(h5py.__file__).parent
    libraries = (path for folder in packages for path in folder.rglob("*.so"))
    programs = (
        Path(path) for path in ("/bin/sh", "/usr/bin/env", "/lib64/ld-linux-x86-64.so.2", sys.executable)
    )
    system = sorted(Path("/usr/lib/x86_64-linux-gnu").glob("lib[a-m]*.so.*"))
    return [*programs, *islice(libraries, 8), *system[:24]]


def test_pyelftools_reads_the_same():
    files = [path for path in elf_files() if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
    assert [build_id(path) for path in files] == [Elf(path).build_id for path in files]
    assert sum(len(build_id(path)) == 40 for path in files) > len(files) / 2


def file_of(bits, order, segments, *, length=None):
    """An ELF file of notes alone: a segment is its bytes and its alignment."""
    header, fields = (52, "8I") if bits == 32 else (64, "IIQQQQQQ")
    size = struct.calcsize(order + fields)
    at = header + size * len(segments)
    table = b""
    for notes, alignment in segments:
        place = (at, at, at, len(notes), len(notes))
        row = (4, *place, 4, alignment) if bits == 32 else (4, 4, *place, alignment)
        table += struct.pack(order + fields, *row)
        at += len(notes)
    start = b"\x7fELF" + bytes([bits // 32, "<>".index(order) + 1, 1]) + bytes(9)
    shape = "HHIIIIIHHHHHH" if bits == 32 else "HHIQQQIHHHHHH"
    sizes = (header, size if length is None else length, len(segments), 0, 0, 0)
    start += struct.pack(order + shape, 3, 62 if bits == 64 else 3, 1, 0, header, 0, 0, *sizes)
    return start + table + b"".join(notes for notes, _ in segments)


def note(order, name, kind, content):
    padded = name + bytes(-len(name) % 4)
    return struct.pack(order + "3I", len(name), len(content), kind) + padded + content


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("order", "<>")
def test_a_build_id_after_other_notes(tmp_path, bits, order):
    path = tmp_path / "file"
    other = note(order, b"GNU\0", 1, bytes(16)) + note(order, b"Other\0", 3, b"none")
    found = note(order, b"GNU\0", 3, bytes(range(20)))
    path.write_bytes(file_of(bits, order, [(other, 4), (other[:32], 8), (other + found, 4)]))
    assert build_id(path) == bytes(range(20)).hex()


def test_a_damaged_file_has_none_or_what_pyelftools_reads(tmp_path):
    path, whole = tmp_path / "file", file_of(64, "<", [(note("<", b"GNU\0", 3, bytes(range(20))), 4)])
    for length in [*range(0, len(whole), 5), len(whole)]:
        path.write_bytes(whole[:length])
        assert build_id(path) in ("", bytes(range(20)).hex()[: 2 * max(0, length - 136)])
    random = np.random.default_rng(1)
    for place in random.integers(64, 136, 60):  # the program header and the note's
        damaged = bytearray(whole)
        damaged[place] ^= int(random.integers(1, 256))
        path.write_bytes(damaged)
        try:
            expected = Elf(path).build_id
        except BROKEN:
            expected = ""
        assert build_id(path) in ("", expected), place


def test_a_file_of_many_or_endless_segments_is_read_in_no_time(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(file_of(64, "<", [(bytes(1 << 14), 4)] * 100))
    assert build_id(path) == ""
    path.write_bytes(file_of(64, "<", [(b"", 4)] * 9000, length=0))
    assert build_id(path) == ""


@pytest.mark.parametrize("path", ["/not/there", "/", "/dev/null", "a\0b"])
def test_no_file(path):
    assert build_id(path) == ""
