"""gem5's stats as counters."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.cli.runs import analysed
from tests.formats.metrics.files import FULL, STATS, command, dump, of_simpoint, stats, write
from typer.testing import CliRunner

from phasemark.cli.app import application
from phasemark.errors import DataError, UsageError
from phasemark.estimates import estimate, full_value
from phasemark.formats.metrics import gem5_stats
from phasemark.formats.metrics.measurements import Options
from phasemark.store import metrics_csv, points_csv
from phasemark.workflow import Run
from phasemark.workflow.reading import read


def test_golden_of_the_bootcamp(tmp_path: Path) -> None:
    """Weighted CPI .798953: IPC 1.251638, 0.31% above the full run's 1.247741; averaging IPC is worse."""
    folder = of_simpoint(tmp_path)
    said = command(FULL, "-o", tmp_path)
    assert "of the whole run: metrics.csv" in said and "cpi, l1i_miss_rate" in said
    assert "of points: point-metrics.csv" in command(*STATS, "-o", tmp_path)
    points, measured = points_csv.read(folder.points), metrics_csv.read(folder.point_metrics)
    assert measured.values("cpi") == pytest.approx([0.971323, 0.777407, 0.777407], abs=6e-7)
    found, full = estimate(points, measured), metrics_csv.read(folder.metrics)
    assert full_value(full, "cpi") == pytest.approx(0.801449, abs=5e-7)
    assert found.value["cpi"] == pytest.approx(0.798953, abs=2e-6)
    error = found.value["ipc"] / full_value(full, "ipc") - 1
    assert 100 * error == pytest.approx(0.31, abs=0.005)
    done = CliRunner().invoke(application(), ["estimate", str(tmp_path), "--json"], catch_exceptions=False)
    said = json.loads(done.output)["metrics"]["ipc"]
    assert 100 * said["error"] == pytest.approx(0.31, abs=0.005) and said["covered"]
    averaged = float(points.weight @ (1 / measured.values("cpi"))) / full_value(full, "ipc") - 1
    assert 100 * averaged == pytest.approx(0.81, abs=0.005)
    assert folder.steps()["simulation"]["files"] == [path.name for path in STATS]


def test_counters_of_gem5_have_our_names_where_they_mean_the_same() -> None:
    found = gem5_stats.read(FULL)
    mine = {name: values[0] for name, values in found.counters.items() if "." not in name}
    assert mine["instructions"] == 9_115_640 and mine["cycles"] == 7_305_717
    assert (mine["l1d_references"], mine["l1d_misses"]) == (4_051_103, 2_730)
    assert (mine["l1i_misses"], mine["l2_misses"]) == (1_956, 2_903)
    assert (mine["dtlb_references"], mine["dtlb_misses"]) == (6_046_397 + 2_020_771, 320 + 73)
    assert (mine["branches"], mine["branch_mispredictions"]) == (1_024_191, 3_621)
    assert "l3_misses" not in mine  # there is none
    own = "board.cache_hierarchy.l1d-cache-0.replacements"
    assert found.counters[own][0] == 1_523 and found.units[own] == "events"
    assert found.units["board.processor.cores.core.numCycles"] == "cycles"
    assert not [name for name in found.counters if "MissRate" in name or name.startswith("host")]


def test_gem5_writes_no_zeros() -> None:
    """In the third point nothing missed in L1D: gem5 leaves the line out, and it is 0, not missing."""
    found = gem5_stats.read(STATS[2])
    assert found.counters["l1d_misses"][0] == 0 and found.counters["l1d_references"][0] > 0


def test_the_dump_asked_for() -> None:
    first, last = gem5_stats.read(STATS[0], 0), gem5_stats.read(STATS[0])
    assert first.counters["instructions"][0] == 1 and last.counters["instructions"][0] == 1_000_000
    assert last.counters["cycles"][0] == gem5_stats.read(STATS[0], 1).counters["cycles"][0]
    with pytest.raises(UsageError, match="2 dumps, and none of number 2"):
        gem5_stats.read(STATS[0], 2)


def test_every_dump_counts_since_the_one_before(tmp_path: Path) -> None:
    """Whether the stats were reset in between: the second was not, the third was."""
    path = write(
        tmp_path / "stats.txt", stats(dump(100, 50, 10, 10), dump(300, 170, 30, 30), dump(40, 9, 5, 35))
    )
    found = gem5_stats.read(path, every=True)
    assert found.counters["instructions"].tolist() == [100, 200, 40]
    assert found.counters["cycles"].tolist() == [50, 120, 9]
    assert gem5_stats.read(path).counters["instructions"].tolist() == [40]


def test_cores_that_committed_nothing_do_not_count(tmp_path: Path) -> None:
    cores = {
        "system.start.core.numCycles": (999, "Cycle"),
        "system.switch.core.numCycles": (150, "Cycle"),
        "system.switch.core.commitStats0.numInsts": (100, "Count"),
    }
    path = write(tmp_path / "stats.txt", stats({"simInsts": (7, "Count"), **cores}))
    found = gem5_stats.read(path).counters
    assert (found["instructions"][0], found["cycles"][0]) == (100, 150)


def test_stats_of_an_old_gem5(tmp_path: Path) -> None:
    """Without units, and with other names."""
    text = stats({"simInsts": (7, "x")}).replace(" (x)", "").replace("simInsts", "sim_insts")
    text = text.replace("----------\n", "----------\nsystem.cpu.numCycles 21 # cycles\n", 1)
    found = gem5_stats.read(write(tmp_path / "stats.txt", text))
    assert found.counters["cycles"][0] == 21 and found.units["system.cpu.numCycles"] == "unknown"
    assert found.units["cycles"] == "cycles"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("---------- Begin Simulation Statistics\nsimInsts 3 # (Count)\n", r":2: a dump has no end"),
        (
            "---------- Begin Simulation Statistics\n" + stats({"simInsts": (7, "Count")}),
            r": a dump has no end",
        ),
        (stats({"simInsts": ("many", "Count")}), r":3: 'many' is no number"),
        (stats({"simTicks": (3, "Tick")}), "no simInsts"),
        ("---------- Begin Simulation Statistics\nalone\n", r":2: is no statistic"),
    ],
)
def test_damaged_stats_are_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        gem5_stats.read(write(tmp_path / "stats.txt", text))


def test_dumps_of_intervals(tmp_path: Path) -> None:
    folder = analysed(tmp_path / "run")
    lengths = read(folder.path).interval_table.length.tolist()
    clock = np.cumsum(lengths).tolist()
    each = [dump(n, 2 * n, n, end) for n, end in zip(lengths, clock, strict=True)]
    path = write(tmp_path / "stats.txt", stats(*each))
    command(path, "-o", folder.path, "--each-dump", "--quiet")
    found = metrics_csv.read(folder.metrics)
    assert found.length.tolist() == lengths and found.values("cpi").tolist() == [2] * len(lengths)
    with pytest.raises(UsageError, match="6 rows for 8 intervals"):
        Run(folder.path).import_metrics(
            [write(tmp_path / "short.txt", stats(*each[:6]))], Options(every=True)
        )
    shifted = [dump(2 * n, n, n, end) for n, end in zip(lengths, clock, strict=True)]
    with pytest.raises(DataError, match="instructions in interval 0, which has"):
        Run(folder.path).import_metrics([write(tmp_path / "other.txt", stats(*shifted))], Options(every=True))


def test_metrics_of_another_run_are_refused(tmp_path: Path) -> None:
    folder = of_simpoint(tmp_path)
    with pytest.raises(DataError, match=r"counts 1,000,000 instructions, and the run has 9,115,640"):
        Run(folder.path).import_metrics(STATS[:1])
    with pytest.raises(UsageError, match="2 results for 3 points"):
        Run(folder.path).import_metrics(STATS[:2])
    with pytest.raises(DataError, match="counts 1 instructions in interval 0"):
        Run(folder.path).import_metrics(STATS, Options(dump=0))


CORE = {"cpu.numCycles": (150, "Cycle"), "simInsts": (100, "Count")}
ICACHE = {"cpu.icache.demandAccesses::total": 9, "cpu.icache.demandMisses::total": 4}


@pytest.mark.parametrize(
    ("name", "value", "more"),
    [
        ("instructions", 100, {"cpu.committedInsts": 100, "cpu.committedOps": 150}),
        ("instructions", 100, {"cpu.commitStats0.numInsts": 100, "cpu.commitStats0.numOps": 150}),
        ("instructions", 100, {"cpu.thread_0.numInsts": 100, "cpu.thread_0.numOps": 150}),
        ("cycles", 150, {"cpu.commitStats0.numInsts": 100, "cpu.numIdleCycles": 7}),
        ("l1i_references", 9, ICACHE),
        ("l1i_misses", 4, ICACHE),
        ("l1d_references", 9, {"cpu.dcache.demandAccesses::total": 9, "cpu.dcache.demandHits::total": 5}),
        ("l1d_misses", 4, {"l1d-cache-0.demandMisses::total": 3, "l1d-cache-1.demandMisses::total": 1}),
        ("l1i_references", 9, {"l1_icache.demandAccesses::total": 9}),
        ("l1d_references", 9, {"l1_dcache.demandAccesses::total": 9}),
        ("l1i_misses", 9, {"l1icaches.demandMisses::total": 9}),
        ("l1i_misses", 4, {"cpu.icache.demand_misses::total": 4, "cpu.icache.demand_hits::total": 9}),
        ("l1d_references", 9, {"l1_dcaches.demandAccesses::total": 9}),
        ("l2_misses", 9, {"l2_cache.demandMisses::total": 9}),
        ("l2_references", 9, {"l2.demand_accesses::total": 9}),
        ("branches", 9, {"c.commitStats0.committedControl::IsControl": 9, "c.executeStats0.numBranches": 8}),
        ("branches", 8, {"cpu.commit.branches": 8, "cpu.commitStats0.committedControl::IsControl": 9}),
        ("l2_references", 9, {"l2.demandAccesses::total": 9, "l2.overallAccesses::total": 10}),
        ("l2_misses", 9, {"l2cache.demandMisses::total": 9}),
        ("l3_references", 9, {"l3.demandAccesses::total": 9}),
        ("l3_misses", 9, {"llc.demandMisses::total": 9}),
        ("itlb_references", 9, {"cpu.mmu.itb.rdAccesses": 2, "cpu.mmu.itb.wrAccesses": 7}),
        ("itlb_misses", 9, {"cpu.mmu.itb.misses": 9}),
        ("dtlb_references", 9, {"cpu.mmu.dtb.accesses": 9}),
        ("dtlb_misses", 9, {"cpu.mmu.dtb.rdMisses": 2, "cpu.mmu.dtb.wrMisses": 7}),
        ("dtlb_misses", 9, {"cpu.dtlb.misses": 9}),
        ("itlb_misses", 9, {"cpu.itlb.misses": 9}),
        ("branches", 9, {"cpu.branchPred.committed_0::total": 9, "cpu.commit.branches": 8}),
        ("branches", 8, {"cpu.commit.branches": 8, "cpu.commit.branchMispredicts": 3}),
        ("branch_mispredictions", 3, {"cpu.branchPred.mispredicted_0::total": 3}),
        ("branch_mispredictions", 3, {"cpu.commit.branches": 8, "cpu.commit.branchMispredicts": 3}),
    ],
)  # fmt: skip
def test_where_each_of_our_counters_is_from(
    tmp_path: Path, name: str, value: float, more: dict[str, int]
) -> None:
    dumped = CORE | {counter: (count, "Count") for counter, count in more.items()}
    readings = gem5_stats.read(write(tmp_path / "stats.txt", stats(dumped)))
    assert readings.counters[name].tolist() == [value]


@pytest.mark.parametrize(
    ("unit", "ours"),
    [("Count", "events"), ("Cycle", "cycles"), ("Tick", "ticks"), ("Byte", "bytes"), ("Joule", "J"),
     ("Second", "seconds"), ("(Count/Cycle)", None), ("Ratio", None)],
)  # fmt: skip
def test_units_of_what_can_be_added_up(tmp_path: Path, unit: str, ours: str | None) -> None:
    path = write(tmp_path / "stats.txt", stats(CORE | {"a.thing": (7, unit)}))
    assert gem5_stats.read(path).units.get("a.thing") == ours


def test_what_no_structure_counts_is_not_there(tmp_path: Path) -> None:
    path = write(tmp_path / "stats.txt", stats(CORE))
    assert gem5_stats.read(path).counters.keys() == {"instructions", "cycles", *CORE}


def test_what_is_no_count_is_left_out(tmp_path: Path) -> None:
    more = {"hostSeconds": (3, "Second"), "simFreq": (10**12, "Count"), "a.dist::0-9": (3, "Count")}
    more |= {"a.below": (-1, "Count"), "a.nan": ("nan", "Count"), "a.zero": (0, "Count")}
    readings = gem5_stats.read(write(tmp_path / "stats.txt", stats(CORE | more)))
    assert {name for name in readings.counters if name.startswith(("a.", "host", "simFreq"))} == {"a.zero"}
