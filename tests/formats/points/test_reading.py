"""Points of other tools' files: every format, what is wrong with a file, and where the points then lie."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phasemark.checking.files import check_file
from phasemark.errors import DataError, PhasemarkError, UsageError
from phasemark.formats.points import placing, reading, simpoint_files
from phasemark.formats.points.exports import Exportable, export
from phasemark.formats.points.placing import Placed
from phasemark.model import Counts, Intervals, Phases, Points, Profile, Provenance
from phasemark.model.blocks import Blocks
from phasemark.model.intervals import concatenate
from phasemark.store import points_csv

#: 5, 3 and 2 intervals, cluster by cluster.
LABELS = np.array([0, 0, 1, 1, 1, 2, 2, 0, 0, 0])


def ten(length: int = 1000) -> Intervals:
    return Intervals.of_thread(np.full(10, length), nominal=length)


def two_threads() -> Intervals:
    return concatenate([Intervals.of_thread(np.full(n, 1000), thread=t) for t, n in enumerate((6, 4))])


def points(intervals: Intervals, rows: tuple[int, ...] = (1, 3, 6), warmup: int = 0) -> Points:
    at = np.array(rows)
    start = intervals.start[at]
    weight = np.bincount(LABELS)[LABELS[at]] / 10
    return Points(
        intervals.run[at], intervals.thread[at], intervals.index[at], LABELS[at], start,
        start + intervals.length[at], np.minimum(start, warmup), weight / weight.sum(), method="given",
    )  # fmt: skip


def run(intervals: Intervals, picked: Points) -> Exportable:
    n = len(intervals)
    counts = Counts(np.arange(n + 1), np.zeros(n), intervals.length, 1)
    blocks = Blocks(("",), np.zeros(1), np.ones(1), np.ones(1), np.ones(1), np.ones(1))
    profile = Profile(blocks, intervals, counts, Provenance(tool="test", interval=1000))
    return Exportable("app", profile, picked, Phases(LABELS, np.zeros((3, 2)), np.ones(n)))


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def simpoint(folder: Path, simpoints: str, weights: str) -> list[Path]:
    return [write(folder / "a.simpts", simpoints), write(folder / "a.weights", weights)]


def place(files: list[Path], intervals: Intervals | None = None, **told: object) -> Placed:
    chosen = reading.read(files, told.pop("workload", None))  # type: ignore[arg-type]
    if intervals is None:
        return placing.alone(chosen, **told)  # type: ignore[arg-type]
    return placing.on_intervals(chosen, intervals, **told)  # type: ignore[arg-type]


def same(found: Points, expected: Points, but: tuple[str, ...] = ()) -> None:
    for name in ("run", "thread", "interval", "phase", "start", "end", "warmup"):
        if name not in but:
            assert np.array_equal(getattr(found, name), getattr(expected, name)), name
    assert found.weight == pytest.approx(expected.weight, abs=2e-6)


# ------------------------------------------------------------ every format

#: What a format does not say.
LOST = {"pinpoints": ("warmup",), "simpoint": ("warmup",), "gem5": ("warmup",), "nemu": ("warmup", "phase")}
TARGETS = ("simpoint", "gem5", "pinpoints", "nemu", "champsim", "points.csv")


def exported(picked: Points, intervals: Intervals, target: str, folder: Path) -> list[Path]:
    if target == "points.csv":
        points_csv.write(folder / target, picked)
        return [folder / target]
    return list(export(run(intervals, picked), target, folder).files)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("alone", [False, True])
def test_what_is_exported_is_read_again(target: str, alone: bool, tmp_path: Path) -> None:
    intervals = ten()
    picked = points(intervals, warmup=300)
    files = exported(picked, intervals, target, tmp_path)
    assert len({kind for known in reading.FORMATS for kind in known.kinds}) == sum(
        len(known.kinds) for known in reading.FORMATS
    ), "no kind is of two formats"
    places = None if alone else intervals
    length = 1000 if alone and target in ("simpoint", "gem5", "nemu") else None
    placed = place(files, places, length=length)
    same(placed.points, picked, LOST.get(target, ()))
    assert placed.points.method == "given" and placed.points.coverage == 1
    warmed = place(files, places, length=length, warmup=1500)
    assert warmed.points.warmup.tolist() == [1000, 1500, 1500]


@pytest.mark.parametrize("target", ["simpoint", "pinpoints", "champsim", "points.csv"])
def test_threads_come_back_in_their_files(target: str, tmp_path: Path) -> None:
    intervals = two_threads()
    picked = points(intervals, (1, 3, 6))
    files = exported(picked, intervals, target, tmp_path)
    placed = place(files, intervals)
    same(placed.points, picked)
    assert placed.points.thread.tolist() == [0, 0, 1]


def test_runs_come_back_in_their_files(tmp_path: Path) -> None:
    one = ten()
    runs = concatenate([one, replace(one, run=np.ones(10, np.int32))])
    picked = points(one, (1, 3))
    both = Points(
        np.array([0, 1]), picked.thread, picked.interval, picked.phase, picked.start, picked.end,
        picked.warmup, np.array([0.25, 0.75]), method="given",
    )  # fmt: skip
    labels = Phases(np.repeat([0, 1], 10), np.zeros((2, 2)), np.ones(20))
    files = simpoint_files.write(tmp_path, runs, labels, both)
    assert {file.name for file in files} == {
        f"{name}.r{run}.t0" for name in ("simpoints", "weights", "labels") for run in (0, 1)
    }
    placed = place([file for file in files if "labels" not in file.name], runs)
    same(placed.points, both)


def test_a_file_that_is_no_choice_of_points_is_not_read_to_its_end(tmp_path: Path) -> None:
    files = simpoint(tmp_path, "1 0\n" + "# and so on\n" * 2**21, "1.0 0\n")
    with pytest.raises(DataError, match="larger than 16 MiB, the most that is read of a file of points"):
        place(files, ten())


@pytest.mark.parametrize("target", TARGETS)
def test_other_intervals_are_refused(target: str, tmp_path: Path) -> None:
    intervals = ten()
    files = exported(points(intervals), intervals, target, tmp_path)
    told = {"length": 1000} if target in ("simpoint", "gem5", "nemu") else {}
    with pytest.raises(DataError, match=r"other intervals|of another run|of a run of") as raised:
        place(files, ten(2000), **told)
    assert raised.value.path is not None and raised.value.hint


# ------------------------------------------------------------ SimPoint's pair


def test_lines_belong_together_by_cluster_not_by_order(tmp_path: Path) -> None:
    placed = place(simpoint(tmp_path, "# of mine\n2 0\n1 1\n0 3\n", "0.25 3\n0.25 1\n0.5 0\n"), ten())
    assert placed.points.interval.tolist() == [0, 1, 2]
    assert placed.points.phase.tolist() == [3, 1, 0]
    assert placed.points.weight.tolist() == [0.25, 0.25, 0.5]


def test_an_editors_mark_is_no_content(tmp_path: Path) -> None:
    files = simpoint(tmp_path, "\ufeff2 0\r\n", "\ufeff# mine\r\n1.0 0\r\n")
    assert place(files, ten()).points.interval.tolist() == [2]


def test_what_a_file_is_its_name_tells_where_content_cannot(tmp_path: Path) -> None:
    for simpoints, weights in (
        ("simpoints0", "weights0"),
        ("t.simpoints", "t.weights"),
        ("simpts", "weights.txt"),
    ):
        files = [write(tmp_path / simpoints, "4 0\n"), write(tmp_path / weights, "1 0\n")]
        assert place(files, ten()).points.interval.tolist() == [4]


@pytest.mark.parametrize(
    ("weights", "note"),
    [
        ("0.3333 0\n0.6666 1\n", "sum to 0.9999: scaled"),
        ("33.3 0\n66.7 1\n", "percentages"),
        ("0.333333 0\n0.666667 1\n", ""),
    ],
)
def test_rounding_is_scaled_away_and_said(weights: str, note: str, tmp_path: Path) -> None:
    placed = place(simpoint(tmp_path, "1 0\n5 1\n", weights), ten())
    assert placed.points.weight == pytest.approx([1 / 3, 2 / 3], abs=1e-3)
    assert placed.points.weight.sum() == pytest.approx(1, abs=1e-12)
    assert (note in "".join(placed.notes)) and bool(note) == bool(placed.notes)


def test_a_point_of_no_weight_is_told_of(tmp_path: Path) -> None:
    placed = place(simpoint(tmp_path, "1 0\n5 1\n", "0 0\n1 1\n"), ten())
    assert placed.points.weight.tolist() == [0, 1]
    assert "1 point of weight 0" in "".join(placed.notes)


def test_a_part_of_the_run_is_to_be_said(tmp_path: Path) -> None:
    files = simpoint(tmp_path, "1 0\n5 1\n", "0.3 0\n0.5 1\n")
    with pytest.raises(DataError, match=r"sum to 0.8 instead of 1\n.*--coverage 80.0%"):
        place(files, ten())
    placed = place(files, ten(), coverage=0.8)
    assert placed.points.coverage == 0.8 and placed.points.weight == pytest.approx([0.375, 0.625])
    assert "the share that is covered" in placed.notes[0]


def test_a_pair_without_small_clusters_covers_what_its_name_says(tmp_path: Path) -> None:
    files = [write(tmp_path / "simpoints.lpt0.9", "1 0\n"), write(tmp_path / "weights.lpt0.9", "1 0\n")]
    placed = place(files, ten())
    assert placed.points.coverage == 0.9 and "at least" in placed.notes[0]
    others = [write(tmp_path / "simpoints.t1", "1 0\n"), write(tmp_path / "weights.t1", "1 0\n")]
    with pytest.raises(UsageError, match=r"leave small clusters out"):
        place(files + others, ten())


def test_threads_clustered_apart_weigh_as_their_threads(tmp_path: Path) -> None:
    files = []
    for thread in (0, 1):
        files.append(write(tmp_path / f"simpoints.t{thread}", "1 0\n3 1\n"))
        files.append(write(tmp_path / f"weights.t{thread}", "0.25 0\n0.75 1\n"))
    placed = place(files, two_threads())
    assert placed.points.weight == pytest.approx([0.15, 0.45, 0.1, 0.3])
    assert placed.points.phase.tolist() == [0, 1, 2, 3]
    assert "shares of the thread" in placed.notes[0]
    regions = exported(placed.points, two_threads(), "pinpoints", tmp_path)[0]
    assert check_file(regions).error is None
    apart = regions.read_text()
    for weight, own in ((".150000", ".25"), (".450000", ".75"), (".100000", ".25"), (".300000", ".75")):
        apart = apart.replace(f"0{weight}", own)
    assert check_file(write(regions, apart)).error is None
    assert place([regions], two_threads()).points.weight == pytest.approx(placed.points.weight)
    with pytest.raises(DataError, match=r"weights sum to 2"):
        place(files, length=1000)


def test_labels_tell_the_clusters_of_all_intervals(tmp_path: Path) -> None:
    labels = write(tmp_path / "labels", "".join(f"{3 * label} 0.5\n" for label in LABELS))
    files = [*simpoint(tmp_path, "1 0\n3 3\n6 6\n", "0.5 0\n0.3 3\n0.2 6\n"), labels]
    placed = place(files, ten())
    assert placed.clusters is not None and placed.clusters.tolist() == LABELS.tolist()
    assert placed.points.phase.tolist() == [0, 1, 2]
    assert placed.notes == ("clusters 0, 3, 6 are phases 0 to 2",)
    assert place(files, length=1000).points.phase.tolist() == [0, 3, 6]
    wrong = [*simpoint(tmp_path, "1 3\n3 0\n6 6\n", "0.3 3\n0.5 0\n0.2 6\n"), labels]
    with pytest.raises(DataError, match=r"a.simpts:1: interval 1 is of cluster 0 .* not of 3"):
        place(wrong, ten())
    write(labels, "0 0.5\n")
    with pytest.raises(DataError, match="labels of 1 interval, and the profile has 10"):
        place(files, ten())


@pytest.mark.parametrize(
    ("simpoints", "weights", "said"),
    [
        ("1 0\n12 1\n", "0.5 0\n0.5 1\n", "a.simpts:2: interval 12 is not in the profile, which has 10"),
        ("1 0\n1 1\n", "0.5 0\n0.5 1\n", "a.simpts:2: the same interval is there twice"),
        ("1 0\n2 0\n", "0.5 0\n0.5 1\n", "a.simpts:2: cluster 0 is there twice"),
        ("1 0\n2 1\n", "0.5 0\n0.4 2\n", "cluster 1 of .* is missing"),
        ("1 0\n2 1\n", "0.5 0\n0.7 1\n", "the weights sum to 1.2"),
        ("1 0\n2 1\n", "0 0\n0 1\n", "the weights sum to 0"),
        ("1 0\n2 1\n", "0.5 0\nnan 1\n", "a.weights:2: 'nan' is no number"),
        ("1 0\n2 99999999999\n", "0.5 0\n0.5 99999999999\n", "a.simpts:2: cluster 99999999999 is beyond"),
        ("1 0\n9223372036854775807 1\n", "0.5 0\n0.5 1\n", "a.simpts:2: interval 9,223,372,.* is not"),
        (f"{'9' * 5000} 0\n", "1.0 0\n", "a.simpts:1: '9999.* is no whole number"),
        (f"{'0' * 5000} 0\n", "1.0 0\n", ""),
    ],
)
def test_a_pair_that_makes_no_sense(simpoints: str, weights: str, said: str, tmp_path: Path) -> None:
    files = simpoint(tmp_path, simpoints, weights)
    if not said:
        assert place(files, ten()).points.interval.tolist() == [0]
        return
    with pytest.raises(DataError, match=said):
        place(files, ten())


def test_a_length_that_is_told_must_be_the_profiles(tmp_path: Path) -> None:
    """A short last interval is no other length; a short one among long ones is."""
    files = simpoint(tmp_path, "1 0\n3 1\n", "0.5 0\n0.5 1\n")
    with_tail = Intervals.of_thread(np.array([1000, 1000, 1000, 400]), nominal=1000)
    assert place(files, with_tail, length=1000).points.end.tolist() == [2000, 3400]
    for lengths in ([1000, 400, 1000, 1000], [1000, 1000, 1000, 2000]):
        with pytest.raises(DataError, match=r"a.simpts:[12]: interval . of the profile has .* not 1,000"):
            place(files, Intervals.of_thread(np.array(lengths), nominal=1000), length=1000)


def test_a_point_without_an_instruction_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "x", "skip,warmup,simulate,weight\n0,0,5,0.5\n9,0,0,0.5\n")
    for told in ({}, {"length": 5}):
        with pytest.raises(DataError, match="x, row 1: there is no instruction in it"):
            place([file], **told)
    empty = Intervals.of_thread(np.array([1000, 0, 1000]))
    with pytest.raises(DataError, match=r"a.simpts:1: interval 1 has no instruction"):
        place(simpoint(tmp_path, "1 0\n", "1.0 0\n"), empty)


def test_numbers_that_may_be_positions_are_said_to_be_those_of_vectors(tmp_path: Path) -> None:
    files = simpoint(tmp_path, "1 0\n3 1\n", "0.5 0\n0.5 1\n")
    late = replace(ten(), start=1000 * np.arange(1, 11))
    placed = place(files, late)
    assert placed.points.start.tolist() == [2000, 4000] and "as the vectors of the profile" in placed.notes[0]
    regions = export(run(late, placed.points), "pinpoints", tmp_path).files
    assert place(list(regions), late).notes == place(files, ten()).notes == ()


def test_files_that_are_no_choice(tmp_path: Path) -> None:
    pair = simpoint(tmp_path, "1 0\n", "1.0 0\n")
    ours = exported(points(ten()), ten(), "champsim", tmp_path)
    cases: list[tuple[list[Path], str]] = [
        ([], "no file"),
        (pair[:1], "goes with a file of weights"),
        (pair[1:], "goes with a file of simpoints"),
        ([pair[0], pair[0]], "is named twice"),
        ([*pair, *ours], "is of SimPoint's .* of ChampSim's points"),
        ([*pair, write(tmp_path / "b.simpts", "2 0\n")], "both hold simpoints"),
    ]
    for files, said in cases:
        with pytest.raises(UsageError, match=said):
            reading.read(files)
    with pytest.raises(UsageError, match="knows no workloads"):
        reading.read(ours, "gcc")
    with pytest.raises(DataError, match=r"holds vectors .*, and no points"):
        reading.read([write(tmp_path / "a.bb", "T:1:10\n")])
    with pytest.raises(DataError, match=r"places in the code(.|\n)*global.pinpoints.csv"):
        reading.read([write(tmp_path / "lp.json", json.dumps({"1": {"simulation": {}, "multiplier": 2.0}}))])


def test_where_points_are_is_to_be_said_without_a_profile(tmp_path: Path) -> None:
    pair = simpoint(tmp_path, "1 0\n5 1\n", "0.5 0\n0.5 1\n")
    with pytest.raises(UsageError, match=r"how long its intervals are(.|\n)*--interval"):
        place(pair)
    with pytest.raises(DataError, match=r"a.simpts:1: the point ends after"):
        place(pair, length=2**62)
    with pytest.raises(UsageError, match="names no thread, and the profile has 2"):
        place(pair, two_threads())


# ------------------------------------------------------------ regions


REGIONS = """# Regions based on some command
# comment,thread-id,region-id,simulation-region-start-icount,simulation-region-end-icount,region-weight
# Region = 1 Slice = 1 Icount = 1001 Length = 1000 Weight = 0.5
cluster 0 from slice 1,0,1,1001,2000,0.50000

Warmup for regionid 2,0,10,2400,3001,0.0
cluster 1 from slice 3,global,2,3001,4000,0.50000

# Total instructions in 2 regions = 2000
"""


def test_regions_of_inclusive_ends_are_the_profiles_intervals(tmp_path: Path) -> None:
    file = write(tmp_path / "a.pinpoints.csv", REGIONS)
    found = place([file], ten()).points
    assert found.interval.tolist() == [1, 3] and found.start.tolist() == [1000, 3000]
    assert found.end.tolist() == [2000, 4000] and found.warmup.tolist() == [0, 601]
    alone = place([file]).points
    assert alone.start.tolist() == [1001, 3001] and alone.interval.tolist() == [1, 3]


def test_regions_without_slices_are_found_by_where_they_start(tmp_path: Path) -> None:
    head = REGIONS.splitlines()[1].removeprefix("# ") + "\n"
    file = write(tmp_path / "a.csv", head + "mine,0,1,1003,2003,1.0\n")
    assert place([file], ten()).points.interval.tolist() == [1]
    assert place([file]).points.interval.tolist() == [1]
    write(file, head + "mine,0,1,3500,4500,1.0\n")
    assert place([file], length=1000).points.interval.tolist() == [3]
    with pytest.raises(DataError, match=r"a.csv:2: the point has 1,000 instructions, not 500"):
        place([file], length=500)
    write(file, head + "mine,0,1,1500,2500,1.0\n")
    with pytest.raises(DataError, match=r"a.csv:2: the point starts at 1,500, interval"):
        place([file], ten())


def test_looppoints_regions_are_slices_of_the_profile(tmp_path: Path) -> None:
    places = "0x4069d0,app,0x69d0,4,0x4069d0,app,0x69d0,9,5"
    row = f"cluster {{}} from slice {{}},global,{{}},{places},{{}},{{}},3.0,simulation\n"
    file = write(
        tmp_path / "a.global.pinpoints.csv", row.format(0, 2, 1, 1000, 0.6) + row.format(1, 7, 2, 1000, 0.4)
    )
    found = place([file], ten()).points
    assert found.interval.tolist() == [2, 7] and found.weight.tolist() == [0.6, 0.4]
    warm = "Warmup for regionid 1,global,3,0x1,app,0x1,4,0x2,app,0x2,9,warmup:1\n"
    write(file, row.format(0, 2, 1, 1000, 1.0) + warm)
    assert place([file], ten()).points.warmup.tolist() == [0]
    with pytest.raises(UsageError, match="places in the code, and not where its points start"):
        place([file], length=1000)
    write(file, row.format(0, 2, 1, 5000, 1.0))
    with pytest.raises(DataError, match=r"a.global.pinpoints.csv:1: the point has 5,000 instructions"):
        place([file], ten())


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("cluster 0 from slice 1,0,1,1000,1.0", "5 fields"),
        ("cluster 0 from slice 1,0,1,2000,1000,1.0", "no instruction in it"),
        ("cluster 0 from slice 1,0,1,-5,1000,1.0", "'-5' is no whole number"),
        ("cluster 0 from slice 1,9,1,1000,2000,1.0", "no thread 9"),
        ('cluster 0 from slice 1,"0,1,1000,2000,1.0', "no line of a table"),
        ("cluster 0 from slice 1,0,1,1000,2000,x", "'x' is no number"),
    ],
)
def test_regions_that_make_no_sense(row: str, said: str, tmp_path: Path) -> None:
    file = write(tmp_path / "a.csv", f"# Regions\n{row}\n")
    with pytest.raises(DataError, match=f"a.csv:2: .*{said}"):
        place([file], ten())


# ------------------------------------------------------------ XiangShan


def summary(path: Path, **workloads: object) -> Path:
    return write(path / "simpoint_summary.json", json.dumps(workloads))


def test_a_workload_of_several_is_named(tmp_path: Path) -> None:
    gcc, mcf = {"insts": "10000", "points": {"3": "1"}}, {"insts": 10000, "points": {"3": 0.25, "4": 0.75}}
    file = summary(tmp_path, gcc=gcc, mcf=mcf)
    assert place([file], ten(), workload="mcf").points.weight.tolist() == [0.25, 0.75]
    with pytest.raises(UsageError, match=r"2 workloads\n.*--workload: gcc, mcf"):
        place([file], ten())
    with pytest.raises(UsageError, match="no workload 'lbm'"):
        place([file], ten(), workload="lbm")


@pytest.mark.parametrize(("insts", "good"), [(10_500, True), (9500, True), (10_501, False), (9499, False)])
def test_a_run_of_about_as_many_instructions_is_the_same(insts: int, good: bool, tmp_path: Path) -> None:
    file = summary(tmp_path, a={"insts": str(insts), "points": {"3": "1"}})
    if good:
        assert place([file], ten()).points.interval.tolist() == [3]
    else:
        with pytest.raises(DataError, match="of a run of"):
            place([file], ten())


def test_points_may_be_told_by_where_they_start(tmp_path: Path) -> None:
    file = summary(tmp_path, a={"insts": "10000", "points": {"0": "0.5", "3000": "0.5"}})
    assert place([file], ten()).points.interval.tolist() == [0, 3]
    assert place([file], length=1000).points.start.tolist() == [0, 3000]
    file = summary(tmp_path, a={"insts": "100000", "points": {"3": "1"}})
    with pytest.raises(DataError, match=r"of a run of 100,000 instructions, and the profile has 10,000"):
        place([file], ten())


@pytest.mark.parametrize(
    "text",
    [
        "{", "[]", "{}", "1", '{"a": 1}', '{"a": {"points": []}}', '{"a": {"points": {}}}',
        '{"a": {"insts": "1", "points": {"x": "1"}}}', '{"a": {"insts": "1", "points": {"1": null}}}',
        '{"a": {"insts": [], "points": {"1": "1"}}}', '{"a": {"points": {"1": "0.5", "1": "0.5"}}}',
        '{"a": {"points": {"1": true}}}', "[" * 100_000, '{"a": {"points": {"1": ' + "9" * 5000 + "}}}",
        '{"a": {"points": {"1": NaN}}}',
    ],
)  # fmt: skip
def test_json_that_is_no_summary(text: str, tmp_path: Path) -> None:
    from phasemark.formats.points import nemu_summary

    with pytest.raises(DataError) as raised:
        nemu_summary.read(write(tmp_path / "a.json", text))
    assert raised.value.path == tmp_path / "a.json" and len(str(raised.value)) < 600


# ------------------------------------------------------------ anything else


SEEDS = (
    "1 0\n2 1\n", "0.5 0\n0.5 1\n", "0 0.5\n1 0.25\n", REGIONS,
    '{"a": {"insts": "10000", "points": {"3": "1", "4": "0"}}}',
    "run,thread,interval,phase,skip,warmup,simulate,weight\n0,0,1,0,900,100,1000,1.0\n",
    "# a: b\nrun,thread,interval,phase,start,end,warmup,weight\n0,0,1,0,1000,2000,0,1.0\n",
)  # fmt: skip


@st.composite
def bent(draw: st.DrawFn) -> str:
    """A good file with a piece of it replaced."""
    text = draw(st.sampled_from(SEEDS))
    at = draw(st.integers(0, len(text)))
    piece = draw(
        st.one_of(
            st.text(max_size=4),
            st.sampled_from(["9" * 20, "-1", "1e400", "nan", "\r", "\0", "\n", ",", '"', "0.0", "1" * 4400]),
        )
    )
    return text[:at] + piece + text[at + draw(st.integers(0, 6)) :]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=bent(), second=st.one_of(st.none(), bent()))
def test_whatever_a_file_holds_it_is_points_or_an_error(
    first: str, second: str | None, tmp_path: Path
) -> None:
    files = [write_bytes(tmp_path / "first", first)]
    files += [] if second is None else [write_bytes(tmp_path / "second", second)]
    for intervals in (ten(), two_threads(), None):
        try:
            placed = place(files, intervals, length=1000)
        except PhasemarkError as error:
            assert str(error)
        else:
            assert placed.points.weight.sum() == pytest.approx(1)


def write_bytes(path: Path, text: str) -> Path:
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path
