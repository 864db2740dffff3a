"""A program is run once more, cut where it is told: vectors, markers, kinds, and what was found again."""

from __future__ import annotations

import dataclasses
import random
import signal
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.collector.harness import build, collect
from tests.waiting import LONG

from phasemark.collect import Boundaries, Cuts, Recut, Request, Until, ending, record, recut
from phasemark.collect.engines.valgrind import tool_folder
from phasemark.errors import DataError, MissingTool, UsageError
from phasemark.model import KINDS, OF_CORES, Events, Intervals, Profile, Sites
from phasemark.model.intervals import concatenate
from phasemark.simulate.config import load
from phasemark.store import events_h5

try:
    tool_folder()
except MissingTool as missing:
    pytest.skip(str(missing), allow_module_level=True)

VARIABLE, TRANSITION, TAIL = (KINDS.index(kind) for kind in ("variable", "transition", "tail"))


def intervals(*positions: list[int], kinds: list[int] | None = None) -> Intervals:
    """Those of each thread, from all their boundaries and the thread's end."""
    parts = [Intervals.of_thread(np.diff([0, *at]), thread=thread) for thread, at in enumerate(positions)]
    table = concatenate(parts)
    kind = np.full(len(table), VARIABLE) if kinds is None else np.array(kinds)
    return Intervals(table.run, table.thread, table.index, table.start, table.length, kind.astype(np.int8))


def by_place(profile: Profile) -> Counter[tuple[str, int]]:
    blocks = profile.block_table
    keys = ((blocks.modules[m], int(o)) for m, o in zip(blocks.module, blocks.offset, strict=True))
    return Counter(dict(zip(keys, profile.vectors.column_sums().tolist(), strict=True)))


@pytest.mark.parametrize("name", ["loops", "rep", "straddle", "fault"])
def test_markers_are_what_single_steps_count(name: str, tmp_path: Path) -> None:
    """Each instruction's address is known from intervals of one; a marker is how often it came up."""
    built = build(f"{name}.S", tmp_path / name)
    options = ("--vex-iropt-register-updates=allregs-at-mem-access",) if name == "fault" else ()
    stream = collect(tmp_path / "steps", built, interval=1, options=options).root
    steps = [next(iter(stream.executions([interval]))) for interval in stream.intervals()]
    at = sorted(random.Random(name).sample(range(1, len(steps)), 40))
    again = recut(Request((str(built),)), Cuts(intervals([*at, len(steps)])))
    assert again.status == 0 and again.warnings == ()
    markers, blocks = again.profile.markers, again.profile.block_table
    assert markers is not None and markers.block[0] >= 0
    base = stream.modules[0].start - stream.modules[0].file_offset
    starts = {int(offset) + base for offset in blocks.offset}
    for row, position in enumerate([0, *at]):
        if steps[position] in starts:
            assert int(blocks.offset[markers.block[row]]) + base == steps[position]
            seen = steps[: position + 1].count(steps[position])
            assert (markers.count[row], markers.total[row]) == (seen, seen)
        else:
            assert markers.block[row] == -1 and markers.count[row] == 0
    assert (markers.block >= 0).sum() > 5


@pytest.fixture(scope="module")
def whole(two_threads: str, tmp_path_factory: pytest.TempPathFactory) -> Profile:
    return record(Request((two_threads,), 10_000), tmp_path_factory.mktemp("whole")).profile


def lengths_of(profile: Profile) -> list[int]:
    table = profile.interval_table
    return [int(table.length[table.thread == thread].sum()) for thread in (0, 1)]


def cut_somewhere(whole: Profile, many: int, seed: int = 1) -> Intervals:
    draw = random.Random(seed)
    return intervals(*([*sorted(draw.sample(range(1, n), many)), n] for n in lengths_of(whole)))


def test_vectors_of_any_cuts_sum_to_the_whole_run(whole: Profile, two_threads: str) -> None:
    for many in (1, 30):
        asked = cut_somewhere(whole, many)
        again = recut(Request((two_threads,)), Cuts(asked))
        table = again.profile.interval_table
        assert table.start.tolist() == asked.start.tolist()
        # What a thread does while it waits for another one differs by a few instructions.
        assert abs(table.length - asked.length).max() < 2_000
        assert (table.kind == VARIABLE).all() and again.profile.provenance.interval is None
        sums, expected = by_place(again.profile), by_place(whole)
        assert sum((sums - expected).values()) + sum((expected - sums).values()) < 4_000
        assert again.boundaries.unchecked == again.boundaries.asked == 2 * many


def test_began_orders_the_intervals_of_all_threads(whole: Profile, two_threads: str) -> None:
    again = recut(Request((two_threads,)), Cuts(cut_somewhere(whole, 50)))
    table = again.profile.interval_table
    assert table.began is not None and table.began[0] == 0
    assert again.profile.provenance.details["clock"] == OF_CORES
    second = int(np.argmax(table.thread == 1))
    assert 0 < table.began[second] < table.length.sum()
    # The second thread begins when nobody but the first has run: its position is the clock.
    ahead = (table.thread == 0) & (table.began <= table.began[second])
    last = np.flatnonzero(ahead)[-1]
    assert table.start[last] <= table.began[second] <= table.start[last] + table.length[last]


def test_counters_are_of_the_same_intervals(whole: Profile, two_threads: str) -> None:
    again = recut(Request((two_threads,), timing=load("paper").flat()), Cuts(cut_somewhere(whole, 9)))
    metrics, table = again.metrics, again.profile.interval_table
    assert metrics is not None
    assert metrics.counters["instructions"].tolist() == table.length.tolist()
    assert metrics.index.tolist() == table.index.tolist() and (metrics.counters["cycles"] > 0).all()


def test_intervals_are_of_the_kinds_asked_for(tmp_path: Path) -> None:
    built = build("loops.S", tmp_path / "loops")
    kinds = [TRANSITION, VARIABLE, TRANSITION, TAIL]
    again = recut(Request((str(built),)), Cuts(intervals([10, 20, 300, 342], kinds=kinds)))
    assert again.profile.interval_table.kind.tolist() == kinds
    assert again.profile.interval_table.length.tolist() == [10, 10, 280, 42]


def test_what_did_not_run_alike_is_said(tmp_path: Path) -> None:
    built = build("loops.S", tmp_path / "loops")
    cuts = Cuts(intervals([10, 400, 500], [7, 9]), build_ids={})
    again = recut(Request((str(built),)), cuts)
    table = again.profile.interval_table
    assert table.length.tolist() == [10, 332] and table.kind.tolist() == [
        VARIABLE,
        TAIL,
    ]
    assert again.boundaries.lost == 2 and again.boundaries.first_lost == (2, 0, 400)
    words = " ".join(again.warnings)
    assert "2 threads executed other numbers of instructions" in words and "342 instead of 500" in words
    assert "2 were lost, the first that of interval 2 (instruction 400 of thread 0)" in words
    assert again.profile.provenance.warnings == again.warnings


def test_a_program_built_anew_is_said(tmp_path: Path) -> None:
    source = tmp_path / "hello.c"
    source.write_text("int main(void) { return 3; }\n")
    subprocess.run(["cc", "-Wl,--build-id", source, "-o", tmp_path / "hello"], check=True)
    request, name = Request((str(tmp_path / "hello"),)), str(tmp_path / "hello")
    first = recut(request, Cuts(intervals([1000, 10**6])))
    ids = first.profile.provenance.details["build_ids"]
    assert not any("the code of" in w for w in recut(request, Cuts(intervals([9]), build_ids=ids)).warnings)
    again = recut(request, Cuts(intervals([9]), build_ids={**ids, name: "0" * 40}))
    assert again.status == 3
    assert any(w.startswith(f"the code of {name[:60]} is not what it was") for w in again.warnings)


def test_a_killed_program_keeps_the_intervals_it_reached() -> None:
    script = "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done; kill -9 $$"
    again = recut(Request(("sh", "-c", script)), Cuts(intervals([100_000, 200_000, 10**12])))
    assert again.status == 128 + signal.SIGKILL
    assert again.profile.interval_table.length.tolist()[:2] == [100_000, 100_000]
    assert again.profile.interval_table.kind.tolist() == [VARIABLE, VARIABLE, TAIL]


def test_nothing_is_left_behind_and_the_place_can_be_chosen(tmp_path: Path) -> None:
    within, seen = tmp_path / "within", []
    within.mkdir()
    built = build("loops.S", tmp_path / "loops")
    look: Callable[[object], None] = lambda _: seen.append(list(within.rglob("cuts")))  # noqa: E731
    again: Recut = recut(Request((str(built),)), Cuts(intervals([5, 342])), within=within, progress=look)
    assert again.status == 0 and not list(within.iterdir())


def test_other_collectors_are_refused() -> None:
    with pytest.raises(UsageError, match="exp-bbv cannot cut"):
        recut(Request(("true",), collector="exp-bbv"), Cuts(intervals([5, 10])))


def test_cuts_follow_the_events_that_end_there() -> None:
    sites = Sites(("/bin/a",), [0, 0], [4, 9], [0, 3], [0, -1], [1, 0])
    traces = [
        Events(sites, [0, 1, 0], [1, 1, 7], [2, 5, 40], 50),
        Events(sites, [1], [1], [6], 9, thread=1),
        Events(sites, [], [], [], 9, thread=2),
    ]
    cuts = Cuts.after(intervals([5, 7, 40, 50], [6, 9], [3, 9]), traces)
    assert cuts.site.tolist() == [-1, 1, -1, 0, -1, 1, -1, -1]
    assert cuts.lines() == "0 5\n0 7\n0 40\n1 6\n2 3\n"


def test_intervals_with_gaps_are_refused() -> None:
    gap = Intervals([0, 0], [0, 0], [0, 1], [0, 6], [5, 4], [1, 1])
    with pytest.raises(DataError, match="row 1"):
        Cuts(gap)
    runs = Intervals([0, 1], [0, 0], [0, 0], [0, 0], [5, 4], [1, 1])
    with pytest.raises(DataError, match="several runs"):
        Cuts(runs)


@pytest.fixture(scope="module")
def zipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Something to compress, and a profile with its events."""
    folder = tmp_path_factory.mktemp("zipped")
    draw = random.Random(1)
    (folder / "text").write_text(" ".join(draw.choice(("one", "two", "three", "4")) for _ in range(5000)))
    record(Request(compressing("text"), 100_000, cwd=folder, events=True), folder / "out")
    return folder


def compressing(name: str) -> tuple[str, ...]:
    """Leaves nothing behind, and finds nothing around it, that would have the next run do something else.

    pytest keeps the name and stage of the test that runs in the environment, through which programs go.
    """
    return ("env", "-i", "sh", "-c", f"exec gzip -c {name} >/dev/null")


def boundaries_of(folder: Path, every: int) -> tuple[Intervals, list[Events]]:
    """Of every thread, intervals that end with the first event after so many instructions."""
    ends, traces = [], []
    for trace in events_h5.read(folder / "out" / "events.h5"):
        symbol, repeats, position = (np.concatenate(column) for column in zip(*trace.chunks(), strict=True))
        traces.append(Events(trace.sites, symbol, repeats, position, trace.instructions, thread=trace.thread))
        at = np.searchsorted(position, np.arange(every, position[-1], every))
        ends.append([*np.unique(position[at]).tolist(), trace.instructions])
    return intervals(*ends), traces


def test_a_second_pass_of_gzip_finds_every_boundary_again(zipped: Path) -> None:
    asked, traces = boundaries_of(zipped, 5_000)
    cuts = Cuts.after(asked, traces)
    assert len(cuts.boundaries) > 100 and (cuts.site[cuts.boundaries] >= 0).all()
    again = recut(Request(compressing("text"), cwd=zipped), cuts)
    assert again.status == 0 and again.warnings == ()
    assert again.boundaries == Boundaries(len(cuts.boundaries), found=len(cuts.boundaries))
    assert (
        str(again.boundaries)
        == f"{len(cuts.boundaries):,} of {len(cuts.boundaries):,} boundaries were found again"
    )
    table, markers = again.profile.interval_table, again.profile.markers
    assert table.length.tolist() == asked.length.tolist()
    assert markers is not None and (markers.block >= 0).all(), "events end with blocks"
    assert (markers.total == markers.count).all(), "gzip has one thread"


def test_boundaries_that_moved_are_told_apart(zipped: Path) -> None:
    """Cut some instructions late, the same site is behind, or another one; or the thread has ended."""
    asked, traces = boundaries_of(zipped, 50_000)
    cuts = Cuts.after(asked, traces)
    late = asked.start + np.where(asked.start > 0, 1, 0)
    length = np.diff([*late, int(asked.length.sum())])
    moved = dataclasses.replace(cuts, intervals=dataclasses.replace(asked, start=late, length=length))
    found = recut(Request(compressing("text"), cwd=zipped), moved).boundaries
    assert found.found == 0 and found.asked == len(cuts.boundaries)
    assert found.shifted + found.lost == found.asked and found.shifted > 0 and found.largest_shift == 1
    (zipped / "short").write_text("short")
    short = recut(Request(compressing("short"), cwd=zipped), cuts)
    assert short.boundaries.lost > 0 and short.boundaries.first_lost is not None
    assert any("were lost, the first that of interval" in warning for warning in short.warnings)


ENDLESS = """
int main(void)
{
    for (volatile unsigned turn = 0;; turn++)
        ;
}
"""


@pytest.mark.parametrize("deaf", [False, True])
def test_a_program_without_an_end_ends_where_it_ended_before(
    deaf: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever ended it sent SIGINT; if it does not heed that now, it is killed, and nothing is lost."""
    monkeypatch.setattr(ending, "_PATIENCE", 2 if deaf else int(LONG))
    code = ENDLESS.replace("{\n", "{\n    signal(SIGINT, SIG_IGN);\n", 1) if deaf else ENDLESS
    (tmp_path / "endless.c").write_text(f"#include <signal.h>\n{code}")
    built = tmp_path / "endless"
    subprocess.run(["cc", "-O1", tmp_path / "endless.c", "-o", built], check=True)
    cuts = Cuts(intervals([300_000, 500_000, 1_000_000]))
    request = Request((str(built),), timing=load("modern").flat())
    again = recut(request, cuts, until=Until(1_000_000, 128 + signal.SIGINT))
    assert again.status == 128 + (signal.SIGKILL if deaf else signal.SIGINT) and not again.interrupted
    table = again.profile.interval_table
    assert table.length.tolist() == [300_000, 200_000, 500_000] and (table.kind == VARIABLE).all()
    assert again.profile.vectors.row_sums().tolist() == table.length.tolist()
    assert again.profile.markers is not None and len(again.profile.markers) == 3
    assert again.metrics is not None and len(again.metrics) == 3
    assert not again.warnings
