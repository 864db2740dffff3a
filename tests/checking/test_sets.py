"""SimPoint's files held against one another, in pairs and in sets of threads."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest
from tests.formats.samples import DATA
from tests.formats.test_import_command import run
from tests.workflow.runs import of_threads

from phasemark.checking import Checked, check
from phasemark.workflow import PhaseOptions, Run
from phasemark.workflow.importing import import_vectors


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """What `export --to simpoint` writes of a run of three threads."""
    steps = Run(of_threads(tmp_path / "run").path)
    steps.pick_points(per_phase=6)
    steps.export("simpoint")
    return tmp_path / "run" / "simpoint"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def pair(
    folder: Path, name: str = "{}", intervals: str = "0 0\n4 1\n", weights: str = "0.25 0\n0.75 1\n"
) -> list[Path]:
    return [
        write(folder / name.format("simpoints"), intervals),
        write(folder / name.format("weights"), weights),
    ]


def set_of_threads(folder: Path, second: str = "0.75") -> list[Path]:
    """Clusters are of all threads together, and so are weights."""
    one = pair(folder, "{}.t0", intervals="0 0\n", weights="0.25 0\n")
    return one + pair(folder, "{}.t1", intervals="4 1\n", weights=f"{second} 1\n")


def wrong(paths: list[Path]) -> list[str]:
    return [str(checked.error).partition("\n")[0] for checked in check(paths) if checked.error is not None]


def found(checks: Iterator[Checked]) -> list[str]:
    return [f"{checked.path.name}: {checked.found}" for checked in checks]


def test_a_set_of_threads_is_weighed_together_in_whatever_order_it_is_named(tmp_path: Path) -> None:
    for files in permutations(set_of_threads(tmp_path)):
        assert wrong(list(files)) == []
    assert found(check(set_of_threads(tmp_path)))[4:] == [
        "weights.t0: pair with simpoints.t0: 1 point",
        "weights.t1: pair with simpoints.t1: 1 point",
        "weights.t1: set of 2 pairs: 2 points",
    ]


def test_weights_of_a_set_that_sum_to_something_else_are_wrong(tmp_path: Path) -> None:
    said = f"{tmp_path}/weights.t1: the weights of weights.t0 to weights.t1 together sum to 0.9 instead of 1"
    files = set_of_threads(tmp_path, "0.65")
    assert wrong(files) == [said]
    assert wrong([tmp_path]) == [said]


def test_a_part_of_a_set_is_not_weighed(tmp_path: Path) -> None:
    files = set_of_threads(tmp_path)
    assert found(check(files[:2]))[2] == (
        "weights.t0: pair with simpoints.t0: 1 point; not weighed without weights.t1"
    )
    files[3].unlink()
    assert wrong(files[:2]) == [f"{files[1]}: the weights sum to 0.25 instead of 1"]


def test_threads_that_were_clustered_by_themselves_are_each_whole(tmp_path: Path) -> None:
    assert wrong(pair(tmp_path, "{}.t0") + pair(tmp_path, "{}.t1")) == []


@pytest.mark.parametrize("broken", ["a", "b", "c"])
@pytest.mark.parametrize("names", ["{run}/{kind}", "{run}.{kind}", "{kind}.{run}", "{run}/results.{kind}"])
def test_every_pair_of_many_is_checked(tmp_path: Path, names: str, broken: str) -> None:
    files = []
    for one in "abc":
        name = names.format(run=one, kind="{}")
        files += pair(tmp_path, name, **({"weights": "0.25 0\n0.75 2\n"} if one == broken else {}))
    for order in (files, files[::-1], sorted(files)):
        (sentence,) = wrong(order)
        assert "cluster 1 of" in sentence and "is missing" in sentence
        assert names.format(run=broken, kind="weights") in sentence
    assert wrong(pair(tmp_path / "good") + pair(tmp_path / "bad", weights="0.5 0\n0.3 1\n")) == [
        f"{tmp_path}/bad/weights: the weights sum to 0.8 instead of 1"
    ]


def test_a_choice_and_one_of_the_largest_clusters_are_no_pair(tmp_path: Path) -> None:
    few = pair(tmp_path, "{}.lpt0.9", intervals="4 1\n", weights="1 1\n")
    assert wrong(pair(tmp_path) + few) == []
    assert wrong(pair(tmp_path / "x", "{}.lpt0.9", weights="0.3 0\n0.6 1\n")) == []
    assert wrong([pair(tmp_path)[0], few[1]]) == []


def test_an_export_is_good_as_a_folder_and_file_by_file(exported: Path) -> None:
    files = sorted(exported.iterdir())
    assert len(files) == 9
    assert wrong([exported]) == wrong(files) == []
    assert "weights.t2: set of 3 pairs: " in "\n".join(found(check([exported])))


@pytest.mark.parametrize("target", ["pinpoints", "champsim", "gem5", "nemu", "bb", "exp-bbv"])
def test_a_folder_that_was_exported_to_is_checked_file_by_file(tmp_path: Path, target: str) -> None:
    import_vectors([DATA / "gem5-bootcamp" / "simpoint.bb.gz"], tmp_path)
    steps = Run(tmp_path)
    steps.find_phases(PhaseOptions(k=2))
    steps.pick_points()
    files = steps.export(target).files
    done = run("check", tmp_path / target)
    assert done.returncode == 0, done.stdout
    assert all(f"ok     {file}: " in done.stdout for file in files)
    write(tmp_path / target / "weights", "0.5 0\n0.5 x\n")
    assert len(wrong([tmp_path / target])) == 1


def test_one_is_one(tmp_path: Path) -> None:
    run_of_one = import_vectors([DATA / "gem5-bootcamp" / "simpoint.bb.gz"], tmp_path / "run")
    assert run_of_one is not None
    assert found(check([tmp_path / "run"]))[::2] == [
        "run.json: run.json: 1 step",
        "run: run: profile.h5 alone",
    ]
    files = pair(tmp_path, intervals="3 0\n", weights="1 0\n")
    assert found(check(files)) == [
        "simpoints: simpoints: 1 cluster",
        "weights: weights: 1 cluster",
        "weights: pair with simpoints: 1 point",
    ]
