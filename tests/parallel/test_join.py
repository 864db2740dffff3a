"""Runs joined into one profile: the same code is the same column, and nothing is lost."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference import joining as slow

import phasemark
from phasemark import parallel
from phasemark.errors import DataError, UsageError
from phasemark.model import Blocks, Counts, Intervals, Markers, Profile, Provenance, Threads
from phasemark.model import streamed as streaming
from phasemark.store import profile_h5

#: Bytes of an instruction.
WIDTH = 4


def profile(
    blocks: dict[int, int],
    rows: list[dict[int, int]],
    *,
    module: str = "/bin/prog",
    provenance: Provenance | None = None,
) -> Profile:
    """Blocks as start -> instructions; rows as start -> instructions executed there."""
    starts = sorted(blocks)
    sizes = np.array([blocks[start] for start in starts])
    table = Blocks((module,), np.zeros(len(starts)), np.array(starts, np.uint64), sizes, WIDTH * sizes)
    entries = [sorted((starts.index(start), count) for start, count in row.items()) for row in rows]
    indptr = np.cumsum([0, *map(len, entries)])
    flat = [entry for row in entries for entry in row]
    counts = Counts(indptr, [c for c, _ in flat], [n for _, n in flat], len(starts))
    lengths = np.array([sum(row.values()) for row in rows])
    return Profile(table, Intervals.of_thread(lengths), counts, provenance or Provenance("test"))


def as_rows(found: Profile) -> list[dict[int, int]]:
    offsets = found.block_table.offset.tolist()
    return [
        {offsets[c]: int(row[0, c]) for c in row.indices.tolist()}
        for row in (found.counts[i] for i in range(found.counts.shape[0]))
    ]


@st.composite
def runs(draw: st.DrawFn) -> tuple[list[list[Counter[int]]], list[list[int]]]:
    """Of each run the intervals, as executions of each instruction, and where its recorded blocks start.

    The program is straight code with branches after some instructions, which end every block.
    """
    n = draw(st.integers(4, 20))
    ends = sorted({*draw(st.lists(st.integers(1, n - 1), max_size=4)), n})
    all_runs, all_starts = [], []
    for _ in range(draw(st.integers(1, 3))):
        entries = sorted({0, *draw(st.lists(st.integers(0, n - 1), max_size=4))})
        intervals, starts = [], set()
        for _ in range(draw(st.integers(1, 3))):
            executed: Counter[int] = Counter()
            for entry in draw(st.lists(st.sampled_from(entries), min_size=1, max_size=4)):
                starts.add(entry)
                end = next(end for end in ends if end > entry)
                executed.update({WIDTH * i: 1 for i in range(entry, end)})
            intervals.append(executed)
        all_runs.append(intervals)
        all_starts.append([WIDTH * start for start in sorted(starts)])
    return all_runs, all_starts


def recorded(intervals: list[Counter[int]], starts: list[int]) -> Profile:
    """A run's profile over its own blocks, split where one of them starts, as the collector gives it."""
    rows = slow.joined([intervals], starts)
    executed = {offset for interval in intervals for offset in interval}
    sizes = Counter(max(start for start in starts if start <= offset) for offset in executed)
    return profile(dict(sizes), rows)


@given(runs())
def test_each_block_counts_what_its_instructions_did(case) -> None:
    of_runs, starts = case
    found = parallel.join([recorded(*run) for run in zip(of_runs, starts, strict=True)])
    assert as_rows(found) == slow.joined(of_runs, sorted({s for each in starts for s in each}))
    assert found.interval_table.run.tolist() == [r for r, run in enumerate(of_runs) for _ in run]


@given(runs())
def test_one_profile_is_what_it_was_and_order_is_but_numbering(case) -> None:
    of_runs, starts = case
    each = [recorded(*run) for run in zip(of_runs, starts, strict=True)]
    assert as_rows(parallel.join(each[:1])) == as_rows(each[0])
    there, back = as_rows(parallel.join(each)), as_rows(parallel.join(each[::-1]))
    sizes = [len(run) for run in of_runs]
    ends = np.cumsum(sizes)
    assert back == [
        row for end, size in zip(ends[::-1], sizes[::-1], strict=True) for row in there[end - size : end]
    ]


def test_pieces_get_the_instructions_that_they_have_in_other_runs() -> None:
    """Four instructions in 16 bytes, the last of them in 6, as another run tells."""
    whole = Blocks(("/bin/p",), [0], [0], [4], [16])
    rest = Blocks(("/bin/p",), [0], [10], [1], [6])
    one = Profile(whole, Intervals.of_thread(np.array([40])), Counts([0, 1], [0], [40], 1), Provenance("t"))
    two = Profile(rest, Intervals.of_thread(np.array([5])), Counts([0, 1], [0], [5], 1), Provenance("t"))
    found = parallel.join([one, two])
    assert found.block_table.instructions.tolist() == [3, 1]
    assert found.counts.toarray().tolist() == [[30, 10], [0, 5]]


def test_what_is_no_whole_number_of_executions_keeps_its_sum() -> None:
    one = profile({0: 4}, [{0: 43}])
    found = parallel.join([one, profile({8: 2}, [{8: 2}])])
    assert found.counts.toarray().tolist() == [[21, 22], [0, 2]]


def test_modules_are_known_by_their_names() -> None:
    found = parallel.join([profile({0: 1}, [{0: 5}]), profile({0: 1}, [{0: 7}], module="/lib/other")])
    assert found.counts.toarray().tolist() == [[5, 0], [0, 7]]
    assert found.block_table.modules == ("/bin/prog", "/lib/other")


def test_another_build_is_refused_and_joined_by_function() -> None:
    def built(build: str, names: tuple[str, ...], offsets: dict[int, int]) -> Profile:
        made = profile(
            offsets, [offsets], provenance=Provenance("t", details={"build_ids": {"/bin/prog": build}})
        )
        return replace(made, block_table=replace(made.block_table, function=names))

    one = built("a" * 40, ("main", "work", "work"), {0: 2, 8: 3, 40: 4})
    two = built("b" * 40, ("work", "other"), {0: 5, 80: 6})
    with pytest.raises(DataError, match=r"/bin/prog is another build in run 1 \(bbbb"):
        parallel.join([one, two])
    found = parallel.join([one, two], by="function")
    assert found.block_table.function == ("main", "work", "other")
    assert found.counts.toarray().tolist() == [[2, 7, 0], [0, 5, 6]]


def test_threads_are_told_and_survive_the_file(tmp_path) -> None:
    def of(command: str) -> Profile:
        return profile({0: 1}, [{0: 5}], provenance=Provenance("t", command=(command,)))

    found = parallel.join([of("/bin/one"), of("two")])
    assert found.threads is not None
    assert found.threads.frame().to_numpy().tolist() == [[0, 0, 1, "one", -1], [1, 0, 1, "two", -1]]
    profile_h5.write(tmp_path / "profile.h5", found)
    again = phasemark.read(tmp_path / "profile.h5").threads
    assert again is not None and again.frame().equals(found.threads.frame())


def test_threads_of_processes_have_names() -> None:
    threads = Threads([0, 0, 1], [0, 1, 0], [1, 2, 1], ("sh", "gzip", "sh"), [7, 8, -1])
    assert [threads.name(row) for row in range(3)] == [
        "process 1 (sh), thread 0",
        "process 2 (gzip), thread 1",
        "thread 0",
    ]
    with pytest.raises(DataError, match="thread 0 of run 0"):
        replace(profile({0: 1}, [{0: 5}]), threads=Threads([1], [0], [1], ("",), [-1]))
    with pytest.raises(DataError, match="in order, each once"):
        Threads([0, 0], [1, 1], [1, 1], ("", ""), [-1, -1])


def test_times_and_markers_stay_where_all_have_them() -> None:
    one = profile({0: 4}, [{0: 4}, {0: 8}])
    table = replace(one.interval_table, began=np.array([0, 4]))
    marked = replace(one, interval_table=table, markers=Markers([0, -1], [1, 0], [1, 0]))
    both = parallel.join([profile({8: 2}, [{8: 2}]), marked])
    assert both.interval_table.began is None and both.markers is None
    both = parallel.join([marked, marked])
    assert both.interval_table.began is not None and both.interval_table.began.tolist() == [0, 4, 0, 4]
    assert both.markers is not None and both.markers.block.tolist() == [0, -1, 0, -1]


def test_a_run_too_large_to_hold_is_streamed(monkeypatch) -> None:
    each = [profile({0: 4, 16: 2}, [{0: 4, 16: 2}] * 5), profile({8: 2}, [{8: 2}] * 5)]
    held = as_rows(parallel.join(each))
    monkeypatch.setattr(streaming, "MOST_HELD", 3)
    found = parallel.join(each)
    assert isinstance(found.vectors, streaming.StreamedCounts) and as_rows(found) == held


def test_merging_a_run_too_large_to_hold_goes_through_it_in_batches(monkeypatch) -> None:
    rows = [{0: 4, 16: 2 * n} for n in range(1, 9)]
    one = profile({0: 4, 16: 2}, rows)
    length = one.interval_table.length
    index, start = np.tile(np.arange(4), 2), np.tile(np.arange(4) * 20, 2)
    table = Intervals(np.zeros(8), np.repeat([0, 1], 4), index, start, length, np.zeros(8), start)
    clocked = replace(one, interval_table=table, provenance=Provenance("t", details={"clock": "ticks"}))
    held = parallel.merge(clocked, length=20)
    assert 1 < len(held.profile.vectors) < 8
    monkeypatch.setattr(streaming, "MOST_HELD", 3)

    def few_at_a_time():
        for row in range(8):
            yield clocked.vectors.select(np.array([row]))

    counts = streaming.StreamedCounts(clocked.vectors.indptr, 2, few_at_a_time)
    found = parallel.merge(replace(clocked, vectors=counts), length=20).profile.vectors
    assert isinstance(found, streaming.StreamedCounts) and "_whole" not in vars(counts)
    parts = list(found.rows())
    assert max(len(part.data) for part in parts) <= 3 and len(parts) > 1
    assert found.to_scipy().toarray().tolist() == held.profile.counts.toarray().tolist()


def test_runs_that_were_joined_by_function_have_functions_alone() -> None:
    """Where their blocks are is not known, though two such profiles number them alike."""
    one, two = (built("/bin/prog", {"main": 5, name: 3}, build=name * 40) for name in "ab")
    joint = parallel.join([one, two], by="function")
    for profiles in ([joint, joint], [one, joint]):
        with pytest.raises(DataError, match="joined by function"):
            parallel.join(profiles)
        assert parallel.common_ground(profiles) == "function"
    found = parallel.join([two, joint], by="function")
    assert found.block_table.function == ("main", "b", "a")
    assert found.counts.toarray().tolist() == [[5, 3, 0], [5, 0, 3], [5, 3, 0]]


def test_what_runs_were_is_numbered_anew() -> None:
    one, two = built("/old/prog", {"work": 30}), built("/new/prog.after", {"work": 40})
    joint = parallel.join([one, two], by="function")
    found = parallel.join([one, joint], by="function", names=["x", "y"])
    assert found.provenance.warnings == (
        "prog.after of run 2 is taken for prog of run 1, by the names of its functions",
    )
    assert [run["instructions"] for run in found.provenance.details["runs"]] == [30, 30, 40]


def test_blocks_of_two_engines_are_joined_by_function_alone() -> None:
    one = built("/bin/prog", {"main": 5})
    two = replace(one, provenance=Provenance("other", block_definition="otherwise " * 50))
    with pytest.raises(DataError, match=r"^qemu is over other blocks than here: other recorded it, and test"):
        parallel.join([replace(one, provenance=Provenance("test")), two], names=["here", "qemu"])
    assert parallel.join([one, two], by="function").counts.toarray().tolist() == [[5], [5]]


def test_numbers_of_blocks_are_no_functions() -> None:
    one = profile({0: 1}, [{0: 5}], module="")
    with pytest.raises(DataError, match="import them together"):
        parallel.join([one, one], by="function")


def test_what_all_lengths_are_in_stays_known() -> None:
    clock = Provenance("perf", unit="sampled nanoseconds", details={"length_unit": "nanoseconds"})
    one = profile({0: 1}, [{0: 5}], provenance=clock)
    assert parallel.join([one, one]).provenance.length_unit == "nanoseconds"


def test_what_cannot_be_joined_is_refused() -> None:
    one = profile({0: 1}, [{0: 5}])
    with pytest.raises(UsageError, match="no profile"):
        parallel.join([])
    with pytest.raises(UsageError, match="'thread'"):
        parallel.join([one], by="thread")
    other = replace(one, provenance=Provenance("t", unit="samples"))
    with pytest.raises(DataError, match="run 1 was counted in samples, run 0 in instructions"):
        parallel.join([one, other])


def test_intervals_of_other_lengths_are_said() -> None:
    def of(interval: int) -> Profile:
        return profile({0: 1}, [{0: 5}], provenance=Provenance("t", interval=interval))

    found = parallel.join([of(10_000), of(20_000)])
    assert found.provenance.interval is None
    assert found.provenance.warnings == (
        "runs were cut into intervals of different lengths (10,000, 20,000 instructions)",
    )


def built(
    module: str, functions: dict[str, int], *, build: str = "", start: int = 0, calls: int = 1
) -> Profile:
    """A module with functions of so many instructions, one after the other, all called so often."""
    offsets = np.cumsum([start, *(WIDTH * size for size in functions.values())])[:-1].tolist()
    blocks = dict(zip(offsets, functions.values(), strict=True))
    rows = [{offset: calls * size for offset, size in blocks.items()}]
    details = {"build_ids": {module: build}} if build else {}
    made = profile(blocks, rows, module=module, provenance=Provenance("t", details=details))
    return replace(made, block_table=replace(made.block_table, function=tuple(functions)))


def test_one_build_at_two_places_is_one_module() -> None:
    one, two = (built(f"/{at}/prog", {"main": 5}, build="a" * 40) for at in ("old", "new"))
    found = parallel.join([one, two])
    assert found.block_table.modules == ("/old/prog",) and found.counts.toarray().tolist() == [[5], [5]]
    assert found.provenance.warnings == ()
    assert parallel.common_ground([one, two]) == "block"


def test_a_build_of_another_name_is_known_by_its_functions() -> None:
    one = built("/old/prog", {"main": 2, "work": 30})
    two = built("/new/prog.after", {"work.constprop.0": 40, "more": 3}, start=8)
    assert parallel.common_ground([one, two]) == "function"
    found = parallel.join([one, two], by="function")
    assert found.block_table.modules == ("prog",) and found.block_table.function == ("main", "work", "more")
    assert found.counts.toarray().tolist() == [[2, 30, 0], [0, 40, 3]]
    assert found.provenance.warnings == (
        "prog.after of run 1 is taken for prog of run 0, by the names of its functions",
    )
    assert found.provenance.details["runs"][1]["renamed"] == {"prog.after": "prog"}


def test_a_module_of_other_functions_is_another() -> None:
    """`main` is everywhere; that alone makes no program of two."""
    one, two = built("/bin/one", {"main": 2, "work": 30}), built("/bin/two", {"main": 2, "rest": 30})
    assert parallel.common_ground([one, two]) == "block"
    found = parallel.join([one, two], by="function")
    assert found.block_table.modules == ("one", "two")
    assert found.provenance.warnings == (
        "run 1 executes 0.0% of its instructions in code that run 0 executes, too: are they of one program?",
    )


def test_other_builds_have_functions_in_common() -> None:
    one, two = (built("/bin/prog", {"main": 5}, build=build * 40) for build in "ab")
    assert parallel.common_ground([one, two]) == "function"
    assert parallel.common_ground([one, one]) == "block"


def test_code_in_common_is_counted_by_what_is_executed() -> None:
    """A block of which half is in common is in common by half."""
    one = profile({0: 4}, [{0: 4}])
    most, half = profile({8: 2, 16: 1}, [{8: 20, 16: 9}]), profile({8: 4}, [{8: 40}])
    told = [run["in_common"] for run in parallel.join([one, most]).provenance.details["runs"]]
    assert told == pytest.approx([1, 20 / 29])
    told = [
        run["in_common"]
        for run in parallel.join([one, half, profile({16: 2}, [{16: 2}])]).provenance.details["runs"]
    ]
    assert told == pytest.approx([1, 0.5, 0])
