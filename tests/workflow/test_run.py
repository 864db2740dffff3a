"""Run: a folder's steps as one object; silent, and complete without a terminal."""

from __future__ import annotations

import os
import pickle
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import phasemark
from phasemark import phases, points, signatures
from phasemark.errors import DataError, UsageError, WorkError
from phasemark.model import Metrics, Points
from phasemark.workflow import PhaseOptions, PointOptions, QualityOptions, Run
from phasemark.workflow import points as workflow_points

BASE = Path(__file__).parents[1] / "data" / "edge-cases" / "base.bb"
PROGRAM = [
    sys.executable,
    "-I",
    "-S",
    "-c",
    "import sys; sys.stdin.read(); sum(i * i for i in range(50_000))",
]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory) -> Run:
    """A real program, recorded with the timing model on."""
    return phasemark.profile(PROGRAM, tmp_path_factory.mktemp("run"), interval="1M", timing="modern")


def metrics_of(run: Run, cpi: float = 2.0) -> Metrics:
    table = run.intervals
    keys = (table.run, table.thread, table.index, table.start, table.length)
    executed = table.length.astype(float)
    return Metrics(*keys, {"instructions": executed, "cycles": executed * cpi}, source="a test")


def test_from_a_command_to_its_estimates(recorded: Run, capfd) -> None:
    found = recorded.find_phases(max_k=5)
    picked = recorded.pick_points(per_phase=2)
    simulated = recorded.simulate()
    estimated = recorded.estimate()
    frame = estimated.frame()
    assert recorded.recording is not None and recorded.recording.status == 0
    assert found.phases.k == picked.phases.k == recorded.phases.k
    assert picked.points.interval.tolist() == recorded.points.interval.tolist()
    assert simulated.status == 0 and len(recorded.point_metrics) == len(picked.points)
    assert frame["metric"].tolist()[:2] == ["cpi", "ipc"] and frame["full"].notna().all()
    assert frame["covered"].dtype == bool
    assert recorded.report() == recorded.folder.report and recorded.folder.report.exists()
    assert recorded.quality(metrics=("cpi",), n=5).frame()["phase"].tolist()[:2] == ["full", "all"]
    assert "profile, phases, points, metrics, point metrics, estimate" in repr(recorded)
    assert capfd.readouterr() == ("", "")


def test_a_step_leaves_the_process_as_it_is(recorded: Run, tmp_path: Path, monkeypatch) -> None:
    """From a thread, in another folder, with an input that nobody may touch."""
    monkeypatch.chdir(tmp_path)
    read_end, write_end = os.pipe()
    os.write(write_end, b"not for the program")
    before = os.dup(0)
    os.dup2(read_end, 0)
    failures: list[BaseException] = []

    def work() -> None:
        try:
            run = phasemark.profile(PROGRAM, "here", interval="1M")
            run.find_phases(max_k=3)
            run.pick_points()
            run.simulate()
        except BaseException as error:
            failures.append(error)

    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        assert not failures
        assert os.read(0, 100) == b"not for the program"
    finally:
        os.dup2(before, 0)
        for descriptor in (before, read_end, write_end):
            os.close(descriptor)
    assert Path.cwd() == tmp_path and (tmp_path / "here" / "point-metrics.csv").exists()


def test_a_program_starts_where_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    command = [sys.executable, "-I", "-S", "-c", "open('made', 'w').close()"]
    run = phasemark.profile(command, tmp_path / "out", interval="1M", cwd=tmp_path / "there")
    assert (tmp_path / "there" / "made").exists() and run.folder.cwd == tmp_path / "there"


def test_a_run_and_what_steps_take_can_be_pickled(tmp_path: Path) -> None:
    run = phasemark.open(BASE, tmp_path)
    run.find_phases(PhaseOptions(max_k=4, seed=3))
    _ = run.profile, run.phases
    again = pickle.loads(pickle.dumps(run))
    assert again.path == run.path and again.phases.labels.tolist() == run.phases.labels.tolist()
    assert len(pickle.dumps(run)) < 1000
    for options in (PhaseOptions(max_k=4), PointOptions(budget=9), QualityOptions(("cpi",))):
        assert pickle.loads(pickle.dumps(options)) == options


def test_options_by_name_are_those_as_a_value(tmp_path: Path) -> None:
    run = phasemark.open(BASE, tmp_path)
    by_name = run.find_phases(max_k=2, seed=5).phases
    before = run.folder.phases.read_bytes()
    assert run.find_phases(PhaseOptions(max_k=2, seed=5)).phases.labels.tolist() == by_name.labels.tolist()
    assert run.folder.phases.read_bytes() == before


@pytest.mark.parametrize(
    ("step", "arguments", "message"),
    [
        ("find_phases", {"maxk": 3}, "no parameter 'maxk'"),
        ("find_phases", {"model": "best"}, "no model of phases 'best'"),
        ("find_phases", {"options": PhaseOptions(), "max_k": 3}, "options and max_k are given"),
        ("find_phases", {"dims": 0}, "0 dimensions"),
        ("pick_points", {"perphase": 3}, "perphase"),
        ("pick_points", {"per_phase": 0}, "per_phase is 0"),
        ("quality", {"metric": "cpi"}, "metric"),
        ("simulate", {"full": True, "warmup": 3}, "everything is simulated"),
        ("compare_seeds", {"seeds": 1}, "seeds is 1"),
        ("estimate", {"confidence": 95}, "confidence is 95"),
        ("find_phases", {"max_k": "3"}, "max_k is '3'"),
        ("find_phases", {"seed": 1.5}, "seed is 1.5"),
        ("find_phases", {"dims": 1.5}, "dims is 1.5"),
        ("find_phases", {"k": [2, "x"]}, "is 'x'"),
        ("find_phases", {"threshold": None}, "threshold is None"),
        ("find_phases", {"max_k": True}, "max_k is True"),
        ("find_phases", {"options": 30}, "30 is no PhaseOptions"),
        ("find_phases", {"model": ["x"]}, "no model of phases"),
        ("pick_points", {"coverage": "95%"}, "coverage is '95%'"),
        ("pick_points", {"per_phase": "2"}, "per_phase is '2'"),
        ("pick_points", {"warmup": None}, "warmup is None"),
        ("pick_points", {"options": {"seed": 1}}, "is no PointOptions"),
        ("quality", {"n": "x"}, "n is 'x'"),
        ("quality", {"confidence": None}, "confidence is None"),
        ("simulate", {"command": "gzip -k file"}, "is one string"),
        ("simulate", {"warmup": "1M"}, "warmup is '1M'"),
        ("estimate", {"results": 5}, "5 names no files"),
        ("estimate", {"confidence": "95%"}, "confidence is '95%'"),
        ("estimate_over_seeds", {"seeds": "3"}, "seeds is '3'"),
        ("export", {"to": "nowhere"}, "does not export to 'nowhere'"),
        ("save", {"phases": "some"}, "go together"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path: Path, step: str, arguments: dict, message: str) -> None:
    run = phasemark.open(BASE, tmp_path)
    run.find_phases()
    run.pick_points()
    run.save(metrics=metrics_of(run))
    with pytest.raises(UsageError, match=message):
        getattr(run, step)(**arguments)


def test_values_are_read_again_when_their_file_changed(tmp_path: Path) -> None:
    run = phasemark.open(BASE, tmp_path)
    run.find_phases(max_k=3)
    first = run.phases
    assert run.phases is first
    run.find_phases(max_k=2)
    assert run.phases is not first and run.phases.k == 2
    Run(tmp_path).find_phases(max_k=1)
    assert run.phases.k == 1


def test_a_single_file_stands_for_itself(tmp_path: Path) -> None:
    run = phasemark.open(BASE, tmp_path / "run")
    run.find_phases()
    points = run.pick_points().points
    path = tmp_path / "results.csv"
    path.write_text("phase,cpi\n" + "".join(f"{phase},2\n" for phase in points.phase))
    for results in (path, str(path), [path]):
        assert run.estimate(results).estimate.value["cpi"] == 2
    assert run.import_metrics(str(path)).of == "points"


def test_results_print_in_a_line(tmp_path: Path) -> None:
    run = phasemark.open(BASE, tmp_path)
    found, picked = run.find_phases(max_k=3), run.pick_points()
    run.save(metrics=metrics_of(run).frame(), points=picked.points.frame())
    results = (found, picked, run.estimate(), run.quality(n=3), run.estimate_over_seeds(2))
    for result in results:
        text = repr(result)
        assert text.startswith(f"<{type(result).__name__}: ") and "\n" not in text and len(text) < 400
    assert found.frame()["phase"].tolist() == found.phases.labels.tolist()
    assert picked.frame()["interval"].tolist() == picked.points.interval.tolist()


def test_points_of_phases_that_changed_meanwhile_are_not_kept(tmp_path: Path, monkeypatch) -> None:
    run = phasemark.open(BASE, tmp_path)
    run.find_phases(max_k=3)
    choose = workflow_points.choose

    def slow(*arguments: object, **more: object) -> object:
        Run(tmp_path).find_phases(max_k=2)
        return choose(*arguments, **more)

    monkeypatch.setattr(workflow_points, "choose", slow)
    with pytest.raises(WorkError, match="other phases were found while points were picked"):
        run.pick_points()
    assert not run.folder.points.exists()


def test_what_is_not_there_names_the_step(tmp_path: Path) -> None:
    for name in ("run", "other"):
        (tmp_path / name).mkdir()
        with pytest.raises(DataError, match=r"profile\.h5: there is no such file"):
            phasemark.open(tmp_path / name)
    with pytest.raises(DataError, match="there is no such file or folder"):
        phasemark.workflow.run_of(tmp_path / "nowhere")
    with pytest.raises(DataError, match="nowhere: there is no such file or folder"):
        phasemark.open(tmp_path / "nowhere")
    run = phasemark.open(BASE, tmp_path / "run")
    for name, hint in (
        ("phases", "phasemark phases"),
        ("points", "phasemark points"),
        ("metrics", r"simulate .* --full"),
        ("point_metrics", "phasemark simulate"),
    ):
        with pytest.raises(DataError, match=hint):
            getattr(run, name)
    with pytest.raises(DataError, match="nothing says which program ran"):
        run.find_phases()
        run.pick_points()
        run.simulate()


def test_values_made_in_python_become_a_folder(tmp_path: Path) -> None:
    profile = phasemark.read(BASE)
    projected = signatures.project(profile)
    found = phases.SimPoint(max_k=4).fit(projected).phases_
    picked = points.nearest(profile.interval_table, found)
    run = phasemark.save(tmp_path / "saved", profile, signatures=projected, phases=found, points=picked)
    assert run.discarded == () and run.phases.labels.tolist() == found.labels.tolist()
    assert run.points.weight.tolist() == picked.weight.tolist()
    run.save(metrics=metrics_of(run), point_metrics=metrics_of(run))
    frame = run.estimate().frame()
    assert frame["value"][0] == pytest.approx(2) and frame["full"][0] == pytest.approx(2)
    assert run.report().exists()
    # What was measured elsewhere may have taken weeks.
    assert "metrics.csv is now metrics.csv~" in run.save(profile=profile)
    assert not run.folder.model.exists()


def test_values_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    profile = phasemark.read(BASE)
    run = phasemark.save(tmp_path, profile)
    other = phasemark.read(BASE.with_name("same.bb"))
    assert len(other.interval_table) != len(profile.interval_table)
    theirs = signatures.project(other)
    with pytest.raises(DataError, match="phases of"):
        run.save(signatures=theirs, phases=phases.SimPoint(max_k=2).fit(theirs).phases_)
    with pytest.raises(DataError, match=r"run `phasemark phases .*` first"):
        run.save(points=points.nearest(other.interval_table, phases.SimPoint().fit(theirs).phases_))
    found = run.find_phases()
    one = {"run": [0], "thread": [0], "interval": [0], "warmup": [0], "weight": [1.0]}
    length = int(found.intervals.length[0])
    with pytest.raises(DataError, match="row 0: the point is no interval of the run"):
        run.save(points=Points(**one, phase=[0], start=[0], end=[length + 1]))
    with pytest.raises(DataError, match="row 0: a point of phase 9, and the run has 3 phases"):
        run.save(points=Points(**one, phase=[9], start=[0], end=[length]))
    run.save(points=Points(**one, phase=[0], start=[0], end=[length]))
    metrics = Metrics([0], [0], [0], [0], [length + 1], {"cycles": np.ones(1)})
    with pytest.raises(DataError, match="none of the profile's"):
        run.save(metrics=metrics)
    run.folder.record("profile", {"command": ["gzip"]})
    with pytest.raises(UsageError, match="recorded run of gzip, which would be lost"):
        run.save(profile=profile)


def test_vectors_of_other_tools_become_a_run(tmp_path: Path) -> None:
    run = phasemark.workflow.load_vectors([BASE, BASE], tmp_path, as_runs=True, same_ids=True)
    assert np.unique(run.intervals.run).tolist() == [0, 1]
    assert run.find_phases(max_k=3).notes == ()
