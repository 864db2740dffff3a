"""Code that a program compiles while it runs is named after the map that it writes for `perf`."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from phasemark.collect import Recording, Request, code_maps, record
from phasemark.collect.process_tree import Image
from phasemark.store import events_h5
from phasemark.views.names import missing, with_functions

#: Writes two functions, each a loop, and says where; as told, a child runs them, or the map is removed.
_COMPILER = r"""
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static const unsigned char loop[] = {  /* mov %edi,%ecx; 1: dec %ecx; jnz 1b; mov %edi,%eax; ret */
    0x89, 0xf9, 0xff, 0xc9, 0x75, 0xfc, 0x89, 0xf8, 0xc3};
int main(int argc, char **argv) {
    char name[64];
    int all = PROT_READ | PROT_WRITE | PROT_EXEC;
    unsigned char *code = mmap(0, 4096, all, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(code + 64, loop, sizeof loop);
    memcpy(code + 256, loop, sizeof loop);
    sprintf(name, "/tmp/perf-%d.map", getpid());
    FILE *map = fopen(name, "w");
    fprintf(map, "%lx 9 py::old\n%lx 9 JS:*short a.js:1\n%lx 9 _ZN4long4loopEi\n", (long)code + 64,
            (long)code + 64, (long)code + 256);
    fclose(map);
    if (argc > 1 && fork() > 0)
        return wait(0) < 0;
    int sum = ((int (*)(int))(code + 64))(1000) + ((int (*)(int))(code + 256))(30000);
    return sum == 0;
}
"""


@pytest.fixture(scope="module")
def compiler(tmp_path_factory) -> str:
    if not shutil.which("gcc"):
        pytest.skip("needs a C compiler")
    folder = tmp_path_factory.mktemp("compiler")
    (folder / "compiler.c").write_text(_COMPILER)
    subprocess.run(["gcc", "-O1", "-w", "-o", folder / "compiler", folder / "compiler.c"], check=True)
    return str(folder / "compiler")


def _record(request: Request, out: Path) -> Recording:
    """The program's recording; its maps are gone afterwards."""
    recording = record(request, out)
    for image in recording.images:
        Path(f"/tmp/perf-{image.pid}.map").unlink(missing_ok=True)
    return recording


def test_generated_code_has_names_that_stay_when_the_map_is_gone(tmp_path, compiler) -> None:
    recording = _record(Request((compiler,), 10_000, events=True), tmp_path / "out")
    profile = recording.profile
    blocks = with_functions(profile)
    per_block = profile.vectors.column_sums()
    generated = [blocks.modules[m].startswith("[anonymous ") for m in blocks.module.tolist()]
    assert {n for n, yes in zip(blocks.function, generated, strict=True) if yes} == {
        "JS:*short a.js:1", "long::loop(int)",
    }  # fmt: skip
    loop = [name == "long::loop(int)" for name in blocks.function]
    assert per_block[np.array(loop)].sum() == 1 + 2 * 30_000 + 2
    assert "main" in blocks.function
    assert not missing(profile)
    (warning,) = (warning for warning in recording.warnings if "no file holds" in warning)
    assert "names" not in warning
    sites = events_h5.read(tmp_path / "out" / "events.h5")[0].sites
    assert "long::loop(int)" in sites.function
    assert "long::loop(int)" in sites.callee


def test_a_forked_child_runs_what_its_parent_compiled(tmp_path, compiler) -> None:
    recording = _record(Request((compiler, "fork"), 10_000, process="2"), tmp_path / "out")
    assert recording.analysed.origin == "fork"
    assert "long::loop(int)" in recording.profile.block_table.function


def _image(pid: int, origin: str = "start", parent: int = 1) -> Image:
    return Image(1, pid, parent, origin, ("p",), 1, 1, True, ())


@pytest.mark.parametrize("why", ["old", "gone", "pipe", "another's"])
def test_a_map_that_is_none_of_the_run_leaves_what_was_kept(tmp_path, monkeypatch, why) -> None:
    monkeypatch.setattr(code_maps, "FOLDER", tmp_path / "tmp")
    (tmp_path / "tmp").mkdir()
    theirs, kept = tmp_path / "tmp" / "perf-7.map", tmp_path / "perf-7.map"
    theirs.write_text("10 8 first\n")
    code_maps.keep([_image(7)], tmp_path, time.time() - 1)
    theirs.write_text("10 8 second\n")
    if why == "old":
        os.utime(theirs, (1, 1))
    elif why == "another's":
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    else:
        theirs.unlink()
        if why == "pipe":
            os.mkfifo(theirs)
    code_maps.keep([_image(7)], tmp_path, time.time() - 1)
    assert kept.read_text() == "10 8 first\n"
    assert not list(tmp_path.glob("*.new"))


def test_a_child_has_its_parents_map_where_there_are_no_links(tmp_path, monkeypatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(code_maps, "FOLDER", tmp_path / "tmp")
    monkeypatch.setattr(Path, "hardlink_to", refuse)
    (tmp_path / "perf-7.map").write_text("10 8 first\n")
    code_maps.keep([_image(7), _image(8, "fork", 7)], tmp_path, time.time())
    assert (tmp_path / "perf-8.map").read_text() == "10 8 first\n"
