"""First lines of scripts: read as the kernel reads them, before anything runs and by the engine."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.collector.harness import collect

import phasemark
from phasemark.collect.engines import preflight
from phasemark.errors import CollectorError

Build = Callable[..., Path]

#: What follows #! and the interpreter; the last byte that the kernel takes is the 255th.
RESTS = {
    "blanks behind": b"  -e f \t \nabc",
    "no end": b"  -e f \t x",
    "long": b" " + b"abcde " * 60,
    "long, blanks at the end": b" " + b"a" * 30 + b" " * 300,
    "a NUL": b" a\0b\nxx",
    "a NUL at once": b"\0 b\nxx",
    "nothing": b"",
    "tab": b"\t-x\n",
}


@pytest.fixture
def tmp_path(short_path: Path) -> Path:
    """Names in first lines are to be of a length that is known, wherever pytest has its folders."""
    return short_path


@pytest.fixture
def interpreter(program: Build, tmp_path: Path) -> bytes:
    short = tmp_path / "i"
    short.symlink_to(program("arguments.c"))
    return os.fsencode(short)


def script(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    path.chmod(0o755)
    return path


def said_alone(path: Path) -> str | None:
    try:
        return subprocess.run([path, "q"], capture_output=True, text=True, check=True).stdout
    except OSError:
        return None


def said_before(path: Path) -> str | None:
    try:
        words = preflight.check(str(path)).words
    except CollectorError:
        return None
    return "".join(f"[{word}]" for word in (*words, "q")) + "\n"


def test_what_is_said_before_is_what_the_kernel_does(interpreter: bytes, tmp_path: Path) -> None:
    draw = random.Random(3)
    heads = [b"#!" + interpreter + rest for rest in RESTS.values()]
    heads += [b"#!" + interpreter + b"\t "]  # an argument, and that is empty
    heads += [b"#!" + b" " * n + interpreter for n in range(251 - len(interpreter), 257 - len(interpreter))]
    heads += [b"#!", b"#!\n", b"#! \t\n", b"#!\0", b"#!\0\n", b"#!" + b" " * 300 + interpreter]
    for _ in range(40):
        rest = bytes(draw.choices(b" \t\0\nab", (6, 3, 1, 1, 6, 3), k=draw.choice((4, 12, 300))))
        heads.append(b"#!" + draw.choice((b"", b" ", b"\t ")) + interpreter + rest)
    said = set()
    for n, head in enumerate(heads):
        path = script(tmp_path / f"s{n}", head)
        alone = said_alone(path)
        assert said_before(path) == alone, head
        said.add(alone)
    assert None in said and len(said) > 20


@pytest.mark.parametrize("depth", [5, 6])
def test_as_many_interpret_one_another_as_the_kernel_lets(
    depth: int, interpreter: bytes, tmp_path: Path
) -> None:
    name = interpreter
    for n in range(depth):
        name = os.fsencode(script(tmp_path / f"{n}", b"#!%s -%d\n" % (name, n)))
    path = Path(os.fsdecode(name))
    alone = said_alone(path)
    assert said_before(path) == alone and (alone is None) == (depth > 5)
    if alone is not None:
        started = preflight.check(str(path)).started([str(path), "q"])
        assert "".join(f"[{word}]" for word in started) in alone and started[0] == str(tmp_path / "0")
        assert collect(tmp_path / "raw", *started).stdout == alone


def test_the_engine_reads_them_as_the_kernel_does(interpreter: bytes, tmp_path: Path) -> None:
    paths = [script(tmp_path / f"s{n}", b"#!" + interpreter + rest) for n, rest in enumerate(RESTS.values())]
    nameless = script(tmp_path / "nameless", b"#!\0\n")
    all_of_them = "".join(f"{path} q; " for path in paths) + f"env {nameless}; echo $?"
    alone = subprocess.run(["/bin/sh", "-c", all_of_them], capture_output=True, text=True, check=True)
    run = collect(tmp_path / "raw", "/bin/sh", "-c", all_of_them)
    assert (run.stdout, run.stderr) == (alone.stdout, alone.stderr)
    assert run.stdout.endswith("126\n")
    assert collect(tmp_path / "first", paths[0], "q").stdout == alone.stdout.splitlines(keepends=True)[0]


def test_a_script_that_a_script_interprets_is_profiled(
    interpreter: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    inner = script(tmp_path / "inner", b"#!" + interpreter + b" -e\n")
    outer = script(tmp_path / "outer", b"#!" + os.fsencode(inner) + b" x y \n")
    run = phasemark.profile([str(outer), "q"], tmp_path / "out", interval=1000)
    assert capfd.readouterr().out == said_alone(outer)
    assert run.recording is not None and run.recording.status == 0
