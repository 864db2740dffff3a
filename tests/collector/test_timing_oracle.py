"""Cachegrind as the oracle: with equal geometry, equal counts on real programs, within 1%.

Cachegrind counts each iteration of a REP string instruction as an instruction and as a conditional
branch; we count the instruction once. It counts a store that follows a load of the same place with it, so
stores differ. Its guesses at branches are of another make.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest
from tests.collector.harness import collect

from phasemark.collect.stream.reader import RawStream
from phasemark.simulate import config
from phasemark.simulate.config import Cache

SIZE, WAYS, LINE = 32 << 10, 8, 64
SECOND = 512 << 10
#: Code and pages that only one of the two tools runs with.
FEW = 60

PROGRAMS = {
    "gzip": ["gzip", "-9", "-k", "-f", "{text}"],
    "sort": ["sort", "{text}"],
    "sqlite3": [
        "sqlite3",
        ":memory:",
        "create table t(a); "
        "insert into t with recursive c(x) as (select 1 union all select x + 1 from c where x < 9000) "
        "select x * 7919 % 1000 from c; "
        "select a, count(*) from t group by a order by 2;",
    ],
}


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("oracle") / "text"
    path.write_text("".join(f"{i * 7919 % 10007} line {i} of a text\n" for i in range(10_000)))
    return path


def ours(folder: Path, command: list[str]) -> dict[str, int]:
    machine = config.load("modern")
    first = Cache(SIZE, WAYS, LINE)
    machine = replace(machine, l1i=first, l1d=first, l2=Cache(SECOND, 8, LINE, 10), l3=None)
    folder.mkdir()
    flat = folder / "config"
    flat.write_text(machine.flat())
    # Cachegrind has every program load a library, which ours does without.
    with mock.patch.dict(os.environ, LD_PRELOAD="/usr/libexec/valgrind/vgpreload_core-amd64-linux.so"):
        run = collect(folder / "raw", *command, interval=100_000, options=(f"--timing={flat}",))
    assert run.returncode == 0
    (path,) = (folder / "raw").glob("*.raw")
    counters = RawStream(path).counters
    return dict(zip(counters.names, counters.counts.sum(axis=0).tolist(), strict=True))


def cachegrinds(command: list[str]) -> dict[str, int]:
    caches = [f"--{name}={SIZE},{WAYS},{LINE}" for name in ("I1", "D1")]
    done = subprocess.run(
        [
            *("valgrind", "--tool=cachegrind", "--cache-sim=yes", "--branch-sim=yes"),
            "--vex-guest-chase=no",  # as ours; when it follows jumps it joins some branches
            *("--cachegrind-out-file=/dev/null", *caches, f"--LL={SECOND},8,{LINE}", *command),
        ],
        capture_output=True,
        text=True,
        check=True,
    )

    def said(what: str, column: int = 0) -> int:
        found = re.search(rf"== {what}:(.*)", done.stderr)
        assert found, done.stderr
        return int(re.findall(r"\d[\d,]*", found[1])[column].replace(",", ""))

    return {
        "instructions": said("I +refs"),
        "l1i_misses": said("I1 +misses"),
        "loads": said("D +refs", 1),
        "l1d_misses": said("D1 +misses"),
        "l2_references": said("LL refs"),
        "l2_misses": said("LL misses"),
        "conditional_branches": said("Branches", 1),
        "indirect_branches": said("Branches", 2),
    }


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs Valgrind's own tools")
@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees_with_cachegrind(name: str, tmp_path: Path, text: Path) -> None:
    command = [part.format(text=text) for part in PROGRAMS[name]]
    counted, expected = ours(tmp_path / "run", command), cachegrinds(command)
    iterations = expected["instructions"] - counted["instructions"]
    assert 0 <= iterations < 0.02 * expected["instructions"]
    counted["conditional_branches"] += iterations
    del expected["instructions"]
    for counter, value in expected.items():
        assert counted[counter] == pytest.approx(value, rel=0.01, abs=FEW), counter
