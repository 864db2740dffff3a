"""What gem5's statistics are called: the one table, over its versions 19 to 25.

A statistic's name is the path of a structure of the simulated machine, and what it counts. The path is the
choice of whoever wrote the configuration (`system.cpu0`, `board.processor.cores0.core`), and so are the
names of caches: they are taken for one of ours where they say it plainly. What is counted is named by gem5,
in another way by each generation (`demand_misses` until v20, `demandMisses` since, `m_demand_misses` in Ruby)
and by each model of a CPU.

Names are from gem5's sources (github.com/gem5/gem5, tags v19.0.0.0 to v25.0: src/cpu, src/mem/cache,
src/mem/ruby, src/arch, configs/ruby, src/python/gem5/components) and from stats.txt files of public
repositories.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

__all__ = ["CACHES", "OLD_NAMES", "TLBS", "Meaning", "Structure", "meaning", "structure"]

#: Names until v20 -> those since, of what is of no structure.
OLD_NAMES = {
    "sim_insts": "simInsts",
    "sim_ticks": "simTicks",
    "final_tick": "finalTick",
    "sim_seconds": "simSeconds",
}

CACHES = ("l1i", "l1d", "l2", "l3")
TLBS = ("itlb", "dtlb")

_INDEX = r"[-_]?\d*"
_WORD = r"(?:[-_]?caches?)?"


def _first_level(letter: str, word: str) -> str:
    """How people call a first-level cache: l1d, dl1, dcache, L1Dcache, l1d-cache-0, l1_data_cache ..."""
    side = f"{letter}(?:{word})?"
    return rf"(?:l1[-_]?{side}\d?|{side}[-_]?l1){_WORD}|(?:l1[-_]?)?{side}[-_]?caches?"


def _tlb(letter: str, word: str) -> str:
    return rf"(?:l1[-_]?)?{letter}(?:{word})?[-_]?(?:tb|tlb)"


#: Component of a path, in small letters -> what it is.
_KINDS = {
    "l1i": _first_level("i", "nst(?:r(?:uction)?)?"),
    "l1d": _first_level("d", "ata"),
    "l2": rf"l2(?:c|{_WORD})",
    "l3": rf"l3(?:c|{_WORD})|llc|hnf",
    "itlb": _tlb("i", "nst(?:r(?:uction)?)?"),
    "dtlb": _tlb("d", "ata"),
}
_KIND = re.compile("|".join(f"(?P<{kind}>(?:{pattern}){_INDEX})" for kind, pattern in _KINDS.items()))

#: What a Ruby controller calls its cache: what that is, its parent says.
_GENERIC = re.compile(rf"(?:cache|cachememory|cntrl|controller){_INDEX}")

#: A Ruby controller, or a cache that is a folder of caches, and its level.
_LEVEL = re.compile(rf"l(\d)[-_]?(?:cntrl|controllers?|caches?){_INDEX}")

#: Paths through a name that are no structure: a bus's packets by port, Ruby's latencies by who answered.
_PROFILED = re.compile(r"[.]pkt_(?:count|size)_|(?:^|[.])ruby(?:_system)?[.](?:[A-Za-z_]+[.])?L\dCache$")

#: Caches of a GPU, which run no part of the program whose instructions are counted.
_GPU = re.compile(r"(?:tcp|tcc|tccdir|sqc|rb|reg)_?(?:rb_)?(?:cntrl|controllers?)\d*")

#: They execute what another core executes too, or no program.
_NO_CORE = re.compile(r"(?:^|[.])(?:checker|CUs\d*)(?:[.]|$)")


@dataclass(frozen=True)
class Structure:
    """A structure of the simulated machine.

    Attributes:
        path: gem5's.
        kind: `core`, one of CACHES or TLBS, or `cache` where its name does not say which.
    """

    path: str
    kind: str


@dataclass(frozen=True)
class Meaning:
    """What a statistic counts.

    Attributes:
        of: the structure.
        counter: `instructions`, `cycles`, `branches`, `branch_mispredictions`; of caches and TLBs `accesses`,
            `misses`, `hits`.
        rank: of the ways in which gem5 names it; the lowest that a structure has is the one that is meant.
    """

    of: Structure
    counter: str
    rank: int


def meaning(name: str) -> Meaning | None:
    """What a statistic counts; None where it is none of what we have names for."""
    base = name.removesuffix("::total")
    path, _, leaf = base.rpartition(".")
    if not path:
        return None
    if leaf.lower().endswith(("accesses", "misses", "hits")):
        return _of_cache(path, leaf) or _of_tlb(path, leaf)
    return _of_core(name) if _CORE_LEAF.fullmatch(leaf) else None


@functools.lru_cache(maxsize=1 << 16)
def structure(path: str) -> Structure | None:
    """The cache or TLB that a path is, or leads into; None where it does neither."""
    while path:
        kind = _kind(path)
        if kind is not None and not _PROFILED.search(path):
            return Structure(path, kind)
        path = path.rpartition(".")[0]
    return None


@functools.lru_cache(maxsize=1 << 16)
def _kind(path: str) -> str | None:
    """What the last component of a path is, as far as names tell."""
    parent, own = ("", *path.lower().split("."))[-2:]
    found = _KIND.fullmatch(own)
    kind = found.lastgroup if found else None
    if kind in TLBS:
        return kind
    if (kind and parent.endswith(("mmu", "tlb"))) or _GPU.fullmatch(parent):
        return None
    if kind is None and not _GENERIC.fullmatch(own):
        return None
    level = _LEVEL.fullmatch(parent)
    if kind is None:
        if level:
            return f"l{level[1]}" if level[1] in "23" else None
        return _kind(path.rpartition(".")[0]) if parent else None
    if level is None or int(level[1]) == int(kind[1]):
        return kind
    # MESI_Three_Level of the standard library calls the cache of its l3_controllers L2cache, MOESI_hammer has
    # the L2cache in l1_cntrl; the L1 caches of an l0_cntrl are of a level that we do not have.
    return None if kind in ("l1i", "l1d") else f"l{max(level[1], kind[1])}"


_CACHE_LEAF = re.compile(r"(?:m_)?(demand|overall)_?(accesses|misses|hits)", re.IGNORECASE)
_TLB_LEAF = re.compile(
    r"(?:(?P<side>fetch_|data_)|(?P<part>rd|wr|read_?|write_?|inst_?))?(?P<what>accesses|misses|hits)",
    re.IGNORECASE,
)


def _of_cache(path: str, leaf: str) -> Meaning | None:
    """Demand accesses; those with prefetches too (`overall`) where there are no others."""
    found = _CACHE_LEAF.fullmatch(leaf)
    if found is None:
        return None
    kind = _kind(path)
    cache = kind if kind in CACHES else "cache"
    return Meaning(Structure(path, cache), found[2].lower(), int(found[1].lower() == "overall"))


def _of_tlb(path: str, leaf: str) -> Meaning | None:
    """All accesses; else those for code and for data; else reads and writes."""
    kind = _kind(path)
    found = _TLB_LEAF.fullmatch(leaf) if kind in TLBS else None
    if kind is None or found is None:
        return None
    rank = 2 if found["part"] else 1 if found["side"] else 0
    return Meaning(Structure(path, kind), found["what"].lower(), rank)


_CORE_LEAF = re.compile(
    r"numCycles|numInsts|committedInsts|committedControl::IsControl|(?:committed|mispredicted)_\d+"
    r"|[bB]ranches|numBranches|branchMispredicts|BranchMispred|numBranchMispred"
)

#: What a core counts, in the order in which we trust it. Of branches, those that were committed; the simple
#: CPUs of gem5 fetch no others.
_CORE = tuple(
    (re.compile(rf"(?P<core>.+?)[.](?:{pattern})"), counter, rank)
    for counter, patterns in {
        "cycles": [r"numCycles"],
        "instructions": [
            r"commitStats\d+[.]numInsts",
            r"committedInsts(?:::total)?",
            r"(?:exec_context[.])?thread_?\d+[.]numInsts",
        ],
        "branches": [
            r"branchPred\d*[.]committed_\d+::total",
            r"commit[.]branches(?:::total)?",
            r"commitStats\d+[.]committedControl::IsControl",
            r"(?:exec_context[.])?thread_?\d+[.]numBranches|Branches",
        ],
        "branch_mispredictions": [
            r"branchPred\d*[.]mispredicted_\d+::total",
            r"commit[.]branchMispredicts(?:::total)?",
            r"(?:exec_context[.])?thread_?\d+[.]numBranchMispred|BranchMispred",
        ],
    }.items()
    for rank, pattern in enumerate(patterns)
)

#: Parts of a core: what they commit is the core's, and counted there.
_PART = re.compile(r"[.](?:commit|fetch|iew|decode|rename|executeStats\d+|fetchStats\d+)$")


def _of_core(name: str) -> Meaning | None:
    if _NO_CORE.search(name):
        return None
    for pattern, counter, rank in _CORE:
        found = pattern.fullmatch(name)
        if found and not _PART.search(found["core"]):
            return Meaning(Structure(found["core"], "core"), counter, rank)
    return None
