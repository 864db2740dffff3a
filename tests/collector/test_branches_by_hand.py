"""Branches that nothing foretold, of real programs whose branches are known from their source."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from tests.collector.harness import collect, labels
from tests.reference import branches as slow

from phasemark.collect.stream.reader import RawStream

Build = Callable[..., Path]


def streams(folder: Path, *command: object, interval: int = 10**9) -> list[RawStream]:
    """Of a run, in the order in which its processes began."""
    run = collect(folder, *command, interval=interval, options=("--memory=64",))
    assert run.returncode == 0, run.stderr
    return sorted(map(RawStream, folder.glob("*.raw")), key=lambda stream: stream.header.time_ns)


def surprises(stream: RawStream) -> np.ndarray:
    assert stream.reuse is not None and stream.reuse.surprises is not None
    return stream.reuse.surprises


def of_branches(at: dict[str, int]) -> list[tuple[int, slow.Outcome]]:
    """What the program branches.S does."""
    done: list[tuple[int, slow.Outcome]] = []
    for turn in range(100):
        done += [(at["third"], turn % 3 == 2), (at["never"], False)]
        done += [(at["by_address"], at["odd" if turn // 10 % 2 else "even"]), (at["looped"], turn < 99)]
    return done


def test_branches_of_every_kind(program: Build, tmp_path: Path) -> None:
    path = program("branches.S")
    expected = of_branches(labels(path))
    (stream,) = streams(tmp_path, path)
    assert surprises(stream).tolist() == [slow.surprises(expected)]
    # By hand: ten targets are new; the last turn of the loop is one; the others until counters know better.
    jumps = [(address, way) for address, way in expected if not isinstance(way, bool)]
    assert slow.surprises(jumps) == 10 and 11 < slow.surprises(expected) < 80


def of_a_register(at: dict[str, int]) -> list[tuple[int, slow.Outcome]]:
    """What the program branches_random.S does."""
    done: list[tuple[int, slow.Outcome]] = []
    register, turns = 0xACE1, 3000
    for left in reversed(range(turns)):
        register, out = register >> 1, register & 1
        register ^= 0xB400 * out
        done += [(at["fed"], not out), (at["fourth"], not register & 6)]
        done += [(at["by_address"], at[f"place_{register & 3}"])]
        done += [(at["by_call"], at[f"callee_{register >> 3 & 3}"]), (at["looped"], left > 0)]
    return done


def test_branches_at_random(program: Build, tmp_path: Path) -> None:
    # Every state of a counter meets every outcome, after histories of every kind.
    path = program("branches_random.S")
    at = labels(path)
    (stream,) = streams(tmp_path, path)
    assert surprises(stream).tolist() == [slow.surprises(of_a_register(at))]
    # That holds as long as no two of them share counters: histories are in the lowest bits of their places.
    places = [
        at[name] * 0x9E3779B97F4A7C15 % 2**64 >> 48 >> slow.HISTORY for name in ("fed", "fourth", "looped")
    ]
    assert len(set(places)) == 3, "move a branch"


def test_a_loop_is_foretold_once_it_was_seen(program: Build, tmp_path: Path) -> None:
    # 1,000 pointers are followed ten times. No history is foretold until it came twice: 12 of up to 11 turns,
    # in the first walk alone, once each; that of turns alone, twice; an end one to eleven outcomes ago, 11 of
    # them twice, but one that the first walk had; the outer branch, twice. And nothing foretells the end of a
    # walk, nor the last: 12 + 2 + 2 * 11 - 1 + 2 + 10 + 1.
    (stream,) = streams(tmp_path, program("timing_chase.S"))
    done: list[tuple[int, slow.Outcome]] = []
    for walk in reversed(range(10)):
        done += [(1, left > 0) for left in reversed(range(1000))] + [(2, walk > 0)]
    assert surprises(stream).tolist() == [slow.surprises(done)] == [48]


def test_intervals_share_them(program: Build, tmp_path: Path) -> None:
    path = program("branches.S")
    (whole,) = streams(tmp_path / "whole", path)
    (parts,) = streams(tmp_path / "parts", path, interval=100)
    assert len(surprises(parts)) > 10 and surprises(parts).sum() == surprises(whole).sum()
    (again,) = streams(tmp_path / "again", path, interval=100)
    assert (surprises(again) == surprises(parts)).all()


def test_a_repeated_instruction_is_no_branch(program: Build, tmp_path: Path) -> None:
    (stream,) = streams(tmp_path, program("memory.S"))
    assert surprises(stream).sum() == 0
