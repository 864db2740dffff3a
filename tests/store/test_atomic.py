"""Writing whole files, and writing to what is no file."""

import os
import stat
import threading
from pathlib import Path

import pytest

from phasemark.errors import WorkError
from phasemark.store.atomic import replacing, write_text


def test_what_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_text(path, "before")
    with pytest.raises(ValueError, match="broken"), replacing(path) as temporary:
        temporary.write_text("after")
        raise ValueError("broken")
    assert path.read_text() == "before" and list(tmp_path.iterdir()) == [path]
    with pytest.raises(WorkError, match="cannot be written"):
        write_text(tmp_path / "none" / "a", "")


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    write_text(pipe, "all of it")
    reader.join(10)
    assert read == ["all of it"] and stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(WorkError, match="cannot be written"):
        write_text(tmp_path / "a", "")


def test_a_descriptor_is_written_to(tmp_path: Path) -> None:
    """/dev/stdout is such a link; as root, replacing it would break the machine."""
    with (tmp_path / "out").open("w") as file:
        file.write("before\n")
        file.flush()
        write_text(f"/dev/fd/{file.fileno()}", "here\n")
        file.write("after\n")
    assert (tmp_path / "out").read_text() == "before\nhere\nafter\n"


def test_names_that_are_no_text_keep_their_bytes(tmp_path: Path) -> None:
    write_text(tmp_path / "a", "caf\udce9")
    assert (tmp_path / "a").read_bytes() == b"caf\xe9"
