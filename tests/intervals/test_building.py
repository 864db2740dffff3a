"""A hierarchy: leaves united, level by level, where phases follow one another in the same way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.intervals.traces import Chunked, events, rows, traces
from tests.reference import intervals as reference

import phasemark._core as core
from phasemark.errors import DataError, UsageError
from phasemark.intervals import count_events, hierarchy, leaves
from phasemark.model import Events, Hierarchy
from phasemark.phases import SimPoint
from phasemark.signatures.projection import site_keys

#: What a node is, and its parent.
Row = tuple[int, int, int, int, str]


def nodes(tree: Hierarchy) -> list[tuple[int, Row, Row | None]]:
    columns = (tree.thread, tree.level, tree.start, tree.end)
    kinds = tree.frame()["kind"].tolist()
    own = list(zip(*(column.tolist() for column in columns), kinds, strict=True))
    return [
        (tree.depth, row, own[parent] if parent >= 0 else None)
        for row, parent in zip(own, tree.parent.tolist(), strict=True)
    ]


def by_reference(
    threads: list[Events], coverage: float, shortest: int, max_k: int
) -> tuple[list[tuple[int, Row, Row | None]], list[list[int]]]:
    """Without parts of leaves."""
    projection = core.projection_rows(site_keys(threads[0].sites), 1, 15).astype(np.int64)

    def label(nodes: list[reference.Node], most: int) -> list[int]:
        counts = np.array([node.counts for node in nodes])
        x = counts @ projection / (np.maximum(counts.sum(axis=1), 1)[:, None] * 2.0**20)
        weights = np.array([node.end - node.start for node in nodes])
        model = SimPoint(min(most, max_k), search="binary", init="kmeans++", seed=1)
        return model.fit(x, sample_weight=weights / weights.sum()).labels_.tolist()  # type: ignore[no-any-return]

    bottom = []
    for thread in threads:
        cut = reference.leaves(rows(thread), thread.instructions, coverage, shortest)
        counts = reference.count(rows(thread), [(start, end) for start, end, _ in cut], len(thread.sites))
        bottom.append([reference.Node(*of, counts=row) for of, row in zip(cut, counts, strict=True)])
    tops, depth, labels = reference.build(bottom, label)
    out: list[tuple[int, Row, Row | None]] = []

    def walk(thread: int, node: reference.Node, level: int, parent: Row | None) -> None:
        own = (thread, level, node.start, node.end, node.kind)
        out.append((depth, own, parent))
        below = depth - min(node.steps) if node.steps else level
        for child in node.children:
            walk(thread, child, below, own)

    for thread, top in zip(threads, tops, strict=True):
        for node in top:
            walk(thread.thread, node, 0, None)
    return out, labels


def without_parts(tree: Hierarchy) -> list[tuple[int, Row, Row | None]]:
    return [node for node in nodes(tree) if node[1][1] < tree.depth]


@settings(max_examples=60)
@given(
    one=traces(120),
    other=traces(60, thread=1),
    coverage=st.sampled_from([0.5, 0.9, 1.0]),
    shortest=st.integers(1, 12),
    max_k=st.sampled_from([2, 100]),
)
def test_it_is_what_the_paper_says(
    one: Events, other: Events, coverage: float, shortest: int, max_k: int
) -> None:
    threads = [thread for thread in (one, other) if thread.instructions]
    if not threads:
        with pytest.raises(DataError, match="no thread has an instruction"):
            hierarchy([one, other])
        return
    tree = hierarchy([one, other], coverage=coverage, shortest=shortest, max_k=max_k)
    expected, labels = by_reference(threads, coverage, shortest, max_k)
    assert sorted(without_parts(tree), key=repr) == sorted(expected, key=repr)
    assert [phases.labels.tolist() for phases in tree.phases] == labels
    finest = [leaves(thread, coverage, shortest) for thread in threads]
    assert tree.levels[-1].length.tolist() == [n for cut in finest for n in cut.length.tolist()]


@settings(max_examples=60)
@given(trace=traces(200), shortest=st.integers(1, 12))
def test_parts_of_leaves_lie_at_events_and_are_no_longer_than_need_be(trace: Events, shortest: int) -> None:
    if not trace.instructions:
        return
    tree = hierarchy(trace, shortest=shortest)
    part = tree.level == tree.depth
    cuts = {0, trace.instructions, *trace.position.tolist()}
    assert set(tree.start[part].tolist()) | set(tree.end[part].tolist()) <= cuts
    divided = np.isin(np.arange(len(tree)), tree.parent[part])
    assert ((tree.end - tree.start)[divided] >= 2 * shortest).all()
    # What is undivided and long has no event within, or is one symbol of few.
    longest = int(trace.since.max(initial=0)) + trace.instructions - int(trace.position.max(initial=0))
    leaf = (tree.level == tree.depth - 1) | part
    ends = np.isin(np.arange(len(tree)), tree.parent[tree.parent >= 0])
    assert ((tree.end - tree.start)[leaf & ~ends] < 2 * shortest + 2 * longest).all()


def phased(rounds: int = 200) -> Events:
    """Rounds of two calls, of which the second takes one of two ways at random; each a leaf."""
    random = np.random.default_rng(1)
    symbols: list[int] = []
    for way in random.integers(0, 2, rounds):
        symbols += [0, 1, 1, 2, *([3, 4] if way else [5, 6])]
    return events(symbols, 5000, tail=100)


def test_levels_get_coarser_until_few_intervals_are_left() -> None:
    tree = hierarchy(phased(), shortest=20_000)
    sizes = [len(cut) for cut in tree.levels]
    assert len(sizes) >= 2 and sizes == sorted(set(sizes)) and sizes[0] < 10 < sizes[-1]
    assert [len(phases) for phases in tree.phases] == sizes
    assert all(cut.length.sum() == 200 * 30_000 + 100 for cut in tree.levels)


def test_a_selection_lies_within_bounds_where_leaves_are_too_long_and_too_short() -> None:
    trace = phased()
    tree = hierarchy(trace, shortest=10_000)
    for bounds in ((100_000, 300_000), (15_000, 40_000), (1_000_000, 2_000_000)):
        cut = tree.select(*bounds)
        assert cut.outside(*bounds) == (0, 0), bounds
        assert set((cut.start + cut.length).tolist()) <= {trace.instructions, *trace.position.tolist()}


def test_counts_are_taken_from_whole_traces_where_there_are_any() -> None:
    """Of what was kept, one site is all there is; what was pruned has a part in the centre of the phase."""
    whole = events([*[0, 1] * 40, *[0, 2] * 40, *[0, 1] * 40, *[0, 2] * 40], 1000)
    kept = whole.symbol == 0
    pruned = Events(whole.sites, whole.symbol[kept], whole.repeats[kept], whole.position[kept], 320_000)
    alike = hierarchy(pruned, shortest=5000)
    told = hierarchy(pruned, traces=Chunked(whole, 7), shortest=5000)
    assert (alike.levels[-1].length == told.levels[-1].length).all()
    assert not np.allclose(alike.phases[-1].centers, told.phases[-1].centers)
    counts = count_events(whole, told.levels[-1])
    assert counts.data.sum() == 320


def test_threads_share_phases() -> None:
    one, other = phased(), phased(100)
    second = Events(other.sites, other.symbol, other.repeats, other.position, other.instructions, thread=3)
    tree = hierarchy([second, one], shortest=20_000)
    assert sorted(set(tree.thread.tolist())) == [0, 3]
    finest = tree.levels[-1]
    assert len(tree.phases[-1]) == len(finest)
    labels = [set(tree.phases[-1].labels[finest.thread == thread].tolist()) for thread in (0, 3)]
    assert labels[0] & labels[1]


def test_a_thread_without_events_stands_beside_the_others() -> None:
    tree = hierarchy([phased(), events([], tail=500, thread=1, count=7), events([], thread=2, count=7)])
    own = tree.levels[-1].thread == 1
    assert tree.levels[-1].length[own].tolist() == [500] and not (tree.thread == 2).any()
    assert hierarchy(events([], tail=5)).levels[0].length.tolist() == [5]


def deep(calls: int) -> NDArray[np.int32]:
    return np.repeat(np.array([0, 1], np.int32), calls)


@pytest.mark.parametrize(
    "symbols",
    [np.zeros(1 << 20, np.int32), deep(1 << 19), np.arange(1 << 16, dtype=np.int32)],
    ids=["one symbol", "deep recursion", "nothing recurs"],
)
def test_it_ends_with_something_to_select_from_for_any_trace(symbols: NDArray[np.int32]) -> None:
    trace = events(symbols, 100)  # type: ignore[arg-type]
    tree = hierarchy(trace)
    assert tree.levels[0].length.sum() == trace.instructions
    assert tree.select(100_000, 500_000).outside(100_000, 500_000) == (0, 0)


def test_rules_that_are_nearly_all_of_the_one_they_are_in_are_no_parts() -> None:
    """Rule r is r - 1 and an event of one instruction; each is alone in a leaf, the first takes very long."""
    links = 60
    chains = [[0, *range(1, link), link + links] for link in range(2, links + 1)]
    symbols = [symbol for chain in chains for symbol in chain]
    since = [100_000 if symbol == 0 else 1 for symbol in symbols]
    tree = hierarchy(events(symbols, since), shortest=10_000)
    leaves_and_above = int((tree.level < tree.depth).sum())
    assert len(tree) - leaves_and_above <= 4 * len(chains)
    parts = hierarchy(events(symbols, since), shortest=1)
    assert len(parts) > len(tree)  # each event is a part


@pytest.mark.parametrize("traces", [[], None, 5, [None]])
def test_what_is_no_trace_is_refused(traces: Any) -> None:
    if traces is not None:
        with pytest.raises(UsageError, match="trace"):
            hierarchy([phased(20)], traces=traces)
    if traces != []:
        with pytest.raises(UsageError, match="is no trace of a thread"):
            hierarchy(traces)


def test_the_result_does_not_depend_on_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("PHASEMARK_THREADS", threads)
        tree = hierarchy(phased(), shortest=12_000)
        found.append((nodes(tree), [phases.labels.tolist() for phases in tree.phases]))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(
    "changed", [{"coverage": 2.0}, {"shortest": 0}, {"max_k": 0}, {"sample_size": 0}, {"seed": 1.5}]
)
def test_parameters_that_make_no_sense_are_refused(changed: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        hierarchy(events([0]), **changed)  # type: ignore[arg-type]


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    tree = hierarchy(phased(), shortest=20_000, progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (tree.depth, tree.depth) and [done for done, _ in told] == [*range(1, tree.depth + 1)]
