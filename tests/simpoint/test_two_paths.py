"""The light path of the drop-in is the full one, to the byte: files, printed lines and errors."""

from __future__ import annotations

import contextlib
import io
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phasemark import points, signatures
from phasemark.errors import PhasemarkError
from phasemark.formats.vectors import profiles
from phasemark.phases import SimPoint
from phasemark.simpoint import full, light
from phasemark.simpoint.flags import Flags
from phasemark.simpoint.parsing import parse

FILES = {"-saveSimpoints": "s", "-saveSimpointWeights": "w", "-saveLabels": "l"}

entries = st.dictionaries(st.integers(1, 12), st.integers(1, 10**6), max_size=6)


@st.composite
def phased_rows(draw: st.DrawFn) -> list[dict[int, int]]:
    """A program of a few phases: rows of one behaviour that differ a little."""
    behaviours = draw(st.lists(entries.filter(bool), min_size=1, max_size=4))
    noise = draw(st.integers(0, 50))
    steps = draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, noise)), min_size=1, max_size=40))
    return [
        {block: n + more for block, n in behaviours[which % len(behaviours)].items()} for which, more in steps
    ]


def noisy_rows(seed: int, n: int) -> list[dict[int, int]]:
    """A program without phases: seeds and iterations matter."""
    draw = random.Random(seed)
    return [{block: draw.randint(1, 10**6) for block in range(1, 13)} for _ in range(n)]


#: Rows without an instruction, the same row again, a single row, or phases.
rows_of_vectors = st.one_of(
    st.lists(entries, min_size=1, max_size=12),
    st.builds(lambda row, times: [row] * times, entries, st.integers(1, 12)),
    st.lists(entries, min_size=1, max_size=6).map(lambda rows: rows + rows[:3]),
    phased_rows(),
    st.builds(noisy_rows, st.integers(0, 99), st.integers(30, 90)),
    st.builds(lambda rows, at: [*rows[:at], {}, *rows[at:]], phased_rows(), st.integers(0, 40)),
)  # fmt: skip

ks = st.one_of(
    st.integers(1, 14).map(lambda k: f"-k {k}"),
    st.lists(st.integers(1, 14), min_size=1, max_size=4).map(lambda k: f"-k {','.join(map(str, k))}"),
    st.builds("-k {}:{}".format, st.integers(1, 9), st.integers(1, 9)),
    st.builds("-k {}:{}:{}".format, st.integers(1, 9), st.integers(1, 3), st.integers(1, 9)),
    st.integers(1, 40).map(lambda k: f"-maxK {k}"),
    st.integers(1, 40).map(lambda k: f"-k search -maxK {k}"),
)
seeds = st.one_of(st.integers(-3, 3), st.integers(-(2**70), 2**70))


@st.composite
def more_flags(draw: st.DrawFn) -> str:
    """Flags that the light path takes, each given or not."""
    values = {
        "-dim": st.integers(1, 20),
        "-seedkm": seeds,
        "-seedproj": seeds,
        "-bicThreshold": st.sampled_from(["0", "0.3", "0.9", "1", "1e-9"]),
        "-iters": st.sampled_from(["1", "2", "5", "100", "off"]),
        "-numInitSeeds": st.integers(1, 4),
        "-verbose": st.integers(0, 2),
    }
    given_flags = draw(st.sets(st.sampled_from(sorted(values))))
    words = [f"{flag} {draw(values[flag])}" for flag in sorted(given_flags)]
    return " ".join([*words, *(["-noCache"] if draw(st.booleans()) else [])])


def write(path: Path, rows: list[dict[int, int]]) -> None:
    lines = ("T" + " ".join(f":{block}:{n}" for block, n in row.items()) for row in rows)
    path.write_text("\n".join(lines) + "\n")


def outcome(run: Callable[[Flags], None], flags: Flags, folder: Path) -> dict[str, object]:
    """What is printed, raised and written."""
    out, err = io.StringIO(), io.StringIO()
    raised = None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            run(flags)
        except PhasemarkError as error:
            raised = (type(error), str(error))
    written = {name: (folder / name) for name in FILES.values() if (folder / name).exists()}
    content = {name: path.read_bytes() for name, path in written.items()}
    for path in written.values():
        path.unlink()
    return {"out": out.getvalue(), "err": err.getvalue(), "raised": raised, "files": content}


@settings(deadline=None, max_examples=300)
@given(rows=rows_of_vectors, k=ks, more=more_flags(), saved=st.sets(st.sampled_from(sorted(FILES))))
def test_both_paths_say_and_write_the_same(
    rows: list[dict[int, int]], k: str, more: str, saved: set[str]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "v", rows)
        files = [word for flag in sorted(saved) for word in (flag, str(folder / FILES[flag]))]
        flags = parse(["-loadFVFile", str(folder / "v"), *k.split(), *more.split(), *files])
        assert light.suits(flags)
        short = outcome(light.run, flags, folder)
        assert short == outcome(full.run, flags, folder)
        good = any(rows)
        assert (short["raised"] is None) == good
        assert short["files"] if good and saved else not short["files"]  # type: ignore[truthy-bool]


@settings(deadline=None, max_examples=100)
@given(
    rows=rows_of_vectors.filter(any), k=st.integers(1, 9), seed=st.integers(0, 99), dims=st.integers(1, 16)
)
def test_the_light_path_is_the_library(rows: list[dict[int, int]], k: int, seed: int, dims: int) -> None:
    """What `phases.SimPoint` and `points.nearest` give of the same vectors, all of equal weight."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "v", rows)
        line = f"-k {k} -seedkm {seed} -seedproj {seed} -dim {dims}".split()
        files = [word for flag, file in FILES.items() for word in (flag, str(folder / file))]
        flags = parse(["-loadFVFile", str(folder / "v"), *line, *files])
        content = outcome(light.run, flags, folder)["files"]
        profile = profiles.read([folder / "v"])
    weights = (profile.interval_table.length > 0) / (profile.interval_table.length > 0).sum()
    matrix = signatures.project(profile, dims, seed).matrix
    model = SimPoint(k=[k], seed=seed, max_iter=100).fit(matrix, sample_weight=weights)
    phases = model.phases_of(model.k_)
    picked = points.nearest(profile.interval_table, phases, weights, ties="earliest")
    assert isinstance(content, dict)
    assert [int(line.split()[0]) for line in content["l"].splitlines()] == phases.labels.tolist()
    assert [int(line.split()[0]) for line in content["s"].splitlines()] == (
        picked.interval[np.argsort(picked.phase)].tolist()
    )
    assert [line.split()[0] for line in content["w"].decode().splitlines()] == [
        f"{weight:g}" for weight in picked.weight[np.argsort(picked.phase)]
    ]


@pytest.mark.parametrize(
    "more",
    ["-dim noProject", "-fixedLength off", "-coveragePct 0.5", "-saveAll", "-initkm samp", "-sampleSize 3",
     "-loadVectorWeights f", "-saveFinalCtrs c", "-saveInitCtrs c", "-saveVectorsTxtFmt v",
     "-saveVectorsBinFmt v", "-saveVectorWeights v", "-saveProjMatrixTxtFmt p", "-loadProjMatrixBinFmt p",
     "-initkm ff"],
)  # fmt: skip
def test_other_flags_go_the_full_way(more: str) -> None:
    assert not light.suits(parse(f"-loadFVFile f -k 3 -saveSimpoints s {more}".split()))


def test_flags_that_load_something_else_go_the_full_way() -> None:
    for line in (
        "-loadVectorsTxtFmt f -fixedLength on -k 3",
        "-loadFVFile f -loadInitCtrs c",
        "-loadFVFile f -loadInitLabels c",
    ):
        assert not light.suits(parse(line.split()))
