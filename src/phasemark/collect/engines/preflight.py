"""Before anything runs: can this program be profiled? If not, why not, and what to do instead."""

from __future__ import annotations

import os
import re
import resource
import stat
import struct
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from phasemark.errors import CollectorError, NotExecutable, ProgramNotFound, WorkError
from phasemark.store.names import usable

_MACHINES = {
    2: "SPARC",
    3: "32-bit x86",
    8: "MIPS",
    20: "PowerPC",
    21: "64-bit PowerPC",
    22: "S/390",
    40: "32-bit ARM",
    42: "SuperH",
    43: "SPARC V9",
    62: "x86-64",
    183: "64-bit ARM (aarch64)",
    243: "RISC-V",
    258: "LoongArch",
}
X86_64, AARCH64, RISCV = 62, 183, 243
#: Those that some collector runs programs for, as its messages name them.
_SHORT = {X86_64: "64-bit x86", AARCH64: "aarch64", RISCV: "riscv64"}
_PT_LOAD, _PT_INTERP = 1, 3
_WRITABLE_CODE = 0b011
_MOST_INTERPRETERS = 5
#: Bytes of a file in which the kernel looks for the first line of a script.
_SCRIPT_HEAD = 256

#: Descriptors: those of the collector, and a few for the program.
_FEWEST_FILES = 20

#: Class, byte order; type, machine, program headers' offset, their size and number.
_ELF = struct.Struct("<4xBB10xHH12xQ14xHH")
_PROGRAM_HEADER = struct.Struct("<IIQQQQ")


@dataclass(frozen=True)
class Program:
    """A program that can be profiled.

    Attributes:
        path: the file that is executed; for a script, its interpreter's.
        writes_its_code: a segment is writable and executable, so it may modify its own code.
        machine: that it is for, as ELF numbers it.
        words: what is executed in the end, seen from the folder that it starts in: the program's path, or its
            interpreter, that one's argument if there is one, and the script. The command's arguments follow.
        nested: the same short of the last interpreter, where a script is interpreted by another; else empty.
    """

    path: Path
    writes_its_code: bool
    machine: int
    words: tuple[str, ...]
    nested: tuple[str, ...] = ()

    def started(self, command: Sequence[str]) -> list[str]:
        """A command for an engine that reads the first line of one script only."""
        return [*(self.nested or command[:1]), *command[1:]]


def smc_options(asked: str | None, program: Program) -> list[str]:
    """The engine's option on code that may be rewritten: what was asked for, else what the program needs."""
    check = asked or ("all" if program.writes_its_code else None)
    return [] if check is None else [f"--smc-check={check}"]


def check(
    name: str,
    *,
    search: str | None = None,
    cwd: Path | None = None,
    machines: Collection[int] = (X86_64,),
    roots: Sequence[Path] = (),
) -> Program:
    """Find `name` as a shell would and see that a collector can run it.

    Args:
        name: a path, or a name to look for in `search`.
        search: folders joined by colons; $PATH if not given.
        cwd: the folder that the program starts in, from which relative names are looked up; None: ours.
        machines: that the collector can run programs of, as ELF numbers them.
        roots: folders in which a program's loader is looked for, too.

    Raises:
        WorkError: there is no folder `cwd`.
        ProgramNotFound: there is no such program, or no such interpreter.
        NotExecutable: it is no program of such a machine, or may not be executed; says why.
    """
    here = Path() if cwd is None else cwd
    _check_folder(here)
    path = _find(name, os.environ.get("PATH", os.defpath) if search is None else search, here)
    words = [name if "/" in name else str(path.absolute())]
    nested: list[str] = []
    for depth in range(_MOST_INTERPRETERS + 1):
        _check_file(path)
        head = _head(path)
        if not head.startswith(b"#!"):
            machine, writes = _check_elf(path, head, here, machines, roots)
            return Program(path, writes, machine, tuple(words), tuple(nested))
        first = _interpreter_line(path, head)
        path = _interpreter(path, first[0], here)
        nested = words[:] if depth else []
        words[:1] = [*first, words[0]]
    raise NotExecutable(f"{name}: too many interpreters of interpreters", hint="name the program itself")


def check_limits() -> None:
    """See that a collector may open as many files as it needs beside those of the program.

    Raises:
        CollectorError: it may not.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= most < _FEWEST_FILES:
        raise CollectorError(
            f"only {most} files may be open (ulimit -n), and the collector needs {_FEWEST_FILES}",
            hint="raise the limit for phasemark, and lower it for the program: "
            f"phasemark ... -- sh -c 'ulimit -n {most}; exec PROGRAM'",
        )


def _check_folder(folder: Path) -> None:
    if not usable(folder).is_dir():
        raise WorkError(
            f"{folder}: there is no such folder to start the program in",
            hint="make it, or name another with cwd",
        )


def _find(name: str, search: str, here: Path) -> Path:
    if "/" in name:
        path = here / name
        try:
            path.stat()
        except PermissionError as error:
            raise NotExecutable(
                f"{path}: its folder may not be searched", hint="ask whose it is for the permission"
            ) from error
        except (OSError, ValueError) as error:
            raise ProgramNotFound(f"{name}: there is no such file", hint="check the path") from error
        return path
    candidates = [here / folder / name for folder in search.split(":")]
    files = [path for path in candidates if _is_file(path)]
    for path in files:
        if os.access(path, os.X_OK):
            return path
    if files:
        return files[0]
    raise ProgramNotFound(
        f"{name}: no such program in PATH",
        hint=f"write ./{name} for the file in this folder" if _is_file(here / name) else "check the name",
    )


def _is_file(path: Path) -> bool:
    """False also of a folder that may not be searched: a shell goes on to the next."""
    try:
        return path.is_file()
    except OSError:
        return False


def _check_file(path: Path) -> None:
    if path.is_dir():
        raise NotExecutable(f"{path}: is a directory", hint="name a program in it")
    if not path.is_file():
        raise NotExecutable(f"{path}: is no ordinary file", hint="name a program")
    if not os.access(path, os.X_OK):
        raise NotExecutable(f"{path}: is not executable", hint=f"chmod +x {path}")
    if _gains_rights(path):
        raise NotExecutable(
            f"{path}: runs with rights of its own (setuid, setgid or capabilities), which no collector may",
            hint=f"profile a copy without them: cp {path} /tmp/",
        )


def _gains_rights(path: Path) -> bool:
    if path.stat().st_mode & (stat.S_ISUID | stat.S_ISGID):
        return True
    try:
        return bool(os.getxattr(path, "security.capability"))
    except OSError:
        return False


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError as error:
        raise NotExecutable(f"{path}: cannot be read ({error.strerror})", hint=f"chmod +r {path}") from error
    if not head:
        raise NotExecutable(f"{path}: is an empty file", hint="build or copy the program again")
    return head


def _interpreter_line(script: Path, head: bytes) -> list[str]:
    """The interpreter and its argument, if there is one, as the kernel reads them (fs/binfmt_script.c).

    Blanks and tabs part words, a carriage return is part of the name; behind a short file there are NULs, and
    of a line that is too long all but the last byte of the head is taken.
    """
    head = head[:_SCRIPT_HEAD].ljust(_SCRIPT_HEAD, b"\0")
    text, newline, _ = head.partition(b"\0")[0].partition(b"\n")
    line = (text if newline else head[:-1])[2:]
    words = re.fullmatch(rb"[ \t]*([^ \t\0]+)(?:[ \t]+([^\0]*))?.*", line.rstrip(b" \t"), re.DOTALL)
    if words is None:
        raise NotExecutable(f"{script}: names no interpreter after #!", hint="complete its first line")
    if not (newline or re.match(rb"[ \t]*[^ \t]*[ \t\0]", head[2:])):
        raise NotExecutable(
            f"{script}: names an interpreter beyond the {_SCRIPT_HEAD} bytes that the system reads",
            hint="name it by a shorter path",
        )
    return [os.fsdecode(word) for word in words.groups() if word is not None]


def _interpreter(script: Path, name: str, here: Path) -> Path:
    path = here / name
    if name.endswith("\r") and not path.exists():
        raise ProgramNotFound(
            f"{script}: its first line ends as lines on Windows do, so that its interpreter is not found",
            hint=f"sed -i 's/\\r$//' {script}",
        )
    if not path.exists():
        raise ProgramNotFound(
            f"{script}: its interpreter {path} (first line, #!) is not there",
            hint="install it, or name the interpreter yourself: phasemark ... -- INTERPRETER " + str(script),
        )
    return path


def _check_elf(
    path: Path, head: bytes, here: Path, machines: Collection[int], roots: Sequence[Path]
) -> tuple[int, bool]:
    """See that it is a program; its machine, and whether a segment of it is writable and executable."""
    if not head.startswith(b"\x7fELF"):
        raise NotExecutable(
            f"{path}: is neither a program nor a script with #!",
            hint=f"name its interpreter: phasemark ... -- sh {path}",
        )
    if len(head) < _ELF.size:
        raise NotExecutable(f"{path}: is a damaged program", hint="build or copy it again")
    elf_class, order, kind, machine, table, size, count = _ELF.unpack_from(head)
    if elf_class != 2 or order != 1 or machine not in machines:
        raise _foreign(path, head, machines)
    if kind not in (2, 3) or size < _PROGRAM_HEADER.size:
        raise NotExecutable(f"{path}: is an object file or a core dump, no program", hint="link it")
    segments = list(_segments(path, table, size, count))
    _check_loader(path, machine, segments, here, roots)
    return machine, any(
        t == _PT_LOAD and flags & _WRITABLE_CODE == _WRITABLE_CODE for t, flags, *_ in segments
    )


def _foreign(path: Path, head: bytes, machines: Collection[int]) -> NotExecutable:
    little, wide = head[5] == 1, head[4] == 2
    machine = int.from_bytes(head[18:20], "little" if little else "big")
    name = _MACHINES.get(machine, f"processor number {machine}")
    if machine == X86_64:
        name = "x86-64 with 32-bit pointers (x32)"
    runs = ", ".join(_SHORT[m] for m in machines)
    hint = f"profile a build of the program for {' or '.join(_SHORT[m] for m in machines)}"
    if wide and little and machine in _SHORT:
        hint = "profile it with --collector qemu, or a build of it for x86-64"
    return NotExecutable(
        f"{path}: is a program for {name}; the collector runs programs for {runs} only", hint=hint
    )


def _segments(path: Path, table: int, size: int, count: int) -> list[tuple[int, ...]]:
    with path.open("rb") as file:
        file.seek(table)
        raw = file.read(size * count)
    if len(raw) < size * count or not count:
        raise NotExecutable(f"{path}: is a damaged program", hint="build or copy it again")
    return [_PROGRAM_HEADER.unpack_from(raw, i * size) for i in range(count)]


def _check_loader(
    path: Path, machine: int, segments: list[tuple[int, ...]], here: Path, roots: Sequence[Path]
) -> None:
    hint = "install the C library it was built for, or link it statically"
    if machine != X86_64:
        hint = "link it statically, or set QEMU_LD_PREFIX to the folder that has its loader and libraries"
    for kind, _, offset, _, _, length in segments:
        if kind == _PT_INTERP:
            with path.open("rb") as file:
                file.seek(offset)
                name = os.fsdecode(file.read(length).rstrip(b"\0"))
            if not any((root / name.lstrip("/")).exists() for root in roots) and not (here / name).exists():
                raise ProgramNotFound(
                    f"{path}: its loader {here / name} is not there",
                    hint=hint,
                )
