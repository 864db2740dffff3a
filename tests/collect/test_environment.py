"""The environment that a program is given is ours as it was."""

from __future__ import annotations

import subprocess
import sys

import pytest

_SHOW = "from phasemark.collect.running import run; {}; run(['/usr/bin/env'])"


@pytest.mark.parametrize(
    ("given", "set_since", "expected"),
    [
        ({}, "", []),
        ({"LC_CTYPE": "C"}, "", ["LC_CTYPE=C"]),
        ({"LC_CTYPE": "C.UTF-8"}, "", ["LC_CTYPE=C.UTF-8"]),
        ({"LC_ALL": "C"}, "", ["LC_ALL=C"]),
        ({}, "import os; os.environ['LC_CTYPE'] = 'de_DE'", ["LC_CTYPE=de_DE"]),
    ],
)
def test_what_python_adds_is_left_out(given: dict[str, str], set_since: str, expected: list[str]) -> None:
    path = {"PYTHONPATH": ":".join(sys.path), "own": "x"}
    script = _SHOW.format(set_since or "pass")
    done = subprocess.run(
        [sys.executable, "-c", script], env={**path, **given}, capture_output=True, text=True, check=True
    )
    assert [line for line in done.stdout.splitlines() if line.startswith("LC_")] == expected
    assert "own=x" in done.stdout
