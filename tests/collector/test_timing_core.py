"""The timing model against its slow twin, on made-up traces; and worked out by hand."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from functools import partial
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
    "one L2": replace(TINY, shared_l2=True),
    "long lines": replace(
        TINY, l1d=Cache(128, 2, 64), l2=Cache(1024, 2, 128, latency=9), l3=Cache(4096, 2, 256)
    ),
    "bimodal": replace(TINY, branches=replace(TINY.branches, gshare=0)),
    "gshare": replace(TINY, branches=replace(TINY.branches, bimodal=0, history=0)),
    **{name: config.load(name) for name in config.PRESETS},
}

#: So few that lines share them; and blocks of others after which the last level is told of these.
PLACES, FEW = 32, 3

Model = Callable[[TimingConfig, list[Block]], dict[str, int]]
#: The same, thread by thread.
Threads = Callable[[TimingConfig, list[Block]], dict[int, dict[str, int]]]


@pytest.fixture(scope="module")
def fast_threads(tmp_path_factory: pytest.TempPathFactory) -> Threads:
    """The collector's own code, built for this machine."""
    folder = tmp_path_factory.mktemp("timing")
    driver = folder / "driver"
    sources = [PROGRAMS / "timing_driver.c", *sorted(CORE.glob("timing/*.c"))]
    strict = [
        "-O2",
        "-g",
        "-Wall",
        "-Wextra",
        "-fsanitize=undefined",
        "-fno-sanitize-recover",
        f"-DPM_FEW_BLOCKS={FEW}",
    ]
    subprocess.run(["gcc", *strict, "-I", CORE, "-o", driver, *sources, "-Wno-unused-result"], check=True)

    def run(machine: TimingConfig, blocks: list[Block]) -> dict[int, dict[str, int]]:
        (folder / "config").write_text(machine.flat())
        done = subprocess.run(
            [driver, str(PLACES), folder / "config"],
            input=_text(blocks),
            capture_output=True,
            text=True,
            check=True,
        )
        counted: dict[int, dict[str, int]] = {}
        for thread, name, value in map(str.split, done.stdout.splitlines()):
            counted.setdefault(int(thread), {})[name] = int(value)
        return counted

    return run


def slow_threads(machine: TimingConfig, blocks: list[Block]) -> dict[int, dict[str, int]]:
    model = Machine(machine.flat(), PLACES, FEW)
    for block in blocks:
        model.run(block)
    for thread in model.threads.values():
        thread.count["cycles"] = thread.parts // machine.core.width
    return {n: {name: t.count[name] for name in config.COUNTERS} for n, t in sorted(model.threads.items())}


def _of_one(run: Threads, machine: TimingConfig, blocks: list[Block]) -> dict[str, int]:
    return run(machine, blocks).get(0, {})


@pytest.fixture(scope="module")
def fast(fast_threads: Threads) -> Model:
    return partial(_of_one, fast_threads)


def slow(machine: TimingConfig, blocks: list[Block]) -> dict[str, int]:
    return _of_one(slow_threads, machine, blocks)


def _text(blocks: list[Block]) -> str:
    lines = []
    for b in blocks:
        numbers = [
            b.thread,
            b.last,
            b.address,
            b.end,
            b.branch,
            b.instructions,
            ENDINGS.index(b.ending),
            b.operand,
        ]
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


@st.composite
def of_threads(draw: st.DrawFn) -> list[Block]:
    """Blocks of some threads in turns, that touch the same places; now and then one ends, or is warmed."""
    most = draw(st.sampled_from([1, 3, 13]))  # of many threads it is noted who has a line
    pool = draw(st.lists(block(), min_size=1, max_size=8))
    turns = draw(
        st.lists(
            st.tuples(st.integers(0, most), st.lists(st.integers(0, 99), max_size=12), st.integers(0, 5)),
            max_size=25,
        )
    )
    blocks = []
    for thread, order, end in turns:
        blocks += [replace(pool[i % len(pool)], thread=thread) for i in order]
        if order and end == 0:
            blocks[-1] = replace(blocks[-1], last=True)
    return blocks


@pytest.mark.parametrize("name", ["tiny", "one L2", "no L3", "long lines"])
@settings(
    deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(blocks=of_threads())
def test_threads_agree_with_their_slow_twin(name: str, fast_threads: Threads, blocks: list[Block]) -> None:
    assert fast_threads(CONFIGS[name], blocks) == slow_threads(CONFIGS[name], blocks)


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


def off(addresses: list[int]) -> list[Block]:
    return [replace(block, on=False) for block in loads(addresses)]


@BOTH
def test_what_was_used_last_while_the_model_was_off_is_there_when_it_goes_on(run: Model) -> None:
    # Two ways: of 64, 128 and 192, which share a set, the last two. The second level has all, and the code.
    counted = run(TINY, [*off([64, 128, 192]), *loads([192, 128, 64])])
    assert (counted["l1d_misses"], counted["l2_misses"]) == (1, 0)
    assert counted["l1i_misses"] == counted["itlb_misses"] == counted["dtlb_misses"] == 0
    again = run(TINY, [*off([64, 128, 64, 192]), *loads([64, 192, 128])])
    assert again["l1d_misses"] == 1
    assert run(TINY, off([64, 128, 192]))["l1d_references"] == 0


@BOTH
def test_what_was_there_before_the_model_was_off_is_not_if_it_has_gone_since(run: Model) -> None:
    assert run(TINY, [*loads([64]), *off([1024]), *loads([64])])["l1d_misses"] == 1
    # 4,096 bytes in 2 ways: of lines 2,048 apart a set of the last level holds two.
    gone = run(TINY, [*loads([1024]), *off([3072, 5120]), *loads([1024])])
    assert gone["l3_misses"] == 1 + 1 + 1  # the code


@BOTH
def test_of_two_lines_of_one_place_the_one_used_last_is_known(run: Model) -> None:
    near, far = 1024, 1024 + 64 * PLACES
    counted = run(TINY, [*off([near, far]), *loads([far, near])])
    assert counted["l3_misses"] == 1


@BOTH
def test_a_neighbour_in_a_page_is_not_there(run: Model) -> None:
    counted = run(TINY, [*off([1024]), *loads([1024 + 128])])
    assert (counted["dtlb_misses"], counted["l3_misses"]) == (0, 1)


# ---------------------------------------------------------------- threads, by hand

THREADS = pytest.mark.parametrize("threads", ["slow", "fast"])

#: Where each core has first levels of its own and all share the second; or a second one, and share the third.
SHARED, PRIVATE = replace(TINY, shared_l2=True), TINY


@pytest.fixture
def run_threads(threads: str, fast_threads: Threads) -> Threads:
    return fast_threads if threads == "fast" else slow_threads


def access(thread: int, address: int, *, store: bool = False, last: bool = False) -> Block:
    accesses = [Access(address, 8, 0, store)]
    return Block(4096, 4100, 4096, 1, accesses=accesses, thread=thread, last=last)


@THREADS
def test_what_one_thread_fetched_is_in_the_level_that_both_share(run_threads: Threads) -> None:
    blocks = [access(0, 1024), access(1, 1024)] * 3
    for machine, there in ((SHARED, "l2"), (PRIVATE, "l3")):
        counted = run_threads(machine, blocks)
        for thread in (0, 1):  # a line of data, and one of code
            assert counted[thread]["l1d_misses"] == counted[thread]["l1i_misses"] == 1
            assert counted[thread]["dtlb_misses"] == 1
            assert counted[thread][f"{there}_references"] == 2
        assert (counted[0][f"{there}_misses"], counted[1][f"{there}_misses"]) == (2, 0)


@THREADS
def test_threads_do_not_spoil_each_others_first_level(run_threads: Threads) -> None:
    # Two ways: three lines of one set, in turns, evict one another where they share it.
    lines = [64, 128, 192]
    alone = run_threads(TINY, [access(0, line) for line in lines * 10])
    apart = run_threads(TINY, [access(thread, line) for _ in range(10) for thread, line in enumerate(lines)])
    assert alone[0]["l1d_misses"] == 30
    assert [apart[thread]["l1d_misses"] for thread in range(3)] == [1, 1, 1]


@THREADS
def test_a_line_that_another_thread_writes_must_be_fetched_anew(run_threads: Threads) -> None:
    reads = run_threads(TINY, [access(0, 1024), access(1, 1024)] * 10)
    assert reads[0]["l1d_misses"] == reads[1]["l1d_misses"] == 1
    shared = run_threads(TINY, [access(0, 1024, store=True), access(1, 1024)] * 10)
    assert shared[1]["l1d_misses"] == 10
    assert shared[0]["l1d_misses"] == 1  # its copy stays: it was only read
    assert shared[1]["l2_misses"] == 10 + 1  # its second level has lost it, too; the code
    assert shared[1]["l3_misses"] == 0
    both = run_threads(TINY, [access(0, 1024, store=True), access(1, 1024, store=True)] * 10)
    assert both[0]["l1d_misses"] == both[1]["l1d_misses"] == 10


@THREADS
def test_threads_that_write_side_by_side_in_a_line_take_it_from_each_other(run_threads: Threads) -> None:
    def misses(machine: TimingConfig, apart: int) -> list[int]:
        writes = [access(thread, 1024 + thread * apart, store=True) for thread in (0, 1)] * 10
        counted = run_threads(machine, writes)
        return [counted[thread]["l1d_misses"] for thread in (0, 1)]

    assert misses(SHARED, 8) == [10, 10]  # lines of 16 bytes
    assert misses(SHARED, 16) == [1, 1]
    assert misses(PRIVATE, 16) == [10, 10]  # second levels with lines of 64
    assert misses(PRIVATE, 64) == [1, 1]


@THREADS
def test_of_many_threads_all_lose_a_line_that_one_writes(run_threads: Threads) -> None:
    everyone = [access(thread, 1024) for thread in range(12)]
    counted = run_threads(
        TINY, [*everyone, access(3, 1024, store=True), *everyone, access(5, 1024, store=True), *everyone]
    )
    assert [counted[thread]["l1d_misses"] for thread in range(12)] == [3, 3, 3, 2, 3, 2, *[3] * 6]


@THREADS
def test_what_is_written_twice_in_a_row_is_taken_once(run_threads: Threads) -> None:
    blocks = [access(1, 1024), *[access(0, 1024, store=True)] * 5, access(1, 1024), access(0, 1024)]
    counted = run_threads(TINY, blocks)
    assert (counted[0]["l1d_misses"], counted[1]["l1d_misses"]) == (1, 2)


@THREADS
def test_a_core_is_left_as_it_is_to_the_next_thread(run_threads: Threads) -> None:
    blocks = [access(0, 64), access(1, 1024), access(2, 2048, last=True), access(1, 1024, last=True)]
    counted = run_threads(TINY, [*blocks, access(3, 1024), access(4, 1024)])
    assert counted[3]["l1d_misses"] == 0  # the lower of the two that are free, thread 1's
    assert counted[4]["l1d_misses"] == 1  # thread 2's


@THREADS
def test_a_core_has_what_its_own_thread_used_last_and_all_have_the_last_level(run_threads: Threads) -> None:
    other = [replace(access(1, 1024), on=False)]
    own = run_threads(TINY, [access(0, 64), replace(access(0, 1024), on=False), *other, access(0, 1024)])
    assert own[0]["l1d_misses"] == 2  # the other one used it last: it may have written
    assert own[0]["l3_misses"] == 1 + 1  # 64, and the code


@THREADS
def test_the_last_level_is_told_of_what_others_do_while_they_are_off(run_threads: Threads) -> None:
    def misses(blocks: int) -> int:
        others = [replace(access(1, 1024), on=False)] * blocks
        return run_threads(TINY, [access(0, 64), *others, access(0, 1024)])[0]["l3_misses"]

    assert misses(FEW - 1) == 3  # two of data, and the code
    assert misses(FEW) == 2


def test_more_threads_than_cores_share_them(fast_threads: Threads) -> None:
    counted = fast_threads(TINY, [access(thread, 1024) for thread in range(257)])
    assert [counted[thread]["l1d_misses"] for thread in (0, 1, 255, 256)] == [1, 1, 1, 0]


@THREADS
def test_predictors_and_windows_are_a_threads_own(run_threads: Threads) -> None:
    def branch(thread: int) -> Block:
        return Block(4096, 4100, 4098, 1, "conditional", 1, thread=thread)

    counted = run_threads(CONFIGS["bimodal"], [branch(0)] * 5 + [branch(1)] * 5)
    assert [counted[thread]["conditional_mispredictions"] for thread in (0, 1)] == [1, 1]
    alone = run_threads(TINY, [access(0, 1024 * i) for i in range(1, 9)])
    turns = run_threads(TINY, [access(t, 1024 * i + 8192 * t) for i in range(1, 9) for t in (0, 1)])
    assert turns[0]["cycles"] == alone[0]["cycles"]  # loads of another thread hide nothing


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
