"""Results of any simulator, as CSV with a heading."""

from __future__ import annotations

import gzip
import json
import math
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from tests.cli.runs import analysed
from tests.formats.metrics.files import command, dump, stats, write

import phasemark
from phasemark.errors import DataError
from phasemark.formats import recogniser
from phasemark.formats.metrics import measurements, placing, results_csv
from phasemark.model import Metrics
from phasemark.store import metrics_csv, points_csv
from phasemark.workflow import Run
from phasemark.workflow.reading import read

FAULTS = Path(__file__).parents[2] / "data" / "reader-faults" / "csv-header-case"


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
    assert said["notes"] == ["1 of 3 points is missing: interval 3"]


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
        ("cycles,energy\n1,2\n", ":1: nothing says of what its rows are"),
        ("phase,thread\n1,2\n", ":1: has no counter"),
        ("heat,work\n1,2\n", "no file of metrics that is known"),
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
        Run(folder.path).import_metrics([write(tmp_path / "results.csv", text)])
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


@pytest.mark.parametrize(
    ("heading", "name"),
    [("IPC", "ipc"), ("Cpi", "cpi"), ("Cycles", "cycles"), ("L2_MISSES", "l2_misses"), ("Stalls", "Stalls"),
     ("Energy [pJ]", "energy")],
)  # fmt: skip
@pytest.mark.parametrize("key", ["Interval", "INDEX", "Phase", "interval"])
def test_capitals_in_known_names_do_not_matter(tmp_path: Path, heading: str, name: str, key: str) -> None:
    path = write(tmp_path / "a.csv", f"{key},{heading}\n0,2\n1,4\n")
    assert measurements.recognise(path) is recogniser.RESULTS
    readings = measurements.read([path])
    assert readings.counters[name].tolist() == [2, 4]
    assert readings.keys["phase" if key == "Phase" else "interval"].tolist() == [0, 1]


def test_one_name_in_two_spellings_stands_twice(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"column ipc stands twice \(IPC and ipc\)"):
        results_csv.read(write(tmp_path / "a.csv", "interval,IPC,ipc\n0,1,1\n"))
    with pytest.raises(DataError, match=r"column l3_misses stands twice \(LLC misses and l3_misses\)"):
        results_csv.read(write(tmp_path / "a.csv", "interval,LLC misses,l3_misses\n0,1,1\n"))


def test_a_heading_in_capitals_is_the_same_metric(tmp_path: Path) -> None:
    vectors, results = FAULTS / "run.bb", FAULTS / "upper-ipc.csv"
    folder = phasemark.open(vectors, tmp_path).folder
    command(results, "-o", folder.path)
    assert metrics_csv.read(folder.metrics).values("cpi").tolist() == [2, 0.5]


@pytest.mark.parametrize(
    ("heading", "name", "unit"),
    [
        ("Insts", "instructions", "instructions"), ("committedInsts", "instructions", "instructions"),
        ("Num Cycles", "cycles", "cycles"), ("L1D accesses", "l1d_references", "events"),
        ("dcache_miss", "l1d_misses", "events"), ("LLC-misses", "l3_misses", "events"),
        ("L2C Misses (events)", "l2_misses", "events"), ("iTLB refs", "itlb_references", "events"),
        ("Branch Misses", "branch_mispredictions", "events"), ("Branches", "branches", "events"),
        ("Energy (pJ)", "energy", "pJ"), ("Time (ns)", "Time", "ns"), ("L1 hits", "L1 hits", "events"),
        ("weird[", "weird[", "events"),
    ],
)  # fmt: skip
def test_usual_spellings_and_units_in_a_heading(tmp_path: Path, heading: str, name: str, unit: str) -> None:
    readings = results_csv.read(write(tmp_path / "a.csv", f"Interval ID,{heading}\n3,5\n"))
    assert {name: values.tolist() for name, values in readings.counters.items()} == {name: [5]}
    assert readings.units == {name: unit} and readings.keys["interval"].tolist() == [3]


def test_ratios_stand_for_what_they_are_made_of(tmp_path: Path) -> None:
    points = points_csv.read(analysed(tmp_path / "run").points)
    n = int(points.end[0] - points.start[0])
    text = (
        "phase,ipc,L1D MPKI,l2_miss_rate,l2_references,branch_mpki,branch_mispredictions\n0,2,5,0.25,8,9,3\n"
    )
    found = placing.of_points(results_csv.read(write(tmp_path / "a.csv", text)), points).counters
    assert {name: values.tolist() for name, values in found.items()} == {
        "l2_references": [8], "branch_mispredictions": [3], "cycles": [n / 2],
        "l1d_misses": pytest.approx([5 * n / 1000]), "l2_misses": [2],
    }  # fmt: skip
    alone = results_csv.read(write(tmp_path / "b.csv", "phase,l2_miss_rate\n0,0.5\n"))
    with pytest.raises(DataError, match="l2_miss_rate alone does not say how many l2_misses"):
        placing.of_points(alone, points)


@pytest.mark.parametrize(
    "content",
    [
        b"phase;cycles;heat [J]\r\n0;7;1.5\r\n", b"phase\tcycles\theat [J]\n0\t7\t1.5\n",
        b'phase, "cycles", "heat [J]"\n0, "7", 1.5\n\n', b"\xef\xbb\xbfphase,cycles,heat [J]\n0.0,7.0,1.5e0",
        gzip.compress(b"# units: heat=J\nphase,cycles,heat\n# between\n0,7,+1.5\n", mtime=0),
    ],
)  # fmt: skip
def test_tables_of_spreadsheets_and_scripts(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "results"
    path.write_bytes(content)
    readings = measurements.read([path])
    assert {name: values.tolist() for name, values in readings.counters.items()} == {
        "cycles": [7],
        "heat": [1.5],
    }
    assert readings.units["heat"] == "J" and readings.keys["phase"].tolist() == [0]


def test_the_comment_names_units_by_heading_or_by_our_name(tmp_path: Path) -> None:
    for named in ("Energy", "energy"):
        text = f"# units: {named}=nJ\ninterval,Energy\n0,1\n"
        with pytest.raises(DataError, match="energy are given in nJ"):
            results_csv.read(write(tmp_path / "a.csv", text))


@pytest.mark.parametrize("nothing", ["", "nan", "NA", "n/a", "NULL", "-"])
def test_what_programs_write_for_nothing_is_missing(tmp_path: Path, nothing: str) -> None:
    readings = results_csv.read(write(tmp_path / "a.csv", f"phase,cycles\n0,{nothing}\n1,5\n"))
    assert np.isnan(readings.counters["cycles"]).tolist() == [True, False]


@pytest.mark.parametrize(
    ("content", "said", "hint"),
    [
        (b"phase;cycles\n0;1,5\n", ":2: cycles is '1,5', not a number", "decimal point"),
        (b'phase,cycles\n0,"1,500,000"\n', ":2: cycles is '1,500,000', not", "thousands"),
        (b"phase,cycles\n0,1,5\n", ":2: 3 fields under 2 headings", "decimal point"),
        (b"phase,cycles\n0,1_000\n", ":2: cycles is '1_000', not a number", "empty"),
        (b"phase,cycles\n0,0x10\n", ":2: cycles is '0x10', not a number", "empty"),
        (b"phase,cycles\r0,1\r", ":1: holds a carriage return within a line", "line ends"),
        (b"phase,cycles\n0,1\r1,2\n", ":2: holds a carriage return within a line", "line ends"),
        (b"phase,cycles\n%d,1\n" % 2**63, ":2: phase is '9223372036854775808', not a whole", "empty"),
        (b"phase,cycles\n" + b"9" * 5000 + b",1\n", r"'\.\.\. \(5,000 characters\), not a whole", "empty"),
        (b"phase,cycles\n0," + b"9" * 5000 + b"\n", "row 0: cycles is negative or infinite", "empty"),
        (b"phase,cycles\n0,-inf\n", "row 0: cycles is negative or infinite", "empty"),
        (b'phase,cycles\n0,"1\n', ":2: is no line of a table", "quotation mark"),
        (b"phase,cycles\n0,\xe9\n", ":2: is no UTF-8", "UTF-8"),
        (b"phase,cycles\n0,\x00\n", ":2: holds a zero byte", "UTF-8"),
        ("phase,cycles\n0,1\n".encode("utf-16"), "no file of metrics", "name one"),
        (b"phase,ipc [%]\n0,1\n", ":1: ipc has a unit", "plain number"),
        (b"phase,cycles (M)\n0,1\n", "cycles are given in M, not in cycles", "convert"),
    ],
)  # fmt: skip
def test_what_is_no_table_of_numbers_says_where_and_what_to_do(
    tmp_path: Path, content: bytes, said: str, hint: str
) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=said) as caught:
        measurements.read([path])
    assert hint in caught.value.hint and len(str(caught.value)) < 400


def test_a_large_table_takes_little_more_than_its_numbers(tmp_path: Path) -> None:
    """A gigabyte of rows would be held as text ten times over."""
    rows = 50_000
    path = write(tmp_path / "a.csv", "interval,cycles\n" + "".join(f"{i},{i}\n" for i in range(rows)))
    tracemalloc.start()
    readings = results_csv.read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(readings) == rows and peak < 100 * rows
