"""Events of real programs, end to end: recorded, kept, named, and read again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.collect import encoding as raw
from tests.waiting import until

import phasemark
from phasemark.collect import Request, record
from phasemark.collect.engines.valgrind import tool_folder
from phasemark.errors import DataError, MissingTool, UsageError
from phasemark.model import SITE_KINDS
from phasemark.store import Folder, events_h5

try:
    tool_folder()
except MissingTool as missing:
    pytest.skip(str(missing), allow_module_level=True)

PROGRAM = """
__attribute__((noinline)) long inner(long n)
{
    long sum = 0;
    while (n--) {
        __asm__ volatile("");
        sum += n;
    }
    return sum;
}
int main(void)
{
    long sum = 0;
    for (int i = 0; i < 50; i++)
        sum += inner(1000);
    return sum == 1;
}
"""


@pytest.fixture(scope="module")
def nest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nest")
    (folder / "nest.c").write_text(PROGRAM)
    subprocess.run(["gcc", "-g", "-O1", "nest.c", "-o", "nest"], cwd=folder, check=True)
    return folder / "nest"


def test_a_loop_nest_has_named_sites(nest: Path, tmp_path: Path) -> None:
    run = phasemark.profile([str(nest)], tmp_path, interval="10k", events=True)
    (trace,) = run.events
    sites, times = trace.sites, np.zeros(len(trace.sites), np.int64)
    last = 0
    for symbol, repeats, position in trace.chunks():
        np.add.at(times, symbol, repeats)
        last = int(position[-1])
    assert trace.instructions == run.profile.instructions >= last > trace.instructions - 1000
    kinds = np.array(SITE_KINDS)[sites.kind]
    found = {
        (kinds[row], sites.function[row], sites.callee[row]): int(times[row])
        for row in range(len(sites))
        if sites.function[row] in ("inner", "main") and sites.file[row].endswith("nest.c")
    }
    assert found[("loop", "inner", "inner")] == 50 * 999
    assert found[("call", "main", "inner")] == found[("return", "inner", "")] == 50
    assert found[("loop", "main", "main")] == 49
    assert all(2 <= sites.line[row] <= 10 for row in range(len(sites)) if sites.function[row] == "inner")
    said = json.loads((tmp_path / "run.json").read_text())["steps"]
    assert said["profile"]["events"] is True
    assert said["events"]["sites"] == len(sites) and said["events"]["events"] == len(trace)


def test_two_runs_at_different_addresses_give_equal_files(nest: Path, tmp_path: Path) -> None:
    command = ("env", "-i", str(nest))
    for name in "ab":
        record(Request(command, 10_000, process="nest", events=True), tmp_path / name)
    first, second = ((tmp_path / name / "events.h5").read_bytes() for name in "ab")
    assert first == second


def test_vectors_are_the_same_with_events_and_without(nest: Path, tmp_path: Path) -> None:
    command = ("env", "-i", str(nest))
    for name, events in (("a", True), ("b", False)):
        record(Request(command, 1_000, process="nest", events=events), tmp_path / name)
    first, second = ((tmp_path / name / "profile.h5").read_bytes() for name in "ab")
    assert first == second
    assert not (tmp_path / "b" / "events.h5").exists()


def test_a_run_without_events_discards_those_of_an_earlier_one(nest: Path, tmp_path: Path) -> None:
    record(Request((str(nest),), 10_000, events=True), tmp_path)
    assert (tmp_path / "events.h5").exists()
    record(Request((str(nest),), 10_000), tmp_path)
    assert not (tmp_path / "events.h5").exists() and "events" not in Folder(tmp_path).steps()
    with pytest.raises(DataError, match="--events"):
        _ = phasemark.open(tmp_path).events


def test_a_killed_program_keeps_its_events(tmp_path: Path) -> None:
    script = "i=0; while [ $i -lt 5000 ]; do i=$((i+1)); done; env kill -9 $$; sleep 9"
    run = record(Request(("sh", "-c", script), 10_000, process="1", events=True), tmp_path)
    assert run.status == 137 and not run.failure
    trace, *_ = events_h5.read(tmp_path / "events.h5")
    *_, (_, _, position) = trace.chunks()
    # Of both the last second may be missing, and of either more.
    assert run.profile.instructions / 2 < position[-1] <= run.profile.instructions


def test_killing_phasemark_leaves_events_to_read(tmp_path: Path) -> None:
    out = tmp_path / "out"
    busy = "i=0; while [ $i -lt 100000000 ]; do i=$((i+1)); done"
    program = (
        "from phasemark.collect import session, Request, record; session._CHECKPOINT_SECONDS = 0.5; "
        f"record(Request(('sh', '-c', {busy!r}), 100000, events=True), {str(out)!r})"
    )
    with subprocess.Popen([sys.executable, "-c", program], start_new_session=True) as process:
        try:
            until((out / "profile.h5").exists, process)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    (trace,) = phasemark.open(out).events
    assert sum(len(position) for *_, position in trace.chunks()) > 100
    assert trace.instructions == phasemark.read(out).instructions


def test_events_are_used_up_to_the_damage_and_the_profile_stays(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.record("profile", Request(("prog",), 10, events=True).entry(state="running"))
    (tmp_path / "raw").mkdir()
    raw.write(
        tmp_path / "raw" / "100.0.raw",
        raw.header(events=100),
        raw.module(0, "/bin/prog"),
        raw.thread(0),
        raw.block(0, (0, 0, [1])),
        raw.interval(0, 0, 10, {0: 10}, kind="P"),
        raw.site(0, 0, 0, 0),
        raw.events(0, 0, [(0, 1, 4)]),
        raw.site(1, 0, 0, 9),
        raw.events(0, 4, [(1, 1, 8)]),
    )
    assert phasemark.read(tmp_path).instructions == 10
    (trace,) = phasemark.open(tmp_path).events
    assert (len(trace), trace.instructions) == (1, 10)


def test_exp_bbv_records_none() -> None:
    with pytest.raises(UsageError, match="exp-bbv records no events"):
        Request(("true",), collector="exp-bbv", events=True)


def test_the_command_writes_them(nest: Path, tmp_path: Path) -> None:
    main = [sys.executable, "-c", "from phasemark.cli import main; main()"]
    command = [*main, "profile", "--events", "-o", str(tmp_path / "out"), "--", str(nest)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "out/events.h5" in done.stderr
    checked = subprocess.run(
        [*main, "check", str(tmp_path / "out")], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0 and "events.h5: events: " in checked.stdout
