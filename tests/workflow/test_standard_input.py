"""Standard input of a program that runs more than once."""

from __future__ import annotations

import os
from pathlib import Path

from phasemark.workflow.standard_input import StandardInput


def test_a_file_is_read_again_from_where_it_stood(tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(b"0123456789")
    with path.open("rb", buffering=0) as file:
        file.seek(3)
        stdin = StandardInput.here(file.fileno())
        assert stdin == StandardInput(file.fileno(), 3)
        for _ in range(2):
            assert stdin.rewound() == file.fileno()
            assert os.read(file.fileno(), 100) == b"3456789"


def test_a_pipe_goes_on() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"0123456789")
    stdin = StandardInput.here(reading)
    assert stdin == StandardInput(reading, None)
    for expected in (b"01", b"23"):
        assert stdin.rewound() == reading
        assert os.read(reading, 2) == expected
    os.close(reading)
    os.close(writing)
    assert StandardInput.here(reading) == StandardInput(reading, None)


def test_no_input() -> None:
    assert StandardInput.none() == StandardInput(None, None)
    assert StandardInput.none().rewound() is None
    assert StandardInput(None, 3).rewound() is None


def test_it_is_ours_unless_another_is_named() -> None:
    assert StandardInput.here().descriptor == 0
