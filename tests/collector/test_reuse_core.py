"""How long ago memory was used: the collector's core against its slow twin."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.collector.harness import PROGRAMS
from tests.reference import reuse as slow

CORE = Path(__file__).parents[2] / "native" / "collector" / "core"

#: So few are remembered that lines are forgotten.
LOG = 4

Fast = Callable[..., list[list[int]]]
Address = int | str  # of data, or after a c of code


@pytest.fixture(scope="module")
def fast(tmp_path_factory: pytest.TempPathFactory) -> Fast:
    """The collector's own code, built for this machine."""
    folder = tmp_path_factory.mktemp("reuse")
    strict = ["-O2", "-g", "-Wall", "-Wextra", "-fsanitize=address,undefined", "-fno-sanitize-recover"]
    drivers = {log: folder / f"driver{log}" for log in (LOG, 13)}
    for log, driver in drivers.items():
        sources = [PROGRAMS / "reuse_driver.c", CORE / "reuse.c"]
        asked = [f"-DPM_REUSE_LOG={log}", "-I", CORE]
        subprocess.run(["gcc", *strict, *asked, "-o", driver, *sources], check=True)

    def run(calls: list[list[Address]], lines: int, log: int = LOG, *, of: str = "data") -> list[list[int]]:
        text = "".join(" ".join(map(str, [lines, *call])) + "\n" for call in calls)
        done = subprocess.run(drivers[log], input=text, capture_output=True, text=True, check=True)
        both = [[int(word) for word in line.split()] for line in done.stdout.splitlines()]
        return [row[: log + 2] if of == "data" else row[log + 2 :] for row in both]

    return run


#: Few lines of several regions, so that they come again; and none.
_ADDRESS = st.one_of(
    st.just(0),
    st.integers(1, 40 * 64),
    st.integers(2**32 - 200 * 64, 2**32 + 200 * 64),
    st.integers(0x1FFE000000, 0x1FFE000000 + 30 * 64),
)


@given(st.lists(st.lists(_ADDRESS, max_size=60), min_size=1, max_size=4), st.sampled_from([1, 2, 8, 64]))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_as_the_slow_twin_has_it(fast: Fast, calls: list[list[int]], lines: int) -> None:
    found = fast(calls, lines)
    every = slow.bands([address for call in calls for address in call], lines, LOG)
    assert [sum(column) for column in zip(*found, strict=True)] == every


@given(st.lists(st.tuples(st.booleans(), _ADDRESS.filter(bool)), max_size=80), st.sampled_from([1, 8]))
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_code_has_an_order_of_its_own(fast: Fast, told: list[tuple[bool, int]], lines: int) -> None:
    calls = [[f"c{address}" if is_code else address for is_code, address in told]]
    for of in ("data", "code"):
        expected = slow.bands([a for is_code, a in told if is_code == (of == "code")], lines, LOG)
        assert fast(calls, lines, of=of) == [expected]


def test_what_is_counted_is_of_each_call_and_what_is_remembered_of_all(fast: Fast) -> None:
    assert fast([[64, 128], [64], [64, 64]], 1) == [
        [0, 0, 0, 0, 0, 2],
        [0, 1, 0, 0, 0, 0],
        [2, 0, 0, 0, 0, 0],
    ]


def test_each_distance_has_its_band(fast: Fast) -> None:
    for distance in range(16):
        others = [64 * (2 + i) for i in range(distance)]
        expected = [0] * 6
        expected[distance.bit_length()] += 1
        expected[-1] = distance + 1
        assert fast([[64, *others, 64]], 1) == [expected]
    assert fast([[64, *(64 * (2 + i) for i in range(16)), 64]], 1) == [[0, 0, 0, 0, 0, 18]]


def test_the_room_grows_up_to_what_is_remembered(fast: Fast) -> None:
    # 5,000 lines twice: each comes again after 4,999 others; then 8,193, one more than are remembered.
    again = [64 * i for i in range(1, 5001)] * 2
    (found,) = fast([again], 1, 13)
    assert {band: count for band, count in enumerate(found) if count} == {13: 5000, 14: 5000}
    (found,) = fast([[64 * i for i in range(1, 8194)] * 2], 1, 13)
    assert {band: count for band, count in enumerate(found) if count} == {14: 2 * 8193}


def test_of_each_stretch_as_many_lines_are_looked_at_as_there_should_be(fast: Fast) -> None:
    # One of 64: of 64 neighbours one, and of 4,096 lines that lie apart by any power of two 64.
    for start in (0x400000, 0x1FFEFFF000, 0x7F12345000):
        assert fast([[start + 64 * i for i in range(64)]], 64) == [[0] * 5 + [1]]
    for apart in (1, 2, 8, 64, 512):
        (found,) = fast([[2**30 + 64 * apart * i for i in range(4096)]], 64)
        assert found == [0] * 5 + [64], apart
