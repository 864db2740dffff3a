"""Programs for other machines, under QEMU; counts that a person can check against their sources."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.collector.harness import PROGRAMS, collect, labels

import phasemark
from phasemark.symbols import annotate

GUESTS = ("aarch64", "riscv64")

FIRST = {"outer": 10, "inner": 70, "leaf": 10, "parent_loop": 500, "child": 0, "child_loop": 0, "finish": 1}
SECOND = {"outer": 0, "inner": 0, "leaf": 0, "parent_loop": 0, "child": 1, "child_loop": 700, "finish": 0}

_HELLO = """
#include <stdio.h>
int main(void) { volatile long sum = 0; for (long i = 0; i < 50000; i++) sum += i; return puts("ran") < 0; }
"""


def compiled(guest: str, source: Path, target: Path, *flags: str) -> Path:
    compiler = shutil.which(f"{guest}-linux-gnu-gcc")
    if compiler is None:
        pytest.skip(f"needs gcc-{guest}-linux-gnu")
    done = subprocess.run(
        [compiler, "-O1", "-g", "-static", *flags, source, "-o", target], capture_output=True, check=False
    )
    if done.returncode and b"stdio.h" in done.stderr:
        pytest.skip(f"needs a C library for {guest}")
    assert done.returncode == 0, done.stderr
    return target


@pytest.mark.parametrize("guest", GUESTS)
def test_counts_by_hand(guest: str, tmp_path: Path) -> None:
    built = compiled(guest, PROGRAMS / f"foreign_{guest}.S", tmp_path / guest, "-nostdlib")
    places = labels(built)
    for interval in (1, 64, 1 << 40):
        run = collect(tmp_path / str(interval), built, interval=interval, engine="qemu", guest=guest)
        root = run.root
        first, second = (root.executions(root.intervals(serial)) for serial in (0, 1))
        assert (run.returncode, run.stderr) == (6, "")
        assert {label: first[places[label]] for label in FIRST} == FIRST
        assert {label: second[places[label]] for label in SECOND} == SECOND
        # What a new thread executes first is the instruction after its parent's clone.
        assert root.threads[1].total == 1 + 1 + 700 * 3 + 3
        assert root.total == root.instructions()


@pytest.mark.parametrize("guest", GUESTS)
def test_a_foreign_program_is_profiled_and_named(guest: str, tmp_path: Path) -> None:
    source = tmp_path / "hello.c"
    source.write_text(_HELLO)
    built = compiled(guest, source, tmp_path / "hello")
    run = phasemark.profile([str(built)], tmp_path / "out", interval="10k", collector="qemu")
    profile = run.profile
    table = annotate(profile.block_table).frame().assign(count=profile.vectors.column_sums())
    hottest = table.loc[table["count"].idxmax()]
    assert (hottest.module, hottest.function, Path(hottest.file).name) == (str(built), "main", "hello.c")
    assert guest in profile.provenance.details["cpu"]
