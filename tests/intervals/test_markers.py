"""With which calls and loops the intervals of a phase begin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.intervals.traces import Chunked, events, rows, sites, traces

from phasemark.errors import DataError
from phasemark.intervals import count_events, event_name, leaves, markers_of, phase_markers, starting_sites
from phasemark.model import Blocks, Counts, Events, Intervals, Markers, Phases, Profile, Provenance, Sites


def cut(lengths: list[int]) -> Intervals:
    return Intervals.of_thread(np.array(lengths, np.int64))


NAMED = Sites(
    ("/bin/a",),
    [0] * 4,  # type: ignore[arg-type]
    [16, 32, 48, 64],  # type: ignore[arg-type]
    [2, 0, 3, 2],  # type: ignore[arg-type]
    [-1] * 4,  # type: ignore[arg-type]
    [0] * 4,  # type: ignore[arg-type]
    function=("main", "sort", "read", ""),
    file=("/src/main.c", "/src/sort.c", "", ""),
    line=[214, 7, 0, 0],  # type: ignore[arg-type]
    callee=("compress", "", "", ""),
)


def test_the_event_where_an_interval_begins_is_its_start() -> None:
    trace = events([0, 1, 2, 1], 10)
    assert starting_sites(trace, cut([10, 10, 5, 15])).tolist() == [-1, 0, 1, -1]
    with pytest.raises(DataError, match="row 0: no trace of thread 0"):
        starting_sites(events([0, 1], thread=1), cut([2]))


def test_shares_say_how_reliable_a_marker_is() -> None:
    """Phase 1 begins twice with site 0 (of 30 of its 40 instructions), which happens 4 times; once with 1."""
    intervals = cut([10, 20, 10, 10, 5])
    found = phase_markers(intervals, [0, 1, 1, 1, 0], [-1, 0, 0, 1, 1], sites(2), [4, 2])
    assert found.phase.tolist() == [0, 1, 1] and found.site.tolist() == [1, 0, 1]
    assert found.intervals.tolist() == [1, 2, 1]
    assert found.of_intervals.tolist() == [1 / 2, 2 / 3, 1 / 3]
    assert found.of_instructions.tolist() == [5 / 15, 30 / 40, 10 / 40]
    assert found.of_events.tolist() == [1 / 2, 2 / 4, 1 / 2]


def test_the_first_marker_is_telling_both_ways() -> None:
    """All intervals of the phase begin with site 0, but so does much else; nearly all that is site 1 does."""
    intervals = cut([10, 10, 10, 10])
    found = phase_markers(intervals, [0] * 4, [0, 1, 1, 1], sites(2), [1000, 3])
    assert found.site.tolist() == [1, 0]
    alone = phase_markers(cut([10, 50]), [0] * 2, [0, 1], sites(2))
    assert alone.site.tolist() == [1, 0] and np.isnan(alone.of_events).all()


def test_names_are_those_of_source() -> None:
    found = phase_markers(cut([1] * 6), [0, 1, 2, 3, 4, 4], [0, 1, 2, 3, -1, -1], NAMED)
    assert found.names == ("compress, main.c:214", "sort, sort.c:7", "after read", "call /bin/a+0x40", "")
    assert found.frame()["name"].tolist() == list(found.names[:4])
    bare = replace(NAMED, function=None, file=None, line=None, callee=None)
    assert phase_markers(cut([1]), [0], [1], bare).names == ("loop /bin/a+0x20",)


def test_events_are_called_by_what_happens() -> None:
    named = [event_name(NAMED, row) for row in range(4)]
    assert named == [
        "call of compress, main.c:214",
        "loop in sort, sort.c:7",
        "after read",
        "call /bin/a+0x40",
    ]
    bare = replace(NAMED, function=("a:0x10",) * 4, file=None, line=None, callee=None)
    assert event_name(bare, 1) == "loop in a:0x10 at 0x20"


def profiled(site: list[int] | None) -> Profile:
    """Of one block; 4 intervals, of 10, 20, 30 and 40 instructions; the call happens 4 times, the loop 2."""
    lengths = np.array([10, 20, 30, 40])
    blocks, vectors = Blocks(("/bin/a",), [0], [0], [1], [4]), Counts(range(5), [0] * 4, lengths, 1)  # type: ignore[arg-type]
    counts = Counts([0, 1, 3, 4, 5], [0, 0, 1, 1, 0], [1, 1, 1, 1, 2], 4)  # type: ignore[arg-type]
    markers = Markers([0] * 4, [1] * 4, [1] * 4, site)  # type: ignore[arg-type]
    more = {"markers": markers, "sites": NAMED, "events": counts}
    return Profile(blocks, Intervals.of_thread(lengths), vectors, Provenance("t"), **more)  # type: ignore[arg-type]


def test_a_profile_tells_the_markers_of_its_phases() -> None:
    phases = Phases([0, 1, 1, 2], None, [0.0] * 4)  # type: ignore[arg-type]
    found = markers_of(profiled([-1, 0, 0, 1]), phases)
    assert found is not None and found.names == ("", "compress, main.c:214", "sort, sort.c:7")
    assert found.first.tolist() == [-1, 0, 1]
    assert found.of_events.tolist() == [2 / 4, 1 / 2] and found.of_intervals.tolist() == [1, 1]
    assert markers_of(profiled(None), phases) is None
    assert markers_of(replace(profiled(None), markers=None), phases) is None
    with pytest.raises(DataError):
        markers_of(profiled([-1] * 4), Phases([0], None, [0.0]))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("labels", "starts", "happened"),
    [
        ([0], [0, 0], None),
        ([0, -1], [0, 0], None),
        ([0, 0], [0, 2], None),
        ([0, 0], [0, -2], None),
        ([0, 0], [0, 0], [1]),
    ],
)
def test_what_does_not_fit_is_refused(
    labels: list[int], starts: list[int], happened: list[int] | None
) -> None:
    with pytest.raises(DataError):
        phase_markers(cut([1, 1]), labels, starts, sites(2), happened)


def test_no_interval_has_no_marker() -> None:
    found = phase_markers(cut([]), [], [], sites(0))
    assert len(found) == 0 and found.names == () and repr(found) == "<PhaseMarkers: phases=0, markers=0>"


@given(trace=traces(), size=st.integers(1, 9))
def test_leaves_begin_at_events_and_markers_add_up(trace: Events, size: int) -> None:
    intervals = leaves(trace, 1.0, 1)
    at = {position: symbol for symbol, _, position in rows(trace)}
    starts = starting_sites(trace, intervals)
    assert starts.tolist() == [at.get(start, -1) for start in intervals.start.tolist()]
    assert starting_sites(Chunked(trace, size), intervals).tolist() == starts.tolist()
    assert (starts[1:] >= 0).all()
    labels = np.arange(len(intervals)) % 2
    happened = count_events(trace, intervals).column_sums()
    found = phase_markers(intervals, labels, starts, trace.sites, happened)
    assert found.intervals.sum() == np.count_nonzero(starts >= 0)
    for shares in (found.of_intervals, found.of_instructions, found.of_events):
        assert ((shares > 0) & (shares <= 1)).all()
    for phase in range(found.phases):
        assert found.of_instructions[found.phase == phase].sum() <= 1 + 1e-9
