"""Static blocks, loops and functions of a program that was assembled by hand."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from phasemark import symbols
from phasemark.symbols import decoding, static_regions

#: Offsets are from `first`; one loop in another, a call, data among the code.
CODE = r"""
.globl first, second, _start
.type first, @function
.type second, @function
.text
first:
    xor %eax, %eax          # 0: block of 1 instruction; 2 bytes
1:  inc %eax                # 2: head of the outer loop, block of 1; 2 bytes
2:  dec %ecx                # 4: head of the inner loop, block of 2; 2 + 2 bytes
    jnz 2b
    cmp $9, %eax            # 8: block of 2; 3 + 2 bytes
    jl 1b
    call second             # 13: block of 1; 5 bytes
    ret                     # 18: block of 1
.size first, . - first
    .byte 0x06, 0x06        # 19: no instructions of 64-bit code
second:
    nop                     # 21
    ret
.size second, . - second
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, int]:
    """The program, and the offset of `first`."""
    folder = tmp_path_factory.mktemp("code")
    (folder / "a.s").write_text(CODE)
    build = ["gcc", "-nostdlib", "-shared", "-Wl,--build-id", "-o", str(folder / "a.so"), str(folder / "a.s")]
    subprocess.run(build, check=True)
    table = subprocess.run(["nm", str(folder / "a.so")], capture_output=True, text=True, check=True).stdout
    first = next(int(line.split()[0], 16) for line in table.splitlines() if line.endswith(" T first"))
    return str(folder / "a.so"), first


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PHASEMARK_CACHE", str(tmp_path / "cache"))
    static_regions._opened.cache_clear()
    return tmp_path / "cache"


def found(program: tuple[str, int], kind: str, **more: float) -> list[tuple[int, int, int, bool]]:
    path, first = program
    made = symbols.regions(path, first + np.arange(23, dtype=np.uint64), kind, **more)
    assert not isinstance(made, str)
    columns = (made.offset.astype(np.int64) - first, made.size, made.instructions, made.known)
    return [*zip(*(column.tolist() for column in columns), strict=True)]


def test_blocks_begin_at_targets_behind_branches_and_at_functions(program: tuple[str, int]) -> None:
    wanted = [(0, 2, 1)] * 2 + [(2, 2, 1)] * 2 + [(4, 4, 2)] * 4 + [(8, 5, 2)] * 5 + [(13, 5, 1)] * 5
    wanted += [(18, 1, 1)]
    assert [row[:3] for row in found(program, "block")][:19] == wanted
    assert found(program, "block")[21:] == [(21, 2, 2, True)] * 2


def test_the_innermost_loop_is_found_and_else_the_function(program: tuple[str, int]) -> None:
    rows = found(program, "loop")
    assert [row[:2] for row in rows[:19]] == [(0, 19)] * 2 + [(2, 11)] * 2 + [(4, 4)] * 4 + [(2, 11)] * 5 + [
        (0, 19)
    ] * 6
    assert rows[21][:2] == (21, 2)


def test_functions(program: tuple[str, int]) -> None:
    rows = found(program, "function")
    assert {row[:2] for row in rows[:19]} == {(0, 19)} and not rows[19][3] and rows[21][:2] == (21, 2)


def test_what_was_decoded_is_kept(
    program: tuple[str, int], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = found(program, "block")
    assert len([*cache.glob("*.cache")]) == 1

    def decode(elf: object) -> None:
        raise AssertionError("decoded again")

    monkeypatch.setattr(decoding, "_decode", decode)
    static_regions._opened.cache_clear()
    assert found(program, "block") == before
    monkeypatch.setattr(decoding, "VERSION", 99)
    static_regions._opened.cache_clear()
    with pytest.raises(AssertionError):
        found(program, "block")


def test_what_cannot_be_read_is_told(program: tuple[str, int], tmp_path: Path) -> None:
    path, _ = program
    (tmp_path / "x").write_bytes(b"\x7fELF rubbish")
    (tmp_path / "e").write_bytes(b"")
    at = np.zeros(1, np.uint64)
    for module, why in (
        ("[vdso]", "is no file"), ("//anon", "is no file"), ("/no/such", "is not there"),
        (str(tmp_path / "x"), "cannot be read as an ELF file"),
        (str(tmp_path / "e"), "cannot be read as an ELF file"),
    ):  # fmt: skip
        assert symbols.regions(module, at, "block") == why
    assert symbols.regions(path, at, "block", build="12") == "is another build than the one that ran"
    assert symbols.regions(path, at, "block", written=1.0) == "has changed since"
    other = bytearray(Path(path).read_bytes())
    other[18] = 183  # aarch64
    (tmp_path / "o").write_bytes(other)
    assert symbols.regions(str(tmp_path / "o"), at, "block") == "is for another processor (EM_AARCH64)"
    assert not isinstance(symbols.regions(str(tmp_path / "o"), at, "function"), str)
