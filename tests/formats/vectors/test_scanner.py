"""The tokenizer's code for any machine, and that for newer ones: no byte more is read than there is."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.formats.vectors.vector_strategies import content, cuts
from tests.reference.vectors import Malformed, tokenize

CORE = Path(__file__).parents[3] / "native" / "core"
DRIVER = Path(__file__).with_name("scanner_driver.cpp")

Scan = Callable[[bytes, int], list[str]]


CHECKED = ("-std=c++20", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover", "-I", CORE)


@pytest.fixture(scope="module")
def common(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """What is compiled alike for every machine."""
    folder = tmp_path_factory.mktemp("common")
    sources = (DRIVER, CORE / "vectors" / "vector_scanner.cpp")
    subprocess.run(["g++", *CHECKED, "-c", *sources], cwd=folder, check=True)
    return sorted(folder.glob("*.o"))


@pytest.fixture(scope="module", params=["PLAIN", "NO_AVX2", "this machine"])
def scan(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, common: list[Path]
) -> Scan:
    driver = tmp_path_factory.mktemp("scanner") / "driver"
    plain = [] if request.param == "this machine" else [f"-DPHASEMARK_{request.param}"]
    row = CORE / "vectors" / "vector_row.cpp"
    subprocess.run(["g++", *CHECKED, *plain, "-o", driver, row, *common], check=True)

    def run(text: bytes, cut: int) -> list[str]:
        done = subprocess.run([driver, str(cut)], input=text, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode().splitlines()

    return run


@settings(deadline=None, max_examples=60)
@given(text=content, cut=cuts)
def test_rows_equal_those_of_the_slow_tokenizer(scan: Scan, text: bytes, cut: int) -> None:
    found = scan(text, cut)
    try:
        rows, _, _ = tokenize(text)
    except Malformed as malformed:
        assert found[-1] == f"fault {malformed.line}"
        return
    assert [line.split() for line in found] == [
        [f"{block}:{count}" for block, count in sorted(row.items())] for row in rows
    ]


@pytest.mark.parametrize("digits", range(1, 20))
def test_numbers_of_any_length(scan: Scan, digits: int) -> None:
    most, least = 10**digits - 1, 10 ** (digits - 1)
    numbers = [least, most, most // 9 * 8, most // 9 * 4 + 1]
    counts = [min(number, 2**58 - 1) for number in reversed(numbers)]
    row = [
        f"{number + i}:{count}" for i, (number, count) in enumerate(zip(sorted(numbers), counts, strict=True))
    ]
    text = "T" + " ".join(f":{entry}" for entry in row) + "\n" * 200
    assert scan(text.encode(), 1 << 20) == [" ".join(row) + " "]


@pytest.mark.parametrize("entries", range(1, 60))
def test_a_line_of_any_length_at_the_end(scan: Scan, entries: int) -> None:
    row = [f"{number}:5" for number in range(7, 7 + entries)]
    text = "T" + " ".join(f":{entry}" for entry in row) + "\n"
    assert scan(text.encode(), len(text)) == [" ".join(row) + " "]


def test_a_number_before_the_first_colon_is_a_fault(scan: Scan) -> None:
    assert scan(b"T:1:2 3:4:5" + b"\n" * 200, 1 << 20) == ["fault 1"]
