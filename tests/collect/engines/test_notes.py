"""What the collector noted, as people read it."""

from __future__ import annotations

from pathlib import Path

from phasemark.collect.engines import notes


def test_lines_are_read_and_counted(tmp_path: Path) -> None:
    (tmp_path / "notes").write_bytes(
        b"left 7 a went\nleft 8 a went\ntold 7 so\nnothing\ntold x y\n"
        b"stopped 9 no clone\nunrecorded 5 \xff\ncut 4"
    )
    found = notes.read(tmp_path)
    assert [(note.kind, note.pid) for note in found] == [
        ("left", 7),
        ("left", 8),
        ("told", 7),
        ("stopped", 9),
        ("unrecorded", 5),
    ]
    assert notes.pids(found, "left", "stopped") == {7, 8, 9}
    assert notes.sentences(found)[:2] == ["a went (2 times)", "so"]
    assert notes.lost(found) == [
        "a went (2 times)",
        "the collector had to end the program: no clone; what it did until then is kept",
        "\ufffd",
    ]
    assert notes.read(tmp_path / "none") == []
