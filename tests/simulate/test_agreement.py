"""Is what was simulated the run that was profiled?"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np

from phasemark.collect.process_tree import Image
from phasemark.model import Blocks, Counts, Intervals, Profile, Provenance
from phasemark.simulate import differences
from phasemark.symbols import build_id

SHELL = str(Path("/bin/sh").resolve())


def profile(instructions: int, command: tuple[str, ...] = ("prog", "a")) -> Profile:
    one = np.ones(1, np.int64)
    blocks = Blocks(("m",), np.zeros(1, np.int32), np.zeros(1, np.uint64), one, one)
    counts = Counts(np.array([0, 1]), np.zeros(1, np.int32), np.array([instructions]), 1)
    table = Intervals.of_thread(np.array([instructions]))
    return Profile(blocks, table, counts, Provenance("phasemark-valgrind", command=command))


def image(instructions: int, threads: int = 1, command: tuple[str, ...] = ("prog", "a")) -> Image:
    return Image(1, 5, 1, "start", command, instructions, threads, True, (Path("x.raw"),))


def test_equal_runs_say_nothing() -> None:
    assert differences(profile(1000), image(1000)) == ([], [])


def test_a_small_difference_is_a_note_with_its_size() -> None:
    notes, warnings = differences(profile(1000), image(995))
    assert not warnings and len(notes) == 1
    assert "995 instructions" in notes[0] and "5 (0.50%) fewer" in notes[0]
    assert "1 (<0.01%) more" in differences(profile(10**6), image(10**6 + 1))[0][0]


def test_a_difference_of_half_an_interval_is_a_warning() -> None:
    """However small a share of the run that is: late points are then others."""
    lengths = np.full(1000, 100)
    of = profile(100_000)
    counts = Counts(np.arange(1001), np.zeros(1000, np.int32), lengths, 1)
    many = dataclasses.replace(of, interval_table=Intervals.of_thread(lengths), vectors=counts)
    notes, warnings = differences(many, image(100_049))
    assert len(notes) == 1 and not warnings and "intervals" not in notes[0]
    notes, warnings = differences(many, image(99_950))
    assert not notes and "50 (0.05%) fewer than the profile, or 0.5 intervals: those late" in warnings[0]
    assert "PYTHONHASHSEED=0" in warnings[0]


def test_a_large_difference_is_a_warning() -> None:
    notes, warnings = differences(profile(1000), image(1020))
    assert not notes and "20 (2.00%) more" in warnings[0]


def test_another_number_of_threads_or_another_program_is_named() -> None:
    _, warnings = differences(profile(1000), image(1000, 3, ("other",)))
    assert "threads: 1 in the profile, 3 in the run simulated" in warnings
    assert any("prog a" in w and "other" in w for w in warnings)


def test_a_program_that_was_built_anew_is_warned_of() -> None:
    of = profile(1000)
    for build, said in ((build_id(SHELL), []), ("0" * 40, [f"the code of {SHELL} is not what it was"])):
        details = {"build_ids": {SHELL: build, "/not/there": "1"}}
        made = dataclasses.replace(of, provenance=dataclasses.replace(of.provenance, details=details))
        _, warnings = differences(made, image(1000))
        assert [warning.split(" when ")[0] for warning in warnings] == said


def test_a_profile_that_names_no_program_is_compared_by_its_instructions() -> None:
    assert differences(profile(1000, ()), image(1000)) == ([], [])
