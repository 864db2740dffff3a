"""What a program sees of its world is the same under the collector and without."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.collector.harness import command
from tests.waiting import LONG

Build = Callable[..., Path]

#: Valgrind keeps the last real-time signal for itself.
_DIFFERS = ("signal 64 ",)


def told(words: list[str], folder: Path, prefix: str) -> tuple[int, list[str], str]:
    """What a program said, under a shell that prepares something."""
    done = subprocess.run(
        ["bash", "-c", f'{prefix} exec "$@"', "bash", *words],
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "LC_CTYPE": "C", "LD_PRELOAD": "", "VALGRIND_LIB": "own"},
    )
    lines = [line for line in done.stdout.splitlines() if not line.startswith(_DIFFERS)]
    return done.returncode, lines, done.stderr


@pytest.mark.parametrize(
    ("how", "prefix"),
    [
        ("plain", ""),
        ("exec", "ulimit -n 300; umask 027; trap '' HUP USR2; exec 7</dev/null;"),
        ("exec", "exec <&- 2>&-; ulimit -s 4096;"),
    ],
)
def test_it_is_the_same(how: str, prefix: str, program: Build, tmp_path: Path) -> None:
    built = program("world.c")
    raw = tmp_path / "raw"
    raw.mkdir()
    alone = told([str(built), how, "a word"], tmp_path, prefix)
    assert len(alone[1]) > 90
    assert told([*command(raw), str(built), how, "a word"], tmp_path, prefix) == alone


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_descriptors_stay_closed(closed: str, tmp_path: Path) -> None:
    script = "echo out; echo $? >status; echo err >&2; echo $? >>status; read line; echo $? >>status"
    seen = []
    for before in ([], command(tmp_path)):
        words = ["sh", "-c", f'"$@" {closed}', "sh", *before, "/bin/sh", "-c", script]
        done = subprocess.run(words, capture_output=True, cwd=tmp_path, stdin=subprocess.DEVNULL, check=False)
        seen.append((done.returncode, done.stdout, done.stderr, (tmp_path / "status").read_text()))
    assert seen[0] == seen[1]


def test_each_exec_leaves_the_same_descriptor_free(tmp_path: Path) -> None:
    """Nor can a program use, by chance, what is the collector's."""
    free = 'python3 -S -c "import os; print(os.open(os.sep, 0))"'
    script = f"{free}; exec sh -c '{{ echo X >&3; }} 2>/dev/null && echo open; exec {free}'"
    seen = [
        subprocess.run([*before, "/bin/sh", "-c", script], capture_output=True, text=True, check=False)
        for before in ([], command(tmp_path))
    ]
    assert seen[0].stdout == seen[1].stdout == "3\n3\n" and seen[1].stderr == ""


def test_what_the_kernel_refuses_to_execute_is_refused(program: Build, tmp_path: Path) -> None:
    built = program("refused.c")
    (alone_in := tmp_path / "alone").mkdir()
    (raw := tmp_path / "raw").mkdir()
    alone = told([str(built)], alone_in, "")
    assert alone[1].count("one two") == 2 and "first one two" in alone[1]
    assert alone[1][-1] == "./first of two ./second ./third one two" and len(alone[1]) > 20
    assert told([*command(raw), str(built)], tmp_path, "") == alone
