"""The timing model, slowly and plainly, straight from docs/timing-model.md.

Caches are lists in order of use, tables are dicts, nothing is remembered to save time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from math import isqrt

ENDINGS = ("falls through", "conditional", "jump", "call", "indirect jump", "indirect call", "return")


@dataclass
class Access:
    address: int  # 0: it did not happen
    size: int
    at: int  # which instruction of the block
    store: bool


@dataclass
class Block:
    address: int
    end: int  # where the next instruction in memory is
    branch: int  # address of the last instruction
    instructions: int
    ending: str = "falls through"
    operand: int = 0  # whether the branch was taken, or its target
    accesses: list[Access] = field(default_factory=list)
    on: bool = True  # whether the model is on
    thread: int = 0
    last: bool = False  # its thread ends with it


class Cache:
    def __init__(self, sets: int, ways: int, line: int) -> None:
        self.sets = [[] for _ in range(sets)]  # type: list[list[int]]
        self.ways, self.line = ways, line

    def touch(self, line: int) -> bool:
        used = self.sets[line % len(self.sets)]
        hit = line in used
        if hit:
            used.remove(line)
        used.insert(0, line)
        del used[self.ways :]
        return hit

    def empty(self) -> None:
        self.sets = [[] for _ in self.sets]

    def drop(self, address: int, size: int) -> None:
        for line in range(address // self.line, (address + size - 1) // self.line + 1):
            used = self.sets[line % len(self.sets)]
            if line in used:
                used.remove(line)

    def access(self, address: int, size: int) -> bool:
        lines = range(address // self.line, (address + size - 1) // self.line + 1)
        hits = [self.touch(line) for line in lines]
        return all(hits)


def config(flat: str) -> dict[str, int]:
    pairs = (line.split("=") for line in flat.splitlines())
    return {key: int(value) for key, value in pairs}


class Machine:
    """The cores of a process's threads, and what they share."""

    def __init__(self, flat: str, places: int = 1 << 17, few: int = 1 << 16) -> None:
        self.config = config(flat)
        self.l3 = self.cache("l3") if "l3.sets" in self.config else None
        self.private_l2 = self.l3 is not None and not self.config.get("l2.shared")
        self.l2 = self.cache("l2")
        self.uses = Uses(places)
        self.few = few
        self.missed = 0  # blocks that ran since the last level was told of them
        self.cores: list[Core] = []
        self.core_of: dict[int, Core] = {}
        self.threads: dict[int, Thread] = {}

    def cache(self, name: str, line: str = "line") -> Cache:
        return Cache(*(self.config[f"{name}.{key}"] for key in ("sets", "ways", line)))

    def run(self, block: Block) -> None:
        core = self._core(block.thread)
        if block.on:
            self._wake(core)
            core.run(block, self.threads[block.thread])
        else:
            core.awake = False
            self.missed += 1
        self.uses.note(block, self.cores.index(core))
        if block.last:
            del self.core_of[block.thread]

    def _wake(self, core: Core) -> None:
        """What was off in a thread knows everything again; what was on, at times what others did."""
        if not core.awake:
            core.wake(self.uses, self.cores.index(core) if len(self.cores) > 1 else None)
        if not core.awake or self.missed >= self.few:
            self.uses.fill(self.l3 or self.l2)
        core.awake, self.missed = True, 0

    def _core(self, thread: int) -> Core:
        """Its own, from its first block to its last: the first that is free."""
        if thread not in self.core_of:
            free = [core for core in self.cores if core not in self.core_of.values()]
            core = free[0] if free else Core(self)
            if not free:
                self.cores.append(core)
            self.core_of[thread] = core
            self.threads[thread] = core.thread = self.threads.get(thread) or Thread()
            core.begin()
        return self.core_of[thread]

    def taken_from_others(self, owner: Core, address: int, size: int) -> None:
        """No other core keeps a line that one writes, whole."""
        line = max(owner.l1d.line, owner.l2.line if self.private_l2 else 0)
        first, end = address // line * line, (address + size - 1) // line * line + line
        for core in self.cores:
            if core is not owner:
                core.l1d.drop(first, end - first)
                if self.private_l2:
                    core.l2.drop(first, end - first)


@dataclass(frozen=True)
class Use:
    when: int
    line: int  # of 64 bytes
    address: int
    code: bool
    core: int


class Uses:
    """The last use of each line, while the model was on or off; of lines that share a place, of one."""

    def __init__(self, places: int) -> None:
        self.places: dict[int, Use] = {}
        self.room, self.now = places, 0

    def note(self, block: Block, core: int) -> None:
        self.now += 1
        for line in range(block.address // 64, (block.end - 1) // 64 + 1):
            self.places[line % self.room] = Use(self.now, line, line * 64, True, core)
        for access in block.accesses:
            line = access.address // 64
            self.places[line % self.room] = Use(self.now, line, access.address, False, core)

    def fill(self, cache: Cache, code: bool | None = None, core: int | None = None) -> None:
        """Touch what was used, from the longest ago on; within a block in the order of places, last first."""
        cache.empty()
        for _place, use in sorted(self.places.items(), key=lambda item: (item[1].when, -item[0])):
            if use.address and code in (None, use.code) and core in (None, use.core):
                cache.touch(use.address // cache.line)


@dataclass
class Thread:
    """What was counted of it, and where its calls return to."""

    count: Counter[str] = field(default_factory=Counter)
    parts: int = 0  # of cycles: 1/width each
    stack: list[int] = field(default_factory=list)


class Core:
    def __init__(self, machine: Machine) -> None:
        self.machine, self.config = machine, machine.config
        self.thread = Thread()
        self.position = self.event_at = self.load_at = self.load_left = 0
        self.l1i, self.l1d = machine.cache("l1i"), machine.cache("l1d")
        self.l2 = machine.cache("l2") if machine.private_l2 else machine.l2
        self.itlb, self.dtlb = machine.cache("itlb", "page"), machine.cache("dtlb", "page")
        self.fetched: int | None = None
        self.two_bits: dict[tuple[str, int], int] = defaultdict(lambda: 1)
        self.targets: dict[int, int] = {}
        self.history = 0
        self.awake = False

    def begin(self) -> None:
        """Another thread begins here: with an empty window, and with what is in the memories."""
        self.fetched = None
        self.event_at = self.position
        self.load_left = 0

    @property
    def count(self) -> Counter[str]:
        return self.thread.count

    def spend(self, cycles: int) -> None:
        self.thread.parts += cycles * self.config["width"]

    def beyond(self, address: int, size: int) -> int:
        """The latency of what the first level does not have."""
        l3 = self.machine.l3
        levels = {"l2": self.l2} if l3 is None else {"l2": self.l2, "l3": l3}
        for name, cache in levels.items():
            self.count[f"{name}_references"] += 1
            if cache.access(address, size):
                return self.config[f"{name}.latency"]
            self.count[f"{name}_misses"] += 1
        return self.config["memory"]

    # ------------------------------------------------------------------ instructions

    def fetch(self, block: Block) -> None:
        size = self.config["l1i.line"]
        for line in range(block.address // size, (block.end - 1) // size + 1):
            if line == self.fetched:
                continue
            self.fetched = line
            self.count["itlb_references"] += 1
            if not self.itlb.access(line * size, 1):
                self.count["itlb_misses"] += 1
                self.spend(self.config["itlb.penalty"])
            if not self.l1i.touch(line):
                self.count["l1i_misses"] += 1
                self.spend(self.beyond(line * size, size))
                self.event_at = self.position

    # ------------------------------------------------------------------ data

    def access(self, access: Access) -> None:
        position = self.position + access.at
        self.count["stores" if access.store else "loads"] += 1
        self.count["l1d_references"] += 1
        self.count["dtlb_references"] += 1
        latency = 0
        if not self.dtlb.access(access.address, access.size):
            self.count["dtlb_misses"] += 1
            latency += self.config["dtlb.penalty"]
        if not self.l1d.access(access.address, access.size):
            self.count["l1d_misses"] += 1
            latency += self.beyond(access.address, access.size)
        if access.store:
            self.machine.taken_from_others(self, access.address, access.size)
        else:
            self.wait(latency, position)

    def wait(self, latency: int, position: int) -> None:
        window = self.config["window"]
        filling = window // self.config["width"]
        if latency <= filling:
            return
        if self.load_left and position - self.load_at < window:
            self.spend(max(0, latency - self.load_left))
            self.load_left = max(self.load_left, latency)
        else:
            self.spend(latency - filling)
            self.load_at = self.event_at = position
            self.load_left = latency

    # ------------------------------------------------------------------ branches

    def branch(self, block: Block) -> None:
        if block.ending == "falls through":
            return
        self.count["branches"] += 1
        right = True
        if block.ending == "conditional":
            right = self.conditional(block.branch, bool(block.operand))
            self.tell("conditional_branches", "conditional_mispredictions", right)
        elif block.ending.startswith("indirect"):
            entry = block.branch % self.config["indirect.entries"]
            right = self.targets.get(entry, 0) == block.operand
            self.targets[entry] = block.operand
            self.tell("indirect_branches", "indirect_mispredictions", right)
        elif block.ending == "return":
            right = bool(self.thread.stack) and self.thread.stack.pop() == block.operand
            self.tell("returns", "return_mispredictions", right)
        if block.ending in ("call", "indirect call"):
            self.thread.stack.append(block.end)
            del self.thread.stack[: -self.config["returns.entries"]]
        if not right:
            self.mispredict()

    def tell(self, all_of_them: str, wrong: str, right: bool) -> None:
        self.count[all_of_them] += 1
        self.count[wrong] += not right

    def conditional(self, branch: int, taken: bool) -> bool:
        kinds = [kind for kind in ("bimodal", "gshare") if self.config[f"{kind}.entries"]]
        hashed = {"bimodal": branch, "gshare": branch ^ self.history}
        entry = {kind: (kind, hashed[kind] % self.config[f"{kind}.entries"]) for kind in kinds}
        right = {kind: (self.two_bits[entry[kind]] >= 2) == taken for kind in kinds}
        chosen = kinds[0]
        if len(kinds) == 2:
            choice = ("chooser", branch % self.config["chooser.entries"])
            chosen = kinds[self.two_bits[choice] >= 2]
            if right["bimodal"] != right["gshare"]:
                self.learn(choice, right["gshare"])
        for kind in kinds:
            self.learn(entry[kind], taken)
        self.history = (self.history * 2 + taken) % 2 ** self.config["gshare.history"]
        return right[chosen]

    def learn(self, entry: tuple[str, int], up: bool) -> None:
        self.two_bits[entry] = min(3, max(0, self.two_bits[entry] + (1 if up else -1)))

    def mispredict(self) -> None:
        self.count["branch_mispredictions"] += 1
        waiting = min(self.position - self.event_at, self.config["window"])
        self.spend(self.config["frontend"] + isqrt(waiting))
        self.event_at = self.position
        self.load_left = 0

    # ------------------------------------------------------------------ blocks

    def wake(self, uses: Uses, own: int | None) -> None:
        """Its memories hold what was used last: of several cores, by this one."""
        for cache, code in ((self.l1i, True), (self.itlb, True), (self.l1d, False), (self.dtlb, False)):
            uses.fill(cache, code, own)
        uses.fill(self.l2, None, own if self.machine.private_l2 else None)
        self.begin()

    def run(self, block: Block, thread: Thread) -> None:
        self.thread = thread
        self.count["instructions"] += block.instructions
        self.count["l1i_references"] += block.instructions
        self.thread.parts += block.instructions
        self.fetch(block)
        for access in block.accesses:
            if access.address:
                self.access(access)
        self.position += block.instructions
        self.branch(block)
