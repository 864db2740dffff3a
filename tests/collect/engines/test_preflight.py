"""What cannot be profiled is told before anything runs, and why."""

from __future__ import annotations

import os
import shutil
import struct
from pathlib import Path

import pytest

from phasemark.collect.engines import preflight
from phasemark.errors import NotExecutable, ProgramNotFound, WorkError


def program(path: Path, content: bytes = b"#!/bin/sh\n", mode: int = 0o755) -> str:
    path.write_bytes(content)
    path.chmod(mode)
    return str(path)


def elf(
    machine: int = 62, *, bits: int = 2, order: int = 1, kind: int = 3, segments: bytes | None = None
) -> bytes:
    """An ELF file of headers only; `segments` are 56 bytes each."""
    table = segment(1, 5) if segments is None else segments
    sign = "<" if order == 1 else ">"
    head = b"\x7fELF" + bytes([bits, order, 1]) + bytes(9)
    head += struct.pack(
        f"{sign}HHIQQQIHHHHHH", kind, machine, 1, 0, 64, 0, 0, 64, 56, len(table) // 56, 0, 0, 0
    )
    return head + table


def segment(kind: int, flags: int, offset: int = 0, size: int = 0) -> bytes:
    return struct.pack("<IIQQQQQQ", kind, flags, offset, 0, 0, size, size, 1)


def test_a_program_of_this_machine_is_found_in_path() -> None:
    assert preflight.check("true").path == Path(shutil.which("true") or "")


def test_scripts_are_followed_to_their_interpreter(short_path: Path) -> None:
    inner = program(short_path / "inner", b"#! /bin/sh -e\n")
    outer = program(short_path / "outer", f"#!{inner}\n".encode())
    assert preflight.check(outer).path == Path("/bin/sh")


@pytest.mark.parametrize(("flags", "writes"), [(5, False), (6, False), (7, True)])
def test_only_a_segment_both_writable_and_executable_may_modify_its_code(
    flags: int, writes: bool, tmp_path: Path
) -> None:
    path = program(tmp_path / "p", elf(segments=segment(1, 4) + segment(1, flags)))
    assert preflight.check(path).writes_its_code is writes


def test_not_found(tmp_path: Path) -> None:
    with pytest.raises(ProgramNotFound, match="no such program in PATH"):
        preflight.check("no-such-program-anywhere")
    with pytest.raises(ProgramNotFound, match="no such file"):
        preflight.check(str(tmp_path / "x"))


def test_a_folder_that_cannot_be_searched_is_passed_over(tmp_path: Path) -> None:
    program(tmp_path / "wanted")
    no_name = "x" * 300  # longer than a file system takes; a folder without permission is no bar to root
    assert preflight.check("wanted", search=f"/{no_name}:{tmp_path}").path == Path("/bin/sh")
    with pytest.raises(ProgramNotFound, match="no such program in PATH"):
        preflight.check("wanted", search=f"/{no_name}")
    with pytest.raises(ProgramNotFound, match="no such file"):
        preflight.check(f"./{no_name}")


def test_a_program_in_this_folder_needs_a_slash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "here")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ProgramNotFound) as caught:
        preflight.check("here", search="/bin")
    assert "./here" in caught.value.hint
    assert preflight.check("here", search="").path == Path("/bin/sh")


@pytest.mark.parametrize("name", ["./here", "folder/../here", "here"])
def test_names_are_those_of_the_folder_that_the_program_starts_in(name: str, tmp_path: Path) -> None:
    interpreted = b"#!./inner\n"
    (tmp_path / "folder").mkdir()
    program(tmp_path / "here", interpreted)
    loaded = elf(segments=segment(3, 4, 176, 8) + segment(1, 7)) + b"./loader"
    program(tmp_path / "inner", loaded)
    with pytest.raises(ProgramNotFound, match="loader"):
        preflight.check(name, search=".", cwd=tmp_path)
    program(tmp_path / "loader")
    ready = preflight.check(name, search="/nowhere:", cwd=tmp_path)
    assert ready.path == tmp_path / "inner" and ready.writes_its_code
    with pytest.raises(ProgramNotFound):
        preflight.check(name, search=".")


def test_a_folder_is_followed_as_the_system_follows_it(tmp_path: Path) -> None:
    (tmp_path / "far" / "inside").mkdir(parents=True)
    (tmp_path / "near").symlink_to("far/inside")
    program(tmp_path / "far" / "there")
    assert preflight.check("../there", cwd=tmp_path / "near").path == Path("/bin/sh")
    with pytest.raises(ProgramNotFound, match="no such file"):
        preflight.check("../near/../../there", cwd=tmp_path / "near")


def test_the_hint_looks_into_the_folder_that_the_program_starts_in(tmp_path: Path) -> None:
    program(tmp_path / "here")
    with pytest.raises(ProgramNotFound) as caught:
        preflight.check("here", search="/bin", cwd=tmp_path)
    assert "./here" in caught.value.hint


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(WorkError, match="gone: there is no such folder to start the program in"):
        preflight.check("true", cwd=tmp_path / "gone")


BAD = {
    "not executable": (elf(), 0o644, NotExecutable, "is not executable"),
    "empty": (b"", 0o755, NotExecutable, "empty file"),
    "no program": (b"echo hello\n", 0o755, NotExecutable, "neither a program nor a script"),
    "setuid": (elf(), 0o4755, NotExecutable, "rights of its own"),
    "setgid": (elf(), 0o2755, NotExecutable, "rights of its own"),
    "aarch64": (elf(183), 0o755, NotExecutable, "64-bit ARM"),
    "RISC-V": (elf(243), 0o755, NotExecutable, "RISC-V"),
    "big-endian": (elf(22, order=2), 0o755, NotExecutable, "S/390"),
    "32-bit": (elf(3, bits=1), 0o755, NotExecutable, "32-bit x86"),
    "x32": (elf(62, bits=1), 0o755, NotExecutable, "32-bit pointers"),
    "unknown": (elf(999), 0o755, NotExecutable, "processor number 999"),
    "object file": (elf(kind=1), 0o755, NotExecutable, "object file"),
    "cut": (elf()[:40], 0o755, NotExecutable, "damaged"),
    "cut table": (elf()[:70], 0o755, NotExecutable, "damaged"),
    "no interpreter": (b"#!/no/such/python\n", 0o755, ProgramNotFound, "interpreter /no/such/python"),
    "nameless interpreter": (b"#! \n", 0o755, NotExecutable, "names no interpreter"),
    "no loader": (
        elf(segments=segment(3, 4, 120, 11)) + b"/no/loader\0",
        0o755,
        ProgramNotFound,
        "loader /no/loader",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_it_says_why(what: str, tmp_path: Path) -> None:
    content, mode, error, message = BAD[what]
    path = program(tmp_path / "p", content, mode)
    with pytest.raises(error, match=message) as caught:
        preflight.check(path)
    assert caught.value.hint
    assert caught.value.exit_status == (127 if error is ProgramNotFound else 126)


def test_a_directory_and_a_pipe_are_no_programs(tmp_path: Path) -> None:
    with pytest.raises(NotExecutable, match="directory"):
        preflight.check(str(tmp_path))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotExecutable, match="ordinary"):
        preflight.check(str(tmp_path / "pipe"))


def test_interpreters_that_never_end(short_path: Path) -> None:
    path = program(short_path / "p", f"#!{short_path}/p\n".encode())
    with pytest.raises(NotExecutable, match="too many interpreters"):
        preflight.check(path)


def test_a_script_with_the_line_ends_of_windows(tmp_path: Path) -> None:
    script = program(tmp_path / "script", b"#!/bin/sh\r\necho hi\r\n")
    with pytest.raises(ProgramNotFound, match="Windows") as caught:
        preflight.check(script)
    assert "sed" in caught.value.hint
