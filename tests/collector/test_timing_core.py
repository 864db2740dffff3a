"""The timing model against its slow twin, on made-up traces; and worked out by hand."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.collector.harness import PROGRAMS
from tests.reference.timing import ENDINGS, Access, Block, Machine

from phasemark.simulate import config
from phasemark.simulate.config import Branches, Cache, Core, TimingConfig, Tlb

CORE = Path(__file__).parents[2] / "native" / "collector" / "core"

#: So small that everything misses and wraps.
TINY = TimingConfig(
    "tiny",
    Core(width=3, window=20, frontend=7),
    l1i=Cache(256, 2, 32),
    l1d=Cache(128, 2, 16),
    l2=Cache(1024, 4, 64, latency=9),
    l3=Cache(4096, 2, 64, latency=25),
    memory=100,
    itlb=Tlb(4, 2, 512, 13),
    dtlb=Tlb(2, 2, 512, 31),
    branches=Branches(bimodal=8, gshare=16, history=3, chooser=4, indirect=4, returns=3),
)

CONFIGS = {
    "tiny": TINY,
    "no L3": replace(TINY, l3=None),
    "pages": replace(TINY, l3=Cache(64 << 10, 1, 64, latency=25)),
    "pages of an L2": replace(TINY, l2=Cache(64 << 10, 1, 64, latency=9), l3=None),
    "bimodal": replace(TINY, branches=replace(TINY.branches, gshare=0)),
    "gshare": replace(TINY, branches=replace(TINY.branches, bimodal=0, history=0)),
    "paper": config.load("paper"),
    "modern": config.load("modern"),
}

Model = Callable[[TimingConfig, list[Block]], dict[str, int]]


@pytest.fixture(scope="module")
def fast(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """The collector's own code, built for this machine."""
    folder = tmp_path_factory.mktemp("timing")
    driver = folder / "driver"
    sources = [PROGRAMS / "timing_driver.c", *sorted(CORE.glob("timing/*.c"))]
    strict = ["-O2", "-g", "-Wall", "-Wextra", "-fsanitize=undefined", "-fno-sanitize-recover"]
    subprocess.run(["gcc", *strict, "-I", CORE, "-o", driver, *sources, "-Wno-unused-result"], check=True)

    def run(machine: TimingConfig, blocks: list[Block]) -> dict[str, int]:
        (folder / "config").write_text(machine.flat())
        done = subprocess.run(
            [driver, folder / "config"], input=_text(blocks), capture_output=True, text=True, check=True
        )
        return {name: int(value) for name, value in map(str.split, done.stdout.splitlines())}

    return run


def slow(machine: TimingConfig, blocks: list[Block]) -> dict[str, int]:
    model = Machine(machine.flat())
    for block in blocks:
        (model.run if block.on else model.warm)(block)
    return {name: model.cycles if name == "cycles" else model.count[name] for name in config.COUNTERS}


def _text(blocks: list[Block]) -> str:
    lines = []
    for b in blocks:
        numbers = [b.address, b.end, b.branch, b.instructions, ENDINGS.index(b.ending), b.operand]
        for a in b.accesses:
            numbers += [a.address, a.size, a.at, a.store]
        lines.append(("" if b.on else "w") + " ".join(str(int(number)) for number in numbers))
    return "".join(line + "\n" for line in lines)


@st.composite
def block(draw: st.DrawFn) -> Block:
    n = draw(st.integers(1, 12))
    address = draw(st.integers(0, 40)) * 24 + 4096
    end = address + n * draw(st.integers(1, 9))
    ending = draw(st.sampled_from(ENDINGS))
    operand = draw(st.integers(0, 1)) if ending == "conditional" else draw(st.sampled_from([4096, 4120, end]))
    access = st.builds(
        Access,
        address=st.integers(0, 60).map(lambda i: i * 40),
        size=st.sampled_from([1, 4, 8, 16, 64, 512]),
        at=st.integers(0, n - 1),
        store=st.booleans(),
    )
    accesses = sorted(draw(st.lists(access, max_size=4)), key=lambda a: a.at)
    return Block(address, end, end - 1, n, ending, operand, accesses, on=draw(st.integers(0, 3)) > 0)


@pytest.mark.parametrize("name", CONFIGS)
@settings(
    deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(pool=st.lists(block(), min_size=1, max_size=12), order=st.lists(st.integers(0, 99), max_size=150))
def test_agrees_with_its_slow_twin(name: str, fast: Model, pool: list[Block], order: list[int]) -> None:
    blocks = [pool[i % len(pool)] for i in order]
    assert fast(CONFIGS[name], blocks) == slow(CONFIGS[name], blocks)


# ---------------------------------------------------------------- by hand

BOTH = pytest.mark.parametrize("model", ["slow", "fast"])


@pytest.fixture
def run(model: str, fast: Model) -> Model:
    return fast if model == "fast" else slow


def loads(addresses: list[int]) -> list[Block]:
    """One instruction each, all in one line of code, that loads 8 bytes."""
    return [Block(4096, 4100, 4096, 1, accesses=[Access(address, 8, 0, False)]) for address in addresses]


@BOTH
def test_a_set_holds_as_many_lines_as_it_has_ways(run: Model) -> None:
    # 128 bytes, 2 ways, 16-byte lines: 4 sets; lines 64 bytes apart share one.
    two = run(TINY, loads([64, 128] * 10))
    three = run(TINY, loads([64, 128, 192] * 10))
    assert two["l1d_misses"] == 2
    assert three["l1d_misses"] == 30  # true LRU: the one needed next is the one that went
    assert three["l2_misses"] == 3 + 1  # the code


@BOTH
def test_an_access_across_two_lines_is_one_reference_and_one_miss(run: Model) -> None:
    counted = run(TINY, loads([1036]))
    assert counted["l1d_references"] == counted["l1d_misses"] == 1
    assert counted["l2_references"] == 1 + 1  # the code
    assert run(TINY, loads([1036, 1040]))["l1d_misses"] == 1


@BOTH
def test_a_long_load_hides_those_within_a_window_of_it(run: Model) -> None:
    # 60 instructions at 3 a cycle: 20 cycles. A first fetch: TLB 13, memory 100.
    fetch = 13 + 100
    quiet = [Block(4096, 4100, 4096, 1)] * 57
    # A load of a new page from memory: 31 + 100 - 20 // 3 cycles show; another page's, 19 later, is hidden.
    alone = run(TINY, [*loads([1024]), *quiet[:18], *quiet[:38], *quiet[:3]])
    together = run(TINY, [*loads([1024]), *quiet[:18], *loads([2048]), *quiet[:37], *quiet[:3]])
    apart = run(TINY, [*loads([1024]), *quiet[:19], *loads([2048]), *quiet[:36], *quiet[:3]])
    assert alone["cycles"] == 20 + fetch + 125
    assert together["cycles"] == 20 + fetch + 125
    assert apart["cycles"] == 20 + fetch + 125 + 125


@BOTH
def test_stores_miss_and_cost_no_time(run: Model) -> None:
    store = [Block(4096, 4100, 4096, 1, accesses=[Access(1024, 8, 0, True)])]
    assert run(TINY, store)["l1d_misses"] == 1
    assert run(TINY, store)["cycles"] == run(TINY, [replace(store[0], accesses=[])])["cycles"]


@BOTH
def test_a_steady_branch_is_learnt_at_once_and_an_alternating_one_by_its_history(run: Model) -> None:
    def branches(outcomes: list[int]) -> list[Block]:
        return [Block(4096, 4100, 4098, 1, "conditional", taken) for taken in outcomes]

    # Counters start weakly not taken: the first taken one is missed, by both tables.
    bimodal = CONFIGS["bimodal"]
    assert run(bimodal, branches([1] * 50))["conditional_mispredictions"] == 1
    assert run(bimodal, branches([1, 0] * 50))["conditional_mispredictions"] == 100
    wise = replace(TINY, branches=replace(TINY.branches, bimodal=0))
    # Histories 000, 001, 010, 101: the last two repeat. Taken after 000 and 010 is missed once each.
    assert run(wise, branches([1, 0] * 50))["conditional_mispredictions"] == 2


@BOTH
def test_returns_come_back_as_far_as_the_stack_goes(run: Model) -> None:
    def nested(depth: int) -> list[Block]:
        calls = [Block(4096 + 8 * i, 4100 + 8 * i, 4096 + 8 * i, 1, "call") for i in range(depth)]
        returns = [Block(4400, 4401, 4400, 1, "return", call.end) for call in reversed(calls)]
        return calls + returns

    assert run(TINY, nested(3))["return_mispredictions"] == 0
    assert run(TINY, nested(5))["return_mispredictions"] == 2


@BOTH
def test_an_indirect_branch_is_expected_to_go_where_it_went(run: Model) -> None:
    jumps = [Block(4096, 4100, 4096, 1, "indirect jump", target) for target in [9, 9, 9, 7, 9]]
    assert run(TINY, jumps)["indirect_mispredictions"] == 3


def test_a_configuration_that_makes_no_sense_is_refused_by_key(fast: Model) -> None:
    for flat, key in (
        (TINY.flat().replace("l1d.sets=4", "l1d.sets=5"), "l1d.sets"),
        (TINY.flat().replace("width=3\n", ""), "width"),
        (TINY.flat().replace("memory=100", "memory=many"), "memory"),
    ):
        with pytest.raises(subprocess.CalledProcessError) as caught:
            _refused(fast, flat)
        assert caught.value.stdout.strip() == key


def _refused(fast: Model, flat: str) -> None:
    class Flat:
        def flat(self) -> str:
            return flat

    fast(Flat(), [])  # type: ignore[arg-type]
