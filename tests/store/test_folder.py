"""A run's folder: what a step done anew takes with it, what it sets aside, and what run.json tells."""

from __future__ import annotations

import dataclasses
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest

import phasemark
from phasemark.errors import DataError, WorkError
from phasemark.store.folder import Folder
from phasemark.store.layout import Layout
from phasemark.store.record import read_steps
from phasemark.store.steps import STEPS, step_of_file, steps_made_from

#: Step -> files that it writes, the last of them with the suffixes of several threads and of a coverage.
FILES = {
    "profile": ["profile.h5"],
    "events": ["events.h5"],
    "intervals": ["hierarchy.h5", "fixed.h5", "fixed-metrics.csv"],
    "metrics": ["metrics.csv"],
    "stability": ["stability.csv"],
    "track": ["track.csv", "track.h5"],
    "phases": ["phases.csv", "model.h5", "labels", "labels.t1", "labels.r0.t12"],
    "points": ["points.csv", "simpoints", "weights", "simpoints.t1.lpt0.95", "weights.lpt1e-05"],
    "simulation": ["point-metrics.csv"],
    "warmup": ["warmup-metrics.csv"],
    "estimate": ["estimate.csv"],
    "quality": ["quality.csv", "quality-k.csv"],
    "models": ["models.csv", "models-points.csv"],
    "report": ["report.html"],
}

#: Step -> steps whose files must go when it is done anew.
LATER = {
    "profile": set(FILES),
    "events": set(FILES) - {"profile"},
    "intervals": set(FILES) - {"profile", "events"},
    "metrics": {"metrics", "estimate", "quality", "models", "report"},
    "stability": {"stability"},
    "track": {"track"},
    "phases": {"phases", "points", "simulation", "warmup", "estimate", "quality", "report"},
    "points": {"points", "simulation", "warmup", "estimate", "report"},
    "simulation": {"simulation", "warmup", "estimate", "report"},
    "warmup": {"warmup", "estimate", "report"},
    "estimate": {"estimate", "report"},
    "quality": {"quality", "report"},
    "models": {"models", "report"},
    "report": {"report"},
}

#: What is of no step, whatever it is called like.
STRANGE = ["notes.txt", "metrics.csv~", "my-points.csv", "points.csv.bak", "labels.old", "quality-x.csv"]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A run with every file and entry there is."""
    full = Folder(tmp_path / "run").create()
    for name in [*(name for names in FILES.values() for name in names), *STRANGE]:
        full[name].write_text(name)
    for step in FILES:
        full.record(step, {})
    return full


def names(folder: Folder) -> set[str]:
    return {path.name for path in folder.path.iterdir()} - {"run.json"}


def files_of(steps: set[str]) -> set[str]:
    return {name for step in steps for name in FILES[step]}


def test_every_file_is_of_the_step_that_writes_it() -> None:
    assert set(STEPS) == set(FILES)
    assert {name: step_of_file(name) for names in FILES.values() for name in names} == {
        name: step for step, names in FILES.items() for name in names
    }
    assert not any(step_of_file(name) for name in STRANGE)


def test_files_have_the_names_that_pages_and_other_tools_know() -> None:
    paths = {
        name: getattr(Folder("run"), name).name
        for name, member in vars(Layout).items()
        if isinstance(member, property)
    }
    assert paths == {
        "profile": "profile.h5",
        "events": "events.h5",
        "hierarchy": "hierarchy.h5",
        "fixed": "fixed.h5",
        "fixed_metrics": "fixed-metrics.csv",
        "phases": "phases.csv",
        "model": "model.h5",
        "stability": "stability.csv",
        "track": "track.csv",
        "tracked": "track.h5",
        "points": "points.csv",
        "metrics": "metrics.csv",
        "point_metrics": "point-metrics.csv",
        "warmup_metrics": "warmup-metrics.csv",
        "estimate": "estimate.csv",
        "quality": "quality.csv",
        "quality_k": "quality-k.csv",
        "models": "models.csv",
        "models_points": "models-points.csv",
        "report": "report.html",
        "raw": "raw",
        "run_json": "run.json",
    }
    assert Folder("run").profile == Path("run/profile.h5")


@pytest.mark.parametrize("step", FILES)
def test_what_is_made_from_a_step_goes_with_it(step: str, folder: Folder) -> None:
    before = names(folder)
    assert set(steps_made_from(step)) == LATER[step]
    assert {path.name for path in folder.made_from(step)} == files_of(LATER[step])
    phrases = folder.discard_from(step)
    assert before - names(folder) == files_of(LATER[step])
    assert set(folder.steps()) == set(FILES) - LATER[step]
    later = files_of(LATER[step] - {step})
    assert sorted(phrases) == [f"{name} is removed" for name in sorted(later)]
    steps = [step_of_file(phrase.split()[0]) for phrase in phrases]
    assert steps == sorted(steps, key=list(STEPS).index), "in the order in which they are made"


def test_an_earlier_step_stands_before_those_made_from_it() -> None:
    assert steps_made_from("profile") == list(STEPS)
    assert all(list(STEPS).index(source) < n for n, s in enumerate(STEPS.values()) for source in s.sources)


@pytest.mark.parametrize(("step", "file"), [("metrics", "metrics.csv"), ("simulation", "point-metrics.csv")])
def test_what_another_tool_measured_is_set_aside(step: str, file: str, folder: Folder) -> None:
    aside = f"{file}~~" if folder[f"{file}~"].exists() else f"{file}~"  # never over what is there
    folder.record(step, {"files": ["stats.txt"]})
    phrases = folder.discard_from("profile")
    assert f"{file} is now {aside}" in phrases and f"{file} is removed" not in phrases
    back = f"`phasemark import --metrics '{folder.path}/{aside}' -o {folder.path}` brings it back"
    assert phrases[phrases.index(f"{file} is now {aside}") + 1] == back
    assert folder[aside].read_text() == file and not folder[file].exists()
    assert folder.steps() == {}


def test_what_we_measured_is_not_set_aside_over_what_was_imported(folder: Folder) -> None:
    folder["metrics.csv~"].write_text("imported, weeks of work")
    folder.record("metrics", {"command": "simulate"})
    assert "metrics.csv is removed" in folder.discard_from("profile")
    assert folder["metrics.csv~"].read_text() == "imported, weeks of work"


def test_only_what_may_be_of_another_tool_is_set_aside(folder: Folder) -> None:
    for step in FILES:
        folder.record(step, {"files": ["a"]})
    folder.discard_from("profile")
    assert names(folder) == {*STRANGE, "metrics.csv~~", "point-metrics.csv~", "points.csv~"}


def test_threads_and_processes_change_a_folder_one_after_the_other(tmp_path) -> None:
    folder, failures = Folder(tmp_path), []

    def work(name: str) -> None:
        try:
            for n in range(40):
                with folder.held("test"):
                    known = folder.steps()
                    folder.record(name, {"n": n})
                    assert folder.steps().keys() == known.keys() | {name}
        except BaseException as error:
            failures.append(error)

    children = []
    for name in ("p1", "p2"):
        children.append(os.fork())
        if not children[-1]:
            work(name)
            os._exit(len(failures))
    threads = [threading.Thread(target=work, args=(name,)) for name in ("t1", "t2", "t3")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0] and not failures
    assert {name: entry["n"] for name, entry in folder.steps().items()} == dict.fromkeys(
        ("p1", "p2", "t1", "t2", "t3"), 39
    )
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_the_step_itself_is_replaced_without_a_word(folder: Folder) -> None:
    phrases = folder.discard_from("metrics")
    assert phrases == [
        "estimate.csv is removed",
        "quality-k.csv is removed",
        "quality.csv is removed",
        "models-points.csv is removed",
        "models.csv is removed",
        "report.html is removed",
    ]
    assert not folder.metrics.exists() and folder["metrics.csv~"].read_text() == "metrics.csv~"


def test_what_another_tool_measured_is_set_aside_for_other_measurements_too(folder: Folder) -> None:
    folder.record("metrics", {"files": ["stats.txt"]})
    for text, aside in (("metrics.csv", False), ("other", True)):
        with folder.change("import") as new:
            new.discard_from("metrics")
            new.metrics.write_text(text)
            new.record("metrics", {"files": ["stats.txt"]})
        assert ("metrics.csv is now metrics.csv~~" in new.discarded) is aside
        assert folder.metrics.read_text() == text and folder["metrics.csv~"].read_text() == "metrics.csv~"
    assert folder["metrics.csv~~"].read_text() == "metrics.csv"


def test_what_phasemark_did_not_write_is_set_aside(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    for name in ("labels", "points.csv", "report.html"):
        folder[name].write_text("the user's")
    folder["simpoints"].mkdir()
    folder["weights"].touch()  # nothing to lose
    with folder.change("phases") as new:
        new.discard_from("phases")
        new["labels"].write_text("ours")
        new.record("phases", {})
    assert new.discarded == [
        "labels is now labels~ (phasemark did not write it, or not as it is)",
        "points.csv is now points.csv~ (phasemark did not write it, or not as it is)",
        "simpoints is now simpoints~ (phasemark did not write it, or not as it is)",
        "weights is removed",
        "report.html is now report.html~ (phasemark did not write it, or not as it is)",
    ]
    assert folder["labels"].read_text() == "ours" and folder["labels~"].read_text() == "the user's"
    folder["labels"].write_text("ours, and a line of the user's")
    assert "labels is now labels~~" in folder.discard_from("phases")[0]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "labels~",
        "labels~~",
        "points.csv~",
        "report.html~",
        "run.json",
        "simpoints~",
    ]


def test_a_later_step_is_kept_where_it_is_asked_for(folder: Folder) -> None:
    folder.record("simulation", {"windows": 3})
    phrases = folder.discard_from("points", keep="simulation")
    assert folder.point_metrics.exists() and folder.entry_of("simulation")["windows"] == 3
    assert not any(file.exists() for file in (folder.warmup_metrics, folder.estimate, folder.report))
    gone = ("warmup-metrics.csv", "estimate.csv", "report.html")
    assert phrases == [f"{name} is removed" for name in gone]
    assert not {"points", "warmup", "estimate", "report"} & set(folder.steps())


def test_without_run_json_nothing_is_known_to_be_ours(folder: Folder) -> None:
    folder.run_json.unlink()
    folder.discard_from("phases")
    aside = {f"{name}~" for name in files_of(LATER["phases"])}
    stay = files_of({"profile", "events", "intervals", "metrics", "stability", "track", "models"})
    assert names(folder) == {*stay, *STRANGE, *aside}
    assert not folder.run_json.exists()


def test_discarding_with_a_damaged_run_json_takes_nothing(folder: Folder) -> None:
    folder.run_json.write_text("{")
    before = names(folder)
    with pytest.raises(DataError, match=r"run\.json: is no run\.json of phasemark"):
        folder.discard_from("profile")
    assert names(folder) == before


def test_holds_what_there_is(tmp_path: Path, folder: Folder) -> None:
    assert all(folder.holds(step) for step in FILES)
    empty = Folder(tmp_path)
    assert not empty.holds_run() and not any(empty.holds(step) for step in FILES)
    assert not Folder(tmp_path / "none").holds_run()
    (tmp_path / "weights.t2").touch()
    assert empty.holds_run() and [step for step in FILES if empty.holds(step)] == ["points"]
    (tmp_path / "weights.t2").unlink()
    empty.record("profile", {})
    assert empty.holds_run() and not empty.holds("profile")


def test_entries_are_told_as_json_holds_them(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    assert folder.steps() == {} and folder.entry_of("points") == {}
    folder.record("phases", {"k": 3, "notes": ("a", "b")})
    folder.record("points", {"seed": 1})
    folder.record("points", {"seed": 2})
    version = {"phasemark": phasemark.__version__}
    assert folder.steps() == {
        "phases": {**version, "k": 3, "notes": ["a", "b"]},
        "points": {**version, "seed": 2},
    }
    assert folder.entry_of("points") == {**version, "seed": 2}
    assert json.loads(folder.run_json.read_text())["format"] == "phasemark-run"
    assert read_steps(folder.run_json) == folder.steps()
    assert folder.run_json.read_text().endswith("}\n")


def test_a_step_is_as_recorded_only_if_everything_is(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    assert not folder.is_recorded_as("phases", {"k": 3})
    folder.record("phases", {"k": 3, "notes": ("a",)})
    assert folder.is_recorded_as("phases", {"k": 3, "notes": ("a",)})
    assert not folder.is_recorded_as("phases", {"k": 4, "notes": ("a",)})
    assert not folder.is_recorded_as("phases", {"k": 3})
    text = folder.run_json.read_text().replace(phasemark.__version__, "0.0.0")
    folder.run_json.write_text(text)
    assert not folder.is_recorded_as("phases", {"k": 3, "notes": ("a",)})


def of_profile(tmp_path: Path, **entry: Any) -> Folder:
    folder = Folder(tmp_path)
    folder.record("profile", entry)
    return folder


def test_a_run_tells_which_program_it_is_of(tmp_path: Path) -> None:
    assert Folder(tmp_path).command == () and not Folder(tmp_path).is_recorded()
    assert Folder(tmp_path).cwd is None and Folder(tmp_path).process is None
    folder = of_profile(tmp_path, command=["gzip", "-k", 1], cwd="/home", state="done", process=None)
    assert folder.command == ("gzip", "-k", "1") and folder.is_recorded()
    assert folder.cwd == Path("/home") and folder.process is None


def test_what_was_imported_is_of_no_program(tmp_path: Path) -> None:
    folder = of_profile(tmp_path, command="import", source="a.bb")
    assert folder.command == () and not folder.is_recorded() and folder.state == ""


@pytest.mark.parametrize(
    ("entry", "process"),
    [
        ({"process": "cc1", "analysed": 2}, "cc1"),
        ({"process": "4711", "analysed": 2}, "2"),  # a pid: number 2 is its like in another run
        ({"process": 4711, "analysed": 2}, "2"),
        ({"process": "4711"}, "4711"),
        ({"analysed": 2}, None),
    ],
)
def test_the_process_is_named_as_another_run_knows_it(
    entry: dict[str, Any], process: str | None, tmp_path: Path
) -> None:
    assert of_profile(tmp_path, **entry).process == process


def test_the_analysed_process_is_told_with_its_share(tmp_path: Path) -> None:
    processes = [
        {"number": 1, "program": "gcc", "instructions": 16},
        {"number": 2, "program": "cc1", "instructions": 84},
    ]
    for name in ("two", "one", "none", "odd", "forged"):
        (tmp_path / name).mkdir()
    folder = of_profile(tmp_path / "two", analysed=2, processes=processes)
    assert str(folder.analysed) == "process 2 of 2, cc1: 84.00% of all instructions"
    assert of_profile(tmp_path / "one", analysed=1, processes=processes[:1]).analysed is None
    assert of_profile(tmp_path / "none").analysed is None
    assert of_profile(tmp_path / "odd", analysed=7, processes=processes).analysed is None
    forged = [{**processes[0], "instructions": 200}, {**processes[1], "instructions": -100}]
    with pytest.raises(DataError, match="says of the analysed process what cannot be"):
        _ = of_profile(tmp_path / "forged", analysed=2, processes=forged).analysed


@pytest.mark.parametrize(
    ("state", "raw", "unfinished"),
    [("running", True, True), ("running", False, False), ("done", True, False)],
)
def test_a_run_is_unfinished_while_it_is_recorded(
    state: str, raw: bool, unfinished: bool, tmp_path: Path
) -> None:
    folder = of_profile(tmp_path, state=state)
    if raw:
        folder.raw.mkdir()
    assert folder.state == state and folder.is_unfinished() is unfinished


def test_a_damaged_run_json_does_not_make_a_run_unfinished(tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    (tmp_path / "run.json").write_text("[]")
    assert not Folder(tmp_path).is_unfinished()
    with pytest.raises(DataError, match=r"run\.json"):
        _ = Folder(tmp_path).state


@dataclasses.dataclass(frozen=True)
class Options:
    seed: int = 1
    method: str | None = None


def test_the_options_of_a_step_come_back(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    assert folder.options_of("points", Options) == Options()
    folder.record("points", {"seed": 7, "found": 12})
    assert folder.options_of("points", Options) == Options(7)
    folder.record("points", {"method": "random"})
    assert folder.options_of("points", Options) == Options(1, "random")


def test_the_machine_of_a_step_comes_back(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    assert folder.configuration_of("metrics") == {}
    folder.record("metrics", {"configuration": {"name": "modern", "digest": "ab"}})
    folder.record("simulation", {"configuration": None})
    assert folder.configuration_of("metrics") == {"name": "modern", "digest": "ab"}
    assert folder.configuration_of("simulation") == {}


def test_a_folder_is_made_with_its_parents_and_left_empty(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "a" / "b")
    assert folder.create() is folder and folder.create() is folder
    assert list(folder.path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    for path in (tmp_path / "a", tmp_path / "a" / "b"):
        with pytest.raises(
            WorkError, match=f"{path}: is no folder, or within a file\n  hint: choose another"
        ):
            Folder(path).create()
    with pytest.raises(WorkError, match=r"none: cannot be written: .*\n  hint: choose another folder"):
        Folder("/proc/none").create()


@pytest.mark.parametrize("of", ["run", "intervals", "points"])
def test_the_command_that_brings_metrics_back_says_what_they_are_of(of: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    with folder.change("test") as new:
        new.metrics.write_text("theirs")
        new.record("metrics", {"files": ["stats.txt"], "of": of})
    told = folder.discard_from("metrics")
    assert any(f"--of {of}` brings it back" in phrase for phrase in told)


SIMULATED = {"metrics": ("metrics.csv", "intervals"), "simulation": ("point-metrics.csv", "points")}


@pytest.mark.parametrize("step", SIMULATED)
@pytest.mark.parametrize(
    ("entry", "kept"),
    [
        ({"files": ["two.csv"], "rows": 2}, True),
        ({"intervals": 5, "missing": ["interval 9"]}, True),
        ({"intervals": 9, "missing": []}, False),
        ({"intervals": 5, "missing": []}, False),
    ],
    ids=["another tool's", "cut short", "done anew", "of fewer points"],
)
def test_what_was_simulated_does_not_go_for_less(
    step: str, entry: dict[str, object], kept: bool, tmp_path: Path
) -> None:
    folder, (name, of) = Folder(tmp_path), SIMULATED[step]
    with folder.change("test") as new:
        new[name].write_text("hours")
        new.record(step, {"intervals": 9, "missing": []})
    with folder.change("test") as new:
        new.discard_from(step)
        new[name].write_text("moments")
        new.record(step, entry)
    assert folder[name].read_text() == "moments"
    assert folder[f"{name}~"].exists() == kept
    assert any(f"--of {of}` brings it back" in phrase for phrase in new.discarded) == kept


def test_instructions_are_those_of_all_processes(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    assert folder.instructions == 0
    folder.record("profile", {"processes": [{"instructions": 3}, {"instructions": 40}, {}]})
    assert folder.instructions == 43


def test_a_file_that_is_kept_under_another_name_goes_even_if_it_is_dear(folder: Folder) -> None:
    folder.record("metrics", {"files": ["theirs.csv"]})
    with folder.change("intervals") as new:
        new.discard_from("metrics")
        new.fixed_metrics.write_text("metrics.csv")
        new.kept_as("metrics.csv", "fixed-metrics.csv")
    assert "metrics.csv is now fixed-metrics.csv" in new.discarded
    assert not folder.metrics.exists() and not folder["metrics.csv~~"].exists()
    assert folder.fixed_metrics.read_text() == "metrics.csv"
