"""What ChampSim prints and its JSON, as counters, and the whole way from its points to an estimate.

The files in tests/data/champsim are of ChampSim itself; see the README there.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.cli.runs import analysed
from tests.formats.metrics.files import command, write
from typer.testing import CliRunner

from phasemark.checking import check_file
from phasemark.cli.app import application
from phasemark.errors import DataError, UsageError
from phasemark.formats.metrics import measurements, placing
from phasemark.formats.metrics.readings import Readings
from phasemark.store import metrics_csv, points_csv
from phasemark.workflow import Run
from phasemark.workflow.reading import read

ROOT = Path(__file__).parents[3]
DATA = ROOT / "tests" / "data" / "champsim"
ONE, TWO, OLD = DATA / "one.txt", DATA / "two.txt.gz", DATA / "one-2022.txt"
_CORE = re.compile(r"(CPU 0 cumulative IPC: \S+ instructions:) \d+ cycles: \d+")


def ours(readings: Readings) -> dict[str, list[float]]:
    return {name: values.tolist() for name, values in readings.counters.items() if "." not in name}


def simulated(instructions: int, cycles: int) -> str:
    """What ChampSim prints of a simulation with so many."""
    return _CORE.sub(rf"\1 {instructions} cycles: {cycles}", ONE.read_text())


def test_counters_of_a_simulation() -> None:
    found = measurements.read([ONE])
    assert ours(found) == {
        "instructions": [60002], "cycles": [166467], "branches": [7462], "branch_mispredictions": [1864],
        "l1i_references": [9], "l1i_misses": [6], "l1d_references": [18739 + 7506],
        "l1d_misses": [15352 + 6920], "l2_references": [15346 + 6925], "l2_misses": [454 + 1386],
        "l3_references": [454 + 1386], "l3_misses": [386 + 1217], "itlb_references": [8],
        "itlb_misses": [6], "dtlb_references": [26195], "dtlb_misses": [6603],
    }  # fmt: skip
    own = {name: values[0] for name, values in found.counters.items()}
    assert (own["cpu0_L2C.WRITE.hit"], own["cpu0_STLB.LOAD.miss"], own["cpu0_L1D.LOAD.mshr_merge"]) == (
        6921,
        3,
        9,
    )
    assert (own["DRAM.0.RQ_ROW_BUFFER_MISS"], own["DRAM.0.WQ_FULL"]) == (1596, 0)
    assert found.source == "ChampSim" and found.units["cycles"] == "cycles"


def test_text_and_json_of_a_simulation_say_the_same() -> None:
    """JSON lacks branches and a queue's overflows, text the refreshes; else all is equal, own names too."""
    text, exact = (measurements.read([DATA / name]).counters for name in ("one.txt", "one.json"))
    assert text.keys() - exact.keys() == {"branches", "DRAM.0.WQ_FULL"}
    assert exact.keys() - text.keys() == {"DRAM.0.REFRESHES_ISSUED"}
    assert {n: text[n][0] for n in text.keys() & exact.keys()} == {
        n: exact[n][0] for n in text.keys() & exact.keys()
    }


def test_output_of_2022() -> None:
    """Stores are RFO, blocks written back WRITEBACK, branches come last, numbers have six digits."""
    found = ours(measurements.read([OLD]))
    assert (found["instructions"], found["cycles"]) == ([60000], [205317])
    assert (found["l1d_references"], found["l1d_misses"]) == ([18725 + 7503], [15376 + 6900])
    assert (found["l2_references"], found["l3_misses"]) == ([15379 + 6899], [387 + 1211])
    assert found["branch_mispredictions"] == [1883] and found["branches"] == [7462]
    assert found["dtlb_misses"] == [2940 + 3531]


@pytest.mark.parametrize("name", ["two.txt.gz", "two.json.gz"])
def test_caches_of_cpus_that_ran_on_are_left_out(name: str) -> None:
    """CPU 1 ran on to 226,966 instructions, and its caches count all of them; its region has 20,000."""
    found = measurements.read([DATA / name])
    assert ours(found).keys() <= {"instructions", "cycles", "branches", "branch_mispredictions"}
    assert found.counters["instructions"].tolist() == [20000 + 20002]
    assert found.counters["cycles"].tolist() == [19062 + 195705]
    assert "2 CPUs, added up" in found.notes and any("left out" in note for note in found.notes)


def test_caches_of_cpus_that_end_together_are_added_up(tmp_path: Path) -> None:
    text = gzip.decompress(TWO.read_bytes()).decode().replace("instructions: 226966", "instructions: 20000")
    found = measurements.read([write(tmp_path / "x", text)])
    assert found.counters["l3_references"].tolist() == [1587 + 1392 + 3]
    assert not [name for name in found.counters if ".prefetch." in name]
    phases = json.loads(gzip.decompress((DATA / "two.json.gz").read_bytes()))
    for core in phases[0]["sim"]["cores"]:
        core["instructions"] = 20000
    exact = measurements.read([write(tmp_path / "y", json.dumps(phases))])
    assert exact.counters["l3_references"].tolist() == [1587 + 1392 + 3]


def test_what_a_file_may_hold_beside(tmp_path: Path) -> None:
    """Several simulations in one file; JSON on the terminal, whose mispredictions are exact; blanks, CRLF."""
    text, exact = ONE.read_text(), (DATA / "one.json").read_text().replace("1864", "1861")
    both = write(tmp_path / "both", f"hello\n{text}{exact}\n{OLD.read_text()}".replace("\n", "\r\n"))
    found = ours(measurements.read([both]))
    assert found["cycles"] == [166467, 205317] and found["branch_mispredictions"] == [1861, 1883]
    lines = "\n".join(line for line in text.splitlines() if "cumulative IPC:" in line and "CPU 0 cum" in line)
    assert ours(measurements.read([write(tmp_path / "found", lines * 1)])) == {
        "instructions": [60002], "cycles": [166467],
    }  # fmt: skip


def test_caches_with_other_names_keep_them(tmp_path: Path) -> None:
    path = write(tmp_path / "x", ONE.read_text().replace("cpu0_L2C", "cpu0_victim"))
    found = measurements.read([path]).counters
    assert "l2_misses" not in found and found["cpu0_victim.LOAD.miss"].tolist() == [454]


@pytest.mark.parametrize(
    ("accuracy", "mpki", "mispredictions", "branches"),
    [
        ("75.02", "31.07", 1864, 7462), ("99.8", "2", 120, None), ("99.7", "2", 120, 40000),
        ("99.8001", "2.00001", 120, 60030), ("100", "0", 0, None), ("-", "-", None, None),
        ("-nan", "0", 0, None), ("98", "1e-05", 0, 0),
    ],
)  # fmt: skip
def test_branches_as_well_as_the_digits_say(
    tmp_path: Path, accuracy: str, mpki: str, mispredictions: int | None, branches: int | None
) -> None:
    said = ONE.read_text().replace("75.02%", f"{accuracy}%").replace("MPKI: 31.07", f"MPKI: {mpki}")
    found = ours(measurements.read([write(tmp_path / "x", said)]))
    assert found.get("branch_mispredictions") == (None if mispredictions is None else [mispredictions])
    assert found.get("branches") == (None if branches is None else [branches])


def test_a_trace_that_was_too_short_is_said(tmp_path: Path) -> None:
    """Not where it was begun again for a CPU that was done."""
    line = '*** Reached end of trace: (0, "a.trace.xz")\n'
    before = ONE.read_text().replace("Simulation finished", line + "Simulation finished")
    assert any("begun again" in note for note in measurements.read([write(tmp_path / "x", before)]).notes)
    after = ONE.read_text().replace("Simulation complete", line + "Simulation complete")
    assert not any("begun again" in note for note in measurements.read([write(tmp_path / "y", after)]).notes)


def test_output_that_was_cut_short(tmp_path: Path) -> None:
    text = ONE.read_text()
    done = measurements.read([write(tmp_path / "x", text[: text.index("ChampSim completed")])])
    assert ours(done) == {"instructions": [60002], "cycles": [166467]} and "ends before" in done.notes[0]
    for end, line in (("Simulation finished", 11), ("Number of CPUs", 5)):
        with pytest.raises(DataError, match=rf"y:{line}: the output ends before the simulation"):
            measurements.read([write(tmp_path / "y", text[: text.index(end)])])


def test_accesses_that_neither_hit_nor_missed_are_said(tmp_path: Path) -> None:
    """Some versions count apart what joins a miss on its way."""
    path = write(tmp_path / "z", ONE.read_text().replace("HIT:       3387", "HIT:       3386"))
    assert "cpu0_L1D: its hits and misses are not all its accesses" in measurements.read([path]).notes


def test_two_cpus_until_2022_have_their_caches_each(tmp_path: Path) -> None:
    """Namesakes, LLC for each CPU, and branches at the end; the counts are those of the regions."""
    kinds = [f"{{}} {kind:<9} ACCESS: {{:10}}  HIT: {{:10}}  MISS: {{:10}}\n" for kind in ("TOTAL", "LOAD")]

    def of(cpu: int, instructions: int, loads: int, misses: int) -> str:
        counts = (loads, loads - misses, misses)
        return (
            f"\nCPU {cpu} cumulative IPC: 0.5 instructions: {instructions} cycles: {2 * instructions}\n"
            + "".join(kind.format(name, *counts) for name in ("L1D", "LLC") for kind in kinds)
            + "L1D PREFETCH  REQUESTED:          3  ISSUED:          2  USEFUL:          1  USELESS:   1\n"
        )

    total = (
        "\nTotal Simulation Statistics (not including warmup)\n" + of(0, 1500, 900, 90) + of(1, 1000, 7, 7)
    )
    regions = "\nRegion of Interest Statistics\n" + of(0, 1000, 300, 30) + of(1, 1000, 200, 20)
    branches = "".join(
        f"\nCPU {cpu} Branch Prediction Accuracy: 90.5% MPKI: 10 Average ROB Occupancy at Mispredict: 40\n"
        for cpu in (0, 1)
    )
    head = "*** ChampSim Multicore Out-of-Order Simulator ***\nNumber of CPUs: 2\n"
    found = measurements.read([write(tmp_path / "x", head + total + regions + branches)])
    assert ours(found) == {
        "instructions": [2000], "cycles": [4000], "branches": [210], "branch_mispredictions": [20],
        "l1d_references": [500], "l1d_misses": [50], "l3_references": [500], "l3_misses": [50],
    }  # fmt: skip
    assert not [name for name in found.counters if "prefetch" in name]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"cycles":166467', '"cycles":-1', "-1 is no count"),
        ('"cycles":166467', '"cycles":"many"', "many is no count"),
        ('"cycles":166467', f'"cycles":{"9" * 5000}', "ends early, or is no JSON"),
        ('"cycles":166467,', "", "lacks or misnames a count"), ('"sim"', '"x"', "lacks or misnames a count"),
        ('"name":"Simulation"', '"name":"Warmup"', "holds no simulation"), ("}]", "", "ends early"),
        ('"LLC":{', '"LLC":7,"x":{', "lacks or misnames a count"),
        ('{"LOAD":', '{"LOAD":' + "[" * 100_000, "lacks or misnames|ends early"),
    ],
)  # fmt: skip
def test_json_that_is_no_good_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = write(tmp_path / "x.json", (DATA / "one.json").read_text().replace(old, new, 1))
    with pytest.raises(DataError, match=said) as caught:
        measurements.read([path])
    assert caught.value.path == path and len(str(caught.value)) < 400


def test_ratios_of_nothing_in_json_are_no_fault(tmp_path: Path) -> None:
    text = re.sub(r'("miss latency":)[\d.]+', r"\1-nan", (DATA / "one.json").read_text())
    assert measurements.read([write(tmp_path / "x", text)]).counters["cycles"].tolist() == [166467]


@pytest.mark.parametrize(
    ("name", "said"), [("one.txt", "ChampSim's output: 1 row"), ("two.json.gz", "ChampSim's JSON: 1 row")]
)
def test_check_knows_them(name: str, said: str) -> None:
    assert check_file(DATA / name).found == f"{said} of metrics"


def test_files_are_of_the_points_that_their_names_say(tmp_path: Path) -> None:
    """Intervals 1, 3 and 7, named in the order that a shell gives; or in the order of points.csv."""
    points = points_csv.read(analysed(tmp_path / "run").points)
    length = dict(zip(points.interval.tolist(), (points.end - points.start).tolist(), strict=True))

    def cycles(*names: str, of: tuple[int, ...]) -> dict[int, float]:
        files = [
            write(tmp_path / name, simulated(length[i], 10 * i)) for name, i in zip(names, of, strict=True)
        ]
        found = placing.of_points(measurements.read(files), points)
        return dict(zip(found.index.tolist(), found.counters["cycles"].tolist(), strict=True))

    every = {1: 10, 3: 30, 7: 70}
    assert cycles("p7-v2.txt", "p1-v2.txt", "p3-v2.txt", of=(7, 1, 3)) == every
    assert cycles("p7", "p3", of=(7, 3)) == {3: 30, 7: 70}
    assert cycles("p8", "p9", "p10", of=(1, 3, 7)) == every
    assert cycles("red", "green", "blue", of=(1, 3, 7)) == every
    assert cycles("a1b1", "a2b2", "a3b7", of=(1, 3, 7)) == every
    with pytest.raises(UsageError, match="numbered 10, 8, 9, and taken in this order") as caught:
        cycles("p10", "p8", "p9", of=(1, 3, 7))
    assert "ls -v" in caught.value.hint
    with pytest.raises(UsageError, match="2 results for 3 points"):
        cycles("red", "green", of=(1, 3))
    two = [write(tmp_path / "p3", simulated(length[1], 10) + "\n" + simulated(length[3], 30))]
    two.append(write(tmp_path / "p1", simulated(length[7], 70)))
    found = placing.of_points(measurements.read(two), points)
    assert found.counters["cycles"].tolist() == [10, 30, 70]


_FAKE = """#!{python}
# {what}
import re, sys
from pathlib import Path
told = dict(zip(sys.argv[1:], sys.argv[2:]))
"""
_PIN = """Path(told["-o"]).write_text(f"{told['-s']} {told['-t']}")
"""
_CHAMPSIM = """import lzma
skip, held = map(int, lzma.open(sys.argv[-1], "rt").read().split())
warmup, simulated = int(told["-w"]), int(told["-i"])
assert warmup + simulated <= held
cycles = (skip + warmup) * 2 + simulated
core = rf"\\1 {{simulated}} cycles: {{cycles}}"
said = Path({one!r}).read_text()
print(re.sub(r"(CPU 0 cumulative IPC: \\S+ instructions:) \\d+ cycles: \\d+", core, said))
"""


def test_the_whole_way_of_a_user_of_champsim(tmp_path: Path) -> None:
    """As docs/import.md has it: points for ChampSim, a trace and a simulation of each, and the estimate.

    The tracer and the simulator are stand-ins; a point that starts at s with n instructions takes 2 s + n
    cycles.
    """
    folder = analysed(tmp_path / "out" / "bench")
    page = (ROOT / "docs" / "import.md").read_text()
    (block,) = re.findall(r"^```sh\n(.*?)^```", page[page.index("### ChampSim") :], re.MULTILINE | re.DOTALL)
    tools = tmp_path / "tools"
    tools.mkdir()
    champsim = _CHAMPSIM.format(one=str(ONE))
    for name, body in (("pin", _PIN), ("champsim", champsim)):
        (tools / name).write_text(_FAKE.format(python=sys.executable, what=name) + body)
        (tools / name).chmod(0o755)
    path = f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", block],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    points, found = points_csv.read(folder.points), metrics_csv.read(folder.point_metrics)
    length = (points.end - points.start).astype(float)
    assert found.counters["cycles"].tolist() == (2 * points.start + length).tolist()
    expected = float(np.sum(points.weight * (2 * points.start + length) / length))
    said = json.loads(CliRunner().invoke(application(), ["estimate", str(folder.path), "--json"]).output)
    assert said["metrics"]["cpi"]["value"] == pytest.approx(expected)
    assert folder.steps()["simulation"]["source"] == "ChampSim"


def test_a_whole_run_of_champsim_is_the_truth_of_the_run(tmp_path: Path) -> None:
    folder = analysed(tmp_path / "run")
    whole = read(folder.path).instructions
    command(write(tmp_path / "full.txt", simulated(whole, 3 * whole)), "-o", folder.path)
    assert metrics_csv.read(folder.metrics).values("cpi").tolist() == [3]
    with pytest.raises(DataError, match="counts 60,002 instructions, and the run has"):
        Run(folder.path).import_metrics([ONE])
