"""Intervals of variable length of a real program, from the first command to the comparison."""

from __future__ import annotations

import json
from pathlib import Path

from tests.commands import run

from phasemark.workflow import Run


def test_a_program_from_first_to_last(tmp_path: Path) -> None:
    (tmp_path / "sample").write_bytes(Path("/bin/bash").read_bytes()[:20_000])
    words = ("-q", "--json", "--check", "--intervals", "variable", "--min", "20k", "--max", "200k")
    gzip = ("gzip", "-9", "-k", "-f", "sample")
    done = run("run", *words, "--no-report", "-o", "out", "--", *gzip, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    found, made = said["hierarchy"], Run(tmp_path / "out")
    # The first time there was no sample.gz: the events are those of a run that found it.
    assert found["boundaries"]["lost"] <= 0.01 * found["boundaries"]["asked"]
    assert (found["minimum"], found["maximum"]) == (20_000, 200_000)
    assert found["intervals"]["intervals"] == len(made.intervals) > 20
    assert made.profile.events is not None and made.profile.events.data.sum() > 1000
    assert len(made.metrics) == len(made.intervals)
    assert said["check"]["metrics"]["cpi"]["full"] > 0
    assert run("check", "out", cwd=tmp_path).returncode == 0
    assert run("intervals", "out", "--fixed", cwd=tmp_path).returncode == 0
    assert made.profile.provenance.interval is not None and not made.folder.metrics.exists()
    assert run("check", "out", cwd=tmp_path).returncode == 0
