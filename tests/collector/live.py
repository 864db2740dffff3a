"""Running a program whose intervals are sent through a pipe."""

from __future__ import annotations

import fcntl
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.collector.harness import command, qemu_command
from tests.reference.live_stream import Image, read
from tests.waiting import LONG


@contextmanager
def pipe(folder: Path, size: int | None = None) -> Iterator[int]:
    """The pipe in a folder, open for reading; it ends once nobody writes."""
    folder.mkdir(exist_ok=True)
    os.mkfifo(folder / "live")
    reads = os.open(folder / "live", os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(reads, True)
    if size is not None:
        fcntl.fcntl(reads, fcntl.F_SETPIPE_SZ, size)
    try:
        yield reads
    finally:
        os.close(reads)


def line(
    folder: Path,
    *program: object,
    interval: int = 1000,
    counters: int = 32,
    seed: int = 1,
    engine: str = "valgrind",
    options: tuple[str, ...] = (),
) -> list[str]:
    """The command line."""
    words = [*map(str, program)]
    if engine == "qemu":
        live = (f"--live={counters}", f"--seed={seed}")
        words[:1] = qemu_command(folder, words[0], *live, interval=interval)
        return words
    return [*command(folder, f"--live={counters},{seed}", *options, interval=interval), *words]


def follow(folder: Path, *program: object, **how: object) -> tuple[int, list[Image]]:
    """How it ended, and its images."""
    with pipe(folder) as reads:
        keeps = os.open(folder / "live", os.O_WRONLY)
        pieces: list[bytes] = []

        def take() -> None:
            while piece := os.read(reads, 1 << 16):
                pieces.append(piece)

        taking = threading.Thread(target=take)
        taking.start()
        try:
            words = line(folder, *program, **how)  # type: ignore[arg-type]
            done = subprocess.run(words, check=False, timeout=LONG, stdout=subprocess.DEVNULL)
        finally:
            os.close(keeps)
            taking.join()
    return done.returncode, read(b"".join(pieces))
