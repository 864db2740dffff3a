"""Runs cut at given positions: the intervals end there, and the stream tells what begins there."""

from __future__ import annotations

import random
import signal
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from tests.collector.harness import Run, collect, command, labels, read_all
from tests.collector.test_counts import OPTIONS, TOTALS
from tests.collector.test_events import OPTIONS as EVENTS_OPTIONS
from tests.collector.test_events import single_stepped
from tests.reference.raw_stream import Stream
from tests.waiting import LONG, until

from phasemark.collect.stream.reader import RawStream
from phasemark.simulate import config

Build = Callable[..., Path]


def both(*names: str) -> list[tuple[str, str]]:
    """Engines and programs; QEMU does not say where a block was stopped by a fault."""
    return [("valgrind", name) for name in names] + [("qemu", name) for name in names if name != "fault"]


def cut(
    folder: Path,
    program: Path,
    cuts: Iterable[tuple[int, int]],
    *arguments: object,
    options: tuple[str, ...] = (),
    engine: str = "valgrind",
) -> Run:
    folder.mkdir(exist_ok=True)
    (folder / "cuts").write_text("".join(f"{thread} {position}\n" for thread, position in cuts))
    options = (*options, f"--cuts={folder / 'cuts'}")
    return collect(folder, program, *arguments, options=options, engine=engine)


def lengths(stream: Stream, thread: int = 0) -> list[int]:
    return [interval.length for interval in stream.intervals(thread)]


def begins(stream: Stream, thread: int = 0) -> list[int]:
    """The address of the first instruction of each interval."""
    return [stream.addresses(b.block)[b.before] for b in stream.beginnings if b.thread == thread]


def positions(stream: Stream) -> list[int]:
    return [b.position for b in stream.beginnings]


def single_steps(
    folder: Path, program: Path, options: tuple[str, ...], engine: str = "valgrind"
) -> list[int]:
    """The address of every instruction that thread 0 executes, from intervals of one instruction."""
    stream = collect(folder, program, interval=1, options=options, engine=engine).root
    return [next(iter(stream.executions([interval]))) for interval in stream.intervals()]


def test_loops_are_cut_where_a_person_counts(engine: str, program: Build, tmp_path: Path) -> None:
    built = program("loops.S")
    round_of_outer = 1 + 3 * 7 + 1 + 2 + 2
    at = [1, 2, 2 + 3, 1 + round_of_outer, 1 + 10 * round_of_outer]
    run = cut(tmp_path, built, [(0, position) for position in at], engine=engine)
    places = labels(built)
    assert run.returncode == 0
    assert run.root.header["cuts"] == "1"
    assert positions(run.root) == [0, *at]
    assert lengths(run.root) == [1, 1, 3, 23, 9 * round_of_outer, TOTALS["loops"] - at[-1]]
    last = places["from_top"] - 5  # mov $8, %ecx, five bytes
    first, *others = begins(run.root)
    assert first == places["_start"]
    assert others == [places["outer"], places["inner"], places["inner"], places["outer"], last]
    assert [b.before for b in run.root.beginnings[3:5]] == [0, 0]
    assert run.root.executions([run.root.intervals()[3]])[places["inner"]] == 6


@pytest.mark.parametrize(("engine", "name"), both("loops", "rep", "straddle", "fault", "selfmod_file"))
def test_any_cuts_tell_what_single_steps_tell(engine: str, name: str, program: Build, tmp_path: Path) -> None:
    built, options = program(f"{name}.S"), OPTIONS.get(name, ())
    steps = single_steps(tmp_path / "steps", built, options, engine)
    once = collect(tmp_path / "whole", built, interval=1 << 40, options=options, engine=engine)
    whole = once.root.executions()
    draw = random.Random(name)
    for trial, many in enumerate((1, 5, 60)):
        at = sorted(draw.sample(range(1, TOTALS[name]), many))
        cuts = [(0, position) for position in at]
        root = cut(tmp_path / str(trial), built, cuts, options=options, engine=engine).root
        assert positions(root) == [0, *at]
        assert lengths(root) == [b - a for a, b in zip([0, *at], [*at, TOTALS[name]], strict=True)]
        assert begins(root) == [steps[position] for position in [0, *at]]
        assert [b.clock for b in root.beginnings] == [0, *at]
        assert root.executions() == whole


def test_every_position_can_be_a_cut(program: Build, tmp_path: Path) -> None:
    built = program("loops.S")
    steps = single_steps(tmp_path / "steps", built, ())
    root = cut(tmp_path / "cuts", built, [(0, position) for position in range(1, TOTALS["loops"])]).root
    assert begins(root) == steps
    assert lengths(root) == [1] * TOTALS["loops"]


@pytest.mark.parametrize(("engine", "name"), both("events", "loops", "rep", "fault"))
def test_each_beginning_tells_the_last_event(engine: str, name: str, program: Build, tmp_path: Path) -> None:
    """Wherever a run is cut, also amid a block or right after a branch, with and without a trace."""
    built, options = program(f"{name}.S"), EVENTS_OPTIONS.get(name, ())
    events, total = single_stepped(program("step_events.c"), built)
    draw = random.Random(name)
    at = [position for position in range(1, total) if draw.random() < 0.3]
    for more in ((), ("--events=100",)):
        folder = tmp_path / str(len(more))
        cuts = [(0, position) for position in at]
        root = cut(folder, built, cuts, options=(*options, *more), engine=engine).root
        assert bool(root.tokens()) == bool(more)
        for begun in root.beginnings:
            before = [event for event in events if event[0] <= begun.position]
            if not before:
                assert begun.site is None and begun.since == 0
                continue
            position, kind, address, _ = before[-1]
            assert begun.since == begun.position - position
            assert begun.site is not None
            assert (root.sites[begun.site].kind, root.address(begun.site)) == (kind, address)


def test_threads_are_cut_apart(engine: str, program: Build, tmp_path: Path) -> None:
    built = program("threads.S")
    root = cut(tmp_path, built, [(1, 3), (1, 3 + 4 * 100), (7, 5)], engine=engine).root
    places = labels(built)
    assert len(lengths(root)) == 1, "a thread without a cut is one interval"
    assert lengths(root, 1) == [3, 400, 600 * 4 + 3]
    assert begins(root, 1)[1:] == [places["child_loop"]] * 2


def test_the_clock_is_of_all_threads(program: Build, tmp_path: Path) -> None:
    """Each thread's intervals are short, and no two threads run at once: the clock says who ran when."""
    built = program("threads.S")
    root = cut(tmp_path, built, [(t, p) for t in (0, 1) for p in range(5, 4000, 5)]).root
    assert [b.clock for b in root.beginnings] == sorted(b.clock for b in root.beginnings)
    at = {0: 0, 1: 0}
    for begun in root.beginnings:
        at[begun.thread] = begun.position
        other = at[1 - begun.thread]
        assert other <= begun.clock - begun.position <= other + 5


def test_cuts_beyond_the_end_are_not_reached(program: Build, tmp_path: Path) -> None:
    total = TOTALS["loops"]
    root = cut(tmp_path, program("loops.S"), [(0, 10), (0, total), (0, total + 1), (0, 1 << 62)]).root
    assert lengths(root) == [10, total - 10]
    assert positions(root) == [0, 10], "nothing begins where a thread ends"


def test_no_cuts_leave_one_interval(program: Build, tmp_path: Path) -> None:
    root = cut(tmp_path, program("loops.S"), []).root
    assert lengths(root) == [TOTALS["loops"]] and positions(root) == [0]


def test_counters_are_of_the_same_intervals(program: Build, tmp_path: Path) -> None:
    (tmp_path / "timing").write_text(config.load("modern").flat())
    at = [(0, 7), (0, 90), (0, 91)]
    folder = tmp_path / "raw"
    root = cut(folder, program("loops.S"), at, options=(f"--timing={tmp_path / 'timing'}",)).root
    (path,) = folder.glob("*.raw")
    counters = RawStream(path).counters
    assert counters.start.tolist() == [0, 7, 90, 91]
    assert counters.length.tolist() == lengths(root)
    assert counters.counts[:, 0].tolist() == lengths(root)


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
def test_what_was_cut_before_a_kill_is_there(ending: signal.Signals, program: Build, tmp_path: Path) -> None:
    built = program("ends.c", "-static", "-no-pie")
    (tmp_path / "cuts").write_text(f"0 1000\n0 2000\n0 {1 << 60}\n")
    process = subprocess.Popen([*command(tmp_path, f"--cuts={tmp_path / 'cuts'}"), str(built), "forever"])
    try:
        until(lambda: any(stream.snapshots for stream in read_all(tmp_path)), process)
        process.send_signal(ending)
        assert process.wait(LONG) == -ending
    finally:
        process.kill()
    (root,) = read_all(tmp_path)
    assert positions(root) == [0, 1000, 2000]
    assert lengths(root)[:2] == [1000, 1000] and lengths(root)[2] > 1_000_000


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("0 5\n0 five\n", 2),
        ("0 5\n\n0 6\n", 2),
        ("0 0\n", 1),
        ("0 5\n0 5\n", 2),
        ("1 5\n0 6\n", 2),
        ("0 5 6\n", 1),
        ("-1 5\n", 1),
        ("0 99999999999999999999\n", 1),
        ("0 5\r\n", 1),
    ],
)
def test_nonsense_is_refused_with_its_line(text: str, line: int, program: Build, tmp_path: Path) -> None:
    (tmp_path / "cuts").write_text(text)
    assert f"cuts:{line}: no `thread position`" in _refused(tmp_path, program, f"--cuts={tmp_path / 'cuts'}")


def test_what_does_not_go_together_is_refused(program: Build, tmp_path: Path) -> None:
    (tmp_path / "cuts").write_text("0 5\n")
    cuts = f"--cuts={tmp_path / 'cuts'}"
    assert "neither --windows nor --auto=yes" in _refused(tmp_path, program, cuts, "--auto=yes")
    assert "cannot be read" in _refused(tmp_path, program, f"--cuts={tmp_path / 'missing'}")


def _refused(folder: Path, program: Build, *options: str) -> str:
    run = collect(folder / "raw", program("loops.S"), options=options)
    assert run.returncode != 0 and not run.streams
    return run.stderr + "".join(log.read_text() for log in (folder / "raw").glob("*.log"))
