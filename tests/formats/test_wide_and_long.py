"""Tables of very many columns, and of very many rows: none takes the square of their number."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from tests.cli.runs import analysed
from tests.formats.metrics.files import command, write

from phasemark.errors import DataError
from phasemark.estimates import estimate
from phasemark.formats import recogniser
from phasemark.formats.metrics import measurements, placing, results_csv
from phasemark.formats.points import nemu_summary
from phasemark.model import Metrics, Points
from phasemark.store import metrics_csv

#: Of these, what takes the square takes minutes, and what does not a second or two.
MANY = 60_000


@contextmanager
def soon() -> Iterator[None]:
    """Within seconds of this process, however busy the machine."""
    begun = time.process_time()
    yield
    assert time.process_time() - begun < 12


def test_a_heading_of_many_columns(tmp_path: Path) -> None:
    names = ",".join(f"c{n}" for n in range(MANY))
    table = write(tmp_path / "a.csv", f"interval,{names}\n0{',1' * MANY}\n")
    with soon():
        assert len(results_csv.read(table).counters) == MANY
    table = write(tmp_path / "b.csv", f"interval,{names},C0,c0\n0{',1' * (MANY + 2)}\n")
    with soon(), pytest.raises(DataError, match=r"column c0 stands twice \(c0 and c0\)"):
        results_csv.read(table)


def test_an_object_with_a_late_name_that_stands_twice(tmp_path: Path) -> None:
    entries = ", ".join(f'"{n}": "0.1"' for n in [*range(MANY), MANY - 1])
    file = write(tmp_path / "a.json", f'{{"app": {{"insts": "8", "points": {{{entries}}}}}}}')
    with soon(), pytest.raises(DataError, match=r"59999.* stands twice"):
        nemu_summary.read(file)


def test_many_rows_that_are_named_by_phase(tmp_path: Path) -> None:
    at = np.arange(MANY)
    zero = np.zeros(MANY, np.int64)
    points = Points(
        run=zero, thread=zero, interval=at, phase=at, start=at * 10, end=at * 10 + 10, warmup=zero,
        weight=np.full(MANY, 1 / MANY),
    )  # fmt: skip
    table = write(tmp_path / "a.csv", "phase,cycles\n" + "".join(f"{n},{n % 7}\n" for n in at[::-1]))
    with soon():
        found = placing.of_points(results_csv.read(table), points)
    assert (found.counters["cycles"] == at % 7).all()


def test_a_comment_at_the_top_may_be_longer_than_what_is_looked_at(tmp_path: Path) -> None:
    folder = analysed(tmp_path / "run")
    names = [f"a_counter_with_a_long_name_{n}" for n in range(8000)]
    table = write(
        tmp_path / "a.csv", "interval," + ",".join(names) + "\n" + f"1{',5' * 8000}\n7{',6' * 8000}\n"
    )
    command(table, "-o", folder.path)
    kept = folder.path / "point-metrics.csv"
    assert kept.read_bytes().index(b"\n") > 1 << 18
    assert recogniser.recognise(kept) is recogniser.METRICS
    assert measurements.read([kept]).counters.keys() == metrics_csv.read(kept).counters.keys() == set(names)


@pytest.mark.parametrize("end", ["", "\n", "\nT:1:5\n"])
@pytest.mark.parametrize("long", [1 << 20, 1 << 25])
def test_a_file_that_is_one_long_comment(tmp_path: Path, end: str, long: int) -> None:
    kind = recogniser.recognise(write(tmp_path / "a", "#" * long + end))
    assert kind is (recogniser.VECTORS if "T" in end and long == 1 << 20 else recogniser.UNKNOWN)


def test_of_many_counters_without_a_ratio_few_are_named() -> None:
    zero, one = np.zeros(1, np.int64), np.ones(1, np.int64)
    metrics = Metrics(
        run=zero, thread=zero, index=zero, start=zero, length=one,
        counters={f"c{n}": np.ones(1) for n in range(1000)},
    )  # fmt: skip
    points = Points(
        run=zero, thread=zero, interval=zero, phase=zero, start=zero, end=one, warmup=zero, weight=np.ones(1)
    )
    with pytest.raises(DataError, match="no ratio can be made") as error:
        estimate(points, metrics)
    assert len(str(error.value)) < 200
