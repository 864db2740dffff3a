"""Names of code agree with nm and addr2line, and nothing about a file can make naming fail."""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.symbols.programs import C_SOURCE, CPP_SOURCE, Program, blocks_at, build

from phasemark import symbols
from phasemark.model import Blocks
from phasemark.symbols import debug_file
from phasemark.symbols.demangle import demangle

_NUMBER = itertools.count()
PIE, FIXED = ("-O1", "-pie", "-fPIE"), ("-O1", "-no-pie", "-fno-pie")


@pytest.mark.parametrize("source", [C_SOURCE, CPP_SOURCE], ids=["c", "c++"])
@pytest.mark.parametrize("flags", [PIE, FIXED, ("-O2", "-static")], ids=["pie", "fixed", "static"])
def test_functions_are_those_that_nm_lists(tmp_path, source, flags) -> None:
    program = build(tmp_path, source, *flags)
    expected = program.symbols()
    text = program.addresses()
    starts = np.array(sorted(address for address in expected if text[0] <= address <= text[-1]))[:3000]
    named = symbols.annotate(program.blocks(starts), lines=False)
    for address, name in zip(starts.tolist(), named.function, strict=True):
        assert name in {demangle(n) for n in expected[address]}, hex(address)


@pytest.mark.parametrize("version", ["-gdwarf-4", "-gdwarf-5"])
@pytest.mark.parametrize("flags", [PIE, FIXED, ("-O2", "-gz")], ids=["pie", "fixed", "compressed"])
def test_lines_are_those_that_addr2line_says(tmp_path, version, flags) -> None:
    program = build(tmp_path, C_SOURCE, version, *flags)
    addresses = program.addresses()
    named = symbols.annotate(program.blocks(addresses))
    found = [(Path(f).name, n) for f, n in zip(named.file, named.line.tolist(), strict=True)]
    assert found == program.places(addresses.tolist())
    assert len({line for _, line in found}) > 8


def test_a_file_is_named_with_its_folder(tmp_path) -> None:
    program = build(tmp_path, C_SOURCE, "-g")
    main = next(a for a, names in program.symbols().items() if "main" in names)
    assert symbols.annotate(program.blocks(np.array([main]))).file == (str(tmp_path / "program.c"),)


def test_a_stripped_program_still_shows_its_functions(tmp_path) -> None:
    program = build(tmp_path, C_SOURCE, *PIE)
    starts = {next(iter(n)): a for a, n in program.symbols().items()}
    subprocess.run(["strip", program.path], check=True)
    inside = np.array([starts["hidden"], starts["hidden"] + 5, starts["shown"], starts["main"] + 9])
    named = symbols.annotate(program.blocks(inside))
    assert named.function == (
        f"program:{starts['hidden']:#x}",
        f"program:{starts['hidden']:#x}",
        f"program:{starts['shown']:#x}",
        f"program:{starts['main']:#x}",
    )


@pytest.mark.parametrize(
    ("flags", "section"),
    [
        (("-fcf-protection=none",), ".plt"),
        (("-Wl,-z,ibtplt",), ".plt.sec"),
        (("-Wl,-z,now", "-fcf-protection=none"), ".plt.got"),
    ],
    ids=["lazy", "ibt", "now"],
)
def test_an_entry_of_a_linkage_table_is_named_after_its_function(tmp_path, flags, section) -> None:
    program = build(tmp_path, C_SOURCE, "-O1", "-fno-builtin", *flags)
    entries = program.addresses(section)
    names = symbols.annotate(program.blocks(entries, section)).function
    expected = {"__cxa_finalize@plt"} if section == ".plt.got" else {"strlen@plt", "printf@plt"}
    assert expected <= set(names)


def test_a_label_of_assembly_is_a_function(tmp_path) -> None:
    (tmp_path / "a.s").write_text(
        ".globl _start\n.text\n_start:\n mov $60, %eax\ncount:\n xor %edi, %edi\n syscall\n"
    )
    subprocess.run(["gcc", "-nostdlib", "-static", "-o", tmp_path / "a", tmp_path / "a.s"], check=True)
    program = Program(tmp_path / "a")
    text = program.addresses()[0]
    named = symbols.annotate(program.blocks(np.array([text, text + 2, text + 5, text + 7])))
    assert named.function == ("_start", "_start", "count", "count")


@pytest.mark.parametrize("way", ["build-id", "beside", "sub-folder", "under-root"])
def test_a_separate_debug_file_is_found(tmp_path, monkeypatch, way) -> None:
    monkeypatch.setattr(debug_file, "ROOT", tmp_path / "debug")
    flags = () if way == "build-id" else ("-Wl,--build-id=none",)
    program = build(tmp_path, C_SOURCE, "-g", *PIE, *flags)
    expected = symbols.annotate(program.blocks(program.addresses()))
    build_id = symbols.build_id(program.path)
    apart = tmp_path / {
        "build-id": f"debug/.build-id/{build_id[:2]}/{build_id[2:]}.debug",
        "beside": "program.debug",
        "sub-folder": ".debug/program.debug",
        "under-root": f"debug/{tmp_path}/program.debug",
    }[way].replace("debug//", "debug/")
    apart.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["objcopy", "--only-keep-debug", program.path, apart], check=True)
    link = [] if way == "build-id" else [f"--add-gnu-debuglink={apart}"]
    subprocess.run(["objcopy", "--strip-all", *link, program.path], check=True)
    named = symbols.annotate(program.blocks(program.addresses()))
    assert named.function == expected.function
    assert (named.file, named.line.tolist()) == (expected.file, expected.line.tolist())


def test_a_debug_file_of_another_build_is_not_used(tmp_path) -> None:
    program = build(tmp_path, C_SOURCE, "-Wl,--build-id=none", *PIE)
    other = build(tmp_path, C_SOURCE, "-Wl,--build-id=none", "-g", "-O3", name="other")
    apart = tmp_path / "program.debug"
    apart.write_bytes(program.path.read_bytes())
    subprocess.run(["objcopy", "--strip-all", f"--add-gnu-debuglink={apart}", program.path], check=True)
    apart.write_bytes(other.path.read_bytes())
    named = symbols.annotate(program.blocks(program.addresses()))
    assert not {"hidden", "shown", "main"} & set(named.function)


def test_a_missing_or_changed_module_falls_back_to_its_offset(tmp_path) -> None:
    program = build(tmp_path, C_SOURCE, "-g")
    main = program.blocks(np.array([next(a for a, n in program.symbols().items() if "main" in n)]))
    assert symbols.annotate(main).function == ("main",)
    right, wrong = symbols.build_id(program.path), "00" * 20
    assert symbols.annotate(main, build_ids={str(program.path): right}).function == ("main",)
    assert symbols.annotate(main, build_ids={str(program.path): wrong}).function[0].startswith("program+0x")
    program.path.unlink()
    assert symbols.annotate(main).function[0].startswith("program+0x")


def test_code_that_no_file_holds_bears_its_modules_name() -> None:
    blocks = Blocks(("[vdso]", "[anonymous 0]", ""), [0, 1, 2], [8, 16, 24], [1, 1, 1], [1, 1, 1])
    named = symbols.annotate(blocks)
    assert named.function == ("[vdso]", "[anonymous 0]", "")
    assert named.line.tolist() == [0, 0, 0]


def test_only_the_asked_rows_are_looked_up_and_the_others_keep_their_names(tmp_path) -> None:
    program = build(tmp_path, C_SOURCE)
    blocks = program.blocks(program.addresses())
    half = symbols.annotate(blocks, np.arange(0, len(blocks), 2))
    assert all(name == "" for name in half.function[1::2])
    whole = symbols.annotate(half, np.arange(len(blocks)) % 2 == 1)
    assert whole.function == symbols.annotate(blocks).function


@pytest.mark.parametrize("content", [b"", b"#!/bin/sh\n", b"\x7fELF", b"\x7fELF\x02\x01\x01" + bytes(90)])
def test_what_is_no_program_names_nothing(tmp_path, content) -> None:
    (tmp_path / "odd").write_bytes(content)
    assert symbols.annotate(blocks_at(tmp_path / "odd", [0, 64])).function == ("odd+0x0", "odd+0x40")


@pytest.fixture(scope="module")
def with_debug(tmp_path_factory) -> Program:
    return build(tmp_path_factory.mktemp("damage"), C_SOURCE, "-g")


_places = st.lists(st.tuples(st.integers(0, 1 << 30), st.integers(0, 255)), max_size=40)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(anywhere=_places, headers=_places, cut=st.integers(0, 9999))
def test_a_damaged_program_never_crashes(tmp_path, with_debug, anywhere, headers, cut) -> None:
    content = bytearray(with_debug.path.read_bytes())
    offsets = with_debug.blocks(with_debug.addresses()).offset
    for at, value in anywhere:
        content[at % len(content)] = value
    for at, value in headers:  # where damage does most
        content[(at % 64) if at % 2 else len(content) - 1 - at % 2400] = value
    path = tmp_path / f"damaged-{next(_NUMBER)}"
    path.write_bytes(content[: len(content) - cut] if cut % 2 else content)
    named = symbols.annotate(blocks_at(path, offsets))
    assert all(named.function)
    assert all(type(name) is str for name in named.file)
