"""Want of memory is said in words, and nothing that was recorded is lost."""

from __future__ import annotations

import errno
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import phasemark
from phasemark import memory
from phasemark.collect import session
from phasemark.errors import WorkError


def limited(kib: int, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", f'ulimit -v {kib}; exec "$@"', "sh", sys.executable, "-m", "phasemark", *words],
        capture_output=True,
        text=True,
        check=False,
    )


def test_too_small_an_address_space_is_said_by_us(tmp_path: Path) -> None:
    done = limited(150_000, "profile", "-o", str(tmp_path / "out"), "--", "true")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("phasemark: only 150,000 KiB of memory may be used (ulimit -v)")
    assert done.stderr.count("\n") == 2 and not (tmp_path / "out").exists()
    assert limited(150_000, "--version").returncode == 0


def test_a_large_one_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in (resource.RLIM_INFINITY, memory.LEAST << 10):
        monkeypatch.setattr(resource, "getrlimit", lambda _, limit=limit: (limit, limit))
        memory.require()


@pytest.mark.parametrize(
    ("error", "lacks"),
    [
        (MemoryError(), True),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), True),
        (OSError(errno.ENOSPC, "No space left on device"), False),
        (ImportError("lib.so: failed to map segment from shared object"), True),
        (ImportError("no such module"), False),
        (RuntimeError("can't start new thread"), True),
        (RuntimeError("other"), False),
    ],
)
def test_what_says_so(error: Exception, lacks: bool) -> None:
    assert memory.lacks(error) is lacks
    try:
        raise ValueError from error
    except ValueError as outer:
        assert memory.lacks(outer) is lacks


@pytest.mark.parametrize("where", ["_finish", "_write", "_short_run"])
def test_what_was_recorded_is_kept(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(session, where, fail)
    with pytest.raises(WorkError, match="not enough memory") as caught:
        phasemark.profile(["true"], tmp_path / "out", interval=1000)
    assert str(tmp_path / "out" / "raw") in caught.value.hint
    assert phasemark.read(tmp_path / "out").instructions > 10_000
