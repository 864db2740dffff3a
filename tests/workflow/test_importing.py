"""Other tools' vectors and metrics in a run's folder: of what rows are, and what is told of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.workflow.runs import three_phases

import phasemark
from phasemark.errors import DataError, UsageError
from phasemark.formats.metrics.measurements import Options
from phasemark.store import tables
from phasemark.workflow import MetricsResult, Run
from phasemark.workflow.importing import import_vectors

BASE = Path(__file__).parents[1] / "data" / "edge-cases" / "base.bb"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    run = Run(three_phases(tmp_path / "run").path)
    run.pick_points()
    return run


def read(run: Run, text: str, of: str | None = None, options: Options | None = None) -> MetricsResult:
    path = run.path.parent / "results.csv"
    path.write_text(text)
    return run.import_metrics([path], options, of)


def by_interval(rows: list[int]) -> str:
    return "interval,cpi\n" + "".join(f"{row},2\n" for row in rows)


def test_of_what_the_rows_are(run: Run) -> None:
    picked = run.points.interval.tolist()
    everything = list(range(60))
    for text, of, rows in (
        ("phase,cpi\n0,1\n1,2\n2,3\n", "points", 3),
        (by_interval(picked), "points", 3),
        (by_interval(picked[:2]), "points", 2),
        (by_interval([*picked, 59]), "intervals", 4),
        (by_interval(everything), "intervals", 60),
    ):
        found = read(run, text)
        assert (found.of, len(found.metrics)) == (of, rows), text
        expected = run.folder.point_metrics if of == "points" else run.folder.metrics
        assert found.path == expected and expected.exists()
        assert not any("left out" in note for note in found.notes)


def test_every_interval_is_no_set_of_points_though_each_is_one(run: Run) -> None:
    run.pick_points(per_phase=20)
    assert len(run.points) == 60
    assert read(run, by_interval(list(range(60)))).of == "intervals"
    assert read(run, by_interval(list(range(59)))).of == "points"


def test_without_points_rows_are_intervals(run: Run) -> None:
    run.folder.points.unlink()
    assert read(run, by_interval([3, 4])).of == "intervals"
    with pytest.raises(DataError, match=r"points\.csv: there is no .*\n  hint: run `phasemark points .*` f"):
        read(run, "phase,cpi\n0,1\n")


def test_what_is_said_goes_before_what_is_told(run: Run) -> None:
    picked = run.points.interval.tolist()
    assert read(run, by_interval(picked), "intervals").path == run.folder.metrics
    with pytest.raises(UsageError, match="metrics of 'phases'\n  hint: choose one of run, intervals, points"):
        read(run, by_interval(picked), "phases")


def test_what_is_missing_is_noted(run: Run) -> None:
    picked = run.points.interval.tolist()
    found = read(run, by_interval(picked[1:]))
    assert f"1 of 3 points is missing: interval {picked[0]}" in found.notes
    found = read(run, by_interval([3, 4]))
    assert "58 intervals of the profile have no metrics" in found.notes
    assert not any("missing" in note for note in read(run, by_interval(picked)).notes)
    found = read(run, "interval,cycles,l2_misses\n3,2000,\n4,,1\n5,,\n", "intervals")
    assert "cycles is missing in 2 of 3 rows" in found.notes
    assert not any("l2_misses" in note for note in found.notes)
    run.pick_points(per_phase=3)
    gone = run.points.interval.tolist()
    found = read(run, by_interval(gone[:1]))
    assert f"8 of 9 points are missing: interval {', '.join(map(str, gone[1:6]))} ..." in found.notes


def test_what_run_json_and_the_table_tell(run: Run) -> None:
    found = read(run, by_interval([3, 4]))
    entry = run.folder.entry_of("metrics")
    entry.pop("phasemark")
    assert list(entry.items()) == [
        ("of", "intervals"),
        ("rows", 2),
        ("source", found.metrics.source),
        ("files", ["results.csv"]),
        ("notes", list(found.notes)),
    ]
    assert tables.comment(run.folder.metrics)["command"] == "import --metrics"
    run.folder.estimate.touch()
    assert read(run, by_interval([3, 4])).discarded == ("estimate.csv is removed",)
    assert found.files == (run.path.parent / "results.csv",)


def test_a_run_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("run,thread,index,start,length,cycles\n0,0,0,0,10,20\n0,0,1,10,10,30\n")
    found = Run(tmp_path / "new").import_metrics([path])
    assert found.of == "a run of its own" and found.path == tmp_path / "new" / "metrics.csv"
    assert found.metrics.length.tolist() == [10, 10]
    path.write_text("interval,cycles\n0,10\n")
    with pytest.raises(DataError, match=r"profile\.h5: there is no .*\n  hint: run `phasemark profile` or"):
        Run(tmp_path / "new").import_metrics([path])


def test_errors_name_the_one_file(run: Run) -> None:
    with pytest.raises(DataError, match=r"results\.csv"):
        read(run, by_interval([3, 99]), "intervals")


def test_vectors_become_a_run(tmp_path: Path) -> None:
    told: list[int] = []
    found = import_vectors(
        [BASE], tmp_path / "out", instructions=2000, progress=lambda done, total: told.append(total)
    )
    entry = found.folder.entry_of("profile")
    assert (entry["command"], entry["files"], entry["instructions"]) == ("import", ["base.bb"], 1996)
    assert (entry["missing_instructions"], entry["threads"], entry["intervals"]) == (4, 1, 8)
    assert entry["warnings"] == list(found.notes) and found.files == (BASE,)
    assert told and phasemark.read(tmp_path / "out").instructions == 1996
    Run(tmp_path / "out").find_phases()
    discarded = import_vectors([BASE], tmp_path / "out", interval=300).discarded
    assert discarded == tuple(f"{name} is removed" for name in ("labels", "model.h5", "phases.csv"))
    assert phasemark.read(tmp_path / "out").provenance.interval == 300


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"same_ids": True}, r"same_ids says something of runs\n  hint: add as_runs \(--as-runs\)"),
        ({"instructions": 100, "stats": "stats.txt"}, "instructions and stats both say how many ran"),
    ],
)
def test_options_that_do_not_belong_together_are_refused(
    options: dict[str, Any], said: str, tmp_path: Path
) -> None:
    (tmp_path / "a.bb").write_text("T:1:100\n")
    with pytest.raises(UsageError, match=said):
        import_vectors([tmp_path / "a.bb"], tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()
