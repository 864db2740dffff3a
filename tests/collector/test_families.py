"""Threads that are created by several threads at once: numbered the same way every time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.collector.harness import collect

from phasemark.collect.stream.reader import RawStream
from phasemark.simulate import config

Build = Callable[..., Path]

#: Who creates whom in families.c: 0 makes 1 to 4, of which each makes two.
FAMILIES = [[0, 1, 4], [1, 5, 2], [2, 7, 2], [3, 9, 2], [4, 11, 2]]
LINES = "".join(f"family {' '.join(map(str, family))}\n" for family in FAMILIES)

#: What threads 5 to 12 work, three instructions at a time.
WORK = [1000 * t + 100 * i for t in (1, 2, 3, 4) for i in (0, 1)]


def recorded(folder: Path) -> RawStream:
    (raw,) = folder.glob("*.raw")
    return RawStream(raw)


def beyond_the_first(instructions: list[int]) -> list[int]:
    return [n - instructions[0] for n in instructions]


def test_numbers_are_the_same_whoever_came_first(engine: str, program: Build, tmp_path: Path) -> None:
    built = program("families.c", "-static", "-no-pie", "-pthread")
    for again in range(3):
        collect(tmp_path / str(again), built, engine=engine)
        stream = recorded(tmp_path / str(again))
        assert stream.families.to_json() == FAMILIES
        positions = [stream.positions[number] for number in range(5, 13)]
        assert beyond_the_first(positions) == [3 * (n - WORK[0]) for n in WORK]


def test_windows_and_cuts_find_the_threads_they_are_for(program: Build, tmp_path: Path) -> None:
    built = program("families.c", "-static", "-no-pie", "-pthread")
    (tmp_path / "timing").write_text(config.load("modern").flat())
    (tmp_path / "windows").write_text(LINES + "".join(f"{n} 0 0 99999\n" for n in range(5, 13)))
    (tmp_path / "cuts").write_text(LINES + "".join(f"{n} {100 * n}\n" for n in range(5, 13)))
    for again in range(2):
        options = (f"--timing={tmp_path / 'timing'}", f"--windows={tmp_path / 'windows'}")
        collect(tmp_path / f"timed {again}", built, options=options)
        counted = recorded(tmp_path / f"timed {again}").counters
        assert counted.thread.tolist() == list(range(5, 13))
        assert beyond_the_first(counted.length.tolist()) == [3 * (n - WORK[0]) for n in WORK]
        collect(tmp_path / f"cut {again}", built, options=(f"--cuts={tmp_path / 'cuts'}",))
        table = recorded(tmp_path / f"cut {again}").intervals
        begun = table.start > 0
        assert table.thread[begun].tolist() == list(range(5, 13))
        assert table.start[begun].tolist() == [100 * n for n in range(5, 13)]


@pytest.mark.parametrize("text", ["family 0 1\n0 5\n", "family 0 1 4\nfamily\n", "family 0 99999999999 1\n"])
def test_nonsense_is_refused(program: Build, tmp_path: Path, text: str) -> None:
    (tmp_path / "cuts").write_text(text)
    run = collect(tmp_path / "raw", program("loops.S"), options=(f"--cuts={tmp_path / 'cuts'}",))
    said = run.stderr + "".join(log.read_text() for log in (tmp_path / "raw").glob("*.log"))
    assert run.returncode != 0
    assert f"cuts:{1 + ('4' in text)}: no `thread position`" in said
