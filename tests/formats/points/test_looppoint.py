"""LoopPoint's regions: what is written, and that those who read it find what was meant."""

from __future__ import annotations

import csv
import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from phasemark.errors import DataError, UsageError
from phasemark.formats import recogniser
from phasemark.formats.points import looppoint, placing, reading
from phasemark.formats.points.exports import Exportable, export
from phasemark.formats.points.looppoint import Code
from phasemark.formats.points.looppoint_json import read_multipliers
from phasemark.model import Blocks, Counts, Intervals, Markers, Points, Profile, Provenance

#: A program of three blocks, of 2, 5 and 3 instructions, at 0x401000, 0x401010 and 0x401030, linked at
#: 0x400000. It runs: the first once, then 4 x the second, 6 x the third, the first, 10 x the second.
BLOCKS = Blocks(("/usr/bin/prog",), [0, 0, 0], [0x1000, 0x1010, 0x1030], [2, 5, 3], [8, 20, 12])
VECTORS = np.array([[2, 20, 0], [0, 0, 18], [2, 0, 0], [0, 50, 0]])
STARTS, ENDS = [0, 22, 40, 42], [22, 40, 42, 92]
MARKERS = Markers([0, 2, 0, 1], [1, 1, 2, 5], [1, 1, 2, 5])
CODE = Code(
    np.array([0x401000, 0x401010, 0x401030], np.uint64),
    np.array([0x1000, 0x1010, 0x1030], np.uint64),
    np.zeros(3, np.bool_),
    np.ones(3, np.bool_),
)


def profile(markers: Markers | None = MARKERS, blocks: Blocks = BLOCKS) -> Profile:
    kind = np.full(4, 1)
    table = Intervals(np.zeros(4), np.zeros(4), np.arange(4), STARTS, np.subtract(ENDS, STARTS), kind)
    where = [np.flatnonzero(row) for row in VECTORS]
    counts = Counts(
        np.cumsum([0, *map(len, where)]),
        np.concatenate(where),
        np.concatenate([row[at] for row, at in zip(VECTORS, where, strict=True)]),
        3,
    )
    return Profile(blocks, table, counts, Provenance("test"), markers=markers)


def points(rows: list[int], weights: list[float], warmup: int = 0, coverage: float = 1.0) -> Points:
    at = np.array(rows)
    start = np.array(STARTS)[at]
    zero = np.zeros(len(at))
    return Points(
        zero, zero, at, np.arange(len(at)), start, np.array(ENDS)[at], np.minimum(start, warmup), weights,
        coverage,
    )  # fmt: skip


def run(chosen: Points, code: Code | None = CODE, **more: object) -> Exportable:
    return Exportable("prog", profile(**more), chosen, code=code)  # type: ignore[arg-type]


def test_regions_begin_and_end_at_the_nth_execution(tmp_path: Path) -> None:
    exported = export(run(points([1, 3], [0.4, 0.6])), "looppoint", tmp_path)
    assert [file.name for file in exported.files] == ["prog.global.pinpoints.csv", "looppoint.json"]
    lines = exported.files[0].read_text().splitlines()
    first, second = [line for line in lines if not line.startswith("#")]
    assert first == (
        "cluster 0 from slice 1,global,1,0x401030,prog,0x1030,1,0x401000,prog,0x1000,2,1,18,0.400000,"
        "2.044444,simulation"
    )
    never = 2**31 - 1
    assert second == (
        f"cluster 1 from slice 3,global,2,0x401010,prog,0x1010,5,0x401010,prog,0x1010,{never},{never - 5},50,"
        "0.600000,1.104000,simulation"
    )
    assert json.loads(exported.files[1].read_text()) == {
        "1": {
            "simulation": {
                "start": {"pc": 0x401030, "global": 1},
                "end": {"pc": 0x401000, "global": 2, "relative": 1},
            },
            "multiplier": pytest.approx(0.4 * 92 / 18),
        },
        "2": {
            "simulation": {
                "start": {"pc": 0x401010, "global": 5},
                "end": {"pc": 0x401010, "global": never, "relative": never - 5},
            },
            "multiplier": pytest.approx(0.6 * 92 / 50),
        },
    }
    assert exported.notes == (
        f"region 2 ends with the program, and its end says {never:,} executions, which never come",
    )


def test_multiplied_regions_make_up_the_run(tmp_path: Path) -> None:
    for coverage in (1.0, 0.75):
        chosen = points([0, 1, 2, 3], [0.25, 0.25, 0.3, 0.2], coverage=coverage)
        (_, file) = export(run(chosen), "looppoint", tmp_path).files
        multipliers = read_multipliers(file)
        made_up = sum(multipliers[str(i + 1)] * (ENDS[i] - STARTS[i]) for i in range(4))
        assert made_up == pytest.approx(92 * coverage)


def test_warm_up_begins_at_the_boundary_before(tmp_path: Path) -> None:
    exported = export(run(points([1, 3], [0.4, 0.6], warmup=10)), "looppoint", tmp_path)
    lines = exported.files[0].read_text().splitlines()
    warm = [line for line in lines if line.startswith("Warmup")]
    assert warm == [
        "Warmup for regionid 1,global,3,0x401000,prog,0x1000,1,0x401030,prog,0x1030,1,1,22,0.00000,0.000,"
        "warmup:1",
        "Warmup for regionid 2,global,4,0x401030,prog,0x1030,1,0x401010,prog,0x1010,5,5,20,0.00000,0.000,"
        "warmup:2",
    ]
    held = json.loads(exported.files[1].read_text())
    assert held["2"]["warmup"] == {
        "start": {"pc": 0x401030, "count": 1},
        "end": {"pc": 0x401010, "count": 5},
    }
    assert "up to 22 instructions ahead" in exported.notes[-1]


def test_gem5_finds_every_field_where_it_looks(tmp_path: Path) -> None:
    """Its loader splits a line at blanks, and the fifth word at commas; of a warm-up's, the fourth."""
    exported = export(run(points([1, 3], [0.4, 0.6], warmup=10)), "looppoint", tmp_path)
    held = json.loads(exported.files[1].read_text())
    seen = set()
    with exported.files[0].open(newline="") as file:
        for row in csv.reader(file, delimiter=" ", quotechar="|"):
            if len(row) > 1 and row[0] == "cluster":
                fields = row[4].split(",")
                simulation = held[fields[2]]["simulation"]
                assert (int(fields[3], 16), int(fields[6])) == tuple(simulation["start"].values())
                end = (int(fields[7], 16), int(fields[10]), int(fields[11]))
                assert end == tuple(simulation["end"].values())
                assert float(fields[14]) == pytest.approx(held[fields[2]]["multiplier"], abs=1e-6)
                seen.add(fields[2])
            elif len(row) > 1 and row[0] == "Warmup":
                fields = row[3].split(",")
                warmup = held[fields[0]]["warmup"]
                assert (int(fields[3], 16), int(fields[6])) == tuple(warmup["start"].values())
                assert (int(fields[7], 16), int(fields[10])) == tuple(warmup["end"].values())
                seen.add(f"warm {fields[0]}")
    assert seen == {"1", "2", "warm 1", "warm 2"}


@pytest.mark.parametrize("coverage", [1.0, 0.75])
def test_what_was_written_is_read_back(coverage: float, tmp_path: Path) -> None:
    chosen = points([1, 3], [0.4, 0.6], coverage=coverage)
    file, other = export(run(chosen), "looppoint", tmp_path).files
    assert recogniser.recognise(file) is recogniser.REGIONS
    assert recogniser.recognise(other) is recogniser.LOOPPOINT
    placed = placing.on_intervals(reading.read([file]), profile().interval_table)
    for name in ("interval", "start", "end", "weight"):
        assert getattr(placed.points, name).tolist() == getattr(chosen, name).tolist()
    assert placed.points.coverage == coverage


def test_code_that_moves_is_said(tmp_path: Path) -> None:
    moving = dataclasses.replace(CODE, is_movable=np.ones(3, np.bool_))
    exported = export(run(points([1], [1.0]), code=moving), "looppoint", tmp_path)
    assert exported.notes[0].startswith("prog is loaded where there is room: add that address to each pc")


def test_places_in_several_files_are_no_json(tmp_path: Path) -> None:
    blocks = Blocks(
        ("/usr/bin/prog", "/lib/libc.so.6"), [0, 0, 1], [0x1000, 0x1010, 0x30], [2, 5, 3], [8, 20, 12]
    )
    exported = export(run(points([1], [1.0]), blocks=blocks), "looppoint", tmp_path)
    assert [file.name for file in exported.files] == ["prog.global.pinpoints.csv"]
    assert "libc.so.6 from prog" in exported.notes[-1]


def test_what_regions_cannot_say_is_refused(tmp_path: Path) -> None:
    one = points([1], [1.0])
    unknown = dataclasses.replace(CODE, is_known=np.array([True, True, False]))
    cases = [
        (run(one, markers=None), "these intervals do not have"),
        (run(one, code=None), "these intervals do not have"),
        (run(one, code=unknown), "interval 1 begins amid a block, or in code whose file is gone"),
        (run(one, markers=Markers([0, -1, 0, 1], [1, 0, 2, 5], [1, 0, 2, 5])), "interval 1 begins amid"),
        (
            run(one, markers=Markers([0, 2, 0, 1], [1, 1, 2, 5], [1, 1, 0, 5])),
            "interval 2 .*not known of all",
        ),
        (run(one, markers=Markers([0, 2, 0, 1], [1, 1, 2, 5], [1, 2**31, 2, 5])), "2,147,483,648 times"),
        (run(dataclasses.replace(one, thread=[1])), "others than the first"),
    ]
    for exportable, message in cases:
        with pytest.raises(UsageError, match=message) as raised:
            export(exportable, "looppoint", tmp_path)
        assert "pinpoints" in raised.value.hint or "threads" in raised.value.hint
    spaced = Blocks(("/usr/bin/my prog",), BLOCKS.module, BLOCKS.offset, BLOCKS.instructions, BLOCKS.size)
    with pytest.raises(UsageError, match="cannot name 'my prog'"):
        export(run(one, blocks=spaced), "looppoint", tmp_path)
    with pytest.raises(DataError, match="no interval of the profile"):
        export(run(dataclasses.replace(one, start=[5])), "looppoint", tmp_path)
    assert not list(tmp_path.iterdir())
    assert looppoint.MOST == 2**31 - 1


@pytest.mark.parametrize("target", ["gem5", "nemu"])
def test_what_takes_one_length_refuses_intervals_of_any(target: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no one length") as raised:
        export(run(points([1, 3], [0.4, 0.6])), target, tmp_path)
    assert "pinpoints or champsim" in raised.value.hint


def test_what_takes_instruction_counts_takes_intervals_of_any_length(tmp_path: Path) -> None:
    chosen = points([1, 3], [0.4, 0.6])
    for target in ("pinpoints", "champsim"):
        (file,) = export(run(chosen), target, tmp_path).files
        placed = placing.on_intervals(reading.read([file]), profile().interval_table)
        assert placed.points.start.tolist() == [22, 42] and placed.points.end.tolist() == [40, 92]
    said = export(run(chosen), "simpoint", tmp_path).notes
    assert any("have no one length" in note for note in said)


def test_markers_stand_beside_instructions_for_each_thread(tmp_path: Path) -> None:
    markers = Markers([0, 2, -1, 1], [1, 1, 0, 5], [1, 0, 0, 7])
    made = dataclasses.replace(
        profile(markers),
        interval_table=Intervals(
            [0] * 4, [0, 0, 0, 1], [0, 1, 2, 0], [0, 22, 40, 0], [22, 18, 2, 50], [1] * 4
        ),
    )
    zero = np.zeros(3)
    chosen = Points(zero, [0, 0, 1], [0, 1, 0], [0, 1, 2], [0, 22, 0], [22, 40, 50], zero, [0.2, 0.3, 0.5])
    unknown = dataclasses.replace(CODE, is_known=np.array([True, True, False]))
    (file,) = export(Exportable("prog", made, chosen, code=unknown), "markers", tmp_path).files
    with file.open() as lines:
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    sides = [
        [
            (r[f"{s}_file"], r[f"{s}_offset"], r[f"{s}_address"], r[f"{s}_count"], r[f"{s}_total"])
            for r in rows
        ]
        for s in ("start", "end")
    ]
    none = ("",) * 5
    first = ("/usr/bin/prog", "0x1000", "0x401000", "1", "1")
    second = ("/usr/bin/prog", "0x1030", "", "1", "")
    assert sides == [[first, second, ("/usr/bin/prog", "0x1010", "0x401010", "5", "7")], [second, none, none]]
    assert recogniser.recognise(file) is recogniser.POINTS
    placed = placing.on_intervals(reading.read([file]), made.interval_table)
    for name in ("thread", "interval", "start", "end", "weight"):
        assert getattr(placed.points, name).tolist() == getattr(chosen, name).tolist()
    with pytest.raises(UsageError, match="have no markers"):
        export(run(points([1], [1.0]), markers=None), "markers", tmp_path)
