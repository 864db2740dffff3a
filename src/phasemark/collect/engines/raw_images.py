"""The process images that raw streams in a folder are of, whichever engine wrote them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from phasemark.collect.engines import notes
from phasemark.collect.process_tree import Image
from phasemark.collect.stream.contents import Header
from phasemark.collect.stream.reader import RawStream
from phasemark.errors import DataError


def found(raw: Path, said: Iterable[str] = ()) -> tuple[list[Image], list[str]]:
    """The images recorded so far, and warnings, one sentence each: of the streams, `said`, and the notes."""
    streams, warnings = _streams(raw)
    noted = notes.read(raw)
    warnings += [w for stream in streams for w in stream.warnings]
    warnings += [*said, *notes.sentences(noted)]
    return _images(streams, noted), [*dict.fromkeys(warnings)]


def _streams(raw: Path) -> tuple[list[RawStream], list[str]]:
    streams, warnings = [], []
    for path in raw.glob("*.raw"):
        try:
            streams.append(RawStream(path))
        except DataError as error:
            warnings.append(f"a process left no readable data: {error.args[0]}")
    # The name tells images apart that began within one tick of the clock.
    streams.sort(key=lambda stream: (stream.header.time_ns, _name_order(stream.path)))
    return streams, warnings


def _name_order(path: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", path.name)]


def _images(streams: list[RawStream], noted: list[notes.Note]) -> list[Image]:
    left = notes.pids(noted, "left")
    stopped = notes.pids(noted, "stopped")
    numbers = _numbers([stream.header for stream in streams])
    images = [
        _image(stream, number, streams[at:], left, stopped)
        for at, (stream, number) in enumerate(zip(streams, numbers, strict=True), 1)
    ]
    return sorted(images, key=lambda image: image.number)


def _numbers(headers: list[Header]) -> list[int]:
    """1, 2, 3 ... as images began: those of a process, then its children, in the order of its forks.

    Which of several children comes to run first, and executes its program, is chance. Pids are given one
    after the other, and begin anew where there are no more.
    """
    after: dict[int, list[int]] = defaultdict(
        list
    )  # of a process's first image: its others, its children's first
    first_of: dict[int, int] = {}  # by pid
    waiting: list[int] = []
    for at, header in enumerate(headers):
        first = first_of.get(header.pid if header.origin == "exec" else header.ppid)
        (waiting if first is None else after[first]).append(at)
        if header.origin != "exec" or first is None:
            first_of[header.pid] = at
    waiting.reverse()
    numbers = [0] * len(headers)
    for number in range(1, len(headers) + 1):
        at = waiting.pop()
        numbers[at] = number
        pid = headers[at].pid
        forked = [(headers[other].pid, other) for other in after[at]]
        forked.sort(key=lambda one: (one[0] != pid, one[0] < pid, one))
        waiting += [other for _, other in reversed(forked)]
    return numbers


def _image(
    stream: RawStream, number: int, later: list[RawStream], left: frozenset[int], stopped: frozenset[int]
) -> Image:
    header = stream.header
    last = not any(s.header.pid == header.pid for s in later)
    ended = stream.total is not None or _executed_another(stream, later) or (last and header.pid in left)
    return Image(
        number,
        header.pid,
        header.ppid,
        header.origin,
        header.args,
        stream.instructions,
        stream.thread_count,
        ended,
        (stream.path,),
        # A collector that can write no more says so in its last record.
        cut=bool(stream.warnings) and not ended,
        stopped=last and header.pid in stopped,
    )


def _executed_another(stream: RawStream, later: list[RawStream]) -> bool:
    """Whether the process went on as another program."""
    next_image = next((s.header for s in later if s.header.pid == stream.header.pid), None)
    return next_image is not None and next_image.origin == "exec"
