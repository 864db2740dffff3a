"""Points and vectors as other tools read them."""

from __future__ import annotations

import csv
import dataclasses
import gzip
import json
import tempfile
from pathlib import Path

import numpy as np
import pytest
from tests.formats.samples import DATA

from phasemark._version import __version__
from phasemark.errors import DataError, UsageError
from phasemark.formats.points import exports, simpoint_files
from phasemark.formats.points.exports import Exportable, export
from phasemark.formats.vectors import profiles
from phasemark.model import Phases, Points, Profile
from phasemark.parallel.reaching import reached
from phasemark.points import nearest
from phasemark.store import tables

LABELS = np.array([0, 1, *[2] * 7])


def gem5() -> Profile:
    return profiles.read([DATA / "gem5-bootcamp" / "simpoint.bb.gz"])


def run(profile: Profile, picked: tuple[int, ...] = (0, 1, 2), **more: object) -> Exportable:
    phases = Phases(LABELS, np.zeros((3, 2)), np.linspace(0, 1, 9))
    return Exportable("app", profile, points(profile, picked), phases, **more)  # type: ignore[arg-type]


def points(profile: Profile, picked: tuple[int, ...], thread: int = 0) -> Points:
    rows = np.array(picked)
    start = profile.interval_table.start[rows]
    weight = np.bincount(LABELS)[LABELS[rows]] / 9
    return Points(
        np.zeros(len(rows)), np.full(len(rows), thread), rows, LABELS[rows], start,
        start + profile.interval_table.length[rows], np.minimum(start, 1000), weight / weight.sum(),
    )  # fmt: skip


def test_pinpoints_number_regions_from_1_with_exclusive_ends(tmp_path: Path) -> None:
    (file,) = export(run(gem5()), "pinpoints", tmp_path).files
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines))
    assert [row["region-id"] for row in rows] == ["1", "2", "3"]
    assert rows[1]["comment"] == "cluster 1 from slice 1"
    assert rows[1]["simulation-region-start-icount"] == "1000008"
    assert rows[1]["simulation-region-end-icount"] == "2000001"
    assert sum(float(row["region-weight"]) for row in rows) == pytest.approx(1, abs=1e-5)


def test_gem5s_files_match_line_by_line_and_the_note_says_how_to_use_them(tmp_path: Path) -> None:
    exported = export(run(gem5()), "gem5", tmp_path)
    simpoints, weights = (file.read_text().split() for file in exported.files)
    assert simpoints == ["0", "0", "1", "1", "2", "2"]
    assert weights[1::2] == simpoints[1::2]
    assert "=simpoints,weights,1000000,1000" in exported.notes[0]
    assert "at most 8 off" in exported.notes[1]


def test_gem5_cannot_take_intervals_of_no_one_length(tmp_path: Path) -> None:
    profile = profiles.read([DATA / "edge-cases" / "gap.bb"])
    with pytest.raises(UsageError, match="no one length"):
        export(run(profile), "gem5", tmp_path)


def test_nemu_holds_strings_by_interval(tmp_path: Path) -> None:
    (file,) = export(run(gem5()), "nemu", tmp_path).files
    said = json.loads(file.read_text())["app"]
    assert said == {"insts": "9000006", "points": {"0": "0.111111", "1": "0.111111", "2": "0.777778"}}


def test_champsim_skips_to_the_warm_up(tmp_path: Path) -> None:
    (file,) = export(run(gem5()), "champsim", tmp_path).files
    table = tables.read(file, {"skip": int, "warmup": int, "simulate": int, "weight": float})
    assert table["skip"] == [0, 999_008, 1_999_001]
    assert table["warmup"] == [0, 1000, 1000]
    assert table["simulate"] == [1_000_008, 999_993, 1_000_002]


def test_simpoint_with_coverage_has_a_second_pair(tmp_path: Path) -> None:
    profile = gem5()
    some = run(profile, picked=(1, 2), all_points=points(profile, (0, 1, 2)), coverage=0.85)
    files = {file.name for file in export(some, "simpoint", tmp_path).files}
    assert files == {"simpoints", "weights", "labels", "simpoints.lpt0.85", "weights.lpt0.85"}
    everything = simpoint_files.read_pair(tmp_path / "simpoints", tmp_path / "weights")
    covered = simpoint_files.read_pair(tmp_path / "simpoints.lpt0.85", tmp_path / "weights.lpt0.85")
    assert everything.cluster.tolist() == [0, 1, 2]
    assert covered.cluster.tolist() == [1, 2]
    assert covered.weight.tolist() == [0.125, 0.875]


@pytest.mark.parametrize("target", ["bb", "exp-bbv"])
def test_vectors_are_read_again(tmp_path: Path, target: str) -> None:
    profile = gem5()
    again = profiles.read(export(run(profile), target, tmp_path).files)
    assert (again.counts != profile.counts).nnz == 0


def test_functions_survive_exp_bbvs_pc_file(tmp_path: Path) -> None:
    bbv = DATA / "exp-bbv"
    profile = profiles.read([bbv / name for name in ("bb.out.77", "bb.out.77.2", "bb.out.77.3", "pc.out.77")])
    files = export(Exportable("app", profile), "exp-bbv", tmp_path).files
    assert [file.name for file in files] == ["bb.out", "bb.out.2", "bb.out.3", "pc.out"]
    again = profiles.read(files)
    assert again.block_table.function == profile.block_table.function
    assert again.provenance.interval == 10_000
    assert again.intervals.equals(profile.intervals)


def test_what_a_format_cannot_say_is_refused(tmp_path: Path) -> None:
    profile = gem5()
    threads = points(profile, (0, 1, 2))
    several = Points(*(getattr(threads, n) for n in ("run",)), [0, 0, 1], *(
        getattr(threads, n) for n in ("interval", "phase", "start", "end", "warmup", "weight")
    ))  # fmt: skip
    for target in ("gem5", "nemu"):
        with pytest.raises(UsageError, match="thread") as caught:
            export(Exportable("app", profile, several), target, tmp_path)
        assert "export to" in caught.value.hint
    exported = export(Exportable("app", None, several), "threads", tmp_path)
    assert "what Sniper counts, instructions of all, is left out" in exported.notes[1]
    assert exported.files[0].read_text().splitlines()[-1].endswith(",,,")
    with pytest.raises(DataError, match="no points"):
        export(Exportable("app", profile), "pinpoints", tmp_path)
    with pytest.raises(UsageError, match=f"one of: {', '.join(exports.TARGETS)}"):
        export(Exportable("app", profile), "simpoints", tmp_path)


def test_several_points_of_a_phase_reach_every_target(tmp_path: Path) -> None:
    """Each with its own weight: none lost, none counted twice."""
    profile = gem5()
    rows = np.array([0, 1, 3, 5, 8])
    share = np.bincount(LABELS) / 9
    each = share[LABELS[rows]] / np.bincount(LABELS[rows])[LABELS[rows]]
    start = profile.interval_table.start[rows]
    end = start + profile.interval_table.length[rows]
    several = Points(np.zeros(5), np.zeros(5), rows, LABELS[rows], start, end, np.zeros(5), each)
    phases = Phases(LABELS, np.zeros((3, 2)), np.linspace(0, 1, 9))
    made = Exportable("app", profile, several, phases)
    expected = dict(zip(rows.tolist(), each.tolist(), strict=True))
    for target in ("simpoint", "gem5"):
        folder = tmp_path / target
        folder.mkdir()
        exported = export(made, target, folder)
        pair = simpoint_files.read_pair(folder / "simpoints", folder / "weights")
        found = dict(zip(pair.interval.tolist(), pair.weight.tolist(), strict=True))
        assert found == pytest.approx(expected, abs=1e-6)
        assert sorted(pair.cluster.tolist()) == [0, 1, 2, 3, 4]
        assert "numbers the points" in exported.notes[-1]
        lines = [(folder / name).read_text().split()[1::2] for name in ("simpoints", "weights")]
        assert lines[0] == lines[1]
    (nemu,) = export(made, "nemu", tmp_path).files
    weights = json.loads(nemu.read_text())["app"]["points"]
    assert {int(row): float(w) for row, w in weights.items()} == pytest.approx(expected, abs=1e-6)
    (pin,) = export(made, "pinpoints", tmp_path).files
    lines = [line for line in pin.read_text().splitlines() if not line.startswith("#")]
    regions = list(csv.DictReader(lines))
    assert [row["comment"] for row in regions] == [f"cluster {LABELS[r]} from slice {r}" for r in rows]
    assert [float(row["region-weight"]) for row in regions] == pytest.approx(each.tolist(), abs=1e-6)
    (champsim,) = export(made, "champsim", tmp_path).files
    table = tables.read(champsim, {"interval": int, "phase": int, "weight": float})
    assert table["interval"] == rows.tolist() and table["weight"] == pytest.approx(each.tolist())


def small() -> Exportable:
    """Two points of a run of three intervals."""
    zero = np.zeros(2, int)
    profile = exports_profile([100, 100, 50])
    picked = Points(zero, zero, [0, 2], [1, 0], [0, 200], [100, 250], [0, 30], [0.4, 0.6])  # type: ignore[arg-type]
    phases = Phases(np.array([1, 1, 0]), np.zeros((2, 2)), [0.5, 0, 1])  # type: ignore[arg-type]
    return Exportable("app", profile, picked, phases, moments=reached(profile, picked))


def exports_profile(lengths: list[int]) -> Profile:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "v"
        path.write_text("".join(f"T:1:{n}\n" for n in lengths))
        return profiles.read([path], interval=100)


#: Target -> file -> what is in it, to the byte.
GOLDEN = {
    "simpoint": {"simpoints": "2 0\n0 1\n", "weights": "0.6 0\n0.4 1\n", "labels": "1 0.5\n1 0\n0 1\n"},
    "gem5": {"simpoints": "2 0\n0 1\n", "weights": "0.6 0\n0.4 1\n"},
    "pinpoints": {
        "app.pinpoints.csv": "# Regions chosen by phasemark\n"
        "comment,thread-id,region-id,simulation-region-start-icount,simulation-region-end-icount,region-weight\n"
        "# Region = 1 Slice = 0 Icount = 0 Length = 100 Weight = 0.400000\n"
        "cluster 1 from slice 0,0,1,0,100,0.400000\n"
        "# Region = 2 Slice = 2 Icount = 200 Length = 50 Weight = 0.600000\n"
        "cluster 0 from slice 2,0,2,200,250,0.600000\n"
    },
    "nemu": {
        "simpoint_summary.json": '{\n  "app": {\n    "insts": "250",\n    "points": {\n'
        '      "0": "0.4",\n      "2": "0.6"\n    }\n  }\n}\n'
    },
    "champsim": {
        "champsim.csv": f"# phasemark: {__version__}; command: export; to: champsim; unit: instructions\n"
        "run,thread,interval,phase,skip,warmup,simulate,weight\n0,0,0,1,0,0,100,0.4\n0,0,2,0,170,30,50,0.6\n"
    },
    "threads": {
        "threads.csv": f"# phasemark: {__version__}; command: export; to: threads; method: nearest; "
        "unit: instructions; coverage: 1.0\n"
        "run,thread,interval,phase,start,end,warmup,weight,population,"
        "global_warmup,global_start,global_end,sniper\n"
        "0,0,0,1,0,100,0,0.4,0,0,0,100,0:0:100\n0,0,2,0,200,250,30,0.6,0,170,200,250,170:30:50\n"
    },
    "bb": {"vectors.bb.gz": "T:1:100 \nT:1:100 \nT:1:50 \n"},
    "exp-bbv": {
        "bb.out": "T:1:100   \nT:1:100   \nT:1:50   \n\n\n# Thread 1\n"
        "#   Total intervals: 3 (Interval Size 100)\n#   Total instructions: 250\n\n"
    },
}

NOTES = {
    "gem5": (
        "gem5 reads the two line by line; use them with --take-simpoint-checkpoint=simpoints,weights,100,30",
    ),
    "pinpoints": ("warm-up is not part of a region: give it to the logger",),
    "threads": (
        "gem5, a CPU for each thread: cpu[THREAD].scheduleInstStop(0, START, ...) ends a simulation there",
        "Sniper: --roi-script --no-cache-warming -s roi-icount:SNIPER, with a point's column sniper",
    ),
}


@pytest.mark.parametrize("target", sorted(exports.TARGETS.keys() - {"looppoint", "markers", "trace"}))
def test_each_target_to_the_byte(tmp_path: Path, target: str) -> None:
    exported = export(small(), target, tmp_path)
    assert [file.name for file in exported.files] == list(GOLDEN[target])
    for name, text in GOLDEN[target].items():
        content = (tmp_path / name).read_bytes()
        assert (gzip.decompress(content) if name.endswith(".gz") else content).decode() == text
    tail = () if target in ("bb", "exp-bbv") else (TAIL,)
    assert exported.notes == (*NOTES.get(target, ()), *tail)


TAIL = "simulate tails to their end and no further: interval 2 (50 instructions)"


def test_only_a_tail_that_is_a_point_is_noted(tmp_path: Path) -> None:
    run = small()
    others = dataclasses.replace(run, points=nearest(run.profile, run.phases, tail_points=False))  # type: ignore[arg-type]
    for target in ("simpoint", "gem5", "pinpoints", "nemu", "champsim"):
        assert not any("tail" in note for note in export(others, target, tmp_path).notes)
    assert len(others.picked()) == 1


def test_what_lacks_is_named_with_the_step_that_makes_it(tmp_path: Path) -> None:
    run = small()
    for target in ("simpoint", "gem5", "pinpoints", "nemu", "champsim"):
        with pytest.raises(DataError, match="app has no points\n  hint: run `phasemark points` first"):
            export(Exportable("app", run.profile), target, tmp_path)
    exported = export(Exportable("app", run.profile, run.points), "simpoint", tmp_path)
    assert [file.name for file in exported.files] == ["simpoints", "weights"]
    assert exported.notes == ("without phases there are no labels", TAIL)
    for target in ("bb", "exp-bbv"):
        with pytest.raises(DataError, match="app has no vectors\n  hint: import them"):
            export(Exportable("app", None, run.points), target, tmp_path)
    with pytest.raises(DataError, match="how many instructions app ran"):
        export(Exportable("app", None, run.points), "nemu", tmp_path)


def test_points_after_a_slice_that_was_left_out_are_numbered_by_where_they_start(tmp_path: Path) -> None:
    profile = profiles.read([DATA / "reader-faults" / "pin-first-slice-dropped" / "nofirst.bb"])
    assert profile.interval_table.start.tolist() == [1004, 2004]
    exportable = Exportable("app", profile, points(profile, (0, 1)), None)
    said = "numbers are those of the intervals of 1,000 that points start in, not those of points.csv"
    for target in ("gem5", "nemu"):
        (tmp_path / target).mkdir()
        exported = export(exportable, target, tmp_path / target)
        assert said in exported.notes
    assert (tmp_path / "gem5" / "simpoints").read_text() == "1 0\n2 1\n"
    assert '"2": "' in (tmp_path / "nemu" / "simpoint_summary.json").read_text()
    assert "the points start at most 4 off that" in export(exportable, "gem5", tmp_path).notes[1]
    for target in ("bb", "exp-bbv"):
        assert export(exportable, target, tmp_path).notes == (
            "the format does not say that 1,004 instructions lie between intervals",
        )
    assert said not in export(run(gem5()), "gem5", tmp_path).notes
    assert export(run(gem5()), "bb", tmp_path).notes == ()
