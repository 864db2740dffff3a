"""A file of every kind that phasemark reads, to be bent; small, as most bends then matter."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np
from tests.cli.runs import with_metrics
from tests.formats.samples import DATA, SAMPLES
from tests.formats.test_recogniser import FILES
from tests.store.test_events_h5 import packed
from tests.store.test_hierarchy_h5 import hierarchy

from phasemark.formats.vectors import simpoint_tables
from phasemark.formats.vectors.simpoint_tables import Table
from phasemark.store import events_h5, hierarchy_h5
from phasemark.store.hierarchy_h5 import StoredHierarchy
from phasemark.workflow import Run

#: Of a real file, the bytes that are taken: the heads and their first lines are where readers decide.
_MOST = 6000


@dataclass(frozen=True)
class Sample:
    """A good file.

    Attributes:
        name: what it is called; readers of some kinds ask for it.
        content: its bytes.
    """

    name: str
    content: bytes


def samples(scratch: Path) -> dict[str, Sample]:
    """What it is -> a file of it, made in `scratch`."""
    return dict(
        [
            *_kinds(),
            *_dialects(),
            *_of_a_run(scratch / "run"),
            *_events(scratch),
            *_hierarchy(scratch),
            *_tables(scratch),
            *_public(),
            *_configurations(),
        ]
    )


def _kinds() -> Iterator[tuple[str, Sample]]:
    for kind, (name, text, *_) in FILES.items():
        yield f"kind {kind}", Sample(name, text.encode())


def _dialects() -> Iterator[tuple[str, Sample]]:
    for name, sample in SAMPLES.items():
        lines = sample.content.splitlines(keepends=True)
        few = sample.content if len(sample.content) < _MOST else b"".join(lines[:6] + lines[-3:])
        yield f"vectors of {name}", Sample("bb.out", few)
    yield "vectors in gzip", Sample("bb.gz", gzip.compress(SAMPLES["simpoint"].content, mtime=0))


def _of_a_run(path: Path) -> Iterator[tuple[str, Sample]]:
    """Every file that steps write."""
    folder = with_metrics(path, [1, 1, 1, 2, 2, 2, 3, 3])
    run = Run(path)
    run.estimate()
    run.quality(against_k=True)
    for file in sorted(folder.path.iterdir()):
        if file.is_file() and file.suffix != ".html":
            yield f"a run's {file.name}", Sample(file.name, file.read_bytes())


def _events(scratch: Path) -> Iterator[tuple[str, Sample]]:
    events_h5.write(scratch / "events.h5", packed())
    yield "a run's events.h5", Sample("events.h5", (scratch / "events.h5").read_bytes())


def _hierarchy(scratch: Path) -> Iterator[tuple[str, Sample]]:
    hierarchy_h5.write(scratch / "hierarchy.h5", StoredHierarchy(hierarchy(), {"seed": 1}))
    yield "a run's hierarchy.h5", Sample("hierarchy.h5", (scratch / "hierarchy.h5").read_bytes())


def _tables(scratch: Path) -> Iterator[tuple[str, Sample]]:
    """SimPoint's own tables of vectors."""
    table = Table(np.arange(12.0).reshape(4, 3), np.array([0.1, 0.2, 0.3, 0.4]))
    for name, write in (
        ("text", simpoint_tables.write_text_table),
        ("binary", simpoint_tables.write_binary_table),
    ):
        write(scratch / name, table)
        yield f"SimPoint's {name} table", Sample(name, (scratch / name).read_bytes())
    yield "SimPoint's numbers", Sample("numbers", b"0.1 0.2\n0.3 4e-1\n")


def _public() -> Iterator[tuple[str, Sample]]:
    """Real files, or files after real ones, of tests elsewhere."""
    taken = [DATA / "gem5-bootcamp" / "simpoint0-run-stats.txt.gz"]
    taken += [DATA / "gem5-bootcamp" / f"results.{kind}" for kind in ("simpts", "weights")]
    taken += [path for name in ("reader-faults", "champsim") for path in sorted((DATA / name).rglob("*"))]
    for path in taken:
        if path.is_file() and path.suffix not in (".md", ".py", ".sh"):
            content = path.read_bytes()
            plain = gzip.decompress(content) if path.suffix == ".gz" else content
            yield str(path.relative_to(DATA)), Sample(path.name.removesuffix(".gz"), plain[:_MOST])


def _configurations() -> Iterator[tuple[str, Sample]]:
    preset = resources.files("phasemark.simulate").joinpath("presets/modern.toml").read_bytes()
    yield "a simulator's configuration", Sample("core.toml", preset)
