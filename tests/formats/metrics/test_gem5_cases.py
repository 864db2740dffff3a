"""Stats that were once read wrongly, by every command that reads stats; excerpts of gem5's own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.commands import run
from tests.formats.metrics.files import command

from phasemark.checking import check_file
from phasemark.formats.metrics import gem5_stats
from phasemark.model import Metrics
from phasemark.store import metrics_csv
from phasemark.store.folder import Folder

DATA = Path(__file__).parents[2] / "data"
CASES = DATA / "reader-faults"
EXCERPTS = DATA / "gem5-excerpts"


def imported(
    tmp_path: Path, case: str, *options: str, vectors: str = "run.bb", name: str = "stats.txt"
) -> Metrics:
    """What `import --metrics` makes of a case."""
    folder = tmp_path / "out"
    run("import", CASES / case / vectors, "--interval", "10000", "-o", folder, "--quiet")
    command(CASES / case / name, "-o", folder, "--quiet", *options)
    return metrics_csv.read(Folder(folder).metrics)


def test_names_until_v20(tmp_path: Path) -> None:
    found = imported(tmp_path, "gem5-old-names")
    pairs = {kind: (found.values(f"{kind}_references")[0], found.values(f"{kind}_misses")[0])
             for kind in ("l1d", "l1i", "l2", "dtlb")}  # fmt: skip
    assert pairs == {"l1d": (4000, 400), "l1i": (11000, 100), "l2": (500, 250), "dtlb": (3000, 7)}
    assert (found.values("l1d_mpki")[0], found.values("l2_mpki")[0]) == (40, 25)
    assert found.values("cpi")[0] == 2 and found.units["system.cpu.numCycles"] == "unknown"


@pytest.mark.parametrize(
    ("case", "count"),
    [("gem5-old-names", 10_000), ("gem5-siminsts-not-reset", 2_000_002),
     ("gem5-old-names-each-dump", 2_000_002), ("gem5-late-core-cycles", 230_000)],
)  # fmt: skip
def test_check_and_stats_count_what_the_cores_committed(tmp_path: Path, case: str, count: int) -> None:
    stats = CASES / case / "stats.txt"
    assert gem5_stats.instructions(stats) == count
    assert f"{count:,} instructions" in check_file(stats).found
    said = run("import", CASES / case / "run.bb", "--stats", stats, "-o", tmp_path)
    assert said.returncode == 0 and "in no vector" not in said.stdout + said.stderr


def test_check_reads_every_counter(tmp_path: Path) -> None:
    text = (CASES / "gem5-cache-names" / "stats.txt").read_text()
    path = tmp_path / "stats.txt"
    path.write_text(text.replace(" 4000 ", " many "))
    assert text.count(" 4000 ") == 1 and "'many' is no number" in str(check_file(path).error)


def test_dumps_that_were_reset_between(tmp_path: Path) -> None:
    found = imported(tmp_path, "gem5-old-names-each-dump", "--each-dump")
    assert found.values("instructions").tolist() == [1_000_000, 1_000_002]
    assert found.values("cycles").tolist() == [3_000_000, 2_400_000]


def test_a_dump_after_a_reset_and_a_pause(tmp_path: Path) -> None:
    """sim_ticks of the second are less than what passed, so it was reset; sim_insts, never reset, agrees."""
    found = imported(tmp_path, "gem5-old-names-each-dump", "--each-dump", vectors="grow.bb", name="grow.txt")
    assert found.values("instructions").tolist() == [1_000_000, 2_000_002]
    assert found.values("cycles").tolist() == [3_000_000, 4_200_000]
    assert gem5_stats.instructions(CASES / "gem5-old-names-each-dump" / "grow.txt") == 3_000_002


def test_a_cache_called_l2_cache(tmp_path: Path) -> None:
    found = imported(tmp_path, "gem5-cache-names")
    assert (found.values("l2_references")[0], found.values("l2_misses")[0]) == (500, 250)
    assert found.values("board.cache_hierarchy.l2_cache.demandMisses::total")[0] == 250


def test_branches_of_a_simple_cpu(tmp_path: Path) -> None:
    found = imported(tmp_path, "gem5-branches-simple-cpu")
    assert found.values("branches")[0] == 1700 and "branch_mispredictions" not in found.counters


def test_a_core_that_wakes_late(tmp_path: Path) -> None:
    found = imported(tmp_path, "gem5-late-core-cycles", "--each-dump")
    assert found.values("cycles").tolist() == [500_000, 80_000]
    notes = " ".join(Folder(tmp_path / "out").steps()["metrics"]["notes"])
    assert "cores1.core counts 540,000 cycles in dump 1, which lasted 40,000" in notes


def test_ruby_of_an_old_gem5() -> None:
    """Alpha: data_ and fetch_; distributions in one line; caches without a total."""
    found = gem5_stats.read(EXCERPTS / "ruby-mesi-two-level.txt")
    mine = {name: values[0] for name, values in found.counters.items() if "." not in name}
    assert {name: mine[name] for name in mine if not name.startswith("sim")} == {
        "instructions": 6403, "cycles": 129_075, "branches": 1056,
        "l1i_references": 6413, "l1i_misses": 691, "l1d_references": 2050, "l1d_misses": 800,
        "l2_references": 1491, "l2_misses": 1461,
        "itlb_references": 6431, "itlb_misses": 17, "dtlb_references": 2060, "dtlb_misses": 10,
    }  # fmt: skip
    assert not found.notes
    assert found.counters["system.ruby.latency_hist_seqr::total"][0] == 8463
    assert not [name for name in found.counters if "percent" in name or "mean" in name or "clock" in name]


def test_an_out_of_order_core_of_an_old_gem5() -> None:
    found = gem5_stats.read(EXCERPTS / "arm-o3.txt")
    mine = {name: values[0] for name, values in found.counters.items() if "." not in name}
    assert {name: mine[name] for name in mine if not name.startswith("sim")} == {
        "instructions": 113_136_633, "cycles": 268_176_607,
        "branches": 26_042_703, "branch_mispredictions": 716_529,
        "l1i_references": 66_032_151, "l1i_misses": 1_980_584,
        "l1d_references": 43_124_146, "l1d_misses": 4_306_592,
        "l2_references": 2_785_764, "l2_misses": 168_370,
        "itlb_references": 66_049_064, "itlb_misses": 12_753,
        "dtlb_references": 45_348_889, "dtlb_misses": 70_955,
    }  # fmt: skip
    assert mine["sim_seconds"] == 2.829109 and found.units["sim_seconds"] == "seconds"
    assert found.counters["system.iocache.demand_misses::total"][0] == 36_444
    assert not [name for name in found.counters if "rate" in name or name.endswith(("cpi", "ipc"))]
    assert not np.isnan(np.concatenate(list(found.counters.values()))).any() and not found.notes
