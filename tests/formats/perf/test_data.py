"""perf.data, recorded here by perf itself; and `phasemark import` of it and of its text."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.commands import run

import phasemark
from phasemark.checking import check_file
from phasemark.errors import DataError, MissingTool
from phasemark.formats import recogniser
from phasemark.formats.perf import data, text

pytestmark = pytest.mark.skipif(shutil.which("perf") is None, reason="perf is not there")

SOURCE = """
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile long sum;
void *work(void *n) { for (long i = 0; i < (long)n; ++i) sum += i; return 0; }
int main(void) {
  pthread_t thread;
  for (int n = 0; n < 2; ++n) {
    pthread_create(&thread, 0, work, (void *)20000000L);
    pthread_join(thread, 0);
  }
  if (fork() == 0) { work((void *)20000000L); _exit(0); }
  wait(0);
  execlp("sh", "sh", "-c", "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done", NULL);
}
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A perf.data of threads, a fork and an exec."""
    folder = tmp_path_factory.mktemp("perf")
    (folder / "a.c").write_text(SOURCE)
    subprocess.run(["gcc", "-O1", "-pthread", "-o", folder / "prog", folder / "a.c"], check=True)
    command = [
        "perf",
        "record",
        "-q",
        "-N",
        "-o",
        folder / "perf.data",
        "-g",
        "-e",
        "task-clock:u",
        "-c",
        "500000",
    ]
    if subprocess.run([*command, "--", folder / "prog"], check=False).returncode:
        pytest.skip("perf may not record here")
    return folder / "perf.data"


def test_threads_processes_and_modules_are_told_apart(recorded: Path) -> None:
    found = data.read(recorded)
    prog = str(recorded.parent / "prog")
    by_name = [(found.processes[n].name, found.processes[n].origin) for n in found.process.tolist()]
    assert [pair for pair in by_name if pair == ("prog", "start")][1:]  # its two threads, at least
    assert ("prog", "fork") in by_name and ("sh", "exec") in by_name
    assert prog in found.modules and found.located[found.place].mean() > 0.95
    assert found.timed and found.weighted and found.events == ("task-clock:u",)


def test_the_text_with_stacks_gives_the_same(recorded: Path, tmp_path: Path) -> None:
    """perf prints the innermost frame as an offset in its file there, and an address elsewhere."""
    lines = subprocess.run(
        ["perf", "script", "-i", recorded, "--ns", "--show-mmap-events", "--show-task-events"],
        capture_output=True, check=True,
    ).stdout  # fmt: skip
    (tmp_path / "x").write_bytes(lines)
    plain, stacks = data.read(recorded), text.read(tmp_path / "x")
    assert plain.time.tolist() == stacks.time.tolist() and plain.thread.tolist() == stacks.thread.tolist()
    for found in (plain, stacks):
        assert found.located.any()
    named = [
        [(f.modules[f.module[p]], int(f.offset[p])) for p in f.place.tolist() if f.located[p]]
        for f in (plain, stacks)
    ]
    assert len({*named[0]} ^ {*named[1]}) <= 2


def test_import_makes_a_run_that_others_go_on_from(recorded: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run("import", recorded, "-o", out, "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["tool"] == "perf" and said["length_unit"] == "nanoseconds" and said["threads"] >= 4
    profile = phasemark.read(out)
    assert profile.provenance.details["recording"]["cmdline"].endswith("prog")
    assert profile.provenance.details["build_ids"][str(recorded.parent / "prog")]
    assert (profile.vectors.row_sums() == profile.interval_table.length).all()
    assert run("phases", out).returncode == 0 and run("check", out).returncode == 0
    assert phasemark.read(recorded).instructions == profile.instructions
    assert (
        recogniser.recognise(recorded).name == "perf.data" and "samples of perf" in check_file(recorded).found
    )


def test_import_of_one_process_by_functions(recorded: Path, tmp_path: Path) -> None:
    done = run("import", recorded, "-o", tmp_path / "o", "--process", "sh", "--signature", "function")
    assert done.returncode == 0, done.stderr
    profile = phasemark.read(tmp_path / "o")
    assert profile.provenance.block_definition == "sampled: functions"
    assert not any("prog" in name for name in profile.block_table.modules)
    wrong = run("import", recorded, "-o", tmp_path / "p", "--process", "nobody")
    assert wrong.returncode == 2 and "choose of: prog (" in wrong.stderr


def test_text_on_standard_input(recorded: Path, tmp_path: Path) -> None:
    lines = subprocess.run(["perf", "script", "-i", recorded, "-G"], capture_output=True, check=True).stdout
    done = run(
        "import", "-", "--dialect", "perf", "-o", tmp_path / "o", "--signature", "address", stdin=lines
    )
    assert done.returncode == 0, done.stderr


def test_what_is_no_recording_is_said_in_perfs_words(recorded: Path, tmp_path: Path) -> None:
    content = recorded.read_bytes()
    for size, words in ((60, "perf says: incompatible file format"), (20, "perf says")):
        (tmp_path / "cut").write_bytes(content[:size])
        with pytest.raises(DataError, match=words):
            data.read(tmp_path / "cut")
    (tmp_path / "cut").write_bytes(content[: len(content) // 2])
    try:
        found = data.read(tmp_path / "cut")
    except DataError as error:
        assert error.hint
    else:
        assert not found.complete and any("up to a fault" in note for note in found.notes)


def test_without_perf_it_is_said_what_to_do(
    recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingTool) as missing:
        data.read(recorded)
    assert "linux-perf" in missing.value.hint and "perf script -G" in missing.value.hint


def test_options_of_vectors_are_refused(recorded: Path, tmp_path: Path) -> None:
    done = run("import", recorded, "-o", tmp_path / "o", "--as-runs")
    assert done.returncode == 2 and "--as-runs belong to vectors" in done.stderr
    done = run("import", recorded, recorded, "-o", tmp_path / "o")
    assert done.returncode == 2 and "one file at a time" in done.stderr
