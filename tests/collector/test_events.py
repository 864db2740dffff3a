"""Events of small programs: counted by hand, and by single-stepping, to the instruction."""

from __future__ import annotations

import signal
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.collector.harness import collect, command, labels, qemu_command, read_all
from tests.reference.events import put_together
from tests.reference.raw_stream import Stream
from tests.waiting import LONG, until

from phasemark.collect.stream.reader import RawStream
from phasemark.simulate import config

Build = Callable[..., Path]

BY_HAND = {
    "inner_loop": ("loop", 9),
    "outer_loop": ("loop", 2),
    "call_factorial": ("call", 1),
    "call_even": ("call", 1),
    "call_chain": ("call", 1),
    "switch": ("indirect", 0),
    "back_loop": ("loop", 2),
    "computed": ("indirect", 1),
    "call_deep": ("call", 3),
    "alone_loop": ("loop", 999),
    "strings_loop": ("loop", 99),
    "endless_loop": ("loop", 49),
    "trampoline": ("return", 1),
    "call_itself": ("call", 4),
    "return_factorial": ("return", 5),
    "call_odd": ("call", 3),
    "return_even": ("return", 4),
    "call_even_again": ("call", 3),
    "return_odd": ("return", 3),
    "return_helper": ("return", 1),
    "tail_call": ("loop", 1),
    "call_deeper": ("call", 57),
    "long_jump": ("indirect", 2),
    "long_jump_out": ("indirect", 1),
}


def happened(stream: Stream, thread: int = 0) -> Counter[tuple[str, int]]:
    """How often each event happened: kind and address of the branch."""
    counts: Counter[tuple[str, int]] = Counter()
    for token in stream.tokens(thread):
        counts[stream.sites[token.site].kind, stream.address(token.site)] += token.repeats
    return counts


def test_events_by_hand(engine: str, program: Build, tmp_path: Path) -> None:
    built = program("events.S")
    run = collect(tmp_path, built, options=("--events=100000",), engine=engine)
    places = labels(built)
    assert happened(run.root) == {
        (kind, places[label]): times for label, (kind, times) in BY_HAND.items() if times
    }


def single_stepped(stepper: Path, *program: object) -> tuple[list[tuple[int, str, int, int]], int]:
    """Events (position, kind, address, target), and the instructions in all."""
    done = subprocess.run([stepper, *map(str, program)], capture_output=True, text=True, check=True)
    *lines, total = [line.split() for line in done.stdout.splitlines()]
    found = [(int(at), kind, int(a, 16), int(b, 16)) for at, kind, a, b in lines]
    return found, int(total[0])


#: Programs without a C library, which do the same natively.
BARE = ["events", "loops", "rep", "straddle", "selfmod_file", "fault", "timing_branches", "timing_chase"]
#: QEMU does not say where a block was stopped by a fault.
SHORT = [name for name in BARE if name not in ("fault", "timing_branches", "timing_chase")]
OPTIONS = {
    "selfmod_file": ("--smc-check=all",),
    "fault": ("--vex-iropt-register-updates=allregs-at-mem-access",),
}


@pytest.mark.parametrize("lengths", [(1, 100), (7, 1), (64, 30), (1 << 40, 100_000)])
@pytest.mark.parametrize(
    ("engine", "name"),
    [("valgrind", name) for name in BARE] + [("qemu", name) for name in SHORT],
)
def test_events_by_single_stepping(
    engine: str, name: str, lengths: tuple[int, int], program: Build, tmp_path: Path
) -> None:
    interval, longest = lengths  # of an interval, and of a token
    built = program(f"{name}.S")
    options = (f"--events={longest}", *OPTIONS.get(name, ()))
    root = collect(tmp_path, built, interval=interval, options=options, engine=engine).root
    events, total = single_stepped(program("step_events.c"), built)
    ids = {(site.kind, root.address(number)): number for number, site in root.sites.items()}
    assert root.total == total
    assert root.tokens() == put_together(((ids[k, a], at) for at, k, a, _ in events), longest)
    leads_to = {(kind, address): set[int]() for _, kind, address, _ in events}
    for _, kind, address, target in events:
        leads_to[kind, address].add(target)
    for (kind, address), number in ids.items():
        if (known := root.sites[number].target) is not None:
            assert leads_to[kind, address] == {root.modules[known[0]].start + known[1]}


# ---------------------------------------------------------------- programs with a C library

STATIC = ("-static", "-no-pie", "-pthread", "-fcf-protection=none")
EVENTS = ("--events=100000",)


def functions(program: Path) -> dict[str, range]:
    """The addresses of each function's code."""
    listing = subprocess.run(["nm", "-S", program], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in listing.splitlines() if len(line.split()) == 4]
    return {name: range(int(at, 16), int(at, 16) + int(size, 16)) for at, size, _, name in rows}


def calls_to(stream: Stream, function: range, thread: int = 0) -> int:
    """How often a function was called where its address is in the code."""
    times = 0
    for token in stream.tokens(thread):
        site = stream.sites[token.site]
        if site.kind == "call" and site.target is not None:
            module, offset = site.target
            times += token.repeats * (stream.modules[module].start + offset == function.start)
    return times


def within(stream: Stream, kind: str, function: range, thread: int = 0) -> int:
    """How often an event of a kind happened in a function."""
    found = happened(stream, thread).items()
    return sum(times for (what, address), times in found if what == kind and address in function)


def test_a_long_jump_leaves_functions_without_a_return(engine: str, program: Build, tmp_path: Path) -> None:
    built = program("events.c", *STATIC)
    root = collect(tmp_path, built, "jumps", options=EVENTS, engine=engine).root
    deep = functions(built)["deep"]
    assert (calls_to(root, deep), within(root, "call", deep), within(root, "return", deep)) == (60, 60, 0)


def test_an_exception_leaves_functions_without_a_return(engine: str, program: Build, tmp_path: Path) -> None:
    built = program("unwind.cc", "-static", "-no-pie", "-lstdc++")
    run = collect(tmp_path, built, options=EVENTS, engine=engine)
    thrower = functions(built)["thrower"]
    assert run.returncode == 0
    assert calls_to(run.root, thrower) == 60 and within(run.root, "return", thrower) == 0


def test_a_signal_handler_is_not_called_but_returns(engine: str, program: Build, tmp_path: Path) -> None:
    built = program("events.c", *STATIC)
    root = collect(tmp_path, built, "signals", options=EVENTS, engine=engine).root
    handle = functions(built)["handle"]
    assert (calls_to(root, handle), within(root, "return", handle)) == (0, 50)


def test_coroutines_belong_to_their_thread(engine: str, program: Build, tmp_path: Path) -> None:
    built = program("events.c", *STATIC)
    root = collect(tmp_path, built, "coroutines", options=EVENTS, engine=engine).root
    places = functions(built)
    assert calls_to(root, places["swapcontext"]) == 100 + 100
    assert within(root, "loop", places["turn"]) == 99  # the last turn does not come back


def test_code_in_anonymous_memory_has_sites(engine: str, program: Build, tmp_path: Path) -> None:
    root = collect(tmp_path, program("events.c", *STATIC), "anonymous", options=EVENTS, engine=engine).root
    times = {"loop": 0, "return": 0}
    for token in root.tokens():
        site = root.sites[token.site]
        if root.modules[site.module].kind == 1:
            times[site.kind] += token.repeats
    assert times == {"loop": 20 * 6, "return": 20}


def test_a_million_calls_deep(engine: str, program: Build, tmp_path: Path) -> None:
    built = program("events.c", *STATIC)
    root = collect(tmp_path, built, "deep", interval=10**9, options=EVENTS, engine=engine).root
    down = functions(built)["down"]
    assert calls_to(root, down, 1) == 1_000_001 and within(root, "return", down, 1) == 1_000_001
    assert len(root.tokens(1)) < 1000  # they are in succession


def worked(built: Path) -> range:
    """Where work.h's loop is."""
    at = labels(built)["work_loop"]
    return range(at, at + 10)


@pytest.mark.parametrize(("engine", "interval"), [("valgrind", 37), ("valgrind", 10**9), ("qemu", 10**9)])
def test_two_hundred_threads(interval: int, engine: str, program: Build, tmp_path: Path) -> None:
    built = program("events.c", *STATIC)
    root = collect(tmp_path, built, "threads", interval=interval, options=EVENTS, engine=engine).root
    loop = worked(built)
    assert [within(root, "loop", loop, thread) for thread in range(1, 201)] == list(range(999, 1199))


def test_a_forked_child_has_its_own_events(engine: str, program: Build, tmp_path: Path) -> None:
    built = program("events.c", *STATIC)
    run = collect(tmp_path, built, "fork", options=EVENTS, engine=engine)
    (child,) = run.followed
    loop = worked(built)
    assert (within(run.root, "loop", loop), within(child, "loop", loop)) == (299 + 99, 199)


def test_a_stripped_program_has_the_same_events(program: Build, tmp_path: Path) -> None:
    plain, stripped = program("events.S"), program("events.S", "-s")
    first, second = (collect(tmp_path / path.name, path, options=EVENTS).root for path in (plain, stripped))
    assert first.tokens() == second.tokens() and len(first.tokens()) == 40


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_program_keeps_its_events(
    ending: signal.Signals, engine: str, program: Build, tmp_path: Path
) -> None:
    built = program("events.c", *STATIC)
    words = [*command(tmp_path, *EVENTS, interval=1 << 40), str(built)]
    if engine == "qemu":
        words = qemu_command(tmp_path, str(built), *EVENTS, interval=1 << 40)
    process = subprocess.Popen([*words, "endless"])
    try:
        until(
            lambda: any(t.repeats > 100 for stream in read_all(tmp_path) for t in stream.tokens()[-9:]),
            process,
        )
        process.send_signal(ending)
        assert process.wait(LONG) == -ending
    finally:
        process.kill()
    (root,) = read_all(tmp_path)
    last = root.tokens()[-1]
    assert last.repeats > 100 and root.instructions(0) > 0
    # SIGKILL may hit between two chunks, when all are complete by chance, and between one and what tells how
    # far the thread came, which is then of a second before.
    if ending == signal.SIGTERM:
        assert all(chunk.complete for chunk in root.chunks.values())
        assert 0 <= root.instructions(0) - last.position < 1000


# ---------------------------------------------------------------- together with others


def counted(tmp_path: Path, built: Path, *options: str) -> tuple[list[int], Stream]:
    """What the timing model counts, and the stream."""
    tmp_path.mkdir()
    (tmp_path / "timing").write_text(config.load("modern").flat())
    run = collect(tmp_path, built, interval=100, options=(f"--timing={tmp_path / 'timing'}", *options))
    (path,) = tmp_path.glob("*.raw")
    return RawStream(path).counters.counts.sum(axis=0).tolist(), run.root


@pytest.mark.parametrize("name", ["events", "loops", "rep", "timing_branches", "timing_chase"])
def test_events_and_the_timing_model_do_not_disturb_each_other(
    name: str, program: Build, tmp_path: Path
) -> None:
    built = program(f"{name}.S")
    both, root = counted(tmp_path / "both", built, *EVENTS)
    assert both == counted(tmp_path / "timing", built)[0]
    alone = collect(tmp_path / "alone", built, interval=100, options=EVENTS).root
    assert root.tokens() == alone.tokens()
