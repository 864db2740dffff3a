"""Samples -> Profile and Metrics."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.collect.sampling.test_cutting import MS, samples

from phasemark.collect.sampling.events import counter, measure
from phasemark.collect.sampling.profile import profile_of
from phasemark.errors import DataError, UsageError
from phasemark.model import SampledProcess, Samples

GZIP = os.path.realpath("/bin/gzip")


def test_rows_sum_to_lengths_and_the_unit_is_said() -> None:
    made = profile_of(samples([(0, n * MS, MS) for n in range(1, 100)], 3), 20 * MS, signature="address")
    profile = made.profile
    assert (profile.vectors.row_sums() == profile.interval_table.length).all()
    assert profile.provenance.unit == "sampled nanoseconds" and profile.provenance.interval == 20 * MS
    assert profile.provenance.length_in_words(profile.instructions) == "99,000,000 nanoseconds"
    assert profile.block_table.offset.tolist() == [0, 16, 32] and profile.block_table.modules == ("/a",)
    assert profile.provenance.details["clock"] and made.metrics is None
    assert repr(profile).startswith("<Profile: 99,000,000 nanoseconds, 5 intervals")


def test_the_automatic_length_has_fifty_samples_or_a_thousand_intervals() -> None:
    few = profile_of(samples([(0, n * MS, MS) for n in range(300)]), signature="address").profile
    assert few.provenance.interval == 50 * MS
    many = profile_of(samples([(0, n * MS, MS) for n in range(60_000)]), signature="address").profile
    assert many.provenance.interval == 100 * MS


def test_threads_of_several_processes_are_told_apart() -> None:
    rows = [(thread, n * MS, MS) for thread in (0, 1, 3) for n in range(60)]
    found = replace(
        samples(rows),
        processes=tuple(SampledProcess(90 + n, 0, "start", f"p{n}") for n in range(3)),
        process=np.array([1, 2, 0, 1]),
    )
    made = profile_of(found, signature="address").profile
    assert made.threads is not None
    assert made.threads.frame().values.tolist() == [
        [0, 0, 1, "p1", 91],
        [0, 1, 2, "p2", 92],
        [0, 3, 1, "p1", 91],
    ]
    assert profile_of(samples(rows), signature="address").profile.threads is None


def of_events(*rows: tuple[str, int, int]) -> Samples:
    """Of rows (event, time, period) of one thread."""
    events = [*dict.fromkeys(row[0] for row in rows)]
    found = samples([(0, time, period) for _, time, period in rows])
    return replace(found, events=tuple(events), event=np.array([events.index(row[0]) for row in rows]))


def test_cycles_of_a_group_become_metrics_of_each_interval() -> None:
    rows = []
    for n in range(1, 9):
        rows += [("instructions:u", n, 100), ("cycles:u", n, 100 + n)]
    made = profile_of(of_events(*rows), 300, signature="address")
    assert made.profile.interval_table.length.tolist() == [300, 300, 200]
    assert made.metrics is not None
    assert made.metrics.counters["instructions"].tolist() == [300, 300, 200]
    assert made.metrics.counters["cycles"].tolist() == [306, 315, 215]
    assert made.profile.provenance.unit == "sampled instructions"


def test_a_sample_in_two_intervals_gives_its_cycles_in_parts() -> None:
    made = profile_of(
        of_events(
            ("instructions:u", 1, 100), ("cycles:u", 1, 50), ("instructions:u", 2, 100), ("cycles:u", 2, 90)
        ),
        150,
        signature="address",
    )
    assert made.metrics is not None
    assert made.metrics.counters["cycles"].tolist() == [50 + 45, 45]


def test_events_sampled_apart_count_by_time() -> None:
    rows = [
        ("instructions:u", 10, 100),
        ("cycles:u", 12, 70),
        ("instructions:u", 20, 100),
        ("cycles:u", 25, 70),
    ]
    made = profile_of(of_events(*rows), 100, signature="address")
    assert made.metrics is not None and made.metrics.counters["cycles"].tolist() == [0, 140]


@pytest.mark.parametrize(
    ("events", "wanted", "unit"),
    [
        (["task-clock:u", "instructions:u"], "instructions:u", "instructions"),
        (["cpu_core/cycles/u", "cpu-clock"], "cpu_core/cycles/u", "cycles"),
        (["cpu-clock:uH", "cache-misses"], "cpu-clock:uH", "nanoseconds"),
        (["cycles:ppp"], "cycles:ppp", "cycles"),
    ],
)
def test_the_best_event_measures(events: list[str], wanted: str, unit: str) -> None:
    found = measure(events)
    assert (found.event, found.unit) == (wanted, unit)
    assert measure(events, weighted=False).unit == "samples"


def test_an_event_that_does_not_tell_how_long_is_refused_unless_asked_for() -> None:
    with pytest.raises(DataError, match="samples are of cache-misses, sched:sched_switch, which"):
        measure(["cache-misses", "sched:sched_switch"])
    assert measure(["cache-misses", "cycles:u"], "cycles").event == "cycles:u"
    assert measure(["cache-misses"], "cache-misses").unit == "events"
    with pytest.raises(UsageError, match="no sample is of an event 'x'"):
        measure(["cycles"], "x")
    assert counter("cpu_core/branch-misses/u") == "branch_mispredictions"


def test_intervals_shorter_than_samples_are_refused() -> None:
    with pytest.raises(UsageError, match=r"intervals of 5 nanoseconds are shorter .*\(100\)"):
        profile_of(samples([(0, 1, 100)]), 5)


def test_periods_beyond_all_time_are_refused() -> None:
    with pytest.raises(DataError, match="sum to 2\\^62 or more"):
        profile_of(samples([(0, n, 2**53) for n in range(2000)]))


def at(offsets: list[int], module: str = GZIP, located: bool = True) -> Samples:
    rows = [(0, n, 1000) for n in range(len(offsets))]
    found = samples(rows, len(offsets))
    return replace(
        found, modules=(module,), offset=np.array(offsets, np.uint64), located=np.full(len(offsets), located)
    )


def test_samples_of_one_block_are_one_column(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHASEMARK_CACHE", str(tmp_path))
    made = profile_of(at([0x4000 + n for n in range(64)])).profile
    blocks = made.block_table
    assert 1 < len(blocks) < 40 and (blocks.instructions > 0).all()
    end = blocks.offset + blocks.size.astype(np.uint64)
    assert (blocks.offset[1:] == end[:-1]).all()  # they tile what was sampled
    functions = profile_of(at([0x4300 + n for n in range(64)]), signature="function").profile
    assert len(functions.block_table) == 1


@pytest.mark.parametrize(("build", "why"), [("00" * 20, "is another build than the one that ran"), ("", "")])
def test_a_module_that_was_rebuilt_is_not_read(build: str, why: str, tmp_path: Path) -> None:
    copy = tmp_path / "prog"
    copy.write_bytes(Path(GZIP).read_bytes())
    found = replace(at([0x4000, 0x4001], str(copy)), build_ids={str(copy): build} if build else {})
    written = None if build else copy.stat().st_mtime - 1
    why = why or "has changed since"
    made = profile_of(found, written=written).profile
    assert len(made.block_table) == 2
    assert any("100.00% of the time" in w and why in w for w in made.provenance.warnings)
    with pytest.raises(DataError, match=rf"no sample can be mapped to a block .*{why}"):
        profile_of(found, signature="block", written=written)


def test_a_module_that_is_gone_or_unknown_keeps_its_addresses() -> None:
    for module, located, why in (
        ("/no/such", True, "is not there"),
        ("[unknown]", False, "no module is known"),
    ):
        assert len(profile_of(at([1, 2, 3], module, located)).profile.block_table) == 3
        with pytest.raises(DataError, match=why):
            profile_of(at([1], module, located), signature="function")


def test_functions_that_the_text_names_stand_in_for_a_module_that_is_gone() -> None:
    found = replace(at([1, 2, 30], "/no/such"), function=("f", "f", "g"))
    made = profile_of(found, signature="function").profile
    assert made.block_table.offset.tolist() == [1, 30] and made.block_table.function == ("f", "g")


def test_a_signature_nobody_knows_is_refused() -> None:
    with pytest.raises(UsageError, match="'colour' is no signature"):
        profile_of(at([1]), signature="colour")
