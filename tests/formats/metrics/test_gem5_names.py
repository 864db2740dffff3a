"""What gem5's statistics are called, over its versions, CPU models and memory systems."""

from __future__ import annotations

import pytest

from phasemark.formats.metrics.gem5_names import meaning, structure

KINDS = {
    "l1i": (
        "system.cpu.icache system.cpu0.icache board.cache_hierarchy.l1icaches0 "
        "board.cache_hierarchy.l1i-cache-0 "
        "board.cache_hierarchy.l1_icaches system.il1 system.cpu.l1i system.cpu.l1_inst_cache "
        "system.switch_cpus.icache system.ruby.l1_cntrl0.L1Icache system.cpu3.l1i.cache "
        "board.cache_hierarchy.ruby_system.l1_controllers0.L1Icache "
        "board.cache_hierarchy.ruby_system.l1_controllers0.Icache "
        "board.cache_hierarchy.core_clusters0.icache.cache"
    ),
    "l1d": (
        "system.cpu.dcache system.cpu_cluster.cpus0.dcache board.cache_hierarchy.l1dcaches "
        "board.cache_hierarchy.l1d-cache-12 system.dl1 system.l1d system.cpu.l1_data_cache "
        "system.ruby.l1_cntrl7.L1Dcache system.cp_cntrl0.L1D0cache system.cpu0.l1d.cache "
        "board.cache_hierarchy.ruby_system.l1_controllers.L1Dcache"
    ),
    "l2": (
        "system.l2 system.l2c system.l2cache system.l2cache0 system.cpu.l2cache system.cpu0.l2c "
        "board.cache_hierarchy.l2_cache board.cache_hierarchy.l2-cache-0 testsys.cpu_cluster.l2 "
        "system.ruby.l2_cntrl0.L2cache system.ruby.l1_cntrl0.L2cache system.cpu1.l2.cache "
        "board.cache_hierarchy.ruby_system.l2_controllers3.L2cache "
        "board.cache_hierarchy.ruby_system.l2_controllers0.cache"
    ),
    "l3": (
        "system.l3 system.l3cache board.cache_hierarchy.l3_cache system.llc system.ruby.hnf00.cntrl.cache "
        "board.cache_hierarchy.ruby_system.l3_controllers0.L2cache"
    ),
    "cache": (
        "system.iocache system.cpu.itb_walker_cache system.cpu.dtb_walker_cache system.l1 system.ul2 "
        "system.ruby.l1_cntrl0.cacheMemory system.ruby.l0_cntrl0.Dcache system.ruby.l1_cntrl0.cache "
        "system.l2subsys0.cache1 system.tcc_cntrl0.L2cache system.tcp_cntrl0.L1cache system.mycache "
        "system.ruby.dir_cntrl0.probeFilter system.cpu.mmu.l2 system.l2bus"
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_caches_are_taken_for_one_of_ours_where_the_name_says_it(kind: str) -> None:
    for path in KINDS[kind].split():
        for leaf in ("demandMisses::total", "demand_misses::total", "demand_misses", "m_demand_misses"):
            found = meaning(f"{path}.{leaf}")
            assert found is not None and (found.of.kind, found.counter) == (kind, "misses"), path
            assert found.of.path == path


@pytest.mark.parametrize(
    ("name", "counter", "core", "rank"),
    [
        ("system.cpu.numCycles", "cycles", "system.cpu", 0),
        ("board.cores1.core.commitStats0.numInsts", "instructions", "board.cores1.core", 0),
        ("system.switch_cpus.committedInsts", "instructions", "system.switch_cpus", 1),
        ("system.cpu.committedInsts::total", "instructions", "system.cpu", 1),
        ("system.cpu.exec_context.thread_0.numInsts", "instructions", "system.cpu", 2),
        ("system.cpu_cluster.cpus0.thread_0.numInsts", "instructions", "system.cpu_cluster.cpus0", 2),
        ("system.cpu.branchPred.committed_0::total", "branches", "system.cpu", 0),
        ("system.cpu.commit.branches", "branches", "system.cpu", 1),
        ("system.cpu.commitStats0.committedControl::IsControl", "branches", "system.cpu", 2),
        ("system.cpu.Branches", "branches", "system.cpu", 3),
        ("system.cpu.exec_context.thread_0.numBranches", "branches", "system.cpu", 3),
        ("system.cpu.branchPred.mispredicted_0::total", "branch_mispredictions", "system.cpu", 0),
        ("system.cpu.commit.branchMispredicts", "branch_mispredictions", "system.cpu", 1),
        ("system.cpu.BranchMispred", "branch_mispredictions", "system.cpu", 2),
    ],
)  # fmt: skip
def test_counters_of_cores_of_every_kind(name: str, counter: str, core: str, rank: int) -> None:
    found = meaning(name)
    assert found is not None
    assert (found.counter, found.of.path, found.of.kind, found.rank) == (counter, core, "core", rank)


@pytest.mark.parametrize(
    "name",
    [
        "system.cpu.commit.committedInsts",  # what a part of the core counts again
        "system.cpu.fetchStats0.numInsts",
        "system.cpu.executeStats0.numInsts",
        "system.cpu.executeStats0.numBranches",  # not all of them are committed
        "system.cpu.fetch.Branches",
        "system.cpu.fetch.branches",
        "system.cpu.iew.branchMispredicts",
        "system.cpu.branchPred.lookups_0::total",
        "system.cpu.checker.numCycles",
        "system.cpu.checker.dtb",
        "system.cpu1.CUs0.numCycles",
        "system.cpu.dstage2_mmu.stage2_tlb.misses",
        "system.cpu.mmu.l2_shared.misses",
        "system.cpu.dtb.walker.misses",
        "system.cpu.dcache.ReadReq_misses::total",
        "simInsts",
    ],
)  # fmt: skip
def test_what_means_something_else(name: str) -> None:
    assert meaning(name) is None


@pytest.mark.parametrize(
    ("leaf", "counter", "rank"),
    [("accesses", "accesses", 0), ("hits", "hits", 0), ("misses", "misses", 0),
     ("fetch_misses", "misses", 1), ("data_accesses", "accesses", 1),
     ("rdMisses", "misses", 2), ("wrAccesses", "accesses", 2), ("readAccesses", "accesses", 2),
     ("write_misses", "misses", 2), ("instHits", "hits", 2), ("inst_accesses", "accesses", 2)],
)  # fmt: skip
def test_tlbs_of_every_architecture(leaf: str, counter: str, rank: int) -> None:
    for path, kind in (("system.cpu.itb", "itlb"), ("board.processor.cores.core.mmu.dtb", "dtlb")):
        found = meaning(f"{path}.{leaf}")
        assert found is not None and (found.of.path, found.of.kind) == (path, kind)
        assert (found.counter, found.rank) == (counter, rank)


def test_what_is_below_a_structure_is_of_it() -> None:
    found = structure("system.cpu.dcache.tags")
    assert found is not None and (found.path, found.kind) == ("system.cpu.dcache", "l1d")
    assert structure("system.cpu.branchPred.btb") is None
    assert structure("system.ruby.LD.L2Cache") is None and structure("board.ruby_system.L2Cache") is None
    assert structure("system.membus.pkt_count_system.l2") is None
