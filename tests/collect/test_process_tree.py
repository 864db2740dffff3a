"""Which process image is analysed."""

from __future__ import annotations

import os

import pytest

from phasemark.collect.process_tree import Image, chosen, listing


def image(number: int, pid: int, program: str, instructions: int, *, ended: bool = True) -> Image:
    return Image(number, pid, 1, "start", (f"/bin/{program}", "x"), instructions, 1, ended, ())


TREE = [image(1, 70, "sh", 5), image(2, 71, "sh", 2), image(3, 71, "gzip", 9), image(4, 72, "gzip", 8)]


@pytest.mark.parametrize(
    ("wanted", "number"),
    [
        (None, 3),
        ("1", 1),
        ("4", 4),
        ("70", 1),
        ("71", 3),
        ("sh", 1),
        ("gzip", 3),
        ("/bin/gzip", 3),
        ("x", None),
        ("one", 3),
        ("all", 0),
    ],
)
def test_number_then_pid_then_name(wanted: str | None, number: int | None) -> None:
    found = chosen(TREE, wanted)
    assert (found.number if found else None) == number


def test_of_equal_images_the_first_is_analysed() -> None:
    assert chosen([image(1, 5, "a", 3), image(2, 6, "b", 3)], None) == image(1, 5, "a", 3)


def test_where_no_image_has_80_percent_all_are_analysed_if_that_can_be() -> None:
    four_fifths = [image(1, 5, "a", 80), image(2, 6, "b", 20)]
    less = [image(1, 5, "a", 79), image(2, 6, "b", 21)]
    numbers = [found.number for tree in (four_fifths, less) if (found := chosen(tree, None, joins=True))]
    assert numbers == [1, 0]
    assert chosen(less, None) == less[0] == chosen(less, "one", joins=True)


def test_the_list_marks_the_one_analysed() -> None:
    lines = listing(TREE, TREE[2]).splitlines()
    assert [line.startswith("->") for line in lines] == [False, False, False, True, False]


def test_a_name_that_is_no_text_stays_in_its_line() -> None:
    lines = listing([image(1, 5, "p\n\udcff\x1b[2J", 3)]).splitlines()
    assert len(lines) == 2 and lines[1].endswith(r"  p\n\xff\x1b[2J")


def test_many_processes_are_folded_but_for_the_largest_and_the_one_analysed() -> None:
    tree = [image(number, 100 + number, f"p{number}", number) for number in range(1, 80)]
    lines = listing(tree, tree[1], most=5).splitlines()
    assert [line.split()[-1] for line in lines[1:-1]] == ["p2", "p76", "p77", "p78", "p79"]
    assert lines[-1].strip() == "and 74 more, 90.1% of all instructions; run.json lists them all"
    assert lines[1].startswith("->")
    # A line that says that one is left out says no less than the one.
    assert "more" not in listing(tree[:6], most=5) and len(listing(tree[:6], most=5).splitlines()) == 7


def test_a_process_that_still_runs_is_told_from_one_that_was_killed() -> None:
    assert image(1, os.getpid(), "a", 1, ended=False).running
    assert not image(1, os.getpid(), "a", 1).running
    assert not image(1, 2**22 + 1, "a", 1, ended=False).running
