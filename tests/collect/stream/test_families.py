"""Threads have the same numbers whichever of those that create threads at once comes first."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.collect import encoding
from tests.reference.raw_stream import Thread, numbers

from phasemark.collect.cuts import Cuts
from phasemark.collect.stream.conversion import profile_of
from phasemark.collect.stream.families import Families, lines
from phasemark.collect.stream.reader import RawStream

#: Serial, creator's serial and which of its threads, of every thread that ran.
Births = list[tuple[int, int | None, int]]


@st.composite
def births(draw: st.DrawFn) -> tuple[Births, Births]:
    """A tree of threads, born in two orders; some that created none never ran."""
    creators = draw(st.lists(st.integers(0, 13), max_size=13))
    children: list[list[int]] = [[] for _ in range(len(creators) + 1)]
    for thread, creator in enumerate(creators, 1):
        children[creator % thread].append(thread)
    silent = {thread for thread in draw(st.sets(st.integers(1, 13))) if thread <= len(creators)}
    return born(draw, children, silent), born(draw, children, silent)


def born(draw: st.DrawFn, children: list[list[int]], silent: set[int]) -> Births:
    """Any order in which each creator's threads come one after the other."""
    serial, order = {0: 0}, [(0, None, 0)]  # type: ignore[var-annotated]
    left = {0: list(children[0])}
    while any(left.values()):
        creator = draw(st.sampled_from([thread for thread, mine in left.items() if mine]))
        thread = left[creator].pop(0)
        serial[thread], left[thread] = len(serial), list(children[thread])
        if children[thread] or thread not in silent:
            order.append((serial[thread], serial[creator], children[creator].index(thread)))
    return order


def by_descent(threads: Births, families: Families) -> dict[tuple[int, ...], int]:
    """The number of each thread by how it came to be."""
    path: dict[int, tuple[int, ...]] = {}
    for serial, creator, nth in threads:
        path[serial] = () if creator is None else (*path[creator], nth)
    return {path[serial]: families.number.get(serial, serial) for serial in path}


@given(births())
def test_numbers_are_those_of_the_slow_twin_in_whichever_order(orders: tuple[Births, Births]) -> None:
    found = [Families.of(threads) for threads in orders]
    # Where serials are numbers nothing needs to be told; another order may need it.
    assert found[0].of_creator == found[1].of_creator or not all(one.of_creator for one in found)
    assert by_descent(orders[0], found[0]) == by_descent(orders[1], found[1])
    for threads, families in zip(orders, found, strict=True):
        expected = numbers({serial: Thread(creator, 1, nth) for serial, creator, nth in threads})
        serials = np.array([serial for serial, *_ in threads])
        assert families.renumbered(serials).tolist() == [expected[serial] for serial in serials.tolist()]
        for serial, creator, nth in threads:
            if families.of_creator and creator is not None:
                first, count = families.of_creator[expected[creator]]
                assert expected[serial] == first + nth < first + count


def test_a_thread_that_never_ran_takes_no_number_from_others() -> None:
    """Serial 2 is of a thread that thread 1 created, and that never ran."""
    found = Families.of([(0, None, 0), (1, 0, 0), (3, 0, 1)])
    assert found.renumbered(np.array([0, 1, 3])).tolist() == [0, 1, 2]
    assert found.to_json() == [[0, 1, 2]]


def test_a_collector_is_told_who_created_whom() -> None:
    found = Families.of([(0, None, 0), (1, 0, 0), (2, 0, 1), (3, 2, 0), (4, 1, 1)])
    assert found.to_json() == [[0, 1, 2], [1, 3, 2], [2, 5, 1]]
    assert lines(found.to_json()) == "family 0 1 2\nfamily 1 3 2\nfamily 2 5 1\n"
    assert lines(None) == lines(Families.of([(0, None, 0), (1, 0, 0)]).to_json()) == ""
    assert found.renumbered(np.array([3, 4, 9])).tolist() == [5, 4, 6 + 9]


def stream(path: Path, *births: tuple[int, int | None, int | None]) -> RawStream:
    """Thread n executes n + 1 blocks of one instruction."""
    records = [encoding.thread(serial, creator, nth=nth) for serial, creator, nth in births]
    records += [encoding.interval(serial, 0, serial + 1, {0: serial + 1}) for serial, *_ in births]
    code = (encoding.module(0, "/bin/prog"), encoding.block(0, (0, 0, [1])))
    return RawStream(encoding.write(path, encoding.header(), *code, *records))


def test_all_of_a_stream_goes_by_numbers(tmp_path: Path) -> None:
    told = stream(tmp_path / "1.raw", (0, None, 0), (1, 0, 0), (2, 1, 0), (3, 0, 1))
    assert told.positions == {0: 1, 1: 2, 3: 3, 2: 4}
    assert told.intervals.thread.tolist() == [0, 1, 2, 3]
    assert told.intervals.length.tolist() == [1, 2, 4, 3]
    assert [(t.serial, t.parent) for t in told.threads] == [(0, None), (1, 0), (2, 0), (3, 1)]
    older = stream(tmp_path / "2.raw", (0, None, None), (1, 0, None), (2, 1, None), (3, 0, None))
    assert older.positions == {0: 1, 1: 2, 2: 3, 3: 4}


def test_a_profile_knows_who_created_whom_where_that_matters(tmp_path: Path) -> None:
    several = stream(tmp_path / "1.raw", (0, None, 0), (1, 0, 0), (2, 1, 0), (3, 0, 1))
    profile = profile_of(several)
    assert profile.provenance.details["families"] == [[0, 1, 2], [1, 3, 1]]
    assert profile.interval_table.length.tolist() == [1, 2, 4, 3]
    cuts = Cuts(profile.interval_table, families=profile.provenance.details["families"])
    assert cuts.lines(ends=True).startswith("family 0 1 2\nfamily 1 3 1\n0 1\n1 2\n2 4\n")
    one = stream(tmp_path / "2.raw", (0, None, 0), (1, 0, 0))
    assert "families" not in profile_of(one).provenance.details
