"""Metrics of simulators and the hardware: gem5's stats, perf stat, CSV; matched to a run."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import numpy as np
import pytest
from tests.cli.runs import analysed
from typer.testing import CliRunner

from phasemark.cli import importing
from phasemark.cli.app import application
from phasemark.errors import DataError, UsageError
from phasemark.estimates import estimate, full_value
from phasemark.formats.metrics import gem5_counters, measurements, perf_stat, placing, results_csv
from phasemark.formats.metrics.measurements import Options
from phasemark.formats.points import simpoint_files
from phasemark.model import Metrics, Points
from phasemark.store import metrics_csv, points_csv
from phasemark.store.folder import Folder
from phasemark.workflow.reading import read

GEM5 = Path(__file__).parents[2] / "data" / "gem5-bootcamp"
STATS = [GEM5 / f"simpoint{i}-run-stats.txt.gz" for i in range(3)]
FULL = GEM5 / "full-run-stats.txt.gz"


def command(*arguments: object, status: int = 0) -> str:
    result = CliRunner().invoke(application(), ["import", "--metrics", *map(str, arguments)])
    assert (result.exit_code == 0) == (status == 0), result.output
    return result.output


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def of_simpoint(path: Path) -> Folder:
    """The bootcamp's run, with the points that SimPoint 3.2 chose."""
    folder = Folder(path)
    vectors = [str(GEM5 / "simpoint.bb.gz"), "--stats", str(FULL), "-o", str(path), "--quiet"]
    assert CliRunner().invoke(application(), ["import", *vectors]).exit_code == 0
    intervals = read(path).interval_table
    pair = simpoint_files.read_pair(GEM5 / "results.simpts", GEM5 / "results.weights")
    rows, zero = pair.interval, np.zeros(3, int)
    end = intervals.start[rows] + intervals.length[rows]
    weight = pair.weight / pair.weight.sum()
    points = Points(zero, zero, rows, pair.cluster, intervals.start[rows], end, zero, weight)
    points_csv.write(folder.points, points, made_by={})
    return folder


# gem5


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
    assert 100 * said["error"] == pytest.approx(0.31, abs=0.005) and said["holds"]
    averaged = float(points.weight @ (1 / measured.values("cpi"))) / full_value(full, "ipc") - 1
    assert 100 * averaged == pytest.approx(0.81, abs=0.005)
    assert folder.steps()["simulation"]["files"] == [path.name for path in STATS]


def test_counters_of_gem5_have_our_names_where_they_mean_the_same() -> None:
    found = gem5_counters.read(FULL)
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
    found = gem5_counters.read(STATS[2])
    assert found.counters["l1d_misses"][0] == 0 and found.counters["l1d_references"][0] > 0


def test_the_dump_asked_for() -> None:
    first, last = gem5_counters.read(STATS[0], 0), gem5_counters.read(STATS[0])
    assert first.counters["instructions"][0] == 1 and last.counters["instructions"][0] == 1_000_000
    assert last.counters["cycles"][0] == gem5_counters.read(STATS[0], 1).counters["cycles"][0]
    with pytest.raises(UsageError, match="2 dumps, and none of number 2"):
        gem5_counters.read(STATS[0], 2)


def stats(*dumps: dict[str, object]) -> str:
    lines = []
    for dump in dumps:
        lines += ["", "---------- Begin Simulation Statistics ----------"]
        lines += [f"{name}  {value}  # what it is ({unit})" for name, (value, unit) in dump.items()]
        lines += ["", "---------- End Simulation Statistics   ----------"]
    return "\n".join(lines) + "\n"


def dump(instructions: int, cycles: int, ticks: int, clock: int, **more: object) -> dict[str, object]:
    return {
        "simTicks": (ticks, "Tick"),
        "finalTick": (clock, "Tick"),
        "simInsts": (instructions, "Count"),
        "system.cpu.numCycles": (cycles, "Cycle"),
        **more,
    }


def test_every_dump_counts_since_the_one_before(tmp_path: Path) -> None:
    """Whether the stats were reset in between: the second was not, the third was."""
    path = write(
        tmp_path / "stats.txt", stats(dump(100, 50, 10, 10), dump(300, 170, 30, 30), dump(40, 9, 5, 35))
    )
    found = gem5_counters.read(path, every=True)
    assert found.counters["instructions"].tolist() == [100, 200, 40]
    assert found.counters["cycles"].tolist() == [50, 120, 9]
    assert gem5_counters.read(path).counters["instructions"].tolist() == [40]


def test_cores_that_committed_nothing_do_not_count(tmp_path: Path) -> None:
    cores = {
        "system.start.core.numCycles": (999, "Cycle"),
        "system.switch.core.numCycles": (150, "Cycle"),
        "system.switch.core.commitStats0.numInsts": (100, "Count"),
    }
    path = write(tmp_path / "stats.txt", stats({"simInsts": (7, "Count"), **cores}))
    found = gem5_counters.read(path).counters
    assert (found["instructions"][0], found["cycles"][0]) == (100, 150)


def test_stats_of_an_old_gem5(tmp_path: Path) -> None:
    """Without units, and with other names."""
    text = stats({"simInsts": (7, "x")}).replace(" (x)", "").replace("simInsts", "sim_insts")
    text = text.replace("----------\n", "----------\nsystem.cpu.numCycles 21 # cycles\n", 1)
    found = gem5_counters.read(write(tmp_path / "stats.txt", text))
    assert found.counters["cycles"][0] == 21 and found.units["system.cpu.numCycles"] == "unknown"
    assert found.units["cycles"] == "cycles"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("---------- Begin Simulation Statistics\nsimInsts 3 # (Count)\n", r":3: a dump has no end"),
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
        gem5_counters.read(write(tmp_path / "stats.txt", text))


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
        importing.import_metrics(
            folder, [write(tmp_path / "short.txt", stats(*each[:6]))], Options(every=True)
        )
    shifted = [dump(2 * n, n, n, end) for n, end in zip(lengths, clock, strict=True)]
    with pytest.raises(DataError, match="instructions in interval 0, which has"):
        importing.import_metrics(
            folder, [write(tmp_path / "other.txt", stats(*shifted))], Options(every=True)
        )


def test_metrics_of_another_run_are_refused(tmp_path: Path) -> None:
    folder = of_simpoint(tmp_path)
    with pytest.raises(DataError, match=r"counts 1,000,000 instructions, and the run has 9,115,640"):
        importing.import_metrics(folder, STATS[:1])
    with pytest.raises(UsageError, match="2 results for 3 points"):
        importing.import_metrics(folder, STATS[:2])
    with pytest.raises(DataError, match="counts 1 instructions in interval 0"):
        importing.import_metrics(folder, STATS, Options(dump=0))


# perf stat


def perf(*rows: tuple[float, str, str, str, float]) -> str:
    return "# started on Sat Nov 28\n\n" + "".join(
        f"     {time:.9f},{value},{unit},{event},{1000},{ran:.2f},,\n"
        for time, value, unit, event, ran in rows
    )


def test_intervals_of_perf_have_the_lengths_that_were_counted(tmp_path: Path) -> None:
    rows = [
        (0.1, "1000", "", "instructions:u", 100), (0.1, "1500", "", "cycles:u", 100),
        (0.1, "10.5", "msec", "task-clock", 100),
        (0.2, "<not counted>", "", "instructions:u", 0), (0.2, "<not counted>", "", "cycles:u", 0),
        (0.3, "3000", "", "instructions:u", 50), (0.3, "<not supported>", "", "cycles:u", 100),
    ]  # fmt: skip
    path = write(tmp_path / "perf.csv", perf(*rows))
    said = command(path, "-o", tmp_path / "run")
    assert "of a run of its own: metrics.csv" in said
    assert "note: instructions was counted 50% of the time in 1 of 3 intervals" in said
    assert "no instructions were counted, left out: 1" in said
    assert "note: cycles is missing in 1 of 2 rows" in said
    found = metrics_csv.read(tmp_path / "run" / "metrics.csv")
    assert (found.start.tolist(), found.length.tolist()) == ([0, 1000], [1000, 3000])
    assert found.values("cpi")[0] == 1.5 and math.isnan(found.values("cpi")[1])
    assert found.units["task-clock"] == "msec" and found.source == "perf stat"
    assert found.counters["task-clock"][0] == 10.5


def test_perf_scales_itself_unless_told_not_to(tmp_path: Path) -> None:
    path = write(tmp_path / "perf.csv", perf((0.1, "1000", "", "instructions", 25.0)))
    assert perf_stat.read(path).counters["instructions"].tolist() == [1000]
    assert perf_stat.read(path, unscaled=True).counters["instructions"].tolist() == [4000]


def test_events_of_perf_may_hold_commas(tmp_path: Path) -> None:
    first, second = "cpu/event=0x3c,umask=0x1/u", "cpu/event=0x3c,umask=0x2/u"
    rows = [(0.1, "9", "", "instructions:u", 100), (0.1, "8", "", first, 50), (0.1, "7", "", second, 100)]
    found = perf_stat.read(write(tmp_path / "perf.csv", perf(*rows)), unscaled=True)
    assert {name: values.tolist() for name, values in found.counters.items()} == {
        "instructions": [9], first: [16], second: [7],
    }  # fmt: skip


def test_a_unit_stays_where_perf_counted_nothing(tmp_path: Path) -> None:
    rows = [(0.1, "9", "", "instructions", 100), (0.1, "1.5", "msec", "task-clock", 100)]
    rows += [(0.2, "9", "", "instructions", 100), (0.2, "<not counted>", "", "task-clock", 0)]
    assert perf_stat.read(write(tmp_path / "perf.csv", perf(*rows))).units["task-clock"] == "msec"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (perf((0.1, "<not supported>", "", "instructions", 100)), "in many virtual machines"),
        (perf((0.1, "5", "", "cycles", 100)), "counted no instructions"),
        (perf((0.1, "5", "", "cycles", 100), (0.1, "5", "", "cycles", 100)), ":4: cycles stands twice"),
        (perf((0.1, "5", "", "instructions:u", 100), (0.1, "5", "", "cycles", 100)), "unlike modes"),
        (perf((0.1, "1e30", "", "instructions", 100)), ":3: '1e30' is no count"),
        (perf((0.1, "5x", "", "instructions", 100)), ":3: '5x' is no count"),
        (perf((0.1, "5", "", "instructions", 100)) + "0.2,3,\n", "is no line of perf stat"),
    ],
)
def test_perf_of_no_use_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        perf_stat.read(write(tmp_path / "perf.csv", text))


def test_perf_does_not_fit_a_profile(tmp_path: Path) -> None:
    folder = analysed(tmp_path / "run")
    path = write(tmp_path / "perf.csv", perf((0.1, "1000", "", "instructions", 100)))
    with pytest.raises(UsageError, match="intervals are of time"):
        importing.import_metrics(folder, [path])


# CSV


def test_results_by_phase_or_interval(tmp_path: Path) -> None:
    folder = analysed(tmp_path / "run")
    points = points_csv.read(folder.points)
    by_phase = write(tmp_path / "phase.csv", "phase,cycles,energy [pJ]\n2,30,\n0,10,7\n1,20,8.5\n")
    found = placing.of_points(results_csv.read(by_phase), points)
    assert found.index.tolist() == points.interval.tolist()
    assert found.counters["cycles"].tolist() == [10, 20, 30]
    assert found.units["energy"] == "pJ" and math.isnan(found.counters["energy"][2])
    by_interval = write(
        tmp_path / "interval.csv",
        "# source: ChampSim; units: stalls=cycles\ninterval,cycles,stalls\n7,30,1\n1,10,2\n",
    )
    command(by_interval, "-o", folder.path)
    found = metrics_csv.read(folder.point_metrics)
    assert found.index.tolist() == [1, 7] and found.source == "ChampSim" and found.units["stalls"] == "cycles"
    said = json.loads(command(by_interval, "-o", folder.path, "--json"))
    assert said["notes"] == ["1 of 3 points are missing: interval 3"]


def test_cycles_from_cpi_or_ipc(tmp_path: Path) -> None:
    points = points_csv.read(analysed(tmp_path / "run").points)
    length = points.end - points.start
    cpi = placing.of_points(results_csv.read(write(tmp_path / "a", "phase,cpi\n0,2\n1,\n2,0.5\n")), points)
    assert cpi.counters["cycles"][[0, 2]].tolist() == [2 * length[0], 0.5 * length[2]]
    assert math.isnan(cpi.counters["cycles"][1]) and "cpi" not in cpi.counters
    executed = f"phase,instructions,cpi\n0,{length[0] - 1},2\n"
    one = placing.of_points(results_csv.read(write(tmp_path / "c", executed)), points)
    assert one.counters["cycles"].tolist() == [2 * (length[0] - 1)]
    ipc = placing.of_points(results_csv.read(write(tmp_path / "b", "phase,ipc\n0,0.5\n1,0\n2,2\n")), points)
    assert ipc.counters["cycles"][[0, 2]].tolist() == [2 * length[0], 0.5 * length[2]]
    assert math.isnan(ipc.counters["cycles"][1])


def test_our_own_table_is_read_again(tmp_path: Path) -> None:
    folder = analysed(tmp_path / "run")
    intervals = read(folder.path).interval_table
    key = [getattr(intervals, name) for name in ("run", "thread", "index", "start", "length")]
    metrics = Metrics(*key, {"cycles": np.arange(8.0), "energy": np.arange(8.0)}, source="by hand")
    path = tmp_path / "metrics.csv"
    metrics_csv.write(path, metrics, made_by={})
    command(path, "-o", folder.path)
    found = metrics_csv.read(folder.metrics)
    assert found.frame().equals(metrics.frame()) and found.units == metrics.units
    assert found.source == "by hand"
    command(path, "-o", tmp_path / "alone")
    assert metrics_csv.read(tmp_path / "alone" / "metrics.csv").frame().equals(metrics.frame())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cycles,energy\n1,2\n", "no file of metrics that is known"),
        ("phase,phase\n1,2\n", "stands twice"),
        ("phase,heat [J],heat [kJ]\n0,1,2\n", ":1: column heat stands twice"),
        ("interval,index,cycles\n0,1,2\n", ":1: column interval stands twice"),
        ("phase,cycles,\n0,1,\n", ":1: a column has no name"),
        ("interval,length,cycles\n1,9,1\n", "row 0: length is 9, that of interval 1 is 163"),
        ("interval,start,cycles\n1,9,1\n", "row 0: start is 9, that of interval 1 is 160"),
        ("phase\n1\n", "no file of metrics that is known"),
        ("phase,cycles\n0,much\n", ":2: cycles is 'much', not a number"),
        ("phase,cycles\n0.5,1\n", ":2: phase is '0.5', not a whole number"),
        ("phase,cycles\n0,-1\n", "row 0: cycles is negative"),
        ("phase,cycles\n0,inf\n", "row 0: cycles is negative or infinite"),
        ("phase,cycles\n9,1\n", "row 0: phase 9 has no points"),
        ("phase,cycles\n0,1\n0,1\n", "row 1: a phase has two rows"),
        ("interval,cycles\n99,1\n", "row 0: interval 99 is no interval"),
        ("interval,cycles\n1,1\n1,2\n", "row 1: a simulation point has two rows"),
        ("phase,energy [nJ]\n0,1\n", "energy are given in nJ, not in pJ"),
        ("phase,instructions,cycles\n0,99,1\n", "counts 99 instructions in interval 1"),
        ("", "no file of metrics"),
        ("\0\0\0", "no file of metrics"),
    ],
)
def test_bad_tables_are_refused(tmp_path: Path, text: str, said: str) -> None:
    folder = analysed(tmp_path / "run")
    with pytest.raises(DataError, match=said) as caught:
        importing.import_metrics(folder, [write(tmp_path / "results.csv", text)])
    assert caught.value.path is not None
    assert not folder.point_metrics.exists() and not folder.metrics.exists()


def test_a_table_of_a_spreadsheet(tmp_path: Path) -> None:
    """With a byte-order mark and CRLF; also under a comment."""
    for text in ("phase,cycles\r\n0,7\r\n", "# units: cycles=cycles\r\nphase,cycles\r\n0,7\r\n"):
        path = tmp_path / "results.csv"
        path.write_bytes(b"\xef\xbb\xbf" + text.encode())
        assert measurements.read([path]).counters["cycles"].tolist() == [7]


def test_a_row_too_many_is_said(tmp_path: Path) -> None:
    folder = analysed(tmp_path / "run")
    lengths = [*read(folder.path).interval_table.length.tolist(), 5]
    each = [dump(n, n, n, end) for n, end in zip(lengths, np.cumsum(lengths).tolist(), strict=True)]
    said = command(write(tmp_path / "stats.txt", stats(*each)), "-o", folder.path, "--each-dump")
    assert "the last row is of no interval of the profile, and left out" in said


def test_mends_name_options_that_there_are(tmp_path: Path) -> None:
    folder = of_simpoint(tmp_path)
    with pytest.raises(DataError) as caught:
        importing.import_metrics(folder, STATS[:1])
    assert "--of points" in caught.value.hint


def test_unlike_units_are_refused(tmp_path: Path) -> None:
    folder = analysed(tmp_path / "run")
    files = [
        write(tmp_path / f"{unit}.csv", f"phase,heat [{unit}]\n{phase},1\n")
        for phase, unit in enumerate(("J", "kJ"))
    ]
    with pytest.raises(DataError, match="heat comes in J and in kJ"):
        importing.import_metrics(folder, files)


def test_kinds_are_told_by_content(tmp_path: Path) -> None:
    zipped = tmp_path / "perf"
    zipped.write_bytes(gzip.compress(perf((0.1, "5", "", "instructions", 100)).encode()))
    table = write(tmp_path / "stats.txt", "phase,cycles\n0,1\n")
    kinds = [measurements.recognise(path).name for path in (FULL, zipped, table)]
    assert kinds == ["gem5's stats.txt", "perf stat -I -x,", "CSV with a heading"]
    with pytest.raises(DataError, match="T:id:count"):
        measurements.recognise(GEM5 / "simpoint.bb.gz")
    with pytest.raises(UsageError, match="no file"):
        measurements.read([])


def test_results_need_a_run_to_belong_to(tmp_path: Path) -> None:
    table = write(tmp_path / "a.csv", "phase,cycles\n0,1\n")
    with pytest.raises(DataError, match="phasemark points"):
        importing.import_metrics(Folder(tmp_path), [table])
    with pytest.raises(DataError, match="import the run's vectors"):
        importing.import_metrics(Folder(tmp_path), [FULL])
    with pytest.raises(UsageError, match="metrics of 'all'"):
        importing.import_metrics(Folder(tmp_path), [FULL], of="all")


def test_profiles_read_before_are_left_alone(tmp_path: Path) -> None:
    folder = analysed(tmp_path / "run")
    before = folder.profile.read_bytes(), folder.points.read_bytes()
    command(write(tmp_path / "a.csv", "phase,cycles\n0,1\n"), "-o", folder.path, "--quiet")
    assert (folder.profile.read_bytes(), folder.points.read_bytes()) == before
