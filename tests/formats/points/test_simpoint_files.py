"""SimPoint's result files: written as SimPoint writes them, read by cluster."""

from __future__ import annotations

import numpy as np
import pytest

from phasemark.errors import DataError, UsageError
from phasemark.formats.points import simpoint_files
from phasemark.model import Intervals, Phases, Points
from phasemark.model.intervals import concatenate


def points(thread: tuple[int, ...] = (0, 0, 0), phase: tuple[int, ...] = (1, 0, 2)) -> Points:
    return Points(
        np.zeros(3), np.array(thread), [2, 5, 7], np.array(phase), [20, 50, 70], [30, 60, 75],
        [0, 10, 0], [2 / 3, 1 / 9, 2 / 9],
    )  # fmt: skip


def phases(n: int) -> Phases:
    return Phases(np.arange(n) % 3, np.zeros((3, 2)), np.linspace(0, 1, n))


def two_threads() -> Intervals:
    return concatenate([Intervals.of_thread(np.full(4, 10), thread=t) for t in (0, 1)])


def test_lines_are_as_simpoint_writes_them(tmp_path) -> None:
    simpoint_files.write_simpoints(tmp_path / "s", points())
    simpoint_files.write_weights(tmp_path / "w", points())
    simpoint_files.write_labels(tmp_path / "l", phases(3))
    assert (tmp_path / "s").read_text() == "5 0\n2 1\n7 2\n"
    assert (tmp_path / "w").read_text() == "0.111111 0\n0.666667 1\n0.222222 2\n"
    assert (tmp_path / "l").read_text() == "0 0\n1 0.5\n2 1\n"


def test_a_pair_is_joined_by_cluster_whatever_the_order_and_the_gaps(tmp_path) -> None:
    (tmp_path / "s").write_text("2 0\n1 7\n0 3\n")
    (tmp_path / "w").write_text("0.111111 3\n\n0.666667 0\r\n0.222222 7")
    pair = simpoint_files.read_pair(tmp_path / "s", tmp_path / "w")
    assert pair.interval.tolist() == [0, 1, 2]
    assert pair.cluster.tolist() == [3, 7, 0]
    assert pair.weight.tolist() == [0.111111, 0.222222, 0.666667]


def test_what_is_written_is_read_again(tmp_path) -> None:
    files = simpoint_files.write(tmp_path, Intervals.of_thread(np.full(9, 10)), phases(9), points())
    assert [file.name for file in files] == ["simpoints", "weights", "labels"]
    pair = simpoint_files.read_pair(files[0], files[1])
    assert pair.interval.tolist() == [2, 5, 7]
    assert pair.cluster.tolist() == [1, 0, 2]
    labels, distances = simpoint_files.read_labels(files[2])
    assert labels.tolist() == phases(9).labels.tolist()
    assert distances == pytest.approx(phases(9).distances)


def test_each_thread_has_files_of_its_own(tmp_path) -> None:
    files = simpoint_files.write(tmp_path, two_threads(), phases(8), points(thread=(0, 0, 1)))
    assert sorted(file.name for file in files) == [
        "labels.t0", "labels.t1", "simpoints.t0", "simpoints.t1", "weights.t0", "weights.t1",
    ]  # fmt: skip
    assert (tmp_path / "simpoints.t1").read_text() == "7 2\n"
    assert (tmp_path / "labels.t1").read_text().split()[::2] == ["1", "2", "0", "1"]


def test_what_the_files_cannot_say_is_refused(tmp_path) -> None:
    with pytest.raises(UsageError, match="threads"):
        simpoint_files.write_simpoints(tmp_path / "s", points(thread=(0, 0, 1)))


def test_several_points_of_a_phase_are_numbered_anew(tmp_path) -> None:
    """No two lines of a pair may share a number: the weights of both would be lost but one."""
    several = points(phase=(1, 0, 1))
    simpoint_files.write_simpoints(tmp_path / "s", several)
    simpoint_files.write_weights(tmp_path / "w", several)
    pair = simpoint_files.read_pair(tmp_path / "s", tmp_path / "w")
    assert pair.interval.tolist() == several.interval.tolist()
    assert pair.cluster.tolist() == [1, 0, 2]
    assert pair.weight.tolist() == pytest.approx(several.weight.tolist())


@pytest.mark.parametrize(
    ("simpoints", "weights", "said"),
    [
        ("2 0\n1 1\n", "0.5 0\n0.5 2\n", r"w: cluster 1 .* is missing"),
        ("2 0\n", "0.5 0\n0.5 2\n", r"s: cluster 2 .* is missing"),
        ("2 0\n1 0\n", "1 0\n", r"s:2: cluster 0 is there twice"),
        ("2 0 1\n", "1 0\n", r"s:1: 3 fields"),
        ("-2 0\n", "1 0\n", r"s:1: '-2' is no whole number"),
        ("2 0\n", "nan 0\n", r"w:1: 'nan' is no number"),
        ("2 0\n", "0.5 0\n", r"w: the weights sum to 0.5"),
        ("2 0\n", "", r"w: holds no line"),
        ("2 0\n", "1\x00 0\n", r"w:1: holds bytes"),
    ],
)
def test_a_malformed_pair_is_an_error_that_names_the_line(tmp_path, simpoints, weights, said) -> None:
    (tmp_path / "s").write_text(simpoints)
    (tmp_path / "w").write_text(weights)
    with pytest.raises(DataError, match=said):
        simpoint_files.read_pair(tmp_path / "s", tmp_path / "w")


@pytest.mark.parametrize(("value", "good"), [(0, True), (2**63 - 1, True), (2**63, False), (-1, False)])
def test_the_largest_interval_of_a_simpoints_file(tmp_path, value: int, good: bool) -> None:
    (tmp_path / "s").write_text(f"{value} 0\n")
    if good:
        assert simpoint_files.read_simpoints(tmp_path / "s") == {0: value}
        return
    with pytest.raises(DataError, match="is no whole number from 0"):
        simpoint_files.read_simpoints(tmp_path / "s")


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ("0.4995 0\n0.5 1\n", ""), ("0.5005 0\n0.5 1\n", ""), ("0 0\n1 1\n", ""), ("0 0\n1.0005 1\n", ""),
        ("0.4985 0\n0.5 1\n", "the weights sum to 0.9985 instead of 1"),
        ("0.5015 0\n0.5 1\n", "the weights sum to 1.0015 instead of 1"),
        ("0 0\n1.0015 1\n", "a weight is 1.0015, more than 1"),
        ("-0.1 0\n1 1\n", "'-0.1' is no number from 0"),
        ("inf 0\n1 1\n", "'inf' is no number"), ("x 0\n1 1\n", "'x' is no number"),
    ],
)  # fmt: skip
def test_weights_of_six_digits_sum_to_1(tmp_path, weights: str, said: str) -> None:
    (tmp_path / "s").write_text("3 0\n1 1\n")
    (tmp_path / "w").write_text(weights)
    if said:
        with pytest.raises(DataError, match=said):
            simpoint_files.read_pair(tmp_path / "s", tmp_path / "w")
        return
    pair = simpoint_files.read_pair(tmp_path / "s", tmp_path / "w")
    assert (pair.interval.tolist(), pair.cluster.tolist()) == ([1, 3], [1, 0])


def test_runs_and_threads_name_their_files() -> None:
    zero = np.zeros(1, int)

    def suffixes(run: list[int], thread: list[int]) -> list[str]:
        n = len(run)
        start = np.zeros(n, int)
        intervals = Intervals(run, thread, start, start, np.full(n, 5), start)  # type: ignore[arg-type]
        chosen = Points(zero, zero, zero, zero, zero, zero + 5, zero, zero + 1.0)
        return [suffix for suffix, _, _ in simpoint_files.per_thread(intervals, chosen)]

    assert suffixes([0], [0]) == [""]
    assert suffixes([0, 0], [0, 1]) == [".t0", ".t1"]
    assert suffixes([0, 1], [0, 0]) == [".r0.t0", ".r1.t0"]
