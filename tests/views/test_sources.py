"""The text of source lines."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from phasemark.model import Blocks
from phasemark.views import sources
from phasemark.views.sources import Sources

#: When the module was built, seconds.
BUILT = 1_000_000


def of(file: str, module: Path) -> Sources:
    one = np.ones(1, np.int64)
    return Sources(
        Blocks((str(module),), 0 * one, 0 * one, one, one, function=("f",), file=(file,), line=one)
    )


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "prog"
    path.write_bytes(b"")
    os.utime(path, (BUILT, BUILT))
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.c"
    path.write_bytes(b"int main(void) {\n\treturn  0; \x1b[31m\xff\r\n}")
    os.utime(path, (BUILT - 1, BUILT - 1))
    return path


def test_a_line_is_shown_without_indentation_and_control_characters(file: Path, module: Path) -> None:
    found = of(str(file), module)
    assert found.line(f"{file}:1") == "int main(void) {"
    assert found.line(f"{file}:2") == "return 0; [31m\ufffd"
    assert [found.line(f"{file}:{line}") for line in ("3", "0", "4", "x", "9" * 5000)] == [
        "}",
        "",
        "",
        "",
        "",
    ]


def test_a_long_line_is_cut(file: Path, module: Path) -> None:
    file.write_text("x" * 10_000)
    os.utime(file, (BUILT, BUILT))
    assert of(str(file), module).line(f"{file}:1") == "x" * 159 + "\u2026"


def test_a_file_that_was_changed_after_the_build_is_not_shown(file: Path, module: Path) -> None:
    os.utime(file, (BUILT + 1, BUILT + 1))
    assert of(str(file), module).line(f"{file}:1") == ""


def test_a_file_that_is_large_or_no_file_or_gone_is_not_shown(
    file: Path, module: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    os.utime(pipe, (BUILT, BUILT))
    assert of(str(pipe), module).line(f"{pipe}:1") == ""
    assert of(str(tmp_path / "none"), module).line(f"{tmp_path}/none:1") == ""
    assert of(str(file), tmp_path / "gone").line(f"{file}:1") == ""
    monkeypatch.setattr(sources, "_LARGEST", 4)
    assert of(str(file), module).line(f"{file}:1") == ""


def test_a_relative_path_is_looked_for_nowhere(
    file: Path, module: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    assert of("a.c", module).line("a.c:1") == ""


def test_a_line_of_a_file_that_no_block_is_of_is_not_read(file: Path, module: Path) -> None:
    assert of("", module).line(f"{file}:1") == ""
