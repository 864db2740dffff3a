"""A program is run with the timing model on in windows, and counted there alone."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from phasemark.collect import Counted, count
from phasemark.collect.engines.valgrind import tool_folder
from phasemark.errors import MissingTool
from phasemark.simulate.config import load

try:
    tool_folder()
except MissingTool as missing:
    pytest.skip(str(missing), allow_module_level=True)

TIMING = load("paper").flat()


@dataclass
class Three:
    """Two windows of thread 0, the second after a warm-up, and one that no thread comes to."""

    thread: NDArray[np.int64]
    index: NDArray[np.int64]
    warm: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]


WINDOWS = Three(
    *(
        np.array(column)
        for column in ([0, 0, 5], [1, 7, 0], [1000, 2000, 0], [1000, 5000, 0], [2000, 6500, 9])
    )
)


def test_what_was_counted_is_by_window_and_what_was_not_is_missing() -> None:
    counted = count(("sh", "-c", "exit 3"), WINDOWS, TIMING)
    assert counted.metrics.index.tolist() == [1, 7] and counted.missing.tolist() == [2]
    assert counted.metrics.counters["instructions"].tolist() == [1000, 1500]
    assert (counted.metrics.counters["cycles"] > 100).all()
    assert counted.status == 3 and counted.cpu_seconds > 0 and counted.warnings == ()
    assert counted.analysed.program == "sh" and counted.images[0] == counted.analysed


def test_it_starts_in_its_folder_with_its_input_from_any_thread(tmp_path: Path) -> None:
    before = Path.cwd()
    (tmp_path / "input").write_text("some\n")
    (tmp_path / "script").write_text('#!/bin/sh\nread word; echo "$word" >>output\n')
    (tmp_path / "script").chmod(0o755)
    results: list[Counted] = []

    def run() -> None:
        results.append(count(("./script",), WINDOWS, TIMING, cwd=tmp_path))
        with (tmp_path / "input").open() as file:
            ticks: list[float] = []
            results.append(
                count(
                    ("./script",),
                    WINDOWS,
                    TIMING,
                    cwd=tmp_path,
                    stdin=file.fileno(),
                    progress=lambda headway: ticks.append(headway.seconds),
                )
            )

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert [result.status for result in results] == [0, 0]
    assert (tmp_path / "output").read_text() == "\nsome\n" and Path.cwd() == before
