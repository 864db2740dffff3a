"""Line programs decode to the rows that pyelftools finds in them."""

from __future__ import annotations

import pytest
from elftools.elf.elffile import ELFFile
from tests.symbols.programs import C_SOURCE, CPP_SOURCE, build

from phasemark.symbols import line_program


@pytest.mark.parametrize("source", [C_SOURCE, CPP_SOURCE], ids=["c", "c++"])
@pytest.mark.parametrize("flags", [("-gdwarf-5", "-O2"), ("-gdwarf-4", "-O0"), ("-gdwarf-2", "-O1")])
def test_rows_are_those_of_pyelftools(tmp_path, source, flags) -> None:
    with build(tmp_path, source, *flags).path.open("rb") as file:
        dwarf = ELFFile(file).get_dwarf_info()
        for unit in dwarf.iter_CUs():
            program = dwarf.line_program_for_CU(unit)
            states = [entry.state for entry in program.get_entries() if entry.state is not None]
            expected = [(s.address, not s.end_sequence, s.file, s.line) for s in states]
            assert line_program.rows(program) == expected
            assert len(expected) > 10


@pytest.mark.parametrize(
    ("code", "value"), [(b"\x02", 2), (b"\x7e", -2), (b"\xff\x00", 127), (b"\x80\x7f", -128)]
)
def test_signed_numbers(code, value) -> None:
    # Appendix C of the DWARF standard.
    assert line_program._signed(code, 0) == (value, len(code))
