"""Events of small programs: counted by hand, and by single-stepping, to the instruction."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.collector.harness import collect, labels
from tests.reference.events import put_together
from tests.reference.raw_stream import Stream

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


def test_events_by_hand(program: Build, tmp_path: Path) -> None:
    built = program("events.S")
    run = collect(tmp_path, built, options=("--events=100000",))
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
OPTIONS = {
    "selfmod_file": ("--smc-check=all",),
    "fault": ("--vex-iropt-register-updates=allregs-at-mem-access",),
}


@pytest.mark.parametrize(("interval", "longest"), [(1, 100), (7, 1), (64, 30), (1 << 40, 100_000)])
@pytest.mark.parametrize("name", BARE)
def test_events_by_single_stepping(
    name: str, interval: int, longest: int, program: Build, tmp_path: Path
) -> None:
    built = program(f"{name}.S")
    options = (f"--events={longest}", *OPTIONS.get(name, ()))
    root = collect(tmp_path, built, interval=interval, options=options).root
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
