"""What ChampSim prints: the regions of interest, each after a warm-up.

    CPU 0 cumulative IPC: 0.3604 instructions: 60002 cycles: 166467
    CPU 0 Branch Prediction Accuracy: 75.02% MPKI: 31.07 Average ROB Occupancy at Mispredict: 123
    cpu0->cpu0_L1D LOAD         ACCESS:      18739 HIT:       3387 MISS:      15352 MSHR_MERGE:          9

Until 2022 the branches follow the DRAM, and caches have no CPU before them. The count of mispredictions is
worked out from MPKI and that of branches from the accuracy, as well as the digits say. A file may hold the
output of several simulations. Source: src/plain_printer.cc and src/main.cc of ChampSim 2020 to 2025.
"""

from __future__ import annotations

import re
from pathlib import Path

from phasemark.errors import DataError
from phasemark.formats.metrics import champsim_json
from phasemark.formats.metrics.champsim_counters import Core, Region, readings
from phasemark.formats.metrics.readings import Readings
from phasemark.formats.source import lines
from phasemark.reading import TABLE

__all__ = ["read", "sniff"]

_BEGIN = "*** ChampSim Multicore Out-of-Order Simulator ***"
_N = r"(\d{1,18})"
_CORE = re.compile(rf"CPU {_N} cumulative IPC: \S+ instructions: {_N} cycles: {_N}")
_BRANCH = re.compile(rf"CPU {_N} Branch Prediction Accuracy: (\S+)% MPKI: (\S+)")
_ACCESS = re.compile(
    rf"(?:cpu\d+->)?(\S+)\s+([A-Z]+)\s+ACCESS:\s*{_N}\s+HIT:\s*{_N}\s+MISS:\s*{_N}(?:\s+MSHR_MERGE:\s*{_N})?"
)
_PREFETCH = re.compile(
    rf"(?:cpu\d+->)?(\S+)\s+PREFETCH\s+REQUESTED:\s*{_N}\s+ISSUED:\s*{_N}\s+USEFUL:\s*{_N}\s+USELESS:\s*{_N}"
)
_DRAM = re.compile(rf"(?:\b(RQ|WQ) )?\s*(ROW_BUFFER_HIT|ROW_BUFFER_MISS|FULL):\s*{_N}")
_FINISHED = re.compile(rf"(?!Warmup)(?:\S+ f|F)inished CPU {_N} instructions: {_N} cycles: {_N}")
_CPUS = re.compile(rf"Number of CPUs: {_N}")

#: Branches are left out where the accuracy, as printed, leaves them more uncertain than this.
_CERTAIN = 0.02

#: Bytes of a line; JSON that goes to the terminal stands in one.
_LONGEST = 1 << 24

_WRAPPED = (
    "the trace was begun again at its end: where it has fewer instructions than warm-up and simulation, some "
    "were simulated twice"
)
_WORKED_OUT = (
    "mispredictions and branches are worked out from MPKI and accuracy as printed, to about 4 digits"
)
_CUT = "the output ends before its statistics: cycles and instructions alone are known"


def sniff(start: bytes) -> bool:
    """Whether a file that starts so is such output."""
    text = start.decode("utf-8", "replace")
    return _BEGIN in text or any(_CORE.match(line) for line in text.split("\n"))


def read(path: str | Path) -> Readings:
    """Read such output, plain or gzip: one row a region of interest.

    Raises:
        DataError: a simulation that did not end; names file and line.
        WorkError: the file cannot be read.
    """
    reader = _Reader()
    last = 0
    try:
        for number, line in lines(path, TABLE, _LONGEST):
            last = number
            reader.take(line.decode("utf-8", "replace").strip())
        reader.end()
    except DataError as error:
        if error.path is not None:
            raise
        raise DataError(error.reason, path=path, line=last, hint=error.hint) from error
    if not reader.regions:
        raise DataError("holds no simulation", path=path, hint="name the output of a simulation that ended")
    return readings(reader.regions, path)


class _Reader:
    """The regions of the lines so far."""

    def __init__(self) -> None:
        self.regions: list[Region] = []
        self._begin()

    def _begin(self) -> None:
        self._simulation: list[Region] = []
        self._finished: dict[int, Core] = {}
        self._cpus = 1
        self._ran = 0
        self._begun = self._wrapped = self._skipped = self._phased = False
        self._queue = ""

    def take(self, line: str) -> None:
        """A line, without blanks around it."""
        if line == _BEGIN:
            self.end()
            self._begun = True
        elif line.startswith("[{"):
            self._take_json(line)
        elif line.startswith("*** Reached end of trace"):
            self._wrapped |= not self._finished
        elif line.startswith("=== "):
            self._phased = True
        elif line.startswith("Total Simulation Statistics"):
            self._skipped, self._ran = True, 0
        elif line.startswith("Region of Interest Statistics"):
            self._skipped = False
            self._simulation.append(Region())
        elif found := _CPUS.match(line):
            self._cpus = int(found[1])
        elif found := _FINISHED.match(line):
            self._finished.setdefault(int(found[1]), Core(int(found[2]), int(found[3])))
        elif not self._skipped:
            self._take_counts(line)
        elif found := _CORE.match(line):
            self._ran += int(found[2])

    def end(self) -> None:
        """The output of a simulation ends.

        Raises:
            DataError: before the simulation did.
        """
        simulated = [region for region in self._simulation if region.cores]
        if self._begun and not simulated:
            if len(self._finished) < self._cpus:
                raise DataError("the output ends before the simulation", hint="let ChampSim end")
            simulated = [Region(self._finished, notes=[_CUT])]
        for region in simulated:
            if self._wrapped:
                region.notes.append(_WRAPPED)
            if self._phased and len(region.cores) > 1:
                region.require_of_region(self._ran)
            if len(region.cores) > 1:  # of a cache that is shared, or of namesakes: not to be told
                region.others = {n: v for n, v in region.others.items() if ".prefetch." not in n}
        self.regions += simulated
        self._begin()

    def _take_counts(self, line: str) -> None:
        if found := _CORE.match(line):
            core = Core(int(found[2]), int(found[3]))
            if not self._simulation or int(found[1]) in self._simulation[-1].cores:
                self._simulation.append(Region())
            self._simulation[-1].cores[int(found[1])] = core
        elif not self._simulation:
            return
        elif found := _BRANCH.match(line):
            self._take_branches(int(found[1]), found[2], found[3])
        elif found := _ACCESS.match(line):
            self._take_accesses(found)
        elif found := _PREFETCH.match(line):
            names = ("requested", "issued", "useful", "useless")
            counts = zip(names, map(int, found.groups()[1:]), strict=True)
            self._simulation[-1].others |= {f"{found[1]}.prefetch.{name}": count for name, count in counts}
        else:
            self._take_dram(line)

    def _take_accesses(self, found: re.Match[str]) -> None:
        cache, kind, accesses, *counts = found.groups()
        if kind != "TOTAL":
            names = ("hit", "miss", "mshr_merge")
            known = {name: int(count) for name, count in zip(names, counts, strict=True) if count is not None}
            if known["hit"] + known["miss"] != int(accesses):
                self._simulation[-1].notes.append(f"{cache}: its hits and misses are not all its accesses")
            self._simulation[-1].access(cache, kind, known)

    def _take_branches(self, cpu: int, accuracy: str, mpki: str) -> None:
        region = self._simulation[-1]
        core = region.cores.get(cpu)
        wrong, right = _number(mpki), _number(accuracy)
        if core is None or wrong is None:
            return
        core.mispredictions = round(wrong * core.instructions / 1000)
        region.notes.append(_WORKED_OUT)
        if right is None or not right < 100:
            return
        digits = max(2, len(accuracy.partition(".")[2]))
        if 0.5 * 10**-digits / (100 - right) <= _CERTAIN:
            core.branches = round(core.mispredictions / (1 - right / 100))

    def _take_dram(self, line: str) -> None:
        others = self._simulation[-1].others
        for queue, name, count in _DRAM.findall(line):
            self._queue = queue or self._queue
            channels = sum(key.endswith(f".{self._queue}_{name}") for key in others)
            others[f"DRAM.{channels}.{self._queue}_{name}"] = int(count)

    def _take_json(self, line: str) -> None:
        """With `--json` and no file, JSON follows: its counts of mispredictions have all digits."""
        for region, exact in zip(self._simulation, champsim_json.regions(line.encode()), strict=False):
            for cpu, core in exact.cores.items():
                if cpu in region.cores:
                    region.cores[cpu].mispredictions = core.mispredictions


def _number(text: str) -> float | None:
    """None where there was nothing to divide by: `-`, `nan`."""
    return float(text) if re.fullmatch(r"\d{1,18}(?:\.\d*)?(?:e[+-]?\d{1,3})?", text) else None
