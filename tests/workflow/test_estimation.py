"""phasemark points and estimate: from a folder to estimates with error bars."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

import numpy as np
import pytest
from tests import commands
from tests.workflow.runs import LENGTH, full_run, of_threads, run, simulate, three_phases

import phasemark
from phasemark import views
from phasemark.errors import DataError, PhasemarkError, UsageError
from phasemark.estimates import interval_error, reconstruct
from phasemark.model import Blocks, Counts, Estimate, Intervals, Metrics, Points, Profile, Provenance
from phasemark.store import metrics_csv, points_csv, tables
from phasemark.store.folder import Folder
from phasemark.workflow import EstimateResult, PointOptions, Run, estimation
from phasemark.workflow.estimation import NEGLIGIBLE, estimate_run, whole_run
from phasemark.workflow.reading import read_intervals


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return three_phases(tmp_path / "run")


def test_estimates_from_simulated_points(folder: Folder) -> None:
    run("points", folder.path, "--per-phase", 5)
    simulate(folder)
    said = json.loads(run("estimate", folder.path, "--json"))
    cpi = said["metrics"]["cpi"]
    metrics = metrics_csv.read(folder["full.csv"])
    whole = metrics.counters["cycles"].sum() / (60 * LENGTH)
    assert said["method"] == "stratified" and said["points"] == 15
    assert "threads" not in said
    assert cpi["interval"][0] < whole < cpi["interval"][1]
    assert cpi["value"] == pytest.approx(whole, rel=0.05)
    assert cpi["full"] is None and cpi["error"] is None and cpi["covered"] is None
    assert tables.read(folder.estimate, {"metric": str, "value": float})["value"][0] == cpi["value"]


@pytest.mark.parametrize("threads", [3, 20])
def test_each_thread_has_an_estimate_of_its_own(tmp_path: Path, threads: int) -> None:
    folder = of_threads(tmp_path / "run", threads)
    run("points", folder.path, "--per-phase", 4)
    table = read_intervals(folder.path)
    cpi = np.where(table.index < 4, 1, 3) + 0.05 * ((7 * table.index + 3 * table.thread) % 5)
    keys = (table.run, table.thread, table.index, table.start, table.length)
    full = Metrics(*keys, {"cycles": cpi * table.length})
    metrics_csv.write(folder.metrics, full, made_by={})
    said = json.loads(run("estimate", folder.path, "--json"))
    assert [(one["run"], one["thread"]) for one in said["threads"]] == [(0, t) for t in range(threads)]
    assert sum(one["points"] for one in said["threads"]) == said["points"] == 8
    for one in said["threads"]:
        of_thread = one["metrics"]["cpi"]
        rows = table.thread == one["thread"]
        assert one["instructions"] == table.length[rows].sum()
        assert of_thread["full"] == pytest.approx(np.average(cpi[rows], weights=table.length[rows]))
        assert of_thread["interval"][0] < of_thread["full"] < of_thread["interval"][1]
    _, lines = run("estimate", folder.path).split("thread  instructions", 1)
    assert len(lines.splitlines()) == 1 + min(threads, 17)
    assert ("and 4 threads more, with fewer instructions" in lines) == (threads == 20)
    run("points", folder.path, "--method", "random", "--budget", 8)  # of the whole run
    metrics_csv.write(folder.metrics, full, made_by={})
    assert "threads" not in json.loads(run("estimate", folder.path, "--json"))


def test_by_phase_and_by_probability(folder: Folder) -> None:
    here = Run(folder.path)
    here.find_phases(model="mixture", n_components=3, tempering=5, restarts=3)
    run("points", folder.path, "--method", "max-posterior")
    full_run(folder)
    values = {}
    for estimator in ("weights", "epm1", "epm2"):
        said = json.loads(run("estimate", folder.path, "--estimator", estimator, "--json"))
        values[estimator] = said["metrics"]["cpi"]["value"]
        curve = reconstruct(
            here.points,
            here.metrics,
            here.intervals,
            here.phases,
            estimator=estimator.replace("weights", "epm1"),
        )
        expected = interval_error(here.metrics.with_instructions().values("cpi"), curve)
        assert said["metrics"]["cpi"]["interval_error"] == expected > 0
        recorded = folder.steps()["estimate"].get("estimator", "weights")
        assert recorded == estimator and (f"estimator: {estimator}" in folder.estimate.read_text()) == (
            estimator != "weights"
        )
    assert "each as the points of all phases, by their probability: " in run(
        "estimate", folder.path, "--estimator", "epm2"
    )
    assert values["epm1"] == pytest.approx(values["weights"], rel=1e-12)
    assert values["epm2"] != values["epm1"]
    assert values["epm2"] == pytest.approx(7 / 3, rel=0.1)
    seeds = here.estimate_over_seeds(2, estimator="epm2").values["cpi"]
    assert seeds[0] == pytest.approx(values["epm2"])
    run("points", folder.path, "--method", "max-likelihood-2")
    run("check", folder.path)


def test_probabilities_are_wanted_where_there_are_none(folder: Folder) -> None:
    run("points", folder.path)
    full_run(folder)
    with pytest.raises(UsageError, match="epm2 needs the probability of each of 3 phases, and simpoint"):
        Run(folder.path).estimate(estimator="epm2")
    with pytest.raises(UsageError, match="max-posterior needs"):
        Run(folder.path).pick_points(method="max-posterior")
    with pytest.raises(UsageError, match="no estimator is called 'best'"):
        Run(folder.path).estimate(estimator="best")


def test_compared_with_the_full_run_where_that_is_known(folder: Folder) -> None:
    run("points", folder.path, "--per-phase", 5)
    full_run(folder)
    text = run("estimate", folder.path)
    assert "15 points, method stratified" in text and "covered" in text and "yes" in text
    found = tables.read(folder.estimate, {"metric": str, "value": float, "full": tables.Optional})
    assert found["full"][0] == pytest.approx(7 / 3, rel=0.02)
    assert folder.steps()["estimate"]["confidence"] == 0.95


def test_single_intervals_are_compared_where_all_were_measured(folder: Folder) -> None:
    run("points", folder.path)
    simulate(folder)
    assert not Run(folder.path).estimate().interval_error
    full_run(folder)
    off = Run(folder.path).estimate().interval_error["cpi"]
    said = f"CPI of single intervals, each as the points of its phase: {off:.1%} off on average (E_I)"
    assert 0 < off < 0.1 and said in run("estimate", folder.path)
    run("points", folder.path, "--method", "random", "--per-phase", 2)
    assert not Run(folder.path).estimate().interval_error  # of no phase


def test_the_summary_is_what_the_command_prints(folder: Folder) -> None:
    run("points", folder.path, "--per-phase", 5)
    full_run(folder)
    summary = Run(folder.path).estimate().summary()
    assert run("estimate", folder.path).startswith(f"15 points, method stratified\n\n{summary}\n")
    assert max(map(len, summary.splitlines())) <= 100


def test_a_forecast_stands_beside_what_came_out(folder: Folder) -> None:
    run("points", folder.path, "--budget", 12)
    simulate(folder)
    text = run("estimate", folder.path)
    assert (
        "CPI's error bar came out at +-" in text
        and "the forecast, when the points were picked, was +-" in text
    )
    assert json.loads(run("estimate", folder.path, "--json"))["forecast"]["target"] is None
    forecast = views.read(folder.path).forecast  # which the page shows
    assert forecast is not None and forecast.confidence == 0.95
    run("points", folder.path, "--per-phase", 4)
    simulate(folder)
    assert "forecast" not in run("estimate", folder.path)


def test_a_full_run_with_holes_is_none(folder: Folder) -> None:
    run("points", folder.path)
    simulate(folder)
    metrics = metrics_csv.read(folder["full.csv"])
    keys = (getattr(metrics, name)[1:] for name in ("run", "thread", "index", "start", "length"))
    metrics_csv.write(folder.metrics, Metrics(*keys, {"cycles": metrics.counters["cycles"][1:]}), made_by={})
    assert json.loads(run("estimate", folder.path, "--json"))["metrics"]["cpi"]["full"] is None
    with pytest.raises(DataError, match="metrics of every interval"):
        Run(folder.path).estimate_over_seeds(3)


def test_missing_points_are_said_and_widen(folder: Folder) -> None:
    run("points", folder.path, "--per-phase", 4)
    gone = int(points_csv.read(folder.points).interval[0])
    halves = []
    for missing in ((), (gone,)):
        simulate(folder, missing)
        said = json.loads(run("estimate", folder.path, "--json"))
        low, high = said["metrics"]["cpi"]["interval"]
        halves.append(high - low)
    assert said["metrics"]["cpi"]["missing"] == [gone]
    assert said["metrics"]["cpi"]["coverage"] == pytest.approx(1 - 1 / 12)
    assert any("1 of 12 points missing" in note for note in said["notes"])
    assert halves[1] > 1.3 * halves[0]


def test_without_any_point_measured_there_is_no_estimate(folder: Folder) -> None:
    run("points", folder.path)
    simulate(folder)
    chosen = set(points_csv.read(folder.points).interval.tolist())
    metrics = metrics_csv.read(folder["full.csv"])
    others = np.array([row for row in range(60) if row not in chosen])[:4]
    keys = (getattr(metrics, name)[others] for name in ("run", "thread", "index", "start", "length"))
    metrics_csv.write(folder.point_metrics, Metrics(*keys, {"cycles": np.ones(4)}), made_by={})
    with pytest.raises(
        DataError, match=r"none of the 3 points was measured\n  hint: run `phasemark simulate`"
    ):
        Run(folder.path).estimate()
    assert not folder.estimate.exists()


def test_results_of_any_simulator(folder: Folder) -> None:
    run("points", folder.path)
    points = points_csv.read(folder.points)
    results = folder["results.csv"]
    results.write_text("phase,cpi\n" + "".join(f"{phase},{phase + 1}\n" for phase in points.phase))
    said = json.loads(run("estimate", folder.path, "--metrics", results, "--json"))
    assert said["metrics"]["cpi"]["value"] == pytest.approx(2.0)
    assert said["metrics"]["ipc"]["value"] == pytest.approx(0.5)


def test_over_seeds(folder: Folder) -> None:
    run("points", folder.path, "--per-phase", 3)
    full_run(folder)
    said = json.loads(run("estimate", folder.path, "--seeds", 6, "--json"))
    seeds = said["metrics"]["cpi"]["seeds"]
    assert len(set(seeds["values"])) == 6 and seeds["covered"] >= 5 / 6
    assert "over 6 seeds" in run("estimate", folder.path, "--seeds", 6)
    before = folder.points.read_bytes()
    assert folder.points.read_bytes() == before
    with pytest.raises(UsageError, match="compare at least 2"):
        Run(folder.path).estimate_over_seeds(1)


def test_that_another_run_was_simulated_is_said_again(folder: Folder) -> None:
    run("points", folder.path)
    simulate(folder)
    folder.record("simulation", {"warnings": ["the run simulated had more"], "notes": ["a few more"]})
    found = json.loads(run("estimate", folder.path, "--json"))
    assert "the run simulated had more" in found["notes"] and "a few more" not in found["notes"]
    folder.record("simulation", {"warnings": None})
    assert json.loads(run("estimate", folder.path, "--json"))["notes"] == found["notes"][:-1]


def test_the_full_run_of_another_machine_is_not_compared_with(folder: Folder) -> None:
    run("points", folder.path)
    simulate(folder)
    full_run(folder)
    folder.record("simulation", {"configuration": {"name": "modern", "digest": "1"}})
    folder.record("metrics", {"configuration": {"name": "paper", "digest": "2"}})
    found = json.loads(run("estimate", folder.path, "--json"))
    assert found["metrics"]["cpi"]["full"] is None
    assert any("(paper 2), point-metrics.csv is by" in note for note in found["notes"])
    folder.record("metrics", {"configuration": {"name": "copy", "digest": "1"}})
    assert json.loads(run("estimate", folder.path, "--json"))["metrics"]["cpi"]["full"] is not None


def test_metrics_of_another_run_are_refused(folder: Folder) -> None:
    run("points", folder.path)
    simulate(folder)
    metrics = full_run(folder)
    other = dataclasses.replace(metrics, start=metrics.start * 2, length=metrics.length * 2)
    metrics_csv.write(folder.metrics, other, made_by={})
    with pytest.raises(DataError, match=r"metrics\.csv.*none of the profile's"):
        Run(folder.path).estimate()
    metrics_csv.write(folder.point_metrics, other, made_by={})
    with pytest.raises(DataError, match=r"point-metrics\.csv.*none of the profile's"):
        Run(folder.path).pick_points(PointOptions(budget=9))
    assert len(Run(folder.path).pick_points(PointOptions()).points) == 3


def test_the_same_bytes_again(folder: Folder) -> None:
    full_run(folder)
    written = []
    for _ in range(2):
        run("points", folder.path, "--budget", 12, "--seed", 7)
        run("estimate", folder.path)
        written.append([folder.points.read_bytes(), folder.estimate.read_bytes()])
    assert written[0] == written[1]


def test_what_is_not_there_is_said(folder: Folder) -> None:
    with pytest.raises(DataError, match=r"run `phasemark points .*` first"):
        Run(folder.path).estimate()
    run("points", folder.path)
    with pytest.raises(DataError, match=r"run `phasemark simulate .*` first"):
        Run(folder.path).estimate()
    folder.metrics.write_text("run,thread,index,start,length,cycles\n0,0,0,0,60000,90000\n")
    with pytest.raises(DataError, match="the whole run as one, and nothing of its points"):
        Run(folder.path).estimate()
    folder.point_metrics.write_text("run,thread,index,start,length,cycles\n0,0,0,0,1000,nothing\n")
    with pytest.raises(PhasemarkError, match="nothing"):
        Run(folder.path).estimate()


def test_exit_statuses(folder: Folder) -> None:
    for arguments, status, said in (
        (("estimate", folder.path / "no"), 3, "no: there is no such file or folder"),
        (("estimate", folder.path, "--confidence", "much"), 2, "no share"),
        (("points", folder.path, "--target-error", "2 percent"), 2, "write 2% or 0.02"),
        (("points", folder.path, "--budget", "2"), 0, ""),
        (("points", folder.path, "--coverage", "60%"), 0, ""),
        (("points", folder.path, "--coverage", "95"), 2, "write 95%, or 0.95"),
        (("points", folder.path, "--coverage", "200%"), 2, "coverage is 2"),
        (("points", folder.path, "--target-error", "2"), 2, "write 2%, or 0.02"),
        (("points", folder.path, "--budget", 9, "--confidence", "95"), 2, "write 95%, or 0.95"),
        (("points", folder.path, "--target-error", "200%"), 2, "target_error is 2"),
        (("phases", folder.path, "--threshold", "90"), 2, "write 90%, or 0.9"),
        (("estimate", folder.path, "--confidence", "95"), 2, "write 95%, or 0.95"),
        (("quality", folder.path, "--confidence", "95"), 2, "write 95%, or 0.95"),
        (("quality", folder.path, "--confidence", "sure"), 2, "no share"),
    ):
        done = commands.run(*arguments)
        assert (done.returncode, said in done.stderr) == (status, True), done.stderr


def test_an_interval_that_is_not_bounded_is_null_in_json(folder: Folder) -> None:
    run("points", folder.path, "--budget", 3, "--method", "start")
    full_run(folder)
    cpi = json.loads(run("estimate", folder.path, "--json"))["metrics"]["cpi"]
    assert cpi["standard_error"] is None and cpi["interval"] == [0.0, None]
    assert cpi["full"] and cpi["covered"] is None, "an interval that holds everything covers nothing"
    cells = run("estimate", folder.path).splitlines()[3].split()
    assert cells[0] == "cpi" and cells[2:4] == ["-", "-"] and len(cells) == 6
    assert math.isinf(tables.read(folder.estimate, {"high": float})["high"][0])


def test_a_share_is_written_as_one_likes(folder: Folder) -> None:
    full_run(folder)
    for command in (("points", "--coverage"), ("quality", "--confidence")):
        percent, part = (run(command[0], folder.path, command[1], share) for share in ("90%", "0.9"))
        assert percent == part


def test_imported_cycles_are_said_to_give_a_cpi(folder: Folder) -> None:
    run("points", folder.path)
    folder["results.csv"].write_text("phase,cpi\n0,1\n1,2\n2,3\n")
    text = run("import", "--metrics", folder["results.csv"], "-o", folder.path)
    assert "3 rows of 1 counter by results.csv, of points" in text and "ratios: cpi" in text


def result(full: dict[str, float], value: float = 2.0) -> EstimateResult:
    ones = {"cpi": 1.0, "energy": 1.0}
    estimate = Estimate(
        {"cpi": value, "energy": 3.0},
        ones,
        {"cpi": (value - 1, value + 1), "energy": (2.0, 4.0)},
        ones,
        ones,
        {"cpi": (), "energy": ()},
    )
    zero = [0]
    points = Points(zero, zero, zero, zero, zero, [1], zero, [1.0])
    return EstimateResult(estimate, full, points, "a test")


def test_error_and_coverage_of_an_estimate() -> None:
    assert result({"cpi": 1.6}).error("cpi") == pytest.approx(0.25)
    assert result({"cpi": 4.0}).error("cpi") == -0.5
    assert (result({"cpi": 1.6}).covered("cpi"), result({"cpi": 4.0}).covered("cpi")) == (True, False)
    for full in ({}, {"energy": 1.0}):
        assert (result(full).error("cpi"), result(full).covered("cpi")) == (None, None)
    assert result({"cpi": 0.0}).error("cpi") is None and result({"cpi": 0.0}).covered("cpi") is False
    assert result({"cpi": 1e-320}, 1e300).error("cpi") is None


def test_the_frame_of_an_estimate() -> None:
    alone = result({}).frame()
    assert list(alone) == list(result({}).estimate.frame())
    frame = result({"cpi": 1.6}).frame()
    assert list(frame) == [*alone, "full", "error", "covered"]
    assert frame["full"].tolist()[0] == 1.6 and math.isnan(frame["full"][1])
    assert frame["error"][0] == pytest.approx(0.25) and math.isnan(frame["error"][1])
    assert frame["covered"].tolist() == [True, None]


def test_what_run_json_and_the_table_tell(folder: Folder) -> None:
    run("points", folder.path)
    simulate(folder)
    full_run(folder)
    for command, told in (("estimate", {}), ("run --check", {"command": "run --check"})):
        estimated = estimate_run(folder, confidence=0.9, command=command)
        entry = folder.entry_of("estimate")
        entry.pop("phasemark")
        rest = {"metrics": "point-metrics.csv", "confidence": 0.9, "notes": list(estimated.notes)}
        assert entry == {**told, **rest} and list(entry) == [*told, *rest]
        comment = tables.comment(folder.estimate)
        assert (comment["command"], comment["source"]) == (command, "point-metrics.csv")
        assert estimated.estimate.confidence == 0.9 and estimated.source == points_source(folder)
    folder.point_metrics.unlink()
    assert Run(folder.path).estimate().points.interval.tolist() == estimated.points.interval.tolist()
    assert folder.entry_of("estimate")["metrics"] == "metrics.csv"


def points_source(folder: Folder) -> str:
    return metrics_csv.read(folder.point_metrics).source


def cut(metrics: Metrics, rows: slice) -> Metrics:
    keys = (getattr(metrics, name)[rows] for name in ("run", "thread", "index", "start", "length"))
    return Metrics(*keys, {name: values[rows] for name, values in metrics.counters.items()})


def whole(length: int = 60 * LENGTH) -> Metrics:
    zero = np.zeros(1, np.int64)
    return Metrics(zero, zero, zero, zero, np.array([length]), {"cycles": np.array([2.0 * length])})


def test_a_whole_run_lacks_no_more_than_is_allowed(folder: Folder) -> None:
    intervals = read_intervals(folder.path)
    assert whole_run(folder, intervals) is None
    metrics = full_run(folder)
    found = whole_run(folder, intervals)
    assert found is not None and len(found) == 60
    metrics_csv.write(folder.metrics, cut(metrics, slice(6, None)), made_by={})
    assert whole_run(folder, intervals) is None and whole_run(folder, intervals, 0.0999) is None
    assert whole_run(folder, intervals, 0.1) is not None
    other = dataclasses.replace(metrics, length=metrics.length * 2)
    metrics_csv.write(folder.metrics, other, made_by={})
    with pytest.raises(DataError, match=r"metrics\.csv, row 0: "):
        whole_run(folder, intervals)
    metrics_csv.write(folder.metrics, whole(LENGTH + 1), made_by={})
    assert whole_run(folder, Intervals.of_thread(np.array([LENGTH]))) is None


def test_one_interval_in_a_hundred_may_lack(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    assert NEGLIGIBLE == 0.01
    run("points", folder.path)
    simulate(folder)
    metrics_csv.write(folder.metrics, cut(full_run(folder), slice(1, None)), made_by={})
    estimated = Run(folder.path).estimate()
    assert estimated.full == {} and not any("not measured" in note for note in estimated.notes)
    monkeypatch.setattr(estimation, "NEGLIGIBLE", 1 / 60)
    estimated = Run(folder.path).estimate()
    assert estimated.full.keys() == {"cpi", "ipc"} or "cpi" in estimated.full
    assert estimated.notes[-1] == "1.67% of the full run was not measured"
    full_run(folder)
    assert not any("not measured" in note for note in Run(folder.path).estimate().notes)


def test_the_whole_run_in_one_is_a_full_run(folder: Folder) -> None:
    run("points", folder.path)
    simulate(folder)
    for length, known in ((60 * LENGTH, True), (61 * LENGTH, True), (60 * LENGTH - 1, False)):
        metrics_csv.write(folder.metrics, whole(length), made_by={})
        estimated = Run(folder.path).estimate()
        assert estimated.full.get("cpi") == (2.0 if known else None)
        assert not any("not measured" in note for note in estimated.notes)


def test_what_only_the_points_were_measured_for_is_not_compared(folder: Folder) -> None:
    run("points", folder.path)
    simulate(folder)
    metrics = metrics_csv.read(folder.point_metrics)
    counters = {**metrics.counters, "l2_misses": metrics.counters["cycles"]}
    metrics_csv.write(folder.point_metrics, dataclasses.replace(metrics, counters=counters), made_by={})
    full_run(folder)
    estimated = Run(folder.path).estimate()
    assert "l2_mpki" in estimated.estimate.value
    assert "cpi" in estimated.full and "l2_mpki" not in estimated.full
    empty = dataclasses.replace(metrics_csv.read(folder.metrics), counters={"cycles": np.full(60, np.nan)})
    metrics_csv.write(folder.metrics, empty, made_by={})
    assert Run(folder.path).estimate().full == {}


def test_a_point_may_be_the_whole_run(tmp_path: Path) -> None:
    profile = Profile(
        Blocks(("",), [0], [1], [1], [1], [1]),
        Intervals.of_thread(np.array([LENGTH])),
        Counts(np.array([0, 1]), np.array([0]), np.array([LENGTH]), 1),
        Provenance("test"),
    )
    run_ = phasemark.save(tmp_path, profile)
    run_.find_phases()
    run_.pick_points()
    run_.save(point_metrics=whole(LENGTH))
    assert run_.estimate().estimate.value["cpi"] == 2.0


def test_long_intervals_beside_the_points_are_no_whole_run(folder: Folder) -> None:
    """Only one row can be the whole run in one: here the first of several is longer than any point."""
    run("points", folder.path)
    points = points_csv.read(folder.points)
    key = (points.run, points.thread, points.interval, points.start, points.end - points.start)
    assert 0 not in points.interval
    longer = (0, 0, 0, 0, 5000)
    rows = [np.append(np.array([first]), column) for first, column in zip(longer, key, strict=True)]
    metrics_csv.write(folder.point_metrics, Metrics(*rows, {"cycles": rows[-1] * 2.0}), made_by={})
    assert Run(folder.path).estimate().estimate.value["cpi"] == pytest.approx(2)


def test_results_of_elsewhere_have_the_configuration_that_they_say(folder: Folder) -> None:
    run("points", folder.path)
    simulate(folder)
    full_run(folder)
    folder.record("simulation", {"configuration": {"name": "modern", "digest": "1"}})
    folder.record("metrics", {"configuration": {"name": "paper", "digest": "2"}})
    elsewhere = folder["elsewhere.csv"]
    elsewhere.write_bytes(folder.point_metrics.read_bytes())
    assert "cpi" in Run(folder.path).estimate([elsewhere]).full
    metrics_csv.write(elsewhere, metrics_csv.read(elsewhere), made_by={"configuration": "modern 1"})
    assert Run(folder.path).estimate([elsewhere]).full == {}
    metrics_csv.write(elsewhere, metrics_csv.read(elsewhere), made_by={"configuration": "ours 2"})
    assert "cpi" in Run(folder.path).estimate([elsewhere]).full
    estimated = Run(folder.path).estimate()
    assert estimated.full == {} and estimated.notes[-1] == (
        "not compared with the whole run: metrics.csv is by a tool that it does not name (paper 2), "
        "point-metrics.csv is by a tool that it does not name (modern 1)"
    )
    for step in ("simulation", "metrics"):  # nothing is known of one of them
        entry = folder.entry_of(step)
        folder.record(step, {})
        assert "cpi" in Run(folder.path).estimate().full
        folder.record(step, entry)


def test_results_that_do_not_fit_are_named(folder: Folder) -> None:
    run("points", folder.path)
    with pytest.raises(
        DataError, match=r"point-metrics\.csv: there is no .*\n  hint: run `phasemark simulate .*` f"
    ):
        Run(folder.path).estimate()
    bad = folder["bad.csv"]
    bad.write_text("phase,cpi\n7,1\n")
    with pytest.raises(DataError, match=r"bad\.csv"):
        Run(folder.path).estimate([bad])
    simulate(folder)
    metrics = metrics_csv.read(folder.point_metrics)
    longer = dataclasses.replace(metrics, length=metrics.length + 1)
    metrics_csv.write(folder.point_metrics, longer, made_by={})
    with pytest.raises(DataError, match=r"point-metrics\.csv"):
        Run(folder.path).estimate()


def written(path: Path, metrics: Metrics, source: str) -> Path:
    metrics_csv.write(path, dataclasses.replace(metrics, source=source), made_by={})
    return path


def test_what_another_tool_measured_is_not_compared(folder: Folder) -> None:
    """Of one simulator at the points, of another in the full run: the error would be of the machines."""
    run("points", folder.path)
    simulate(folder)
    full, points = full_run(folder), metrics_csv.read(folder.point_metrics)
    written(folder.metrics, full, "timing model modern")
    for path, source in ((folder["sim.csv"], "gem5"), (folder["x.csv"], "x.csv"), (folder["y.csv"], "")):
        estimated = Run(folder.path).estimate([written(path, points, source)])
        assert estimated.full == {} and estimated.error("cpi") is None and estimated.covered("cpi") is None
        assert estimated.notes[-1] == (
            "not compared with the whole run: metrics.csv is by timing model modern, "
            f"{path.name} is by {'gem5' if source == 'gem5' else 'a tool that it does not name'}"
        )
        assert all(math.isnan(row) for row in tables.read(folder.estimate, {"full": tables.Optional})["full"])
    text = run("estimate", folder.path, "--metrics", folder["sim.csv"])
    assert "full run" not in text and "note: not compared with the whole run: metrics.csv is by" in text
    assert "cpi" in Run(folder.path).estimate([written(folder["z.csv"], points, "timing model modern")]).full
    # The points' own file, imported, as well.
    written(folder.point_metrics, points, "perf stat")
    assert Run(folder.path).estimate().full == {}


def test_where_neither_says_what_measured_it_that_is_said(folder: Folder) -> None:
    run("points", folder.path)
    simulate(folder)
    full, points = full_run(folder), metrics_csv.read(folder.point_metrics)
    written(folder.metrics, full, "full.csv")
    estimated = Run(folder.path).estimate([written(folder["p.csv"], points, "p.csv.gz")])
    assert "cpi" in estimated.full
    assert estimated.notes[-1].startswith("neither p.csv nor metrics.csv says what measured it: ")
    for source in ("full.csv", "my simulator"):
        written(folder.metrics, full, source)
        estimated = Run(folder.path).estimate([written(folder["p.csv"], points, source)])
        assert "cpi" in estimated.full and not any("neither" in note for note in estimated.notes)


def test_results_of_several_tools_make_no_one_estimate(folder: Folder) -> None:
    run("points", folder.path)
    stats, table = folder["stats.txt"], folder["table.csv"]
    stats.write_text(
        "---------- Begin Simulation Statistics ----------\n"
        "simInsts 1000\nsystem.cpu.numCycles 1500\nsystem.cpu.commitStats0.numInsts 1000\n"
        "---------- End Simulation Statistics   ----------\n"
    )
    table.write_text("interval,cycles\n0,1500\n")
    with pytest.raises(UsageError, match=r"table\.csv is CSV with a heading, .*stats\.txt is gem5"):
        Run(folder.path).estimate([stats, table])
