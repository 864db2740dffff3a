"""The forms in which perf stat writes: separators, JSON, kinds of cores, whole runs, and those refused.

The files are as perf 6.1 wrote them, with `instructions` in place of an event of software.
"""

from __future__ import annotations

import gzip
import json
import math
import tracemalloc
from pathlib import Path

import pytest
from tests.cli.runs import analysed
from tests.formats.metrics.files import command, write

from phasemark.checking import check_file
from phasemark.errors import DataError
from phasemark.formats import recogniser
from phasemark.formats.metrics import measurements, perf_stat
from phasemark.store import metrics_csv
from phasemark.workflow.reading import read

FAULTS = Path(__file__).parents[2] / "data" / "reader-faults"
START = "# started on Sat Nov 28 17:33:52 2026\n\n"


def counted(path: Path, text: str, *, unscaled: bool = False) -> dict[str, list[float]]:
    readings = perf_stat.read(write(path / "perf.csv", text), unscaled=unscaled)
    return {name: values.tolist() for name, values in readings.counters.items()}


@pytest.mark.parametrize(
    ("file", "instructions", "cycles"),
    [
        ("perf-hybrid/perf.csv", [150e6, 60e6], [130e6, 100e6]),
        ("perf-hybrid/atom-only.csv", [30e6], [30e6]),
        ("perf-metric-lines/current.csv", [120e6, 60e6], [100e6, 100e6]),
    ],
)
def test_counts_are_the_sums_over_kinds_of_cores_and_metrics_are_left_out(
    tmp_path: Path, file: str, instructions: list[float], cycles: list[float]
) -> None:
    command(FAULTS / file, "-o", tmp_path)
    found = metrics_csv.read(tmp_path / "metrics.csv")
    assert found.counters["instructions"].tolist() == instructions == found.length.tolist()
    assert found.counters["cycles"].tolist() == cycles and list(found.counters) == ["instructions", "cycles"]


def test_kinds_of_cores_that_counted_by_turns_are_weighed(tmp_path: Path) -> None:
    """A task that moved: 11 ms on the one kind, 750 ms on the other, each scaled to 761 ms by perf."""
    text = (
        "1137157478,,cpu_atom/cycles/,11008170,1.00,,\n1593334628,,cpu_core/cycles/,749710594,98.00,,\n"
        "2954171974,,cpu_atom/instructions/,11008170,1.00,2.60,insn per cycle\n"
        "6648162165,,cpu_core/instructions/,749710594,98.00,4.17,insn per cycle\n"
    )
    readings = perf_stat.read(write(tmp_path / "perf.csv", text))
    on_atom = 11008170 / (11008170 + 749710594)
    expected = on_atom * 2954171974 + (1 - on_atom) * 6648162165
    assert readings.counters["instructions"].tolist() == pytest.approx([expected])
    assert any("by turns in 1 of 1 intervals" in note for note in readings.notes)
    raw = counted(tmp_path, text.replace("2954171974", "42"), unscaled=True)
    assert raw["instructions"] == [6648162165 + 42]


@pytest.mark.parametrize(
    ("shares", "unscaled", "expected"),
    [
        ((100, 100), False, 150), ((60, 60), False, 150), ((50, 50), False, 75), ((40, 10), False, 90),
        ((100, 100), True, 150), ((80, 50), True, 125 + 100), ((50, 50), True, 150), ((40, 10), True, 300),
    ],
)  # fmt: skip
def test_sums_over_kinds_of_cores_by_their_shares(
    tmp_path: Path, shares: tuple[int, int], unscaled: bool, expected: float
) -> None:
    """Shares up to 100 in all are turns of one task; more are kinds of cores that counted side by side."""
    text = "".join(
        f"{value},,{pmu}/instructions/,{share},{share}.00,,\n"
        for pmu, value, share in zip(("cpu_core", "cpu_atom"), (100, 50), shares, strict=True)
    )
    assert counted(tmp_path, text, unscaled=unscaled)["instructions"] == pytest.approx([expected])


def test_a_kind_of_cores_that_cannot_count_leaves_the_sum_unknown(tmp_path: Path) -> None:
    text = (
        "9,,cpu_core/instructions/,10,100.00,,\n<not counted>,,cpu_atom/instructions/,0,0.00,,\n"
        "4,,cpu_core/branches/,10,100.00,,\n<not supported>,,cpu_atom/branches/,0,100.00,,\n"
    )
    found = counted(tmp_path, text)
    assert found["instructions"] == [9] and math.isnan(found["branches"][0])


@pytest.mark.parametrize("separator", [",", ";", "\t", ":", "|", "@"])
@pytest.mark.parametrize("timed", [True, False])
def test_any_separator_parts_fields(tmp_path: Path, separator: str, timed: bool) -> None:
    start = "     0.051195132," if timed else ""
    text = START + (
        f"{start}24.33,msec,task-clock:u,24327598,100.00,0.487,CPUs utilized\n"
        f"{start}65,,instructions:u,24334538,100.00,2.672,K/sec\n{start}<not counted>,,r1a8,0,0.00,,\n"
    ).replace(",", separator)
    path = write(tmp_path / "perf", text)
    assert recogniser.recognise(path) is recogniser.PERF_STAT
    found = counted(tmp_path, text)
    assert (found["task-clock:u"], found["instructions"]) == ([24.33], [65]) and math.isnan(found["r1a8"][0])
    assert (set(perf_stat.read(path).keys) == {"start", "length"}) == timed


def test_decimal_commas_are_read_where_they_part_no_fields(tmp_path: Path) -> None:
    text = "     0.05;19,11;msec;task-clock;19114878;100,00;0;CPUs utilized\n"
    text += "     0.05;7;;instructions;9;50,00;;\n"
    assert counted(tmp_path, text, unscaled=True) == {"task-clock": [19.11], "instructions": [14]}


@pytest.mark.parametrize(
    "line",
    [
        "     0.050100241,23,41,msec,task-clock,23411826,100,00,0,CPUs utilized",
        "     0.050100241,64,,instructions,23417860,100,00,2,K/sec",
        "63,,instructions,102019553,100,00,617,/sec",
        "     0.050100241,64,,instructions,23417860,45,12,,",
        "     0.050100241,64,,instructions,23417860,0,45,,",
        "102,02,msec,task-clock,102019553,100,00,0,CPUs utilized",
        '{"counter-value" : "64,000000", "unit" : "", "event" : "instructions", "pcnt-running" : 100,00}',
        '{"interval" : 0.05, "counter-value" : "64.0", "event" : "instructions", "metric-value" : 0,359}',
    ],
)
def test_decimal_commas_that_part_fields_are_refused(tmp_path: Path, line: str) -> None:
    path = write(tmp_path / "perf", START + line + "\n")
    assert measurements.recognise(path) is recogniser.PERF_STAT
    with pytest.raises(DataError, match="perf:3: its numbers have decimal commas") as caught:
        perf_stat.read(path)
    assert "LC_ALL=C" in caught.value.hint


@pytest.mark.parametrize(
    ("column", "key", "switch"),
    [
        ("CPU0", "cpu", "-A"), ("S0-D0-C1,2", "core", "--per-core"), ("S0-C1,2", "core", "--per-core"),
        ("S0,2", "socket", "--per-socket"), ("N0,2", "node", "--per-node"), ("S0-D0,2", "die", "--per-die"),
        ("S0-D0-L3-ID0,2", "cache", "--per-cache"), ("S0-D0-CLS0,2", "cluster", "--per-cluster"),
        ("kworker/0:1-virtio-25251", "thread", "--per-thread"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("timed", [True, False])
def test_counts_of_parts_of_the_machine_are_refused_with_the_switch(
    tmp_path: Path, column: str, key: str, switch: str, timed: bool
) -> None:
    time = "     0.050114907," if timed else ""
    interval = '"interval" : 0.050114907, ' if timed else ""
    texts = [
        f"{time}{column},59,,instructions,59846708,100.00,1.197,CPUs utilized\n",
        f"{time}{column},<not counted>,,instructions,0,0.00,,\n",
        f'{{{interval}"{key}" : "x", "counter-value" : "5", "event" : "instructions"}}\n',
    ]
    for text in texts:
        path = write(tmp_path / "perf", START + text)
        assert recogniser.recognise(path) is recogniser.PERF_STAT
        with pytest.raises(DataError, match=rf"perf:3: counts each [\w]+ apart \({switch}\)") as caught:
            perf_stat.read(path)
        assert f"record without {switch}" in caught.value.hint


@pytest.mark.parametrize("summary", ["         summary,", ""])
def test_a_summary_is_no_interval(tmp_path: Path, summary: str) -> None:
    text = "     0.1,9,,instructions,5,100.00,,\n     0.2,7,,instructions,5,100.00,,\n"
    text += f"{summary}16,,instructions,10,100.00,480.148,/sec\n"
    assert counted(tmp_path, text)["instructions"] == [9, 7]
    said = '{"counter-value" : "16.000000", "unit" : "", "event" : "instructions"}\n'
    each = "".join(
        said.replace("{", f'{{"interval" : {end}, ').replace("16", n) for end, n in ((0.1, "9"), (0.2, "7"))
    )
    assert counted(tmp_path, each + said)["instructions"] == [9, 7]


def test_runs_one_below_another_are_told_apart_by_their_times(tmp_path: Path) -> None:
    """Also where a summary stands between them."""
    one = "     0.1,9,,instructions,5,100.00,,\n     0.3,7,,instructions,5,100.00,,\n"
    summary = "         summary,16,,instructions,10,100.00,,\n"
    with pytest.raises(DataError, match=":4: its intervals are of several runs"):
        counted(tmp_path, one + summary + one.replace("0.1", "0.2"))
    assert counted(tmp_path, summary.replace("summary,", "") + one)["instructions"] == [9, 7]


def test_of_intervals_the_sums_alone_are_held(tmp_path: Path) -> None:
    intervals = 20_000
    line = "{:14.9f},{},,instructions,5000000,100.00,1.20,insn per cycle\n"
    path = write(tmp_path / "perf", "".join(line.format(i / 100, i) for i in range(1, intervals + 1)))
    tracemalloc.start()
    found = perf_stat.read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found) == intervals and peak < 800 * intervals


def test_json_that_perf_writes_and_no_parser_takes(tmp_path: Path) -> None:
    text = START + (
        '{"interval" : 0.05, "counter-value" : "47.473682", "unit" : "msec", "event" : "task-clock", '
        '"event-runtime" : 47473682, "pcnt-running" : 100.00, "metric-value" : nan, "metric-unit" : ""}\n'
        '{"interval" : 0.05, "counter-value" : "1234.000000", "unit" : "", "event" : "instructions", '
        '"event-runtime" : 5, "pcnt-running" : 50.00, } {"interval" : 0.05, "metric-value" : "30.2", '
        '"metric-unit" : "%  retiring"}\n'
        '{"interval" : 0.05, "counter-value" : "<not counted>", "event" : "cpu_core/cycles/", '
        '"event-runtime" : 0, "pcnt-running" : 0.00}\n'
        '{"interval" : 0.05, "counter-value" : "70.0", "event" : "cpu_atom/cycles/"}\n'
    )
    path = tmp_path / "perf.json.gz"
    path.write_bytes(gzip.compress(text.replace("\n", "\r\n").encode()))
    readings = perf_stat.read(path)
    assert {name: values.tolist() for name, values in readings.counters.items()} == {
        "task-clock": [47.473682], "instructions": [1234], "cycles": [70],
    }  # fmt: skip
    assert readings.units["task-clock"] == "msec" and "50%" in readings.notes[0]
    assert check_file(path).found == "perf stat -x or -j: 1 row of metrics"


@pytest.mark.parametrize("form", ["csv", "json"])
def test_a_whole_run_is_the_truth_of_the_run(tmp_path: Path, form: str) -> None:
    folder = analysed(tmp_path / "run")
    whole = read(folder.path).instructions
    text = f"{whole},,instructions:u,9,100.00,,\n{2 * whole},,cycles:u,9,100.00,,\n"
    if form == "json":
        rows = (("instructions:u", whole), ("cycles:u", 2 * whole))
        text = "".join(f'{{"counter-value" : "{n}.000000", "event" : "{name}"}}\n' for name, n in rows)
    said = json.loads(command(write(tmp_path / "perf", text), "-o", folder.path, "--json"))
    assert said["of"] == "run" and metrics_csv.read(folder.metrics).values("cpi").tolist() == [2]


def test_repeats_are_means_of_whole_runs_and_no_intervals(tmp_path: Path) -> None:
    line = "95.4,,instructions,0.51%,9,100.00,499.517,/sec\n"
    readings = perf_stat.read(write(tmp_path / "perf", line))
    assert readings.counters["instructions"].tolist() == [95.4] and "-r" in readings.notes[0]
    said = '{"counter-value" : "95.4", "event" : "instructions", "variance" : 10.26}\n'
    assert "-r" in perf_stat.read(write(tmp_path / "perf", said)).notes[0]
    with pytest.raises(DataError, match="perf:1: its intervals are of several runs") as caught:
        perf_stat.read(write(tmp_path / "perf", "     0.050088740," + line))
    assert "-r" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ("0.2,9,,instructions,5,100.00,,\n0.1,9,,instructions,5,100.00,,\n", ":2: .*several runs", "-r"),
        ("9,,instructions,5,100.00,,\n9,,instructions,5,100.00,,\n", ":2: instructions stands twice", "own"),
        ("9,,instructions:u,5,100.00,,\n9,,instructions:k,5,100.00,,\n", ":2: .*:k stands twice", "one mode"),
        ("9,,cpu_core/cycles/,5,100.00,,\n9,,cpu_core/cycles/,5,100.00,,\n", ":2: .* twice", "once"),
        ("9,,cpu_core/cycles/,5,100.00,,\n9,,cycles,5,100.00,,\n", ":2: cycles stands twice", "once"),
        ("9,,instructions,a,5,100.00,,\n9,,cycles,b,5,100.00,,\n", "of a, cycles of b", "--for-each"),
        ("9,,instructions,a,5,100.00,,\n9,,cycles,5,100.00,,\n", "of a, cycles of everything", "--for-each"),
        ("9,msec,instructions,5,100.00,,\n", "perf.*: instructions are given in msec", "convert"),
        ("{}\n", ":1: holds no count", "--metric-only"),
        ("time,GHz,insn per cycle,\n  0.0009,0.950,1.65,\n", ":1: holds metrics alone", "--metric-only"),
        ('{"interval" : 0.1f, "counter-value" : "9", "event" : "cycles"}\n', ":1: '0.1f' is no time", "rec"),
        ('{"CPUs utilized" : "0.9"}\n', ":1: holds no count", "--metric-only"),
        ("9,,instructions,5,100.00,,\nhello from the program\n", ":2: is no line of perf stat", "-o FILE"),
        ("\n Performance counter stats for 'x':\n\n  61      page-faults\n", ":2: .* for people", "-x,"),
        ("#  time   counts unit events\n   0.051134976   61   page-faults\n", ":2: .* for people", "-x,"),
        (f"{'9' * 5000},,instructions,5,100.00,,\n", "is no count", "record"),
        ("9,,,5,100.00,,\n7,,instructions,5,100.00,,\n", ":1: is no line", "record"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_how_to_record(tmp_path: Path, text: str, said: str, hint: str) -> None:
    with pytest.raises(DataError, match=said) as caught:
        perf_stat.read(write(tmp_path / "perf", text))
    assert hint in caught.value.hint and len(str(caught.value)) < 400


def test_one_cgroup_is_as_good_as_none(tmp_path: Path) -> None:
    text = "9,,instructions,a/b,5,100.00,,\n7,,cpu/event=0x3c,umask=0x1/u,a/b,5,100.00,,\n"
    assert counted(tmp_path, text) == {"instructions": [9], "cpu/event=0x3c,umask=0x1/u": [7]}


def test_modifiers_that_say_how_are_no_modes(tmp_path: Path) -> None:
    text = "9,,instructions:uP,5,100.00,,\n7,,cycles:u,5,100.00,,\n"
    assert counted(tmp_path, text) == {"instructions": [9], "cycles": [7]}
