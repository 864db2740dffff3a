"""Run's values, and what it passes on to each step."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.workflow.runs import full_run, simulate, three_phases

import phasemark
from phasemark import plots, report
from phasemark.collect import Recording
from phasemark.errors import DataError, UsageError, WorkError
from phasemark.model import Reuse
from phasemark.simulate.config import load
from phasemark.store import profile_h5, tables
from phasemark.workflow import PhaseOptions, Run, recording, stability
from phasemark.workflow.arguments import machine_of

BASE = Path(__file__).parents[1] / "data" / "edge-cases" / "base.bb"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(three_phases(tmp_path / "run").path)


def test_a_run_shows_what_its_folder_holds(run: Run, tmp_path: Path) -> None:
    assert repr(Run(tmp_path / "none")) == f"<Run '{tmp_path}/none': empty>"
    assert repr(run) == f"<Run '{run.path}': profile, phases>"
    run.pick_points()
    simulate(run.folder)
    full_run(run.folder)
    run.estimate()
    run.quality()
    assert not run.folder.quality_k.exists()
    run.folder.report.touch()
    assert repr(run) == (
        f"<Run '{run.path}': profile, phases, points, metrics, point metrics, estimate, quality, report>"
    )


def test_a_value_is_read_once_and_again_when_its_file_changed(run: Run) -> None:
    run.pick_points()
    simulate(run.folder)
    full_run(run.folder)
    files = {
        "profile": run.folder.profile,
        "intervals": run.folder.profile,
        "signatures": run.folder.model,
        "phases": run.folder.model,
        "points": run.folder.points,
        "metrics": run.folder.metrics,
        "point_metrics": run.folder.point_metrics,
    }
    for name, path in files.items():
        value = getattr(run, name)
        assert getattr(run, name) is value, name
        path.with_name("new").write_bytes(path.read_bytes())
        path.with_name("new").replace(path)
        assert getattr(run, name) is not value, name
    assert len(run.metrics) == 60 and len(run.point_metrics) == 3


def test_what_is_gone_is_not_there(run: Run) -> None:
    full_run(run.folder)
    _ = run.metrics, run.phases
    run.folder.metrics.unlink()
    run.folder.model.unlink()
    with pytest.raises(DataError, match=r"metrics\.csv: .*\n  hint: run `phasemark simulate .*--full.*`"):
        _ = run.metrics
    with pytest.raises(DataError, match=r"point-metrics\.csv: .*\n  hint: run `phasemark simulate .*`, or "):
        _ = run.point_metrics
    with pytest.raises(DataError, match=r"model\.h5"):
        _ = run.phases


def test_what_a_run_was_opened_with(tmp_path: Path) -> None:
    assert (Run(tmp_path).discarded, Run(tmp_path).recording) == ((), None)
    assert Run(tmp_path, discarded=["a", "b"]).discarded == ("a", "b")
    first = phasemark.open(BASE, tmp_path)
    first.find_phases()
    discarded = tuple(f"{name} is removed" for name in ("labels", "model.h5", "phases.csv"))
    assert phasemark.open(BASE, tmp_path, cached=False).discarded == discarded
    first.find_phases()
    assert phasemark.workflow.load_vectors([BASE], tmp_path).discarded == discarded


def test_options_as_a_value_or_by_name(run: Run) -> None:
    with pytest.raises(UsageError, match="options and k, seed are given\n  hint: give one or the other"):
        run.find_phases(PhaseOptions(), k=2, seed=1)
    with pytest.raises(
        UsageError, match=r"per_phases'.*\n  hint: there are: coverage, early, warmup, method"
    ):
        run.pick_points(per_phases=2)
    with pytest.raises(UsageError, match=r"hint: there are: metrics, n, confidence, plan$"):
        run.quality(metric="cpi")


def test_configurations() -> None:
    modern = load()
    assert machine_of(modern) is modern
    assert machine_of("paper").name == machine_of(Path("paper")).name == "paper"


def test_pages_and_figures(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    run.pick_points()
    asked: list[Any] = []
    monkeypatch.setattr(report, "write", lambda *arguments: asked.append(arguments))
    run.report()
    run.report("page.html")
    assert asked == [(run.path, None), (run.path, "page.html")]
    drawn: list[tuple[str, Path]] = []
    monkeypatch.setattr(plots, "write", lambda view, kind, output, **how: drawn.append((kind, output)))
    monkeypatch.setattr(plots, "possible", lambda view: ["strip", "shares"])
    assert run.plot("strip", "a/fig.svg") == (Path("a/fig.svg"),)
    assert run.plot("all", "a/fig.svg") == (Path("a/fig-strip.svg"), Path("a/fig-shares.svg"))
    assert [kind for kind, _ in drawn] == ["strip", "strip", "shares"]
    assert [output.name for _, output in drawn] == ["fig.svg", "fig-strip.svg", "fig-shares.svg"]


def test_the_hottest_functions(run: Run) -> None:
    assert [len(shares) for shares in run.hottest_functions()] == [3, 3, 3]
    assert [len(shares) for shares in run.hottest_functions(1)] == [1, 1, 1]


def test_behaviour_is_told_where_it_was_recorded(run: Run) -> None:
    assert run.behaviour() is None and run.same_code() == [None, None, None]
    zeros = np.zeros((len(run.intervals), 15), np.int64)
    reuse = Reuse(zeros, zeros, 64, np.arange(len(zeros)))
    profile_h5.write(run.folder.profile, dataclasses.replace(run.profile, reuse=reuse))
    found = run.behaviour()
    assert found is not None and found.run[-1] == 1000 * sum(range(len(zeros))) / run.profile.instructions
    assert len(found) == len(run.same_code()) == 3


def test_what_profile_passes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from tests.cli.printing.results import recording as recorded

    asked: list[Any] = []
    failure = ""

    def record(*arguments: object, **options: object) -> Recording:
        asked.append((arguments, options))
        return recorded(failure=failure, warnings=("one", "two"))

    monkeypatch.setattr(recording, "record", record)
    done = phasemark.profile(
        ["ls"], tmp_path, interval=5, timing="paper", process="ls", keep_raw=True, stdin=3
    )
    assert done.recording is not None and done.path == Path("out")
    ((arguments, options),) = asked
    assert arguments == (["ls"], tmp_path) and options.pop("timing").name == "paper"
    assert options == {
        "interval": 5,
        "collector": "valgrind",
        "process": "ls",
        "keep_raw": True,
        "events": False,
        "memory": None,
        "smc_check": None,
        "signature": None,
        "cwd": None,
        "stdin": 3,
        "progress": None,
    }
    phasemark.profile(["ls"])
    assert asked[1][1]["timing"] is None and asked[1][1]["interval"] == "auto"
    assert asked[1][1]["keep_raw"] is False and asked[1][0] == (["ls"], None)
    failure = "cut short"
    with pytest.raises(WorkError, match="cut short\n  hint: one; two"):
        phasemark.profile(["ls"])


def test_where_a_run_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert recording.folder_for(["/usr/bin/gzip", "-9"]) == Path("gzip.phasemark")
    assert recording.folder_for(["/usr/bin/gzip"], "there") == Path("there")
    for out in (None, "there"):
        with pytest.raises(UsageError, match="no program to profile\n  hint: name it after --"):
            recording.folder_for([], out)


def test_seeds_are_compared(run: Run) -> None:
    told: list[tuple[int, int]] = []
    compared = run.compare_seeds(
        k=3, seed=4, seeds=2, progress=lambda done, total: told.append((done, total))
    )
    assert compared.seeds.tolist() == [4, 5] and told == [(1, 2), (2, 2)]
    entry = run.folder.entry_of("stability")
    entry.pop("phasemark")
    assert entry == {**PhaseOptions(k=3, seed=4).entry(), "seeds": 2}
    comment = tables.comment(run.folder.stability)
    assert (comment["command"], comment["seed"], comment["seeds"]) == ("phases", "4", "2")
    assert run.compare_seeds(k=3).seeds.tolist() == list(range(1, 11))
    with pytest.raises(UsageError, match="seeds is 1\n  hint: compare at least 2"):
        run.compare_seeds(seeds=1)
    stability.require_several(2)
    assert compared.points.tolist() == [3, 3]


def test_nothing_is_written_where_options_make_no_sense(run: Run) -> None:
    with pytest.raises(UsageError, match="max_k is 0"):
        run.compare_seeds(max_k=0)
    assert not run.folder.stability.exists()
