"""What is sent while a program runs: held to the vectors of the same program, folded slowly."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import termios
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.collector.harness import collect, command, labels
from tests.collector.live import follow, line, pipe
from tests.reference.live_stream import counters, read
from tests.waiting import LONG, until

Build = Callable[..., Path]


@pytest.mark.parametrize(
    "case",
    [
        ("loops", 1, 32, 1),
        ("divided", 7, 256, 2**64 - 1),
        ("divided", 20, 1, 0),
        ("selfmod_anonymous", 7, 256, 5),
        ("threads", 9, 16384, 7),
    ],
)
def test_counters_are_those_of_the_vectors(
    case: tuple[str, int, int, int], engine: str, program: Build, tmp_path: Path
) -> None:
    name, interval, count, seed = case
    built = program(f"{name}.S")
    root = collect(tmp_path / "raw", built, interval=interval, engine=engine).root
    status, (image,) = follow(
        tmp_path / "live", built, interval=interval, counters=count, seed=seed, engine=engine
    )
    assert status == 0 and not image.warnings
    said = [image.header[key] for key in ("live", "counters", "seed", "interval", "engine")]
    assert said == ["1", str(count), str(seed), str(interval), engine]
    for thread in root.threads:
        rows = root.intervals(thread)
        if thread == 0 and name == "threads":  # how often it looks whether the other has ended is chance
            continue
        found = image.of(thread)
        assert [(f.start, f.length) for f in found] == [(i.start, i.length) for i in rows]
        if name != "threads":
            assert [f.counters for f in found] == counters(root, rows, count, seed)
        assert image.threads[thread].total == root.threads[thread].total
    assert name == "threads" or image.total == root.total


@pytest.mark.parametrize("interval", [100, 1 << 40])
def test_what_faults_is_counted_as_far_as_it_came(interval: int, program: Build, tmp_path: Path) -> None:
    built = program("fault.S")
    options = ("--vex-iropt-register-updates=allregs-at-mem-access",)
    root = collect(tmp_path / "raw", built, interval=interval, options=options).root
    status, (image,) = follow(tmp_path / "live", built, interval=interval, counters=64, options=options)
    assert status == 0
    assert max(times for i in root.intervals() for *_, times in i.partial) > 1
    assert [f.counters for f in image.of()] == counters(root, root.intervals(), 64, 1)


def test_the_heaviest_blocks_are_told(engine: str, program: Build, tmp_path: Path) -> None:
    built = program("loops.S")
    _, (image,) = follow(tmp_path, built, interval=1 << 40, engine=engine)
    (frame,) = image.of()
    places = labels(built)
    by_start = {
        image.modules[heavy.module].start + heavy.offset: heavy.instructions for heavy in frame.heaviest
    }
    # `inner` is entered ten times from `outer`, as part of a block of four instructions, and sixty times
    # anew; `outer` nine times by a jump.
    assert {label: by_start[places[label]] for label in ("inner", "outer", "spin", "leaf")} == {
        "inner": 180,
        "outer": 36,
        "spin": 19,
        "leaf": 20,
    }
    assert frame.heaviest[0].instructions == 180 and frame.began <= frame.began + frame.lasted


def test_children_and_what_is_executed_have_streams_of_their_own(
    engine: str, program: Build, tmp_path: Path
) -> None:
    script = 'true; for i in 1 2 3; do /bin/true & done; wait; exec /bin/sh -c "exit 3"'
    status, images = follow(tmp_path, "/bin/sh", "-c", script, interval=100_000, engine=engine)
    assert status == 3
    root, *followed = images
    assert root.header["origin"] == "start" and root.total is None
    assert sorted(image.header["origin"] for image in followed) == [*["exec"] * 4, *["fork"] * 3]
    assert [image.arguments[-1] for image in followed if image.header["pid"] == root.header["pid"]] == [
        "exit 3"
    ]
    for image in images:
        last = image.frames[-1]
        assert last.complete == (image.total is not None), "what it did until it executed another is told"


def test_records_of_any_length_come_through(program: Build, tmp_path: Path) -> None:
    words = ["x" * 5000, "y" * 100_000]
    _, (image,) = follow(tmp_path, "/bin/true", *words)
    assert image.arguments[1:] == words


def test_who_reads_slowly_is_waited_for(engine: str, program: Build, tmp_path: Path) -> None:
    built = program("loops.S")
    words = line(tmp_path, built, interval=1, engine=engine)
    with pipe(tmp_path, 4096) as reads, subprocess.Popen(words) as process:
        waiting = bytearray(4)

        def is_full() -> bool:
            fcntl.ioctl(reads, termios.FIONREAD, waiting)
            return int(struct.unpack("i", waiting)[0]) > 3800

        until(is_full, process)
        assert process.poll() is None
        pieces = []
        while piece := os.read(reads, 999):
            pieces.append(piece)
        assert process.wait(LONG) == 0
    (image,) = read(b"".join(pieces))
    assert len(image.of()) == image.total


def test_the_program_goes_on_when_nobody_reads_any_more(engine: str, program: Build, tmp_path: Path) -> None:
    with pipe(tmp_path, 4096) as reads:
        words = line(
            tmp_path, "/bin/sh", "-c", "echo a; read word; echo b; /bin/echo c", interval=100, engine=engine
        )
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            until(lambda: select.select([reads], [], [], 0)[0] and os.read(reads, 4096), process)
            os.close(reads)  # before the program has ended
            out, _ = process.communicate(b"\n", LONG)
        os.open(os.devnull, os.O_RDONLY)  # for `pipe` to close
    assert (process.returncode, out) == (0, b"a\nb\nc\n")


def test_it_does_not_begin_where_nobody_reads(engine: str, tmp_path: Path) -> None:
    tmp_path.mkdir(exist_ok=True)
    os.mkfifo(tmp_path / "live")
    done = subprocess.run(
        line(tmp_path, "/bin/echo", "a", engine=engine),
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG,
    )
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith(f"phasemark: nobody follows in {tmp_path}")


@pytest.mark.parametrize(
    "options",
    [
        ["--live=0,1"],
        ["--live=16385,1"],
        ["--live=32"],
        ["--live=32,1", "--auto=yes"],
        ["--live=32,1", "--events=5"],
    ],
)
def test_what_makes_no_sense_is_refused(options: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [*command(tmp_path, *options), "/bin/echo", "a"], capture_output=True, text=True, check=False
    )
    assert "nobody follows" not in done.stderr, "it did not come so far"
    assert done.returncode == 1 and done.stdout == ""
