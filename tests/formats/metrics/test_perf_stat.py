"""perf stat -x and -j as counters of intervals and of whole runs."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from tests.cli.runs import analysed
from tests.formats.metrics.files import command, perf, write

from phasemark.errors import DataError, UsageError
from phasemark.formats.metrics import perf_stat
from phasemark.store import metrics_csv
from phasemark.workflow import Run
from phasemark.workflow.reading import read


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


def test_intervals_of_time_fit_a_profile_only_added_up(tmp_path: Path) -> None:
    folder = analysed(tmp_path / "run")
    whole = read(folder.path).instructions
    rows = [(0.1, "100", "", "instructions", 100), (0.1, "9", "", "cycles", 100)]
    rows += [(0.2, str(whole - 90), "", "instructions", 100), (0.2, "5", "", "cycles", 100)]
    path = write(tmp_path / "perf.csv", perf(*rows))
    with pytest.raises(UsageError, match="intervals are of time") as caught:
        Run(folder.path).import_metrics([path])
    assert "--of run" in caught.value.hint
    command(path, "-o", folder.path, "--of", "run")
    found = metrics_csv.read(folder.metrics)
    assert (found.length.tolist(), found.counters["cycles"].tolist()) == ([whole + 10], [14])


@pytest.mark.parametrize(
    ("event", "name"),
    [
        ("cycles", "cycles"), ("cpu-cycles", "cycles"), ("branches", "branches"),
        ("branch-instructions", "branches"), ("branch-misses", "branch_mispredictions"),
        ("cpu/cycles/", "cycles"), ("cpu_core/cycles/", "cycles"), ("cpu_atom/cycles/", "cycles"),
        ("armv8_cortex_a53/cycles/", "cycles"), ("apple_icestorm_pmu/cycles/", "cycles"),
        ("arm_cmn_0/cycles/", "arm_cmn_0/cycles/"), ("cache-misses", "cache-misses"),
        ("r1a8", "r1a8"), ("cpu_core/r1a8/", "cpu_core/r1a8/"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("modifier", ["", "u"])
def test_events_that_mean_what_our_counters_mean(
    tmp_path: Path, event: str, name: str, modifier: str
) -> None:
    colon = ":" if modifier and "/" not in event else ""
    rows = [
        (0.1, "9", "", f"instructions{':u' if modifier else ''}", 100),
        (0.1, "7", "", event + colon + modifier, 100),
    ]
    readings = perf_stat.read(write(tmp_path / "perf.csv", perf(*rows)))
    expected = name if name in ("cycles", "branches", "branch_mispredictions") else event + colon + modifier
    assert {counter: values.tolist() for counter, values in readings.counters.items()} == {
        "instructions": [9], expected: [7],
    }  # fmt: skip
    assert readings.units[expected] == ("cycles" if expected == "cycles" else "events")


def test_events_of_one_mode_each_are_refused_with_their_modes(tmp_path: Path) -> None:
    rows = [(0.1, "9", "", "cpu_core/instructions/u", 100), (0.1, "7", "", "cpu_core/cycles/", 100)]
    with pytest.raises(DataError, match="unlike modes: cpu_core/instructions/u, cpu_core/cycles/"):
        perf_stat.read(write(tmp_path / "perf.csv", perf(*rows)))


def test_ratios_on_lines_of_their_own_are_left_out(tmp_path: Path) -> None:
    line = "     0.100000000,,,,,,0.30,stalled cycles per insn\n"
    text = perf((0.1, "9", "", "instructions", 100)) + line + perf((0.2, "5", "", "instructions", 100)) + line
    assert perf_stat.read(write(tmp_path / "perf.csv", text)).counters["instructions"].tolist() == [9, 5]
    with pytest.raises(DataError, match=":5: is no line of perf stat"):
        perf_stat.read(
            write(tmp_path / "perf.csv", perf((0.1, "9", "", "instructions", 100)) + "\n0.1,,,,,\n")
        )


@pytest.mark.parametrize(("ran", "scaled"), [(0.01, 100_000), (50, 20), (99.9, 10 / 0.999), (100, 10)])
def test_what_ran_a_part_of_the_time_is_scaled_by_it(tmp_path: Path, ran: float, scaled: float) -> None:
    rows = [(0.1, "100", "", "instructions", 100), (0.1, "10", "", "cycles", ran)]
    readings = perf_stat.read(write(tmp_path / "perf.csv", perf(*rows)), unscaled=True)
    assert readings.counters["cycles"].tolist() == pytest.approx([scaled])
    assert len(readings.notes) == (ran < 100)


def test_a_count_of_0_is_one_and_the_largest_is_none(tmp_path: Path) -> None:
    rows = [(0.1, "100", "", "instructions", 100), (0.1, "0", "", "cycles", 100)]
    assert perf_stat.read(write(tmp_path / "perf.csv", perf(*rows))).counters["cycles"].tolist() == [0]
    with pytest.raises(DataError, match="'9223372036854775808' is no count"):
        perf_stat.read(write(tmp_path / "perf.csv", perf((0.1, str(2**63), "", "instructions", 100))))
