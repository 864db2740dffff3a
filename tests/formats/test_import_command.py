"""phasemark import, as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.commands import run
from tests.formats.samples import DATA, SAMPLES

import phasemark

GEM5 = DATA / "gem5-bootcamp"


def test_import_writes_a_run_that_can_be_read(tmp_path: Path) -> None:
    done = run(
        "import", GEM5 / "simpoint.bb.gz", "--stats", GEM5 / "full-run-stats.txt.gz", "-o", tmp_path / "o"
    )
    assert done.returncode == 0, done.stderr
    assert "9,000,006 instructions, 9 intervals, 1,903 blocks, recorded by gem5" in done.stdout
    assert "115,634 of 9,115,640" in done.stdout
    assert len(phasemark.read(tmp_path / "o").intervals) == 9
    recorded = json.loads((tmp_path / "o" / "run.json").read_text())["steps"]["profile"]
    assert recorded["missing_instructions"] == 115_634


def test_json_is_one_object_and_quiet_is_quiet(tmp_path: Path) -> None:
    done = run("import", "-", "-o", tmp_path, "--json", stdin=SAMPLES["gem5"].content)
    assert json.loads(done.stdout)["intervals"] == 9
    assert run("import", "-", "-o", tmp_path, "-q", stdin=SAMPLES["gem5"].content).stdout == ""


def test_exit_statuses_tell_bad_data_from_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(b"T:1:2\nT:1:x\n")
    bad = run("import", tmp_path / "bad", "-o", tmp_path / "o")
    assert bad.returncode == 3
    assert "bad:2: an entry has no whole count" in bad.stderr
    assert "hint:" in bad.stderr
    assert not (tmp_path / "o").exists()
    both = run("import", tmp_path / "bad", "-o", tmp_path, "--stats", "x", "--instructions", 3)
    assert both.returncode == 2
    endless = run("import", "/dev/zero", "-o", tmp_path / "o")
    assert endless.returncode == 3


def test_the_length_asked_for_is_written_as_elsewhere(tmp_path: Path) -> None:
    vectors = GEM5 / "simpoint.bb.gz"
    for text in ("1M", "1000000"):
        done = run("import", vectors, "-o", tmp_path, "--interval", text, "--json")
        assert json.loads(done.stdout)["interval"] == 1_000_000, done.stderr
    for text in ("auto", "0", "many"):
        done = run("import", vectors, "-o", tmp_path, "--interval", text)
        assert done.returncode == 2 and "hint:" in done.stderr
