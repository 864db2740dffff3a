"""How process images are numbered."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.collect import encoding as raw

import phasemark
from phasemark.collect.engines import raw_images

#: pid, parent, origin, program; children in the order of their forks, whose pids begin anew after 998.
TREE = [
    (990, 1, "start", "sh"),
    (990, 1, "exec", "make"),
    (991, 990, "fork", "make"),
    (991, 990, "exec", "cc"),
    (993, 991, "fork", "cc"),
    (993, 991, "exec", "as"),
    (998, 991, "fork", "cc"),
    (301, 991, "fork", "ld"),
    (992, 990, "fork", "make"),
    (300, 990, "fork", "make"),
    (300, 990, "exec", "ar"),
]


@dataclass
class Beginnings:
    """The images of TREE in an order in which they may have come to run."""

    draw: random.Random
    begun: list[int] = field(default_factory=list)

    def ready(self, at: int) -> bool:
        pid, parent, origin, _ = TREE[at]
        before = [i for i in range(at) if TREE[i][0] == (pid if origin == "exec" else parent)]
        return at not in self.begun and all(i in self.begun for i in before[:1])

    def order(self) -> list[int]:
        while len(self.begun) < len(TREE):
            self.begun.append(self.draw.choice([at for at in range(len(TREE)) if self.ready(at)]))
        return self.begun


@pytest.mark.parametrize("seed", range(12))
def test_they_are_numbered_as_they_were_forked_whichever_came_to_run_first(seed: int, tmp_path: Path) -> None:
    for time, at in enumerate(Beginnings(random.Random(seed)).order(), 1):
        pid, parent, origin, program = TREE[at]
        said = raw.header([program], pid=pid, ppid=parent, origin=origin, time_ns=time)
        raw.write(tmp_path / f"{pid}.{at}.raw", said, raw.thread(0))
    images, _ = raw_images.found(tmp_path)
    assert [image.number for image in images] == list(range(1, len(TREE) + 1))
    found = [(image.pid, image.parent, image.origin, image.program) for image in images]
    # The images of a process before its children, whenever it executed them.
    assert found == TREE


def test_one_whose_parent_is_not_there_stands_for_itself(tmp_path: Path) -> None:
    for time, (pid, parent, origin) in enumerate(
        [(5, 1, "start"), (9, 1, "fork"), (7, 4, "exec"), (8, 9, "fork")]
    ):
        said = raw.header(["p"], pid=pid, ppid=parent, origin=origin, time_ns=time)
        raw.write(tmp_path / f"{pid}.0.raw", said)
    assert [image.pid for image in raw_images.found(tmp_path)[0]] == [5, 9, 8, 7]


def test_a_pipeline_has_the_order_of_its_programs(tmp_path: Path) -> None:
    line = "/bin/true | /bin/cat | /usr/bin/env true | /bin/cat -"
    run = phasemark.profile(["sh", "-c", line], tmp_path / "out", process="all", interval="10k")
    assert run.recording is not None
    programs = [image.program for image in run.recording.images if image.origin != "fork"]
    assert programs == ["sh", "true", "cat", "env", "true", "cat"]
    assert run.recording.images[-1].command[1:] == ("-",)
