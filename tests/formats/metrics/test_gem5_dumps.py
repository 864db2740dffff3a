"""Dumps of a stats.txt as a stream; and what one leaves out."""

from __future__ import annotations

import gzip
import math
import re
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from tests.formats.metrics.files import dump, stats, write

from phasemark.errors import DataError
from phasemark.formats.metrics import gem5_dumps, gem5_stats

BEGIN = "---------- Begin Simulation Statistics ----------\n"
END = "---------- End Simulation Statistics   ----------\n"
CORE = {"cpu.numCycles": (150, "Cycle"), "cpu.committedInsts": (100, "Count")}


def counters(
    tmp_path: Path, *dumps: dict[str, object], every: bool = False
) -> tuple[dict[str, list[float]], str]:
    """What is read of dumps, and the notes."""
    found = gem5_stats.read(write(tmp_path / "stats.txt", stats(*dumps)), every=every)
    return {name: values.tolist() for name, values in found.counters.items()}, " ".join(found.notes)


def count(**values: float) -> dict[str, object]:
    return {name.replace("__", "::"): (value, "Count") for name, value in values.items()}


def of(path: str, **values: float) -> dict[str, object]:
    return {f"{path}.{name}": value for name, value in count(**values).items()}


def old(text: str) -> str:
    """As gem5 wrote it until v20: other names, and no units."""
    for name, before in (("simTicks", "sim_ticks"), ("finalTick", "final_tick"), ("simInsts", "sim_insts")):
        text = text.replace(name, before)
    return re.sub(r" \((?:Tick|Count|Cycle)\)$", "", text, flags=re.MULTILINE)


def test_dumps_of_an_old_gem5_are_seen_to_be_reset(tmp_path: Path) -> None:
    each = (dump(100, 50, 10, 10), dump(300, 170, 30, 30), dump(40, 9, 5, 35))
    text = old(stats(*each))
    assert "simTicks" not in text and "(" not in text
    readings = gem5_stats.read(write(tmp_path / "stats.txt", text), every=True)
    assert readings.counters["instructions"].tolist() == [100, 200, 40]
    assert readings.counters["cycles"].tolist() == [50, 120, 9]
    assert "final_tick" not in readings.counters
    assert gem5_stats.instructions(tmp_path / "stats.txt") == 340
    assert gem5_stats.instructions(write(tmp_path / "new.txt", stats(*each))) == 340


@pytest.mark.parametrize(
    ("simulated", "committed", "expected"),
    [
        (
            (100, 300, 300, 340),
            (100, 200, 0, 40),
            [100, 200, 0, 40],
        ),  # not reset, and nothing ran in the third
        ((100, 300, 350, 390), (100, 200, 0, 40), [100, 200, 50, 40]),  # a core that counts nothing ran there
        ((100, 100), (100, 0), [100, 0]),
        ((100, 200, 50, 40), (100, 200, 0, 40), [100, 200, 50, 40]),  # reset
        ((100, 100), (0, 0), [100, 100]),  # no core counts anything
    ],
)
def test_dumps_in_which_no_core_counts_anything(
    tmp_path: Path, simulated: tuple[int, ...], committed: tuple[int, ...], expected: list[int]
) -> None:
    each = [
        dump(total, 7, 10, 10 * i + 10) | of("system.cpu", committedInsts=own)
        for i, (total, own) in enumerate(zip(simulated, committed, strict=True))
    ]
    found, _ = counters(tmp_path, *each, every=True)
    assert found["instructions"] == expected
    assert gem5_stats.instructions(tmp_path / "stats.txt") == sum(expected)


def test_without_final_tick_a_counter_that_falls_tells_of_a_reset(tmp_path: Path) -> None:
    each = [{name: value for name, value in dump(*numbers, 0).items() if name != "finalTick"}
            for numbers in ((100, 50, 10), (300, 170, 30), (40, 9, 5))]  # fmt: skip
    found, _ = counters(tmp_path, *each, every=True)
    assert found["instructions"] == [100, 200, 40]


def test_a_counter_that_one_dump_leaves_out_is_0_there(tmp_path: Path) -> None:
    """gem5 registers all its statistics before it starts, and leaves out those that are 0."""
    cache = of("l2", demandMisses__total=3, demandHits__total=4, demandAccesses__total=7)
    found, note = counters(tmp_path, CORE | cache | count(odd__total=1), CORE, CORE | cache, every=True)
    assert found["l2_misses"] == [3, 0, 3] and found["l2_references"] == [7, 0, 7]
    assert found["odd::total"] == [1, 0, 0] and found["l2.demandMisses::total"] == [3, 0, 3]
    assert not note
    last, _ = counters(tmp_path, CORE | cache, CORE)
    assert last["l2_misses"] == [0] and last["l2.demandMisses::total"] == [0]


def test_where_no_counter_of_a_structure_is_known_they_are_missing(tmp_path: Path) -> None:
    """Another naming is no 0."""
    found, note = counters(tmp_path, CORE | of("system.l2", replacements=7, demandedMisses=4))
    assert math.isnan(found["l2_misses"][0]) and math.isnan(found["l2_references"][0])
    assert note == "none of the counters of system.l2 is known: l2 counts are missing"
    assert found["system.l2.demandedMisses"] == [4] and "l3_misses" not in found


def test_an_idle_cache_beside_one_that_is_known_counted_nothing(tmp_path: Path) -> None:
    """It writes what the other writes too, where that is not left out for being 0."""
    dcache = of("cpu.dcache", demandMisses__total=3, demandAccesses__total=7, replacements=2)
    found, note = counters(tmp_path, CORE | dcache | of("l2", replacements=0))
    assert found["l2_misses"] == [0] and found["l2_references"] == [0] and not note


@pytest.mark.parametrize(
    ("given", "references", "misses"),
    [
        ({"demandHits__total": 5, "demandMisses__total": 2}, 7, 2),
        ({"demandMisses__total": 2}, 2, 2),
        ({"demandHits__total": 5, "demandAccesses__total": 7}, 7, 2),
        ({"demandHits__total": 7, "demandAccesses__total": 7}, 7, 0),
        ({"overallMisses__total": 3, "overallAccesses__total": 9}, 9, 3),
        ({"overallMisses__total": 3, "demandMisses__total": 2, "demandHits__total": 1}, 3, 2),
        ({"m_demand_hits": 5, "m_demand_misses": 2}, 7, 2),
    ],
)
def test_accesses_are_hits_and_misses(
    tmp_path: Path, given: dict[str, float], references: float, misses: float
) -> None:
    found, note = counters(tmp_path, CORE | of("l2", **given))
    assert (found["l2_references"], found["l2_misses"]) == ([references], [misses]) and not note


def test_accesses_alone_do_not_say_that_none_missed(tmp_path: Path) -> None:
    found, note = counters(tmp_path, CORE | of("l2", demandAccesses__total=9))
    assert found["l2_references"] == [9] and math.isnan(found["l2_misses"][0])
    assert "l2 counts accesses, but neither hits nor misses: l2_misses are missing" in note


def test_caches_of_several_cores_are_added_up(tmp_path: Path) -> None:
    each = [of(f"system.cpu{i}.dcache", demandMisses__total=i, demandHits__total=9) for i in range(3)]
    found, _ = counters(tmp_path, CORE | each[0] | each[1] | each[2])
    assert found["l1d_misses"] == [3] and found["l1d_references"] == [30]


def test_caches_without_a_plain_name_keep_gem5s_and_are_named(tmp_path: Path) -> None:
    found, note = counters(tmp_path, CORE | of("system.first", demandMisses__total=3, demandHits__total=4))
    assert found["system.first.demandMisses::total"] == [3]
    assert "system.first: no name says which cache it is, so its counters keep gem5's names" in note


def test_a_wide_machine_with_an_idle_core_of_another_kind(tmp_path: Path) -> None:
    """The atomic core that began is switched out: it lacks what the other counts, and does not matter."""
    cores = {
        **of("cpu", numCycles=0, committedInsts=0),
        **of("switch_cpus", numCycles=150, committedInsts=100),
        "switch_cpus.commit.branches": (9, "Count"),
    }
    found, note = counters(tmp_path, cores)
    assert (found["instructions"], found["cycles"], found["branches"]) == ([100], [150], [9]) and not note
    ran = cores | of("cpu", numCycles=10, committedInsts=5)
    found, note = counters(tmp_path, cores, ran, every=True)
    assert found["branches"][0] == 9 and math.isnan(found["branches"][1])
    assert "branches are missing where cpu ran" in note


def test_cycles_are_held_to_what_the_fastest_clock_allows(tmp_path: Path) -> None:
    cores = {
        "simTicks": (1000, "Tick"),
        "a.clk_domain.clock": (10, "Tick"),
        "a.l2_clk_domain.clock": (20, "Tick"),
        **of("cpu", numCycles=4_000_000, committedInsts=10),
    }
    found, note = counters(tmp_path, cores)
    assert found["cycles"] == [100] and "cpu counts 4,000,000 cycles in a dump that lasted 100" in note
    assert "a.clk_domain.clock" not in found


def test_a_faster_core_is_not_a_late_one(tmp_path: Path) -> None:
    """Where no clock is named, a core that counts twice the other's cycles in each dump is another one."""
    cores = of("little", numCycles=100, committedInsts=10) | of("big", numCycles=200, committedInsts=10)
    each = [cores | {"simTicks": (10, "Tick"), "finalTick": (end, "Tick")} for end in (10, 20)]
    found, note = counters(tmp_path, *each, every=True)
    assert found["cycles"] == [300, 300] and not note


def test_rates_of_files_without_units_are_left_out(tmp_path: Path) -> None:
    lines = [
        "sim_insts 100", "sim_seconds 0.000129 # Number of seconds simulated",
        "cpu.numCycles 150", "cpu.committedInsts 100", "cpu.cpi 2", "cpu.ipc 0.5",
        "cpu.idle_fraction 0 # Percentage of idle cycles", "a.demand_miss_rate::total 1",
        "a.tags.occ_percent::total 0.5", "a.joules 1.5 # (J per Insts)", "a.energy 7 # Energy (pJ)",
        "a.bw_read::total 66 # Total read bandwidth from this memory (bytes/s)",
        "a.accesses 9 # number of accesses(hits+misses)", "a.thread 8 # insts committed (Per-Thread)",
        "ruby.m_demand_hits 4 # Number of cache demand hits (Unspecified)",
        "ruby.avg_stall_time 12.5 # Average number of cycles messages are stalled (Unspecified)",
        "l2.prefetcher.accuracy 1 # accuracy of the prefetcher (Count)", "a.warmupTick 5 # (Tick)",
        "ruby.hist | 3 50% 50% | 3 50% 50% # (Unspecified)", "ruby.hist | 3 100% 100%",
    ]  # fmt: skip
    found = gem5_stats.read(write(tmp_path / "stats.txt", BEGIN + "\n".join(lines) + "\n" + END))
    assert found.counters.keys() - {"instructions", "cycles", "cpu.numCycles", "cpu.committedInsts"} == {
        "sim_insts", "sim_seconds", "a.energy", "a.accesses", "a.thread", "ruby.m_demand_hits",
    }  # fmt: skip
    assert found.units["a.energy"] == "pJ" and found.units["ruby.m_demand_hits"] == "unknown"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BEGIN + "x" * (1 << 21) + " 3\n" + END, "the line is longer than 1 MiB"),
        (BEGIN + "simInsts 1_0 # (Count)\n" + END, ":2: '1_0' is no number"),
        (BEGIN + "simInsts # (Count)\n" + END, ":2: '#' is no number"),
        (BEGIN + "simInsts 5 # (Count)\nsimInsts\n" + END, ":3: is no statistic: 'simInsts'"),
    ],
)  # fmt: skip
def test_damage_is_named_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        gem5_stats.read(write(tmp_path / "stats.txt", text))


@pytest.mark.parametrize("count", ["nan", "-3", "1e300", "inf"])
def test_instructions_that_are_no_number_are_refused(tmp_path: Path, count: str) -> None:
    path = write(tmp_path / "stats.txt", stats({"simInsts": (count, "Count")}))
    with pytest.raises(DataError, match="counts no number of instructions"):
        gem5_stats.instructions(path)


@pytest.mark.parametrize("every", [False, True])
def test_more_statistics_than_a_machine_has_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: bool
) -> None:
    path = write(tmp_path / "stats.txt", BEGIN + "".join(f"a.n{i} 1\n" for i in range(50)) + END)
    monkeypatch.setattr(gem5_dumps, "_MOST_NAMES", 40)
    with pytest.raises(DataError, match=":42: has more than 40 statistics"):
        gem5_stats.read(path, every=every)
    monkeypatch.setattr(gem5_dumps, "_MOST_NAMES", 400)
    monkeypatch.setattr(gem5_dumps, "_MOST_LETTERS", 40)
    with pytest.raises(DataError, match="names of more than 40 letters"):
        gem5_stats.read(path, every=every)


def test_more_dumps_than_fit_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "stats.txt", stats(*[CORE] * 30))
    monkeypatch.setattr(gem5_stats, "_MOST", 40)
    with pytest.raises(DataError, match="has more than 21 dumps of 2 statistics"):
        gem5_stats.read(path, every=True)
    assert gem5_stats.read(path).counters["instructions"].tolist() == [100]


@pytest.mark.parametrize("every", [False, True])
def test_a_bomb_is_read_within_little_memory(tmp_path: Path, every: bool) -> None:
    """64 MiB that are 64 KiB of gzip: a dump is held, not the file."""
    path, filling = tmp_path / "stats.txt.gz", b" " * ((1 << 16) - 1) + b"\n"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(32):
            file.write(
                BEGIN.encode() + b"cpu.numCycles 1\ncpu.committedInsts 1\n" + filling * 32 + END.encode()
            )
    tracemalloc.start()
    found = gem5_stats.read(path, every=every)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found) == (32 if every else 1) and peak < 16 << 20, peak


def test_nothing_that_can_be_added_up_is_lost(tmp_path: Path) -> None:
    """Every vector's total and every plain counter of a dump is a column."""
    path = Path(__file__).parents[2] / "data" / "gem5-bootcamp" / "full-run-stats.txt.gz"
    text = gzip.decompress(path.read_bytes()).decode().rpartition("Begin Simulation")[2]
    counted = re.compile(r"^(\S+)\s+([\d.]+)\s.*\((?:Count|Cycle|Byte)\)\s*$", re.MULTILINE)
    names = {
        m[1]: float(m[2]) for m in counted.finditer(text) if "::" not in m[1] or m[1].endswith("::total")
    }
    names = {
        name: value for name, value in names.items() if not re.match("host|.*(accuracy|coverage)$", name)
    }
    assert len(names) > 300
    found = gem5_stats.read(path).counters
    assert {name: found[name][0] for name in names if name in found} == names
    assert not np.isnan([found[name][0] for name in names]).any()
