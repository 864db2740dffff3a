"""profile.h5: everything of a profile comes back; what is none, or newer, is refused."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from phasemark.errors import DataError
from phasemark.model import Blocks, Counts, Intervals, Markers, Profile, Provenance, Reuse, Sites
from phasemark.store import hdf5, profile_h5


def profile(**symbols: Any) -> Profile:
    """Two runs, a run of two threads; no two columns alike."""
    blocks = Blocks(
        ("/bin/a", "é", ""), [0, 1, 2], [2**63, 0x20, 7], [3, 4, 5], [9, 12, 0], [11, 12, 13], **symbols
    )
    counts = Counts([0, 2, 3, 3, 4], [0, 2, 1, 2], [6, 4, 300, 1], 3)
    intervals = Intervals(
        [0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0], [0, 10, 0, 0], [10, 300, 0, 1], [0, 3, 1, 2]
    )
    return Profile(
        blocks, intervals, counts, Provenance("test", command=("a",), interval=10, warnings=("w",))
    )


SYMBOLS: tuple[dict[str, Any], ...] = (
    {},
    {"function": ("main", "", "f<b>")},
    {"file": ("a.c", "", "é.c"), "line": [3, 0, 2**31]},
    {"function": ("\udcff", "", ""), "file": ("", "", ""), "line": [0, 0, 0]},
)


@pytest.mark.parametrize("symbols", SYMBOLS)
def test_everything_comes_back(symbols: dict[str, Any], tmp_path: Path) -> None:
    path, made = tmp_path / "profile.h5", profile(**symbols)
    seal = profile_h5.write(path, made)
    back = profile_h5.read(path)
    assert seal == hdf5.seal(path)
    assert back.provenance == made.provenance
    assert back.block_table.modules == made.block_table.modules
    for name in ("module", "offset", "instructions", "size", "id"):
        assert getattr(back.block_table, name).tolist() == getattr(made.block_table, name).tolist()
    for name in ("function", "file"):
        assert getattr(back.block_table, name) == symbols.get(name)
    lines = back.block_table.line
    assert (None if lines is None else lines.tolist()) == symbols.get("line")
    for intervals in (back.interval_table, profile_h5.read_intervals(path)):
        for name in ("run", "thread", "index", "start", "length", "kind"):
            assert getattr(intervals, name).tolist() == getattr(made.interval_table, name).tolist()
    for name in ("indptr", "indices", "data", "columns"):
        assert np.array_equal(getattr(back.vectors, name), getattr(made.vectors, name))
    assert back.markers is None


def test_markers_come_back(tmp_path: Path) -> None:
    markers = Markers([2, -1, 0, 1], [1, 0, 7, 8], [2, 0, 0, 2**40])
    profile_h5.write(tmp_path / "profile.h5", dataclasses.replace(profile(), markers=markers))
    back = profile_h5.read(tmp_path / "profile.h5").markers
    assert back is not None
    for name in ("block", "count", "total"):
        assert getattr(back, name).tolist() == getattr(markers, name).tolist()
    assert back.site is None


def test_reuse_comes_back(tmp_path: Path) -> None:
    reuse = Reuse(np.arange(4 * 3).reshape(4, 3), np.arange(12, 24).reshape(4, 3), 64)
    profile_h5.write(tmp_path / "profile.h5", dataclasses.replace(profile(), reuse=reuse))
    back = profile_h5.read(tmp_path / "profile.h5").reuse
    assert back is not None and back.lines == 64
    assert back.data.tolist() == reuse.data.tolist() and back.code.tolist() == reuse.code.tolist()


def test_reuse_of_other_intervals_is_none(tmp_path: Path) -> None:
    path = tmp_path / "profile.h5"
    profile_h5.write(path, dataclasses.replace(profile(), reuse=Reuse([[0] * 3] * 4, [[0] * 3] * 4, 64)))
    with h5py.File(path, "r+") as file:
        file["reuse"].attrs["bands"] = 4
    with pytest.raises(DataError, match="reuse of data has 12 counts, not 4 for each of 4 intervals"):
        profile_h5.read_unsealed(path)


def test_the_sites_of_markers_come_back(tmp_path: Path) -> None:
    made = dataclasses.replace(
        profile(),
        markers=Markers([2, -1, 0, 1], [1, 0, 7, 8], [2, 0, 0, 8], [-1, 0, -1, 0]),
        sites=Sites(("/bin/a",), [0], [5], [0], [0], [7]),
        events=Counts([0, 0, 1, 1, 1], [0], [3], 1),
    )
    profile_h5.write(tmp_path / "profile.h5", made)
    back = profile_h5.read(tmp_path / "profile.h5").markers
    assert back is not None and back.site is not None and back.site.tolist() == [-1, 0, -1, 0]
    assert back.frame().columns.tolist() == ["block", "count", "total", "site"]


@pytest.mark.parametrize("site", [[-1, 1, 0, 0], [-2, 0, 0, 0], [0, 0, 0]])
def test_a_marker_at_no_site_is_refused(site: list[int]) -> None:
    sites, events = Sites(("/bin/a",), [0], [5], [0], [0], [7]), Counts([0] * 5, [], [], 1)
    with pytest.raises(DataError):
        markers = Markers([-1] * 4, [0] * 4, [0] * 4, site)
        dataclasses.replace(profile(), markers=markers, sites=sites, events=events)


def test_a_second_signature_comes_back(tmp_path: Path) -> None:
    sites = Sites(
        ("/bin/a", "é"), [0, 1], [2**63, 5], [0, 3], [1, -1], [7, 0],
        function=("f", ""), file=("a.c", ""), line=[3, 0], callee=("g", ""),
    )  # fmt: skip
    events = Counts([0, 2, 2, 3, 3], [0, 1, 1], [5, 1, 2**40], 2)
    for each in (sites, dataclasses.replace(sites, function=None, file=None, line=None, callee=None)):
        made = dataclasses.replace(profile(), sites=each, events=events)
        profile_h5.write(tmp_path / "profile.h5", made)
        back = profile_h5.read(tmp_path / "profile.h5")
        assert back.sites is not None and back.events is not None
        for one, other in ((each, back.sites), (events, back.events)):
            for name, value in vars(one).items():
                assert np.array_equal(value, getattr(other, name)), name


def test_a_profile_of_nothing_comes_back(tmp_path: Path) -> None:
    blocks, counts = Blocks((), [], [], [], []), Counts([0], [], [], 0)
    profile_h5.write(tmp_path / "a.h5", Profile(blocks, Intervals.of_thread([]), counts, Provenance("t")))
    back = profile_h5.read(tmp_path / "a.h5")
    assert (len(back.block_table), len(back.interval_table), back.instructions) == (0, 0, 0)


def test_the_file_is_laid_out_as_its_page_says(tmp_path: Path) -> None:
    path = tmp_path / "profile.h5"
    profile_h5.write(path, profile(function=("a", "b", "c"), file=("", "", ""), line=[1, 2, 3]))
    with h5py.File(path) as file:
        assert (file.attrs["format"], file.attrs["format_version"]) == ("phasemark-profile", 1)
        assert Provenance.from_json(file.attrs["provenance"]) == profile().provenance
        names = sorted(name for name in file)
        assert names == ["blocks", "counts", "intervals", "modules"]
        assert set(file["blocks"]) == {
            *("module", "offset", "instructions", "size", "id"),
            *("function", "file", "line"),
        }
        assert set(file["intervals"]) == {"run", "thread", "index", "start", "length", "kind"}
        assert set(file["counts"]) == {"indptr", "indices", "data"}
        assert file["counts/indices"].dtype == np.uint8  # of three blocks
        assert file["counts/data"].dtype == np.uint16  # of 300 instructions
        assert file["counts/data"].compression == "gzip" and file["counts/data"].shuffle


def bend(path: Path, change: Callable[[h5py.File], object]) -> None:
    """Change a file as another program would, and give it the digest of what it is then."""
    content = path.read_bytes()
    path.write_bytes(content[: content.index(b"\nphasemark blake2b ")])
    with h5py.File(path, "r+") as file:
        change(file)
    path.write_bytes(hdf5.sealed_content(path.read_bytes()))


def put(name: str, values: Any) -> Callable[[h5py.File], object]:
    return lambda file: file[name].__setitem__(slice(None), values)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.attrs.pop("format"), "an HDF5 file, but no phasemark profile"),
        (lambda f: f.attrs.update(format="phasemark-model"), "an HDF5 file, but no phasemark profile"),
        (
            lambda f: f.attrs.update(format_version=2),
            "written in profile format 2; this phasemark reads up to 1",
        ),
        (lambda f: f.attrs.pop("format_version"), "its attribute format_version is missing"),
        (lambda f: f.attrs.update(provenance="{"), "provenance is no JSON object"),
        (lambda f: f.pop("modules"), "/modules is missing"),
        (lambda f: f["blocks"].pop("id"), "/blocks/id is missing"),
        (put("counts/data", [6, 5, 300, 1]), "row 0: the counts of an interval do not sum to its length"),
        (put("counts/indices", [0, 3, 1, 2]), "row 0: a count names a block that is not there"),
        (put("blocks/size", [9, -1, 0]), "row 1: a block has a negative size"),
        (put("intervals/kind", [0, 9, 0, 0]), "row 1: an interval is of an unknown kind"),
    ],
)
def test_what_is_no_profile_is_refused_by_name(
    change: Callable[[h5py.File], object], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "profile.h5"
    profile_h5.write(path, profile())
    bend(path, change)
    with pytest.raises(DataError) as caught:
        profile_h5.read(path)
    assert str(caught.value).startswith(str(path)) and message in str(caught.value)


def test_an_older_format_is_read(tmp_path: Path) -> None:
    path = tmp_path / "profile.h5"
    profile_h5.write(path, profile())
    bend(path, lambda file: file.attrs.update(format_version=0))
    assert profile_h5.read(path).instructions == 311


def test_intervals_alone_are_read_from_a_profile_alone(tmp_path: Path) -> None:
    path = tmp_path / "profile.h5"
    profile_h5.write(path, profile())
    bend(path, lambda file: file.attrs.update(format="x"))
    with pytest.raises(DataError, match="no phasemark profile"):
        profile_h5.read_intervals(path)


def test_a_profile_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    profile_h5.write(tmp_path / "a", profile())
    (tmp_path / "b").write_text("T:1:2\n")
    (tmp_path / "c").touch()
    assert [profile_h5.is_profile(tmp_path / name) for name in "abc"] == [True, False, False]
